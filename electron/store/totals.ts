/** Sums over ledger entries. */
import { isServerCall, type LedgerEntry, type Totals } from '../../shared/model/call.ts';

export const noTotals: Totals = {
  calls: 0,
  failed: 0,
  inputBytes: 0,
  sentBytes: 0,
  records: 0,
  tokensMeasured: 0,
  tokensEstimated: 0,
  tokensTyped: 0,
  tokensRead: 0,
};

/**
 * Totals with one entry more. What touched files only is no call. Failed are those that ended otherwise than well, unless somebody cancelled them.
 * Tokens are counted apart by how they were found out.
 */
export function withEntry(totals: Totals, entry: LedgerEntry): Totals {
  const counts = [entry.savings.arguments, entry.savings.answer];
  const tokens = (method: string) => counts.reduce((sum, each) => (each.method === method ? sum + each.count : sum), 0);
  const isCall = isServerCall(entry.kind);
  return {
    calls: totals.calls + (isCall ? 1 : 0),
    failed: totals.failed + (isCall && entry.outcome !== 'ok' && entry.outcome !== 'cancelled' ? 1 : 0),
    inputBytes: totals.inputBytes + entry.inputBytes,
    sentBytes: totals.sentBytes + entry.sentBytes,
    records: totals.records + entry.records,
    tokensMeasured: totals.tokensMeasured + tokens('measured'),
    tokensEstimated: totals.tokensEstimated + tokens('estimated'),
    tokensTyped: totals.tokensTyped + entry.savings.arguments.count,
    tokensRead: totals.tokensRead + entry.savings.answer.count,
  };
}

const twoDigits = (value: number) => String(value).padStart(2, '0');

/** Day of a time as the user's calendar has it, as YYYY-MM-DD; empty for what is no time. */
export function dayOf(time: string | Date): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return '';
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}
