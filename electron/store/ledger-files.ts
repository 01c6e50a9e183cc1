/** The ledger's files: names, head lines, reading them forwards and backwards without holding them, and adding lines whole. */
import { type FileHandle, open, readdir, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { type LedgerEntry, ledgerEntrySchema, totalsSchema } from '../../shared/model/call.ts';
import { errnoOf } from './atomic-file.ts';
import { type LedgerFile, openSegment, originalSize, SegmentDamaged } from './ledger-segment.ts';

export const CURRENT = 'ledger.jsonl';
const rotatedName = /^ledger-(\d{8}T\d{9}Z)\.jsonl$/;
/** Suffix of a compressed rotated file. */
export const SEALED = '.sealed';
/** A compressed file whose original is still the valid one. */
export const SEALING = '.sealing';
export const DAMAGED = '.damaged';
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

/** Rotated files, oldest first, by the names they had before they were compressed. */
export async function rotatedFiles(directory: string): Promise<string[]> {
  return (await rotatedNames(directory)).map(({ file }) => file);
}

/** `sealed`: the compressed file is there. */
export async function rotatedNames(directory: string): Promise<{ file: string; sealed: boolean }[]> {
  const names = await readdir(directory).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  });
  const there = new Set(names);
  const originals = names.map((name) => (name.endsWith(SEALED) ? name.slice(0, -SEALED.length) : name));
  return [...new Set(originals)]
    .filter((name) => rotatedName.test(name))
    .sort()
    .map((name) => ({ file: path.join(directory, name), sealed: there.has(name + SEALED) }));
}

/** Removes a rotated file, compressed or not. */
export async function removeRotated(file: string): Promise<void> {
  for (const each of [file, file + SEALED]) {
    await unlink(each).catch((error: unknown) => {
      if (errnoOf(error) !== 'ENOENT') throw error;
    });
  }
}

/** Removes compressed files that are not or no longer valid. */
export async function removeInvalid(directory: string, endings: readonly string[]): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!name.startsWith('ledger-') || !endings.some((ending) => name.endsWith(ending))) continue;
    await unlink(path.join(directory, name)).catch(() => undefined);
  }
}

/** The size of a rotated file before it was compressed; 0 where that cannot be known any more. */
export async function rotatedSize(file: string): Promise<number> {
  return (await originalSize(file + SEALED).catch(() => undefined)) ?? (await sizeOf(file)) ?? 0;
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
export async function identify(handle: LedgerFile): Promise<{ id: string; head: LedgerHead | undefined }> {
  for await (const { line } of linesFrom(handle, 0)) {
    const head = parseHead(line);
    if (head) return { id: head.id, head };
    break;
  }
  return { id: handle.id ?? `inode-${await handle.inode()}`, head: undefined };
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

/**
 * Opens for reading, the compressed file where there is one; undefined if neither is there. A damaged compressed file counts as not
 * there: the others are readable, and `sealRotated` puts it aside.
 */
export async function openIfThere(file: string): Promise<LedgerFile | undefined> {
  const sealed = () => (rotatedName.test(path.basename(file)) ? unlessGone(openSegment(file + SEALED)) : undefined);
  // It may be compressed, and then removed, between the first two.
  return (await sealed()) ?? (await unlessGone(openPlain(file))) ?? (await sealed());
}

async function unlessGone(opening: Promise<LedgerFile>): Promise<LedgerFile | undefined> {
  try {
    return await opening;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || error instanceof SegmentDamaged) return undefined;
    throw error;
  }
}

export async function openPlain(file: string): Promise<LedgerFile> {
  const handle = await open(file, 'r');
  return {
    read: (buffer, offset, length, position) => handle.read(buffer, offset, length, position),
    size: async () => (await handle.stat()).size,
    inode: async () => (await handle.stat({ bigint: true })).ino,
    close: () => handle.close(),
  };
}

/** Whole lines from byte `from` on, each with the offset after it. A last line without its end is not given. */
export async function* linesFrom(
  handle: Pick<LedgerFile, 'read'>,
  from: number,
  blockBytes = BLOCK_BYTES,
): AsyncGenerator<{ line: string; end: number }> {
  const buffer = Buffer.allocUnsafe(blockBytes);
  let held: Buffer[] = [];
  let at = from;
  while (true) {
    const { bytesRead } = await handle.read(buffer, 0, blockBytes, at);
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
export async function* linesBackwards(handle: LedgerFile): AsyncGenerator<string> {
  const buffer = Buffer.allocUnsafe(BLOCK_BYTES);
  let at = await handle.size();
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

/** The newest entries, the newest first, of all files together. */
export async function recentEntries(directory: string, limit: number): Promise<LedgerEntry[]> {
  const entries: LedgerEntry[] = [];
  const seen = new Set<string>();
  // The current file is opened before the others are listed: one rotated in between is met twice, never missed.
  const first = await openIfThere(path.join(directory, CURRENT));
  const files = [first, ...(await rotatedFiles(directory)).reverse()];
  for (const file of files) {
    const handle = typeof file === 'string' ? await openIfThere(file) : file;
    if (!handle) continue;
    try {
      if (entries.length >= limit) continue;
      const { id } = await identify(handle);
      if (seen.has(id)) continue;
      seen.add(id);
      for await (const line of linesBackwards(handle)) {
        if (entries.length >= limit) break;
        const entry = parseEntry(line);
        if (entry) entries.push(entry);
      }
    } finally {
      await handle.close();
    }
  }
  return entries;
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

export async function hasEntries(file: string): Promise<boolean> {
  const handle = await openIfThere(file);
  if (!handle) return false;
  try {
    for await (const line of linesBackwards(handle)) if (parseEntry(line)) return true;
    return false;
  } finally {
    await handle.close();
  }
}
