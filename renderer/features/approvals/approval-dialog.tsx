/** The question itself: who wants to send what where. Nothing but one of its three answers closes it. */
import './approvals.css';
import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useEffect, useRef, useState } from 'react';
import type { Approval } from '../../../shared/contract/approvals.ts';
import { formatBytes } from '../../../shared/model/bytes.ts';
import { type AppError, toAppError } from '../../../shared/model/errors.ts';
import { Button } from '../../ui/button.tsx';
import { Trouble } from '../../ui/callout.tsx';
import { Facts } from '../../ui/facts.tsx';
import { formatCount } from '../../ui/numbers.ts';
import { Badge } from '../../ui/state-dot.tsx';
import { t } from './approvals-texts.ts';
import { Outgoing } from './outgoing.tsx';
import { TimeLeft } from './time-left.tsx';

export type Decision = 'once' | 'always' | 'refuse';

/** A click or key meant for what was there before must not allow anything. */
const ARMED_AFTER_MS = 700;
const SHOWN_PATHS = 4;

export function ApprovalDialog({
  waiting,
  onAnswer,
}: {
  waiting: readonly Approval[];
  /** Rejects when the answer could not be given. */
  onAnswer: (approval: Approval, decision: Decision) => Promise<void>;
}) {
  const popup = useRef<HTMLDivElement>(null);
  const current = waiting[0];
  const shown = useRef(current);
  // What was asked stays readable while the dialog fades.
  if (current) shown.current = current;
  const id = current?.id;
  const [armed, setArmed] = useState<string>();
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
  const ready = armed === id && busy === undefined;
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
                  <AlertDialog.Title className="dialog-title">{t('title')}</AlertDialog.Title>
                  <AlertDialog.Description className="approval-lead">
                    {t(approval.client === null ? 'leadUnknown' : 'lead', {
                      client: approval.client ?? '',
                      tool: approval.tool,
                      server: approval.server,
                    })}
                  </AlertDialog.Description>
                </div>
                {waiting.length > 1 ? <Badge tone="wait">{t('oneOf', { count: waiting.length })}</Badge> : null}
              </header>
              <div className="dialog-body">
                <About approval={approval} />
                <Outgoing approval={approval} />
                {failure?.id === id ? <Trouble error={failure?.error} /> : null}
              </div>
              <footer className="dialog-foot approval-foot">
                <TimeLeft expires={approval.expires} />
                <Button look="danger" busy={busy === 'refuse'} onClick={() => void decide('refuse')}>
                  {t('refuse')}
                </Button>
                <Button aria-disabled={!ready || undefined} onClick={ready ? () => void decide('always') : undefined}>
                  {t('always')}
                </Button>
                <Button
                  look="primary"
                  aria-disabled={!ready || undefined}
                  onClick={ready ? () => void decide('once') : undefined}
                >
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

function About({ approval: { client, server, target, tool, paths, records, bytes } }: { approval: Approval }) {
  return (
    <>
      <Facts
        facts={[
          [t('client'), client ?? t('unknownClient')],
          [t('server'), server],
          [t('tool'), tool],
          ...(paths.length === 0 ? [] : ([[t('records'), formatCount(records)]] as const)),
          [t('size'), formatBytes(bytes)],
        ]}
      />
      <dl className="approval-places">
        <dt>{t('target')}</dt>
        <dd className="path">{target}</dd>
        {paths.length === 0 ? null : (
          <>
            <dt>{t('files', { count: paths.length })}</dt>
            <dd>
              <ul>
                {paths.slice(0, SHOWN_PATHS).map((path) => (
                  <li key={path} className="path">
                    {path}
                  </li>
                ))}
                {paths.length > SHOWN_PATHS ? <li>{t('moreFiles', { count: paths.length - SHOWN_PATHS })}</li> : null}
              </ul>
            </dd>
          </>
        )}
      </dl>
    </>
  );
}
