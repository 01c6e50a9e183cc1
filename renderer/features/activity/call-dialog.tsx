/** One call: where it went, what it carried, what became of it, what it saved. Never what was in the file. */

import { isFileTool } from '../../../shared/model/call.ts';
import type { TokenCount } from '../../../shared/model/conversion.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { callName, Outcome } from '../../ui/call-table.tsx';
import { Callout } from '../../ui/callout.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { formatBytes, formatCount, formatDuration, formatMoment } from '../../ui/numbers.ts';
import { t } from './activity-texts.ts';

const never = [] as const;

const tokens = ({ count, method }: TokenCount) => t(method, { count: formatCount(count) });

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
    <Dialog
      open
      onClose={onClose}
      title={call.value ? callName(call.value.entry) : t('detail')}
      lead={call.value ? t(call.value.entry.kind) : undefined}
      wide
    >
      <Loaded answer={call} lines={8}>
        {({ entry, message }) => (
          <>
            {entry.errorCode === null && message === null ? null : (
              <Callout kind="error" title={t('error')}>
                <p>{message ?? t('errorGone', { code: entry.errorCode ?? '' })}</p>
              </Callout>
            )}
            <Facts
              facts={[
                [t('when'), formatMoment(entry.time)],
                [t('took'), formatDuration(entry.durationMs)],
                [t('for'), entry.client ?? t('nobody')],
                ...(entry.server === null ? [] : [[t('on'), entry.server] as const]),
                [t('what'), <Outcome key="outcome" outcome={entry.outcome} />],
              ]}
            />
            <section className="call-part" aria-labelledby="call-files">
              <h3 id="call-files">{t('files')}</h3>
              {entry.paths.length === 0 ? (
                <p className="quiet">{t('noFiles')}</p>
              ) : (
                <ul>
                  {entry.paths.map((path) => (
                    <li key={path} className="path">
                      {path}
                    </li>
                  ))}
                </ul>
              )}
              <Facts
                facts={[
                  [t(entry.kind === 'file_write' ? 'written' : 'read'), formatBytes(entry.inputBytes)],
                  ...(!isFileTool(entry.kind)
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
                    [t('batches'), formatCount(entry.receipt.batches)],
                  ]}
                />
                <p className="quiet small">{t('hash')}</p>
                <code className="path">{entry.receipt.sha256}</code>
              </section>
            )}
            <section className="call-part" aria-labelledby="call-savings">
              <h3 id="call-savings">{t('savings')}</h3>
              <Facts
                facts={[
                  [t('savedArguments'), tokens(entry.savings.arguments)],
                  [t('savedAnswer'), tokens(entry.savings.answer)],
                ]}
              />
            </section>
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
