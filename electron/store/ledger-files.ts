/** The ledger's files: names, head lines, reading them forwards and backwards without holding them, and adding lines whole. */

import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { type FileHandle, open, readdir, readFile, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { type LedgerEntry, ledgerEntrySchema, totalsSchema } from '../../shared/model/call.ts';
import { errnoOf } from './atomic-file.ts';
import { isHolder, isOld, isRunning, thisProcess } from './file-lock.ts';

export const CURRENT = 'ledger.jsonl';
const rotatedName = /^ledger-(\d{8}T\d{9}Z)\.jsonl$/;
const BLOCK_BYTES = 64 * 1024;
const NEWLINE = 10;

/** Totals as they stand in a file. The first files did not tell arguments from answers: there, all counts as arguments. */
const storedTotalsSchema = totalsSchema.partial({ tokensTyped: true, tokensRead: true }).transform((totals) => ({
  ...totals,
  tokensTyped: totals.tokensTyped ?? totals.tokensMeasured + totals.tokensEstimated,
  tokensRead: totals.tokensRead ?? 0,
}));

/** First line of each file: what all files before it add up to. So old files can go and the totals stay. */
const headSchema = z.object({
  ledger: z.literal(1),
  id: z.string(),
  all: storedTotalsSchema,
  /** Totals by local day, for days that were not over when the file was begun. */
  days: z.record(z.string(), storedTotalsSchema),
});
export type LedgerHead = z.infer<typeof headSchema>;

/** Rotated files, oldest first. */
export async function rotatedFiles(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  });
  return names
    .filter((name) => rotatedName.test(name))
    .sort()
    .map((name) => path.join(directory, name));
}

/** Removes a file, if it is there. */
export async function removeIfThere(file: string): Promise<void> {
  await unlink(file).catch((error: unknown) => {
    if (errnoOf(error) !== 'ENOENT') throw error;
  });
}

/** A name for the file that is rotated now; it sorts after every other, even if the clock went back. */
export function nextRotatedFile(directory: string, existing: readonly string[], now: Date): string {
  const newest = rotatedName.exec(path.basename(existing.at(-1) ?? ''))?.[1];
  const after = newest === undefined ? 0 : timeOfStamp(newest) + 1;
  const stamp = new Date(Math.max(now.getTime(), after)).toISOString().replaceAll(/[-:.]/g, '');
  return path.join(directory, `ledger-${stamp}.jsonl`);
}

function timeOfStamp(stamp: string): number {
  const [, year, month, day, hour, minute, second, milli] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/.exec(stamp)?.map(Number) ?? [];
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second, milli);
}

/** Identifies a file after renames, by its head or, without a valid head, by its inode. */
export async function identify(handle: FileHandle): Promise<{ id: string; head: LedgerHead | undefined }> {
  for await (const { line } of linesFrom(handle, 0)) {
    const head = parseHead(line);
    if (head) return { id: head.id, head };
    break;
  }
  return { id: `inode-${(await handle.stat({ bigint: true })).ino}`, head: undefined };
}

export function headLine(head: LedgerHead): string {
  return `${JSON.stringify(head)}\n`;
}

function parseHead(line: string): LedgerHead | undefined {
  return parseLine(line, headSchema);
}

/** An entry, or undefined for a head, a torn line or anything else. */
export function parseEntry(line: string): LedgerEntry | undefined {
  return parseLine(line, ledgerEntrySchema);
}

function parseLine<T>(line: string, schema: z.ZodType<T>): T | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  const checked = schema.safeParse(value);
  return checked.success ? checked.data : undefined;
}

/** Opens for reading; undefined if it is not there. */
export async function openIfThere(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, 'r');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whole lines from byte `from` on, each with the offset after it. A last line without its end is not given. */
export async function* linesFrom(handle: FileHandle, from: number): AsyncGenerator<{ line: string; end: number }> {
  const buffer = Buffer.allocUnsafe(BLOCK_BYTES);
  let held: Buffer[] = [];
  let at = from;
  while (true) {
    const { bytesRead } = await handle.read(buffer, 0, BLOCK_BYTES, at);
    if (bytesRead === 0) return;
    const block = buffer.subarray(0, bytesRead);
    let start = 0;
    for (let end = block.indexOf(NEWLINE); end !== -1; end = block.indexOf(NEWLINE, start)) {
      const line = Buffer.concat([...held, block.subarray(start, end)]).toString();
      held = [];
      start = end + 1;
      yield { line, end: at + start };
    }
    if (start < bytesRead) held.push(Buffer.from(block.subarray(start)));
    at += bytesRead;
  }
}

/** Whole lines from the end of a file to its start. What follows the last line end is a torn line and not given. */
export async function* linesBackwards(handle: FileHandle): AsyncGenerator<string> {
  const buffer = Buffer.allocUnsafe(BLOCK_BYTES);
  let at = (await handle.stat()).size;
  let held: Buffer[] = [];
  let whole = false;
  while (at > 0) {
    const from = Math.max(0, at - BLOCK_BYTES);
    const { bytesRead } = await handle.read(buffer, 0, at - from, from);
    if (bytesRead < at - from) return;
    let end = bytesRead;
    for (let newline = lastNewline(buffer, end); newline !== -1; newline = lastNewline(buffer, end)) {
      const line = Buffer.concat([buffer.subarray(newline + 1, end), ...held]).toString();
      if (whole) yield line;
      whole = true;
      held = [];
      end = newline;
    }
    held.unshift(Buffer.from(buffer.subarray(0, end)));
    at = from;
  }
  if (whole) yield Buffer.concat(held).toString();
}

