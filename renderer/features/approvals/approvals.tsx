/** Calls that need a person's approval, above the page that is open: the question, its answers, and the time left. */
import { useCallback, useEffect, useId, useRef, useState } from 'react';
import type { Approval, ApprovalLoss } from '../../../shared/contract/approvals.ts';
import { visibleName, visibleText } from '../../../shared/lib/visible-text.ts';
import { useAnswer, useClient } from '../../api/use-client.ts';
import { Badge, Callout, Trouble, useToast } from '../../ui/feedback.tsx';
import { t } from './approvals-texts.ts';
import './approvals.css';
import { AlertDialog } from '@base-ui/react/alert-dialog';
import { type AppError, toAppError } from '../../../shared/model/errors.ts';
import { Button } from '../../ui/button.tsx';
import { SentBeforeNotice } from '../../ui/calls.tsx';
import { BeforeAfter } from '../../ui/code-block.tsx';
import { formatBytes, formatCount } from '../../ui/format.ts';
import { Facts } from '../../ui/page.tsx';
import { EndMark, Outgoing, Part, Scrolling, Watched } from './outgoing.tsx';

const nothing = {};
const events = ['approvals.changed'] as const;
const none: readonly Approval[] = [];
/** An approval that disappears this shortly before its deadline has expired. Milliseconds. */
const EXPIRED_WITHIN_MS = 1000;

const toolOf = ({ server, tool }: Pick<Approval, 'server' | 'tool'>) => JSON.stringify([server, tool]);

const namesOf = ({ server, tool }: Approval) => ({ server: visibleName(server), tool: visibleName(tool) });

export function Approvals() {
  const client = useClient();
  const toast = useToast();
  const waiting = useAnswer('approvals.list', nothing, events).value ?? none;
  const before = useRef(none);
  const answered = useRef(new Set<string>());
  const always = useRef(new Set<string>());
  const say = useRef(toast);
  say.current = toast;

  // A question that goes without an answer from here must not go without a word.
  useEffect(() => {
    for (const gone of before.current) {
      if (waiting.some(({ id }) => id === gone.id) || answered.current.has(gone.id)) continue;
      if (always.current.has(toolOf(gone))) continue;
      const expired = performance.now() > deadlineOf(gone) - EXPIRED_WITHIN_MS;
      say.current(t(expired ? 'expired' : 'elsewhere', namesOf(gone)));
    }
    before.current = waiting;
    for (const asked of waiting) {
      // Its time runs from now, also while others are shown.
      deadlineOf(asked);
      always.current.delete(toolOf(asked));
    }
  }, [waiting]);

  const answer = async (approval: Approval, decision: Decision) => {
    const { id, server, tool } = approval;
    answered.current.add(id);
    if (decision === 'always') always.current.add(toolOf(approval));
    try {
      await client.call('approvals.answer', { id, decision });
    } catch (error) {
      answered.current.delete(id);
      always.current.delete(toolOf(approval));
      throw error;
    }
    if (decision !== 'always') return;
    toast(t('alwaysNow', namesOf(approval)), {
      label: t('askAgain'),
      run: () =>
        void client.call('upstreams.askAgain', { name: server, tool }).catch(() => toast(t('stillAlways', namesOf(approval)))),
    });
  };

  return <ApprovalDialog waiting={waiting} onAnswer={answer} />;
}

export type Decision = 'once' | 'always' | 'refuse';

/** A click or key meant for what was there before must not allow anything. */
const ARMED_AFTER_MS = 700;

