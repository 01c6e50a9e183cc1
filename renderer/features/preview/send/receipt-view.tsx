/** Shows the result of sending: accepted and failed records, the receipt, savings, and the tool's answer. */

import { Link } from 'wouter';
import type { Sent } from '../../../../shared/contract/preview.ts';
import type { Receipt } from '../../../../shared/model/call.ts';
import { words } from '../../../i18n/words.ts';
import { SentBeforeNotice, savedTokens } from '../../../ui/calls.tsx';
import { CodeBlock, CopyButton } from '../../../ui/code-block.tsx';
import { Callout, StateDot } from '../../../ui/feedback.tsx';
import { formatCount } from '../../../ui/numbers.ts';
import { Facts, Section } from '../../../ui/page.tsx';
import { t } from '../preview-texts.ts';

const SHOWN_BATCHES = 8;

/** `outdated`: something was changed since. */
export function ReceiptView({
  sent: { ok, entryId, receipt, savings, answer, error },
  outdated,
}: {
  sent: Sent;
  outdated: boolean;
}) {
  return (
    <Section
      title={t('receipt')}
      note={outdated ? t('receiptBefore') : undefined}
      className="receipt"
      actions={<StateDot tone={ok ? 'good' : 'bad'}>{ok ? t('done') : t('failed')}</StateDot>}
    >
      {error ? (
        <Callout kind="error" title={words(error).message}>
          {error.hint ? <p>{words(error).hint}</p> : null}
        </Callout>
      ) : null}
      {receipt || savings ? (
        <Facts
          facts={[
            ...(receipt
              ? ([
                  [t('accepted'), formatCount(receipt.recordsAccepted)],
                  [t('rejected'), formatCount(receipt.recordsFailed)],
                  ...(receipt.recordsUnknown ? ([[t('unknown'), formatCount(receipt.recordsUnknown)]] as const) : []),
                  [t('calls'), formatCount(receipt.batches.reduce((sum, { batches = 1 }) => sum + batches, 0) || 1)],
                ] as const)
              : []),
            ...(savings ? ([[t('tokensSaved'), savedTokens(savings)]] as const) : []),
          ]}
        />
      ) : null}
      <SentBeforeNotice files={receipt?.sentBefore ?? []} text={t('sentBefore')} />
      {receipt ? <Proof receipt={receipt} /> : null}
      {receipt ? <FailedBatches receipt={receipt} /> : null}
      {answer === '' ? null : (
        <>
          <h3>{t('answer')}</h3>
          <CodeBlock name={t('answer')} text={answer} />
        </>
      )}
      {entryId === null ? null : <Link href={`/activity/${encodeURIComponent(entryId)}`}>{t('toActivity')}</Link>}
    </Section>
  );
}

function Proof({ receipt: { sha256, resumeFrom } }: { receipt: Receipt }) {
  return (
    <>
      <p className="receipt-proof">
        <span className="quiet small">SHA-256</span>
        <span className="path">{sha256}</span>
        <CopyButton text={sha256} name="SHA-256" look="quiet" />
      </p>
      {resumeFrom === null ? null : <p>{t('stopped', { record: formatCount(resumeFrom + 1) })}</p>}
    </>
  );
}

function FailedBatches({ receipt: { batches } }: { receipt: Receipt }) {
  const failed = batches.filter(({ ok }) => !ok);
  if (failed.length === 0) return null;
  return (
    <Callout kind="error" title={t('batchesFailed', { count: failed.length })}>
      <ul>
        {failed.slice(0, SHOWN_BATCHES).map(({ index, start, records, message }) => (
          <li key={index}>
            {t('batchFailed', { from: formatCount(start + 1), to: formatCount(start + records), message: message ?? '' })}
          </li>
        ))}
      </ul>
    </Callout>
  );
}
