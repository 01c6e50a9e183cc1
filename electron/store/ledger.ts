/** The log of calls and of the tokens they saved: lines appended by any number of processes, rotated without losing totals. */

import { randomUUID } from 'node:crypto';
import { type FSWatcher, watch } from 'node:fs';
import { open, rename, unlink } from 'node:fs/promises';
import path from 'node:path';
import { oneAtATime } from '../../shared/lib/one-at-a-time.ts';
import { type LedgerEntry, ledgerEntrySchema } from '../../shared/model/call.ts';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { makeDirectoryOf, storeWriteFailed, writeFileAtomic } from './atomic-file.ts';
import { withFileLock } from './file-lock.ts';
import {
  appendWhole,
  CURRENT,
  headLine,
  LedgerJournal,
  leftJournals,
  lineCount,
  nextRotatedFile,
  parseEntry,
  recentEntries,
  removeIfThere,
  rotatedFiles,
  sizeOf,
} from './ledger-files.ts';
import { noTotals, openLedgerReading } from './ledger-totals.ts';
import { restoreSealed } from './sealed-ledger.ts';
import type { Ledger } from './types.ts';

export interface LedgerOptions {
  /** Maximum number of calls kept; read again for each line if it is a function. Totals are always kept. */
  keepCalls?: number | (() => number);
  /** Size in bytes at which a file is rotated. The current one is read whole at each start and by each question: a big one would make them slow. */
  fileBytes?: number;
  now?: () => Date;
  /**
   * How long a line may wait for others that are then written with it: locking costs more than a line does. Until then it is kept in a
   * separate journal (`append` resolves once it is), and a read in this process writes it to the ledger first.
   */
  gatherMs?: number;
}

const KEEP_CALLS = 100_000;
const FILE_BYTES = 1024 * 1024;
/** Old calls go a file at a time, so that at most this share of what is kept goes at once. */
const FILE_SHARE = 0.1;

/** A process killed while it wrote its lines may have been followed by so many of others. */
const TAKE_OVER_LOOK = 1000;

