/** One call: where it went, what it carried, what became of it, what it saved. Never what was in the file. */

import { Link } from 'wouter';
import type { CallDetail } from '../../../shared/contract/activity.ts';
import { visibleName } from '../../../shared/lib/visible-text.ts';
import { isFileTool, isServerCall, type LedgerEntry, MOST_SAVED, type Savings, savedBy } from '../../../shared/model/call.ts';
import { APP_CLIENT } from '../../../shared/model/client-name.ts';
import type { TokenCount } from '../../../shared/model/conversion.ts';
import type { ErrorCode } from '../../../shared/model/errors.ts';
import { useAnswer } from '../../api/use-client.ts';
import { words } from '../../i18n/texts.ts';
import { AllowPath } from '../../ui/allow-folder.tsx';
import { callerName, callName, Outcome, serverName } from '../../ui/calls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Callout, Loaded, Trouble } from '../../ui/feedback.tsx';
import { folderOf, formatBytes, formatCount, formatDuration, formatEstimate, formatMoment } from '../../ui/format.ts';
import { KeptChange } from '../../ui/kept-changes.tsx';
import { Facts } from '../../ui/page.tsx';
import { previewLink, sendLink } from '../../ui/path-links.ts';
import { PathText } from '../../ui/path-text.tsx';
import { sentenceOf, t } from './activity-texts.ts';

const never = [] as const;

/** Why a file was kept from an agent that a person can let it have. */
const ALLOWABLE: readonly (string | null)[] = ['FILE_OUTSIDE_FOLDERS', 'FILE_SENSITIVE', 'FILE_READ_ONLY'] satisfies ErrorCode[];
const folderEvents = ['folders.changed'] as const;

type Shape = NonNullable<LedgerEntry['shape']>[number];

const tokens = ({ count, method }: TokenCount) =>
  t(method, { count, shown: (method === 'estimated' ? formatEstimate : formatCount)(count) });

const shapeText = (kind: Shape['kind'], size: number | null): string =>
  size === null || kind === 'number' || kind === 'boolean' || kind === 'null'
    ? t(`shape_${kind}`)
    : t(`shape_${kind}`, { count: size, shown: formatCount(size) });

function EarlierTry({ entry }: { entry: LedgerEntry }) {
  return (
    <>
      {t('attemptNumber', { number: entry.attempt ?? 1 })}
      {entry.retryOf === undefined ? null : (
        <>
          {' · '}
          <Link href={`/activity/${encodeURIComponent(entry.retryOf)}`}>{t('earlierTry')}</Link>
        </>
      )}
    </>
  );
}

/** The error, its source, what to do, and a way to try again. */
function Failure({ entry, message, trouble }: CallDetail) {
  if (entry.outcome === 'ok') return null;
  const { server, tool, dataKeys } = entry;
  const [path] = entry.paths;
  if (path !== undefined && entry.paths.length === 1 && ALLOWABLE.includes(entry.errorCode))
    return <KeptBack path={path} code={entry.errorCode} then={trouble ? words(trouble).message : sentenceOf(entry.errorCode)} />;
  const again =
    entry.kind === 'file_call' && path !== undefined && server !== null && tool !== null ? (
      <Link href={sendLink(path, { server, tool, dataKey: dataKeys?.[0] || undefined })} className="button button-small">
        {t('tryInPreview')}
      </Link>
    ) : undefined;
  // A person's *no* is no failure, and needs none of the words for agents.
  if (entry.outcome === 'refused')
    return (
      <Callout kind="info" title={t('refusedTitle')} actions={again}>
        <p>{sentenceOf(entry.errorCode)}</p>
      </Callout>
    );
  if (trouble) return <Trouble error={trouble} actions={again} />;
  // For several batches, the text is Filebridge's summary.
  const byTool = entry.outcome === 'tool_error' && message !== null && (entry.receipt?.batches ?? 1) === 1;
  return (
    <Callout kind="error" title={t(byTool ? 'toolSaid' : 'error')} actions={again}>
      <p className="call-said">{message ?? sentenceOf(entry.errorCode)}</p>
      {message === null ? <p className="quiet small">{t('errorGone')}</p> : null}
      {byTool ? <p>{t('toolSaidHint')}</p> : null}
    </Callout>
  );
}

/** A file that was kept from an agent: what is so by now, and the button that allows it. `then`: why it was, at that time. */
function KeptBack({ path, code, then }: { path: string; code: string | null; then: string }) {
  const forWriting = code === 'FILE_READ_ONLY';
  // A file that was to be written is not there; its folder is.
  const verdict = useAnswer('paths.explain', { path: forWriting ? folderOf(path) : path }, folderEvents);
  const now = verdict.value;
  if (now?.allowed && (!forWriting || now.access === 'read-write'))
    return (
      <Callout kind="success" title={t(forWriting ? 'writableNow' : 'allowedNow')}>
        <p>{t('keptThen', { reason: then })}</p>
      </Callout>
    );
  const hint = now && !now.allowed && !forWriting ? words(now).hint : null;
  return (
    <Callout
      kind="error"
      title={then}
      actions={
        forWriting ? (
          <Link href="/folders" className="button button-small">
            {t('openFolders')}
          </Link>
        ) : now ? (
          <>
            <AllowPath verdict={now} path={now.path} />
            <Link href={previewLink(path)} className="button button-small">
              {t('whyBlocked')}
            </Link>
          </>
        ) : undefined
      }
    >
      {hint === null ? null : <p>{hint}</p>}
      <Trouble error={verdict.error} />
    </Callout>
  );
}

