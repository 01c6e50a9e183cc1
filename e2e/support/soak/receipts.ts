/** Reads from an answer the outcome of each record of its call. */
import type { Answer, JsonObject } from '../mcp-clients.ts';

/** Whether a record was kept: exactly once, never, or at most once. */
export type Fate = 'kept' | 'not kept' | 'unknown';

/** The outcome of every record in order, as runs. */
export type Fates = { from: number; to: number; fate: Fate }[];

interface Row {
  start: number;
  records: number;
  ok: boolean;
  message?: string;
}

/** Without an answer, any outcome is possible. */
export function fatesIn(answer: Answer | undefined, call: { id: string; records: number } = { id: '', records: 0 }): Fates {
  const all = (fate: Fate): Fates => [{ from: 0, to: Number.POSITIVE_INFINITY, fate }];
  if (answer === undefined) return all('unknown');
  const rows = batchesOf(answer);
  if (rows !== undefined && rows.length > 0) return rowFates(rows, call);
  if (!answer.isError) return all('kept');
  return all(answer.text.includes(`refused ${call.id}`) ? 'not kept' : 'unknown');
}

function rowFates(rows: readonly Row[], call: { id: string; records: number }): Fates {
  const seen = rows.map(({ start, records, ok, message }): Fates[number] => {
    const refused = message?.includes(`refused ${call.id}`);
    return { from: start, to: start + records, fate: ok ? 'kept' : refused ? 'not kept' : 'unknown' };
  });
  const unsent: Fates = [];
  let at = 0;
  for (const { from, to } of [...seen].sort((a, b) => a.from - b.from)) {
    if (from > at) unsent.push({ from: at, to: from, fate: 'not kept' });
    at = Math.max(at, to);
  }
  return [...seen, ...unsent, { from: at, to: Number.POSITIVE_INFINITY, fate: 'not kept' }];
}

function batchesOf(answer: Answer): Row[] | undefined {
  try {
    return (answer.json() as { receipt?: JsonObject & { batches?: Row[] } }).receipt?.batches;
  } catch {
    // An error text, or an answer as the tool gave it.
    return undefined;
  }
}
