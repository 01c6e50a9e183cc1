/** Exports the ledger as CSV or JSON. */
import { type LedgerEntry, savedBy } from '../../shared/model/call.ts';
import type { LedgerFilter, LedgerSearch } from '../store/ledger-search.ts';

/** Newest first. `name` is a file name for it. */
export async function ledgerExport(
  search: Pick<LedgerSearch, 'find'>,
  filter: LedgerFilter,
  format: 'csv' | 'json',
  now: Date,
): Promise<{ name: string; text: string }> {
  // All at once: a call that comes between two parts would shift the second.
  const { entries } = await search.find(filter, 0, Number.MAX_SAFE_INTEGER);
  const name = `filebridge-${now.toISOString().slice(0, 10)}.${format}`;
  if (format === 'json') return { name, text: `${JSON.stringify(entries, null, 2)}\n` };
  const { default: Papa } = await import('papaparse');
  // Names of clients come from outside, and spreadsheets run what looks like a formula.
  const text = Papa.unparse(entries.map(row), { columns: [...columns], escapeFormulae: true });
  return { name, text: `${text}\r\n` };
}

const columns = [
  'time',
  'client',
  'kind',
  'server',
  'tool',
  'paths',
  'dataKeys',
  'inputBytes',
  'sentBytes',
  'records',
  'recordsAccepted',
  'recordsFailed',
  'batches',
  'calls',
  'durationMs',
  'outcome',
  'errorCode',
  'attempt',
  'retryOf',
  'tokensTyped',
  'tokensTypedMethod',
  'tokensRead',
  'tokensReadMethod',
  'storedPath',
  'sha256',
  'id',
] as const;

function row(line: LedgerEntry): Record<(typeof columns)[number], unknown> {
  const { savings: _, receipt, paths, dataKeys, shape: __, ...entry } = line;
  const savings = savedBy(line);
  return {
    attempt: '',
    retryOf: '',
    ...entry,
    paths: paths.join('\n'),
    dataKeys: dataKeys?.join('\n') ?? '',
    recordsAccepted: receipt?.recordsAccepted ?? '',
    recordsFailed: receipt?.recordsFailed ?? '',
    batches: receipt?.batches ?? '',
    sha256: receipt?.sha256 ?? '',
    tokensTyped: savings.arguments.count,
    tokensTypedMethod: savings.arguments.method,
    tokensRead: savings.answer.count,
    tokensReadMethod: savings.answer.method,
  };
}