interface Line {
  line: Buffer;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * Opens the ledger in a directory, which is made if need be. `append` throws FILE_WRITE_FAILED when the line could not be written; the
 * ledger is then as it was before.
 */
export async function openLedger(directory: string, options: LedgerOptions = {}): Promise<Ledger> {
  const { keepCalls = KEEP_CALLS, fileBytes = FILE_BYTES, now = () => new Date(), gatherMs = 0 } = options;
  const most = () => (typeof keepCalls === 'function' ? keepCalls() : keepCalls);
  const lock = path.join(directory, 'ledger.lock');
  const current = path.join(directory, CURRENT);
  await makeDirectoryOf(current);
  await restoreSealed(directory, most());
  const reading = await openLedgerReading(directory, now);
  const listeners = new Set<(entry: LedgerEntry) => void>();
  let watcher: FSWatcher | undefined;
  let closed = false;

  const inTurn = oneAtATime();

  async function catchUp(): Promise<void> {
    const added = await reading.catchUp();
    for (const entry of added) for (const listener of [...listeners]) listener(entry);
  }

  const waiting: Line[] = [];
  /** Lines that others may still join, safe from a kill meanwhile. */
  let gathering: { journal: LedgerJournal; timer: NodeJS.Timeout } | undefined;

  /** Moves the journal's lines into the ledger, then runs pending work. */
  function flushInTurn(): Promise<void> {
    const gathered = gathering;
    gathering = undefined;
    if (gathered === undefined) return inTurn(flush);
    clearTimeout(gathered.timer);
    return inTurn(async () => {
      const done = gathered.journal.lines.map(enqueue);
      const outcomes = Promise.allSettled(done);
      await flush();
      // Entries that could not be written stay in the journal for the next process that opens it.
      await gathered.journal.end((await outcomes).every(({ status }) => status === 'fulfilled'));
    });
  }

  /**
   * Gathered entries wait for the current write, and further ones join them; at most two files are open, however slow the disk is.
   */
  function flushAfterOthers(): void {
    void inTurn(async () => undefined).then(flushInTurn);
  }

  function enqueue(line: Buffer): Promise<void> {
    return new Promise((resolve, reject) => waiting.push({ line, resolve, reject }));
  }

  function gather(line: Buffer): void {
    try {
      gathering ??= { journal: new LedgerJournal(directory), timer: setTimeout(flushAfterOthers, gatherMs) };
      gathering.journal.add(line);
    } catch (cause) {
      // It may end in half a line: what comes next begins another.
      void flushInTurn();
      throw storeWriteFailed(current, cause);
    }
  }

  /** Takes over what processes left that were killed. What they had put into the ledger already is in its last lines. */
  async function takeOver(): Promise<void> {
    if ((await leftJournals(directory)).length === 0) return;
    await withFileLock(lock, async () => {
      for (const { file, lines } of await leftJournals(directory)) {
        const known = new Set((await recentEntries(directory, lines.length + TAKE_OVER_LOOK)).map(({ id }) => id));
        const missing = lines.filter((line) => {
          const entry = parseEntry(line);
          return entry && !known.has(entry.id);
        });
        const taken = missing.map((line) => enqueue(Buffer.from(`${line}\n`)));
        const outcomes = Promise.allSettled(taken);
        await writeWaiting();
        if ((await outcomes).every(({ status }) => status === 'fulfilled')) await unlink(file);
      }
    });
  }

  /** Writes everything that waits under one lock, so that a burst costs one. */
  async function flush(): Promise<void> {
    if (waiting.length === 0) return;
    try {
      await withFileLock(lock, writeWaiting);
    } catch (error) {
      for (const { reject } of waiting.splice(0)) reject(error instanceof AppError ? error : storeWriteFailed(current, error));
    }
  }

  /** Under the lock. */
  async function writeWaiting(): Promise<void> {
    const lines = waiting.splice(0);
    for (let from = 0; from < lines.length; ) from = await writeSome(lines, from);
    await catchUp();
  }

  /** Writes lines from `from` on, as many as the file has room for but at least one; gives the index of the first not written. */
  async function writeSome(lines: readonly Line[], from: number): Promise<number> {
    let to = from + 1;
    try {
      // Others may have written meanwhile, and so have we: what the file holds decides whether it is full.
      await catchUp();
      const inFile = Math.max(1, Math.floor(most() * FILE_SHARE));
      let room = fileBytes - (lines[from]?.line.byteLength ?? 0);
      const size = await sizeOf(current);
      if (size === undefined) await begin();
      else if (size > room || reading.entries() >= inFile) await rotate();
      room -= (await sizeOf(current)) ?? 0;
      const end = from + Math.max(1, inFile - reading.entries());
      for (let next = lines[to]; next && to < end && next.line.byteLength <= room; next = lines[to]) {
        room -= next.line.byteLength;
        to += 1;
      }
      const handle = await open(current, 'a+', 0o600);
      try {
        await appendWhole(handle, Buffer.concat(lines.slice(from, to).map(({ line }) => line)));
      } finally {
        await handle.close();
      }
      for (const { resolve } of lines.slice(from, to)) resolve();
    } catch (cause) {
      const failure = cause instanceof AppError ? cause : storeWriteFailed(current, cause);
      for (const { reject } of lines.slice(from, to)) reject(failure);
    }
    return to;
  }

  /** A new file whose head holds the totals of everything before it. */
  async function begin(): Promise<void> {
    await catchUp();
    await writeFileAtomic(current, headLine(reading.head(randomUUID())));
  }

  async function rotate(): Promise<void> {
    await catchUp();
    // A file without entries stays, even if a single line is bigger than the bound.
    if (reading.entries() === 0) return;
    await rename(current, nextRotatedFile(directory, await rotatedFiles(directory), now()));
    await begin();
    await removeOld();
  }

  /** So that the current file, when it is full, and the rotated ones hold at most as many calls as are kept. */
  async function removeOld(): Promise<void> {
    let left = most() - Math.max(1, Math.floor(most() * FILE_SHARE));
    for (const file of (await rotatedFiles(directory)).reverse()) {
      left -= Math.max(0, (await lineCount(file)) - 1);
      if (left < 0) await removeIfThere(file).catch(() => undefined);
    }
  }

  /** Rotated files are removed first: if interrupted, the current file still has their totals. */
  async function clear(): Promise<void> {
    await withFileLock(lock, async () => {
      for (const file of await rotatedFiles(directory)) await removeIfThere(file);
      await writeFileAtomic(current, headLine({ ledger: 1, id: randomUUID(), all: noTotals, days: {} }));
      await catchUp();
    });
  }

  // Entries that cannot be taken over now stay for the next process.
  inTurn(takeOver).catch(() => undefined);

  return {
    async append(entry) {
      if (closed) throw new AppError('INTERNAL', say('ledger.closed'));
      // Parsing drops unknown fields, so only names, sizes and shapes are stored.
      const line = Buffer.from(`${JSON.stringify(ledgerEntrySchema.parse(entry))}\n`);
      if (gatherMs > 0) return gather(line);
      const written = enqueue(line);
      void inTurn(flush);
      return written;
    },
    written: flushInTurn,
    async totals() {
      await flushInTurn();
      await inTurn(catchUp);
      return { all: reading.all(), today: reading.today() };
    },
    async recent(limit) {
      await flushInTurn();
      return recentEntries(directory, limit);
    },
    onAppend(listener) {
      listeners.add(listener);
      watcher ??= watchDirectory(directory, () => inTurn(catchUp));
      return () => void listeners.delete(listener);
    },
    async clear() {
      await flushInTurn();
      await inTurn(clear);
    },
    async close() {
      closed = true;
      watcher?.close();
      await flushInTurn();
    },
  };
}

/** Tells of other processes' lines. Where a directory can't be watched, they show at the next look instead. */
function watchDirectory(directory: string, changed: () => Promise<void>): FSWatcher | undefined {
  let timer: NodeJS.Timeout | undefined;
  try {
    const watcher = watch(directory, { persistent: false }, (_event, name) => {
      if (name !== null && name !== CURRENT) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        changed().catch(() => undefined);
      }, 50);
      timer.unref();
    });
    watcher.on('error', () => watcher.close());
    watcher.on('close', () => clearTimeout(timer));
    return watcher;
  } catch {
    return undefined;
  }
}
