/**
 * Compares the outcomes that agents saw with the records that servers kept and with the ledger. Faults are sentences;
 * there should be none.
 */
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { CURRENT, linesFrom, openIfThere, rotatedFiles } from '../../../electron/store/ledger-files.ts';
import type { LedgerLine } from '../totals.ts';
import type { SentCall } from './load.ts';
import type { Sample } from './program.ts';

/** Records whose reported outcome differs from what servers kept. */
export async function recordFaults(calls: readonly SentCall[], logs: readonly string[]): Promise<string[]> {
  const kept = new Map(calls.filter(({ records }) => records > 0).map((call) => [call.id, new Uint8Array(call.records)]));
  const faults: string[] = [];
  for (const log of logs) {
    for await (const { call, n } of jsonLines<{ call: string; n: number[] }>(log)) {
      const counts = kept.get(call);
      if (counts === undefined) faults.push(`a server kept records of ${call}, which nobody sent`);
      else for (const each of n) counts[each] = (counts[each] ?? 0) + 1;
    }
  }
  for (const call of calls) {
    for (const [n, times] of kept.get(call.id)?.entries() ?? []) {
      const fate = call.fates.find(({ from, to }) => from <= n && n < to)?.fate;
      const right = fate === 'kept' ? times === 1 : fate === 'not kept' ? times === 0 : times <= 1;
      if (!right) faults.push(`record ${n} of ${call.id}, said to be ${fate}, was kept ${times} times`);
    }
  }
  return faults;
}

/** Answered calls without exactly one ledger line, and other calls with more than one. */
export async function ledgerFaults(calls: readonly SentCall[], dataDirectory: string): Promise<string[]> {
  const byPath = new Map<string, LedgerLine[]>();
  const byAgent = new Map<string, number>();
  const group = ({ client, agent, kind }: { client?: string | null; agent?: string; kind: string }) =>
    `${kind} of ${client ?? agent}`;
  for (const file of [...(await rotatedFiles(dataDirectory)), path.join(dataDirectory, CURRENT)]) {
    for await (const line of ledgerLines(file)) {
      if (line.kind === 'file_call') for (const each of line.paths) byPath.set(each, [...(byPath.get(each) ?? []), line]);
      else if (line.kind !== undefined) byAgent.set(group(line), (byAgent.get(group(line)) ?? 0) + 1);
    }
  }
  const faults: string[] = [];
  const expected = new Map<string, { least: number; most: number }>();
  for (const call of calls) {
    if (call.kind !== 'file_call') {
      const { least, most } = expected.get(group(call)) ?? { least: 0, most: 0 };
      expected.set(group(call), { least: least + (call.isError === undefined ? 0 : 1), most: most + 1 });
      continue;
    }
    const lines = byPath.get(call.path ?? '') ?? [];
    if (lines.length > 1 || (lines.length === 0 && call.isError !== undefined))
      faults.push(`${call.id} has ${lines.length} lines`);
    const [line] = lines;
    if (line && call.isError !== undefined && (line.outcome !== 'ok') !== call.isError) {
      faults.push(`${call.id} is said to have ended ${line.outcome}, and was answered with isError: ${call.isError}`);
    }
  }
  for (const [who, { least, most }] of expected) {
    const lines = byAgent.get(who) ?? 0;
    if (lines < least || lines > most) faults.push(`${who}: ${lines} lines for ${least} to ${most} calls`);
  }
  return faults;
}

/** The medians of each measure after warm-up and at the end. */
export function trend(samples: readonly Sample[], measure: keyof Sample): { early: number; late: number } {
  const warm = samples.slice(Math.ceil(samples.length * 0.3)).map((sample) => sample[measure]);
  const half = Math.ceil(warm.length / 2);
  return { early: median(warm.slice(0, half)), late: median(warm.slice(half)) };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

async function* ledgerLines(file: string): AsyncGenerator<LedgerLine> {
  const handle = await openIfThere(file);
  if (!handle) return;
  try {
    for await (const { line } of linesFrom(handle, 0)) yield JSON.parse(line) as LedgerLine;
  } finally {
    await handle.close();
  }
}

async function* jsonLines<T>(file: string): AsyncGenerator<T> {
  for await (const line of createInterface({ input: createReadStream(file) })) yield JSON.parse(line) as T;
}
