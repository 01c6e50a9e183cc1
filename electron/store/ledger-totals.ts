/** Sums over the ledger, kept up to date by reading only the lines added since the last read. */
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { isFailure, isServerCall, type LedgerEntry, savedBy, type Totals } from '../../shared/model/call.ts';
import { APP_CLIENT } from '../../shared/model/client-name.ts';
import { CURRENT, identify, type LedgerHead, linesFrom, openIfThere, parseEntry, rotatedFiles } from './ledger-files.ts';

export interface LedgerReading {
  /** Reads to the end of the ledger and returns the new entries. */
  catchUp(): Promise<LedgerEntry[]>;
  all(): Totals;
  today(): Totals;
  /** Number of entries of the current file. */
  entries(): number;
  /** The head line for a new file. */
  head(id: string): LedgerHead;
}

/** Starts with totals of everything in the directory; entries that are there already are not given as new. */
export async function openLedgerReading(directory: string, now: () => Date): Promise<LedgerReading> {
  const current = path.join(directory, CURRENT);
  let fileId: string | undefined;
  let offset = 0;
  let entries = 0;
  let all: Totals = noTotals;
  let days: Record<string, Totals> = {};

  function forgetPast() {
    const today = dayOf(now());
    days = Object.fromEntries(Object.entries(days).filter(([day]) => day >= today));
  }

  async function readOn(handle: FileHandle, added: LedgerEntry[]): Promise<void> {
    for await (const { line, end } of linesFrom(handle, offset)) {
      offset = end;
      const entry = parseEntry(line);
      if (entry === undefined) continue;
      added.push(entry);
      entries += 1;
      all = withEntry(all, entry);
      const day = dayOf(entry.time);
      if (day >= dayOf(now())) days[day] = withEntry(days[day] ?? noTotals, entry);
    }
  }

  /** Begins with a file from its head on. A file whose head is damaged goes on from the totals that are known. */
  function begin(head: LedgerHead | undefined, fallbackId: string) {
    fileId = head?.id ?? fallbackId;
    offset = 0;
    entries = 0;
    if (head) ({ all, days } = { all: head.all, days: { ...head.days } });
  }

  async function catchUp(): Promise<LedgerEntry[]> {
    const added: LedgerEntry[] = [];
    const handle = await openIfThere(current);
    try {
      const identity = handle && (await identify(handle));
      if (handle && identity && identity.id === fileId && (await handle.stat()).size >= offset) {
        await readOn(handle, added);
      } else {
        // At the start, the head of the current file holds what came before.
        if (fileId !== undefined || identity?.head === undefined) await readThroughRotated(added, identity?.id);
        if (handle && identity) {
          begin(identity.head, identity.id);
          await readOn(handle, added);
        }
      }
    } finally {
      await handle?.close();
    }
    forgetPast();
    return added;
  }

  /**
   * What was added to the file read last after it was rotated, and the files that came and went since, up to the one that is open. If that
   * one was rotated meanwhile, newer ones are read the next time.
   */
  async function readThroughRotated(added: LedgerEntry[], openId: string | undefined): Promise<void> {
    const files = await rotatedFiles(directory);
    const unread: string[] = [];
    for (const file of files.reverse()) {
      const handle = await openIfThere(file);
      if (!handle) continue;
      try {
        const { id } = await identify(handle);
        if (id === fileId) {
          await readOn(handle, added);
          break;
        }
        if (id === openId) {
          unread.length = 0;
          continue;
        }
        unread.unshift(file);
        // At the start the newest suffices: its head holds what came before.
        if (fileId === undefined) break;
      } finally {
        await handle.close();
      }
    }
    for (const file of unread) {
      const handle = await openIfThere(file);
      if (!handle) continue;
      try {
        const { head, id } = await identify(handle);
        begin(head, id);
        await readOn(handle, added);
      } finally {
        await handle.close();
      }
    }
  }

  await catchUp();
  // A ledger that was empty has no file yet, but from now on every file is news.
  fileId ??= 'none';
  return {
    catchUp,
    all: () => all,
    entries: () => entries,
    today: () => days[dayOf(now())] ?? noTotals,
    head(id) {
      forgetPast();
      return { ledger: 1, id, all, days };
    },
  };
}

export const noTotals: Totals = {
  calls: 0,
  agentCalls: 0,
  failed: 0,
  blocked: 0,
  inputBytes: 0,
  sentBytes: 0,
  records: 0,
  tokensMeasured: 0,
  tokensEstimated: 0,
  tokensTyped: 0,
  tokensRead: 0,
};

/**
 * Totals with one entry more. What touched files only is no call. What somebody refused, blocked or cancelled has not failed.
 * Tokens are counted apart by how they were found out.
 */
export function withEntry(totals: Totals, entry: LedgerEntry): Totals {
  const saved = savedBy(entry);
  const counts = [saved.arguments, saved.answer];
  const tokens = (method: string) => counts.reduce((sum, each) => (each.method === method ? sum + each.count : sum), 0);
  const isCall = isServerCall(entry.kind);
  return {
    calls: totals.calls + (isCall ? 1 : 0),
    agentCalls: totals.agentCalls + (entry.client === APP_CLIENT ? 0 : 1),
    failed: totals.failed + (isCall && isFailure(entry.outcome) ? 1 : 0),
    blocked: totals.blocked + (entry.outcome === 'blocked' ? 1 : 0),
    inputBytes: totals.inputBytes + entry.inputBytes,
    sentBytes: totals.sentBytes + entry.sentBytes,
    records: totals.records + entry.records,
    tokensMeasured: totals.tokensMeasured + tokens('measured'),
    tokensEstimated: totals.tokensEstimated + tokens('estimated'),
    tokensTyped: totals.tokensTyped + saved.arguments.count,
    tokensRead: totals.tokensRead + saved.answer.count,
  };
}

const twoDigits = (value: number) => String(value).padStart(2, '0');

/** Day of a time as the user's calendar has it, as YYYY-MM-DD; empty for what is no time. */
export function dayOf(time: string | Date): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return '';
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}