/** The question itself: who wants to send what where. Nothing but one of its three answers closes it. */
function ApprovalDialog({
  waiting,
  onAnswer,
}: {
  waiting: readonly Approval[];
  /** Rejects when the answer could not be given. */
  onAnswer: (approval: Approval, decision: Decision) => Promise<void>;
}) {
  const reason = useId();
  const popup = useRef<HTMLDivElement>(null);
  const current = waiting[0];
  const shown = useRef(current);
  // The content stays readable while the dialog fades out.
  if (current) shown.current = current;
  const id = current?.id;
  const [armed, setArmed] = useState<string>();
  const [seen, setSeen] = useState<string>();
  const [busy, setBusy] = useState<Decision>();
  const [failure, setFailure] = useState<{ id: string; error: AppError }>();

  useEffect(() => {
    if (id === undefined) return;
    setBusy(undefined);
    // The next question starts where the first did: on the dialog, not on a button.
    popup.current?.focus();
    popup.current?.querySelector('.dialog-body')?.scrollTo(0, 0);
    const timer = setTimeout(() => setArmed(id), ARMED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [id]);

  const decide = async (decision: Decision) => {
    if (!current || busy) return;
    setBusy(decision);
    setFailure(undefined);
    try {
      await onAnswer(current, decision);
    } catch (error) {
      setFailure({ id: current.id, error: toAppError(error) });
      setBusy(undefined);
    }
  };
  const onSeen = useCallback((all: boolean) => setSeen(all ? id : undefined), [id]);
  const unread = id !== undefined && seen !== id;
  const ready = armed === id && !unread && busy === undefined;
  const waits = { 'aria-disabled': !ready || undefined, 'aria-describedby': unread ? reason : undefined };
  const approval = shown.current;

  return (
    <AlertDialog.Root open={current !== undefined}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="dialog-shade approval-shade" />
        <AlertDialog.Popup ref={popup} initialFocus={popup} tabIndex={-1} className="dialog dialog-wide approval">
          {approval ? (
            <>
              <header className="dialog-head">
                <div>
                  <AlertDialog.Title className="dialog-title">{t(approval.loss ? 'titleChange' : 'title')}</AlertDialog.Title>
                  <AlertDialog.Description className="approval-lead">
                    {t(leadOf(approval), {
                      client: visibleName(approval.client ?? ''),
                      tool: visibleName(approval.tool),
                      server: visibleName(approval.server),
                    })}
                  </AlertDialog.Description>
                </div>
                {waiting.length > 1 ? <Badge tone="wait">{t('oneOf', { count: waiting.length })}</Badge> : null}
              </header>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
              <section className="dialog-body" tabIndex={0} aria-label={t('outgoing')}>
                {failure?.id === id ? <Trouble error={failure?.error} /> : null}
                <Watched key={approval.id} onSeen={onSeen}>
                  {approval.lapsed.length === 0 ? null : <Lapsed approval={approval} />}
                  <SentBeforeNotice files={approval.sentBefore} text={t('sentBefore')} />
                  {approval.loss ? <Loss loss={approval.loss} /> : <About approval={approval} />}
                  <Outgoing approval={approval} />
                  <EndMark />
                </Watched>
              </section>
              <footer className="dialog-foot approval-foot">
                <div className="approval-state">
                  <p id={reason} className="approval-unread" role="status">
                    {unread ? t('unread') : ''}
                  </p>
                  <TimeLeft approval={approval} />
                </div>
                <Button look="danger" busy={busy === 'refuse'} onClick={() => void decide('refuse')}>
                  {t('refuse')}
                </Button>
                {approval.loss ? null : (
                  <Button {...waits} onClick={ready ? () => void decide('always') : undefined}>
                    {t('always')}
                  </Button>
                )}
                <Button look="primary" {...waits} onClick={ready ? () => void decide('once') : undefined}>
                  {t('once')}
                </Button>
              </footer>
            </>
          ) : null}
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

function leadOf({ client, loss }: Approval) {
  if (loss) return client === null ? 'leadChangeUnknown' : 'leadChange';
  return client === null ? 'leadUnknown' : 'lead';
}

const lapsedPart = {
  entry: 'lapsedEntry',
  description: 'lapsedDescription',
  inputSchema: 'lapsedInputSchema',
  outputSchema: 'lapsedOutputSchema',
  annotations: 'lapsedAnnotations',
} as const;

/** Why an "always" from before does not hold for this call. */
function Lapsed({ approval: { lapsed, changes, tool } }: { approval: Approval }) {
  const parts = lapsed.flatMap((part) => (part === 'unrecorded' ? [] : [t(lapsedPart[part])]));
  return (
    <Callout kind="warning" title={t('lapsedTitle')}>
      <p>{parts.length === 0 ? t('lapsedUnrecorded') : t('lapsedText', { parts: parts.join(', ') })}</p>
      <BeforeAfter of={visibleName(tool)} parts={changes} heading="h3" />
    </Callout>
  );
}

function About({ approval }: { approval: Approval }) {
  const { client, server, target, folder, tool, description, payloads, records, bytes, calls } = approval;
  const count = formatCount(calls.count);
  return (
    <>
      <Facts
        facts={[
          [t('client'), client === null ? t('unknownClient') : visibleText(client)],
          [t('server'), visibleText(server)],
          [t('tool'), visibleText(tool)],
          [t('calls'), calls.exact ? count : t('about', { count })],
          ...(payloads.length === 0 ? [] : ([[t('records'), formatCount(records)]] as const)),
          [t('size'), formatBytes(bytes)],
        ]}
      />
      <dl className="approval-places">
        <dt>{t('target')}</dt>
        <dd className="path">{visibleText(target)}</dd>
        {folder === null ? null : (
          <>
            <dt>{t('folder')}</dt>
            <dd className="path">{visibleText(folder)}</dd>
          </>
        )}
      </dl>
      {description === null ? null : (
        <Part title={t('description')}>
          <Scrolling name={t('description')}>{visibleText(description.replaceAll('\r\n', '\n'), { keepLines: true })}</Scrolling>
        </Part>
      )}
    </>
  );
}

const changes = {
  delete: 'lossDelete',
  trash: 'lossTrash',
  overwrite: 'lossOverwrite',
  edit: 'lossEdit',
  move: 'lossMove',
} as const;
const kinds = { file: 'lossFile', directory: 'lossDirectory', link: 'lossLink' } as const;

const readable = (text: string) => visibleText(text.replaceAll('\r\n', '\n'), { keepLines: true });

/** A file that a file tool would delete, change or move: what it is now, and what would become of it. */
function Loss({ loss }: { loss: ApprovalLoss }) {
  const { change, path, destination, kind, bytes, newBytes } = loss;
  return (
    <>
      <dl className="approval-places">
        <dt>{t(changes[change])}</dt>
        <dd className="path">{visibleText(path)}</dd>
        {destination === null ? null : (
          <>
            <dt>{t('lossTo')}</dt>
            <dd className="path">{visibleText(destination)}</dd>
          </>
        )}
      </dl>
      <Facts
        facts={[
          [t('lossSize'), kind === 'file' ? formatBytes(bytes) : t(kinds[kind])],
          ...(newBytes === null ? [] : ([[t('lossNewSize'), formatBytes(newBytes)]] as const)),
        ]}
      />
      <Content loss={loss} />
    </>
  );
}

function Content({ loss: { kind, diff, beginning, whole } }: { loss: ApprovalLoss }) {
  if (kind !== 'file') return null;
  const title = t(diff !== null ? 'lossDiff' : whole ? 'lossWhole' : 'lossBeginning');
  const text = diff ?? beginning;
  return (
    <Part title={title}>
      {text === null ? (
        <p className="quiet">{t('lossNoText')}</p>
      ) : (
        <Scrolling name={title}>
          {readable(text)}
          {diff === null && !whole ? <span className="approval-gap">{t('rest')}</span> : null}
        </Scrolling>
      )}
    </Part>
  );
}

// Time left, by a clock that nobody sets

const URGENT_SECONDS = 15;

/** When each approval, as received, expires. */
const deadlines = new WeakMap<Approval, number>();

/** By `performance.now()`, counted from the first time it is asked for: when the approval arrives. */
function deadlineOf(approval: Approval): number {
  const deadline = deadlines.get(approval) ?? performance.now() + approval.leftMs;
  deadlines.set(approval, deadline);
  return deadline;
}

function TimeLeft({ approval }: { approval: Approval }) {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    setNow(performance.now());
    const timer = setInterval(() => setNow(performance.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((deadlineOf(approval) - now) / 1000));
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return (
    <p className="time-left" role="timer" data-urgent={seconds <= URGENT_SECONDS || undefined}>
      {seconds === 0 ? t('timeUp') : t('timeLeft', { clock })}
    </p>
  );
}