function lastNewline(buffer: Buffer, before: number): number {
  return before === 0 ? -1 : buffer.lastIndexOf(NEWLINE, before - 1);
}

export interface LedgerFile {
  /** Identity of the file after renames. */
  id: string;
  /** Rotated files do not change any more. */
  isRotated: boolean;
  /** Its entries, the newest first. */
  entries(): AsyncGenerator<LedgerEntry>;
}

/** The ledger's files, the newest first, each open while it is looked at. */
export async function* newestFiles(directory: string): AsyncGenerator<LedgerFile> {
  const seen = new Set<string>();
  // The current file is opened before the others are listed: one rotated in between is met twice, never missed.
  const current = await openIfThere(path.join(directory, CURRENT));
  for (const file of [current, ...(await rotatedFiles(directory)).reverse()]) {
    const handle = typeof file === 'string' ? await openIfThere(file) : file;
    if (!handle) continue;
    try {
      const { id } = await identify(handle);
      if (seen.has(id)) continue;
      seen.add(id);
      yield { id, isRotated: handle !== current, entries: () => entriesBackwards(handle) };
    } finally {
      await handle.close();
    }
  }
}

async function* entriesBackwards(handle: FileHandle): AsyncGenerator<LedgerEntry> {
  for await (const line of linesBackwards(handle)) {
    const entry = parseEntry(line);
    if (entry) yield entry;
  }
}

/** The newest entries, the newest first, of all files together. */
export async function recentEntries(directory: string, limit: number): Promise<LedgerEntry[]> {
  const entries: LedgerEntry[] = [];
  for await (const file of newestFiles(directory)) {
    for await (const entry of file.entries()) {
      if (entries.length >= limit) return entries;
      entries.push(entry);
    }
  }
  return entries;
}

/** How many lines a file has, its head included. */
export async function lineCount(file: string): Promise<number> {
  const handle = await openIfThere(file);
  if (!handle) return 0;
  try {
    let lines = 0;
    for await (const _ of linesFrom(handle, 0)) lines += 1;
    return lines;
  } finally {
    await handle.close();
  }
}

/**
 * Appends with one write. A line that was left torn by a crash is ended first. If not everything could be written, what was is
 * taken back: the lock is ours, so nothing of anybody else's can follow it.
 */
export async function appendWhole(handle: FileHandle, line: Buffer): Promise<void> {
  const { size } = await handle.stat();
  const lastByte = Buffer.alloc(1);
  if (size > 0) await handle.read(lastByte, 0, 1, size - 1);
  const torn = size > 0 && lastByte[0] !== NEWLINE;
  const bytes = torn ? Buffer.concat([Buffer.from('\n'), line]) : line;
  try {
    const { bytesWritten } = await handle.write(bytes);
    if (bytesWritten < bytes.byteLength) throw Object.assign(new Error('The write was cut short'), { code: 'ENOSPC' });
  } catch (error) {
    await handle.truncate(size).catch(() => undefined);
    throw error;
  }
}

/** Undefined where the file is not there. */
export async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

// The journal: lines that are not in the ledger yet, in one file per process, so that a call does not wait for the lock, and a killed
// process loses none. The next process that opens the ledger takes over the journals of ended processes.

const journalName = /^calls-[0-9a-f]{16}\.waiting$/;

/** Uses synchronous calls: the thread pool would take a third of the time of a small call. */
export class LedgerJournal {
  /** Kept lines, in order. */
  readonly lines: Buffer[] = [];
  readonly #file: string;
  readonly #descriptor: number;

  /** Begins a journal in `directory`; its head names this process. */
  constructor(directory: string) {
    const holder = thisProcess();
    this.#file = path.join(directory, `calls-${holder.nonce}.waiting`);
    this.#descriptor = openSync(this.#file, 'wx', 0o600);
    try {
      writeWhole(this.#descriptor, Buffer.from(`${JSON.stringify(holder)}\n`));
    } catch (error) {
      closeSync(this.#descriptor);
      unlinkSync(this.#file);
      throw error;
    }
  }

  /** Writes a line so that it survives the process. A partially written line is dropped. */
  add(line: Buffer): void {
    writeWhole(this.#descriptor, line);
    this.lines.push(line);
  }

  /** `done`: its lines are in the ledger, and the file can be removed. */
  async end(done: boolean): Promise<void> {
    closeSync(this.#descriptor);
    if (done) await unlink(this.#file).catch(() => undefined);
  }
}

function writeWhole(descriptor: number, bytes: Buffer): void {
  if (writeSync(descriptor, bytes) < bytes.byteLength) {
    throw Object.assign(new Error('The write was cut short'), { code: 'ENOSPC' });
  }
}

export interface LeftJournal {
  file: string;
  lines: string[];
}

/** Journals of processes that have ended. An incomplete last line is ignored. */
export async function leftJournals(directory: string): Promise<LeftJournal[]> {
  const left: LeftJournal[] = [];
  for (const name of await readdir(directory)) {
    if (!journalName.test(name)) continue;
    const file = path.join(directory, name);
    const [head, ...lines] = (await readFile(file, 'utf8').catch(() => '')).split('\n').slice(0, -1);
    // Without a head there is no line, and nobody of whom to ask whether they run.
    if (head === undefined ? await isOld(file) : hasEnded(head)) left.push({ file, lines });
  }
  return left;
}

function hasEnded(head: string): boolean {
  try {
    const holder: unknown = JSON.parse(head);
    return isHolder(holder) && isRunning(holder) === false;
  } catch {
    return false;
  }
}