const isBounded = ({ count }: TokenCount) => count === MOST_SAVED;

function Saved({ saved }: { saved: Savings }) {
  return (
    <>
      <Facts
        facts={[
          [t('savedArguments'), tokens(saved.arguments)],
          [t('savedAnswer'), tokens(saved.answer)],
        ]}
      />
      {isBounded(saved.arguments) || isBounded(saved.answer) ? (
        <p className="quiet small">{t('mostSaved', { tokens: formatCount(MOST_SAVED) })}</p>
      ) : null}
    </>
  );
}

export function CallDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const call = useAnswer('ledger.get', { id }, never);
  if (call.error?.code === 'INVALID_REQUEST') {
    return (
      <Dialog open onClose={onClose} title={t('goneTitle')}>
        <p>{t('goneText')}</p>
      </Dialog>
    );
  }
  return (
    <Dialog open onClose={onClose} title={call.value ? callName(call.value.entry) : t('detail')} wide>
      <Loaded answer={call} lines={8}>
        {({ entry, message, trouble }) => (
          <>
            <Failure entry={entry} message={message} trouble={trouble} />
            <Facts
              facts={[
                [t('when'), formatMoment(entry.time)],
                [t('took'), formatDuration(entry.durationMs)],
                [t('for'), entry.client === null ? t('nobody') : callerName(entry.client)],
                ...(entry.server === null || isFileTool(entry.kind) ? [] : [[t('on'), serverName(entry.server)] as const]),
                [t('outcome'), <Outcome key="outcome" outcome={entry.outcome} />],
                ...(entry.attempt === undefined ? [] : [[t('attempt'), <EarlierTry key="attempt" entry={entry} />] as const]),
              ]}
            />
            {entry.paths.length === 0 && entry.calls === 0 ? null : (
              <section className="call-part" aria-labelledby="call-files">
                <h3 id="call-files">{t('files')}</h3>
                {entry.paths.length === 0 ? (
                  <p className="quiet">{t('noFiles')}</p>
                ) : (
                  <ul>
                    {entry.paths.map((path) => (
                      <li key={path}>
                        <PathText path={path} />
                      </li>
                    ))}
                  </ul>
                )}
                <Facts
                  facts={[
                    ...(entry.inputBytes === 0
                      ? []
                      : [[t(entry.kind === 'file_write' ? 'written' : 'read'), formatBytes(entry.inputBytes)] as const]),
                    // Looking at a file sends nothing.
                    ...(isServerCall(entry.kind) && entry.calls > 0
                      ? [
                          [t('sent'), formatBytes(entry.sentBytes)] as const,
                          [t('records'), formatCount(entry.records)] as const,
                          [t('callsMade'), formatCount(entry.calls)] as const,
                        ]
                      : []),
                    ...(entry.dataKeys === undefined || entry.kind !== 'file_call'
                      ? []
                      : [[t('binding'), entry.dataKeys.map((key) => key || t('bindingMerged')).join(', ')] as const]),
                  ]}
                />
              </section>
            )}
            {entry.kind === 'file_write' ? <KeptChange id={entry.id} /> : null}
            {entry.shape === undefined ? null : (
              <section className="call-part" aria-labelledby="call-shape">
                <h3 id="call-shape">{t('shape')}</h3>
                <p className="quiet small">{t('shapeNote')}</p>
                <Facts facts={entry.shape.map(({ name, kind, size }) => [visibleName(name), shapeText(kind, size)] as const)} />
              </section>
            )}
            {entry.receipt === undefined ? null : (
              <section className="call-part" aria-labelledby="call-receipt">
                <h3 id="call-receipt">{t('receipt')}</h3>
                <Facts
                  facts={[
                    [t('accepted'), formatCount(entry.receipt.recordsAccepted)],
                    [t('rejected'), formatCount(entry.receipt.recordsFailed)],
                    ...(entry.receipt.recordsUnknown
                      ? ([[t('unknown'), formatCount(entry.receipt.recordsUnknown)]] as const)
                      : []),
                    ...(entry.receipt.recordsNotSent
                      ? ([[t('notSent'), formatCount(entry.receipt.recordsNotSent)]] as const)
                      : []),
                    [t('batches'), formatCount(entry.receipt.batches)],
                  ]}
                />
                <details>
                  <summary>{t('hash')}</summary>
                  <code className="path">{entry.receipt.sha256}</code>
                </details>
              </section>
            )}
            {entry.savings.arguments.count + entry.savings.answer.count === 0 ? null : (
              <section className="call-part" aria-labelledby="call-savings">
                <h3 id="call-savings">{t('savings')}</h3>
                {entry.client === APP_CLIENT ? (
                  <p>{t('wouldHaveTyped', { tokens: formatCount(entry.savings.arguments.count) })}</p>
                ) : (
                  <Saved saved={savedBy(entry)} />
                )}
              </section>
            )}
            {entry.storedPath === null ? null : (
              <section className="call-part" aria-labelledby="call-stored">
                <h3 id="call-stored">{t('stored')}</h3>
                <p className="path">{entry.storedPath}</p>
              </section>
            )}
          </>
        )}
      </Loaded>
    </Dialog>
  );
}
