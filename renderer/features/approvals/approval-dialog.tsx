/** The question itself: who wants to send what where. Nothing but one of its three answers closes it. */
import './approvals.css';
import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useCallback, useEffect, useId, useRef, useState } from 'react';
import type { Approval, ApprovalLoss } from '../../../shared/contract/approvals.ts';
import { visibleName, visibleText } from '../../../shared/lib/visible-text.ts';
import { type AppError, toAppError } from '../../../shared/model/errors.ts';
import { Button } from '../../ui/button.tsx';
import { SentBeforeNotice } from '../../ui/calls.tsx';
import { BeforeAfter } from '../../ui/code-block.tsx';
import { Badge, Callout, Trouble } from '../../ui/feedback.tsx';
import { formatBytes, formatCount } from '../../ui/format.ts';
import { Facts } from '../../ui/page.tsx';
import { t } from './approvals-texts.ts';
import { EndMark, Watched } from './end-mark.tsx';
import { Outgoing, Part } from './outgoing.tsx';
import { Scrolling } from './scrolling.tsx';
import { TimeLeft } from './time-left.tsx';

export type Decision = 'once' | 'always' | 'refuse';

/** A click or key meant for what was there before must not allow anything. */
const ARMED_AFTER_MS = 700;

export function ApprovalDialog({
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
