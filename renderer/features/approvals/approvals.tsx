/** Calls that need a person's approval, above the page that is open: the question, its answers, and the time left. */
import { Fragment, type ReactNode, useCallback, useEffect, useId, useRef, useState } from 'react';
import type { Approval, ApprovalLoss } from '../../../shared/contract/approvals.ts';
import { visibleName, visibleText } from '../../../shared/lib/visible-text.ts';
import { useAnswer, useClient, useEvent } from '../../api/use-client.ts';
import { Badge, Callout, Trouble, useToast } from '../../ui/feedback.tsx';
import { t } from './approvals-texts.ts';
import './approvals.css';
import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useLocation } from 'wouter';
import { type AppError, toAppError } from '../../../shared/model/errors.ts';
import { Button } from '../../ui/button.tsx';
import { SentBeforeNotice } from '../../ui/calls.tsx';
import { BeforeAfter } from '../../ui/code-block.tsx';
import { Difference } from '../../ui/difference.tsx';
import { formatBytes, formatCount } from '../../ui/format.ts';
import { TriangleAlert } from '../../ui/icons/icons.tsx';
import { Facts } from '../../ui/page.tsx';
import { PathText } from '../../ui/path-text.tsx';
import { EndMark, Outgoing, Part, Raw, Reveal, Watched, Whole } from './outgoing.tsx';
import { byAgent, changeAction, changeFinished, changeSentence, changeTitle, sendingSentence } from './question.ts';

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
  /** Calls allowed once that have not ended, by the ids of their ledger entries. */
  const allowed = useRef(new Map<string, Approval>());
  const [, go] = useLocation();
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

  useEvent('ledger.appended', ({ id, outcome }) => {
    const approval = allowed.current.get(id);
    if (approval === undefined) return;
    allowed.current.delete(id);
    const ok = outcome === 'ok';
    const words =
      outcome === 'unknown' || outcome === 'cancelled'
        ? // It may have been done: nobody is to do it twice.
          t('maybeFinished', namesOf(approval))
        : approval.loss
          ? changeFinished(approval.loss, ok)
          : t(ok ? 'finished' : 'notFinished', namesOf(approval));
    toast(words, { label: t(ok ? 'look' : 'seeWhy'), run: () => go(`/activity/${encodeURIComponent(id)}`) });
  });

  const answer = async (approval: Approval, decision: Decision) => {
    const { id, call } = approval;
    answered.current.add(id);
    if (decision === 'always') always.current.add(toolOf(approval));
    if (decision === 'once' && call !== null) allowed.current.set(call, approval);
    try {
      await client.call('approvals.answer', { id, decision });
    } catch (error) {
      answered.current.delete(id);
      always.current.delete(toolOf(approval));
      if (call !== null) allowed.current.delete(call);
      throw error;
    }
    if (decision === 'refuse') toast(t(approval.loss ? 'refusedChange' : 'refusedCall', { client: byAgent(approval.client) }));
    if (decision === 'always') toast(t('alwaysNow', namesOf(approval)), { label: t('openServers'), run: () => go('/servers') });
  };

  return <ApprovalDialog waiting={waiting} onAnswer={answer} />;
}

export type Decision = 'once' | 'always' | 'refuse';

/** A click or key meant for what was there before must not allow anything. */
const ARMED_AFTER_MS = 700;

/** The question itself: who wants to send what where. Nothing but one of its three answers closes it; Escape refuses. */
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
  /** The question whose "always" waits for a second word. */
  const [sure, setSure] = useState<string>();
  const [failure, setFailure] = useState<{ id: string; error: AppError }>();

  useEffect(() => {
    if (id === undefined) return;
    setBusy(undefined);
    setSure(undefined);
    // The next question starts where the first did.
    startIn(popup.current);
    popup.current?.querySelector('.dialog-body')?.scrollTo(0, 0);
  }, [id]);

  useEffect(() => {
    if (id === undefined) return;
    if (sure === id) popup.current?.querySelector<HTMLElement>(`.${REFUSE}`)?.focus({ preventScroll: true });
    setArmed(undefined);
    const timer = setTimeout(() => setArmed(id), ARMED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [id, sure]);

  /** Out of a field that one types in, Escape leads back to the answers. */
  const onEscape = () => (popup.current?.querySelector('input:focus') ? startIn(popup.current) : refuseByKey());
  /** What changes when the question does must not be answered by a key meant for what was there before. */
  const refuseByKey = () => {
    if (asksTwice) setSure(undefined);
    else if (armed === id) void decide('refuse');
  };
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
  const asksTwice = id !== undefined && sure === id;
  const unread = id !== undefined && seen !== id;
  const ready = armed === id && !unread && busy === undefined;
  const waits = { 'aria-disabled': !ready || undefined, 'aria-describedby': unread ? reason : undefined };
  const approval = shown.current;
  const final = approval?.loss?.undoable === false;
  const destroys = approval?.says === 'destroys';

  return (
    <AlertDialog.Root open={current !== undefined} onOpenChange={(_, { reason }) => reason === 'escape-key' && onEscape()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="dialog-shade approval-shade" />
        <AlertDialog.Popup
          ref={popup}
          initialFocus={() => startIn(popup.current)}
          tabIndex={-1}
          className="dialog dialog-wide approval"
        >
          {approval ? (
            <>
              <header className="dialog-head">
                <div>
                  <AlertDialog.Title className="dialog-title approval-title" data-final={final || destroys || undefined}>
                    {final || destroys ? <TriangleAlert /> : null}
                    <span>{titleOf(approval)}</span>
                  </AlertDialog.Title>
                  <AlertDialog.Description className="approval-lead">{leadOf(approval)}</AlertDialog.Description>
                </div>
                <div className="approval-marks">
                  {final ? <Badge tone="bad">{t('final')}</Badge> : null}
                  {waiting.length > 1 ? <Badge tone="wait">{t('oneOf', { count: waiting.length })}</Badge> : null}
                </div>
              </header>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
              <section className="dialog-body" tabIndex={0} aria-label={t(approval.loss ? 'lossPreview' : 'outgoing')}>
                {failure?.id === id ? <Trouble error={failure?.error} /> : null}
                <Watched key={approval.id} onSeen={onSeen}>
                  {approval.lapsed.length === 0 ? null : <Lapsed approval={approval} />}
                  {destroys ? (
                    <Callout kind="warning" title={t('destroysNote')}>
                      <ServerSays approval={approval} />
                    </Callout>
                  ) : (
                    <ServerSays approval={approval} />
                  )}
                  {approval.says === 'reads' ? null : <SentBeforeNotice files={approval.sentBefore} text={t('sentBefore')} />}
                  {approval.loss ? <Loss loss={approval.loss} /> : <Outgoing approval={approval} />}
                  <EndMark />
                </Watched>
                <details key={`details ${approval.id}`} className="approval-details">
                  <summary>{t('details')}</summary>
                  <About approval={approval} />
                  <Raw approval={approval} />
                </details>
              </section>
              <footer className="dialog-foot approval-foot">
                <div className="approval-state">
                  <p id={reason} className="approval-unread" role="status">
                    {asksTwice
                      ? t('alwaysSure', { tool: visibleName(approval.tool) })
                      : unread
                        ? t(approval.loss ? 'unreadChange' : 'unread')
                        : ''}
                  </p>
                  <TimeLeft approval={approval} />
                </div>
                {approval.loss || asksTwice ? null : (
                  // Not between the two answers to this question.
                  <Button
                    look="quiet"
                    {...waits}
                    onClick={ready ? () => (destroys ? setSure(id) : void decide('always')) : undefined}
                  >
                    {t('always')}
                  </Button>
                )}
                <Button
                  className={REFUSE}
                  busy={busy === 'refuse'}
                  // A click without a count comes from a key; the second of a double click is meant for what was there before.
                  onClick={({ detail }) => (detail !== 1 || asksTwice ? refuseByKey() : void decide('refuse'))}
                >
                  {t(asksTwice ? 'back' : 'refuse')}
                </Button>
                {asksTwice ? (
                  <Button look="danger" {...waits} onClick={ready ? () => void decide('always') : undefined}>
                    {t('alwaysSureAction')}
                  </Button>
                ) : null}
                {asksTwice ? null : (
                  <Button
                    look={final || destroys || approval.loss?.change === 'trash' ? 'danger' : 'primary'}
                    className={final || destroys ? 'approval-final' : undefined}
                    {...waits}
                    onClick={ready ? () => void decide('once') : undefined}
                  >
                    {approval.loss ? changeAction(approval.loss) : t('once')}
                  </Button>
                )}
              </footer>
            </>
          ) : null}
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

const REFUSE = 'approval-refuse';

/** The focus is on *Refuse*, which may be out of view: what is asked comes first. */
function startIn(popup: HTMLElement | null): false {
  popup?.querySelector<HTMLElement>(`.${REFUSE}`)?.focus({ preventScroll: true });
  popup?.scrollTo(0, 0);
  return false;
}

const titleOf = ({ loss, says, tool }: Approval): string =>
  loss ? changeTitle(loss) : says === 'destroys' ? t('titleDestroys', { tool: visibleName(tool) }) : t('title');

const leadOf = (approval: Approval): string =>
  approval.loss ? changeSentence(approval.client, approval.loss) : sendingSentence(approval);

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

/** More of a description is among the details. */
const SAID_CHARS = 200;

/** What the tool does, in its server's words, which may be anything. */
function ServerSays({ approval: { loss, description } }: { approval: Approval }) {
  if (loss || description === null || description.trim() === '') return null;
  // No quote of its own: what follows one would read as words of the window.
  const said = [
    ...description
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/["“”„«»‟]/g, "'")
      .trim(),
  ];
  const text = visibleText(said.length > SAID_CHARS ? `${said.slice(0, SAID_CHARS).join('')}…` : said.join(''));
  return <p>{t('serverSays', { text })}</p>;
}

/** Facts that a decision seldom needs; what the question is about was said before. */
function About({ approval }: { approval: Approval }) {
  const { client, server, tool, target, folder, description, payloads, records, bytes, calls, loss } = approval;
  const count = formatCount(calls.count);
  return (
    <>
      <Facts
        facts={[
          [t('client'), client === null ? t('unknownClient') : visibleText(client)],
          ...(loss ? [] : ([[t('server'), visibleText(server)]] as const)),
          [t('tool'), visibleText(tool)],
          ...(loss ? [] : ([[t('calls'), calls.exact ? count : t('about', { count })]] as const)),
          ...(payloads.length === 0 ? [] : ([[t('records'), formatCount(records)]] as const)),
          ...(loss ? [] : ([[t('size'), formatBytes(bytes)]] as const)),
        ]}
      />
      {loss ? null : (
        <Places
          places={[
            [t('target'), target],
            [t('folder'), folder],
          ]}
        />
      )}
      {loss?.change === 'overwrite' && loss.diff !== null ? (
        <Part title={t('lossReplacement')}>
          <Text name={t('lossReplacement')} text={loss.replacement} none={t('lossReplacementNoText')} />
        </Part>
      ) : null}
      {description === null ? null : (
        <Part title={t('description')}>
          <Whole name={t('description')}>{visibleText(description.replaceAll('\r\n', '\n'), { keepLines: true })}</Whole>
        </Part>
      )}
    </>
  );
}

/** Where something goes or is, each by its name. */
function Places({ places }: { places: readonly (readonly [name: string, place: string | null, more?: ReactNode])[] }) {
  return (
    <dl className="approval-places">
      {places.map(([name, place, more]) =>
        place === null ? null : (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>
              <PathText path={place} /> {more}
            </dd>
          </Fragment>
        ),
      )}
    </dl>
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

/** A file that a file tool would delete, change or move: what would become of it and what it is now, then where it is. */
function Loss({ loss }: { loss: ApprovalLoss }) {
  const { change, path, destination, kind, bytes, newBytes, replacement, diff } = loss;
  return (
    <>
      {change === 'overwrite' && diff === null ? (
        <Part title={t('lossReplacement')}>
          <Text name={t('lossReplacement')} text={replacement} none={t('lossReplacementNoText')} />
        </Part>
      ) : null}
      <Content loss={loss} />
      <Places
        places={[
          [t(changes[change]), path, <Reveal key="show" path={path} />],
          [t('lossTo'), destination],
        ]}
      />
      <Facts
        facts={[
          [t('lossSize'), kind === 'file' ? formatBytes(bytes) : t(kinds[kind])],
          ...(newBytes === null ? [] : ([[t('lossNewSize'), formatBytes(newBytes)]] as const)),
        ]}
      />
    </>
  );
}

function Content({ loss: { kind, diff, beginning, whole } }: { loss: ApprovalLoss }) {
  if (kind !== 'file') return null;
  const title = t(diff !== null ? 'lossDiff' : whole ? 'lossWhole' : 'lossBeginning');
  return (
    <Part title={title}>
      {diff === null ? (
        <Text name={title} text={beginning} none={t('lossNoText')} cut={!whole} />
      ) : (
        <>
          <p className="quiet small">{t('diffSigns')}</p>
          <Difference name={title} diff={diff}>
            <EndMark />
          </Difference>
        </>
      )}
    </Part>
  );
}

function Text({ name, text, none, cut = false }: { name: string; text: string | null; none: string; cut?: boolean }) {
  if (text === null) return <p className="quiet">{none}</p>;
  return (
    <Whole name={name}>
      {readable(text)}
      {cut ? <span className="approval-gap">{t('rest')}</span> : null}
    </Whole>
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
