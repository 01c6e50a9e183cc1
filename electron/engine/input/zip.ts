/**
 * Reads entries of a ZIP archive on demand from a seekable source. Format: PKWARE APPNOTE 6.3.10, sections 4.3 and 4.5.3
 * (ZIP64).
 */
import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as zlib from 'node:zlib';
import { createInflateRaw } from 'node:zlib';
import type { AppError } from '../../../shared/model/errors.ts';
import { type Message, say } from '../../../shared/model/messages/message.ts';
import type { ByteSource } from '../core/source.ts';

const END_BYTES = 22;
const MOST_COMMENT = 0xffff;
const LOCATOR_BYTES = 20;
const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_ENTRY = 0x04034b50;
const STORED = 0;
const DEFLATED = 8;
const EXTRA_64 = 1;
const EXTRA_UNICODE_NAME = 0x7075;
/** General purpose flags (APPNOTE 4.4.4). */
const ENCRYPTED = 1;
const UTF8_NAME = 1 << 11;

export interface ZipEntry {
  readonly name: string;
  readonly method: number;
  /** Sizes and offset in bytes. */
  readonly packed: number;
  readonly size: number;
  /** Of the decompressed bytes. */
  readonly crc: number;
  readonly offset: number;
  readonly encrypted: boolean;
  /** When it was last changed, as local time of an unknown zone: ISO 8601, to two seconds. */
  readonly modified: string | null;
}

export interface ZipArchive {
  readonly entries: ReadonlyMap<string, ZipEntry>;
  /** The decompressed bytes. Fails if their number or checksum differs from the directory's, or exceeds the limit. */
  read(entry: ZipEntry, signal?: AbortSignal): AsyncIterable<Uint8Array>;
}

interface ZipBounds {
  /** Maximum size of the directory, which is held in memory. Bytes. */
  readonly directoryBytes: number;
  /** Maximum decompressed size of an entry, and the error beyond it. */
  readonly entryBytes: number;
  tooLarge(): AppError;
  /** The error for a file that is no archive or a broken one. */
  broken(reason: Message): AppError;
}

/** The signature of OLE files: Office files of old formats, and new ones with a password. */
const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex');

export const isOle = async (source: ByteSource, signal?: AbortSignal): Promise<boolean> =>
  (await readPart(source, 0, OLE.length, signal)).equals(OLE);

/** Exactly `length` bytes from `offset` on; fewer at the end of the source. */
export async function readPart(source: ByteSource, offset: number, length: number, signal?: AbortSignal): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let have = 0;
  for await (const chunk of readOn(source, offset, signal)) {
    parts.push(chunk.subarray(0, length - have));
    have += chunk.length;
    if (have >= length) break;
  }
  return Buffer.concat(parts).subarray(0, length);
}

/** All bytes from `offset` on. */
async function* readOn(source: ByteSource, offset: number, signal: AbortSignal | undefined): AsyncIterable<Uint8Array> {
  // Broken archives name places beyond their end.
  if (offset >= source.size) return;
  if (source.readFrom) {
    yield* source.readFrom(offset, signal);
    return;
  }
  let skip = offset;
  for await (const chunk of source.read(signal)) {
    if (skip >= chunk.length) {
      skip -= chunk.length;
      continue;
    }
    yield chunk.subarray(skip);
    skip = 0;
  }
}

/** Opens an archive by its directory, which is at the end. */
export async function openZip(source: ByteSource, bounds: ZipBounds, signal?: AbortSignal): Promise<ZipArchive> {
  const { offset, bytes, shift } = await findDirectory(source, bounds, signal);
  if (bytes > bounds.directoryBytes) throw bounds.tooLarge();
  const directory = await readPart(source, offset, bytes, signal);
  if (directory.length < bytes) throw bounds.broken(say('zip.directoryCut'));
  const found: (Omit<ZipEntry, 'name'> & { raw: Uint8Array; named: string | undefined })[] = [];
  for (let at = 0; at + 46 <= directory.length && directory.readUInt32LE(at) === DIRECTORY_ENTRY; ) {
    const nameBytes = directory.readUInt16LE(at + 28);
    const extraBytes = directory.readUInt16LE(at + 30);
    const extra = directory.subarray(at + 46 + nameBytes, at + 46 + nameBytes + extraBytes);
    const large = new LargeSizes(extra);
    const size = large.of(directory.readUInt32LE(at + 24));
    const packed = large.of(directory.readUInt32LE(at + 20));
    const place = large.of(directory.readUInt32LE(at + 42));
    const raw = directory.subarray(at + 46, at + 46 + nameBytes);
    const flags = directory.readUInt16LE(at + 8);
    const isUtf8Name = (flags & UTF8_NAME) !== 0 || isUtf8(raw);
    found.push({
      raw,
      named: isUtf8Name ? raw.toString('utf8') : unicodeName(extra, raw),
      method: directory.readUInt16LE(at + 10),
      packed,
      size,
      crc: directory.readUInt32LE(at + 16),
      offset: place + shift,
      encrypted: (flags & ENCRYPTED) !== 0,
      modified: dosTime(directory.readUInt32LE(at + 12)),
    });
    at += 46 + nameBytes + extraBytes + directory.readUInt16LE(at + 32);
  }
  return { entries: await byName(found), read: (entry, again) => unpacked(source, entry, bounds, again) };
}

/** Entries by name. One whose name another has already gets a number, so that none hides another. */
async function byName(
  found: readonly (Omit<ZipEntry, 'name'> & { raw: Uint8Array; named: string | undefined })[],
): Promise<Map<string, ZipEntry>> {
  const unnamed = found.filter(({ named }) => named === undefined).map(({ raw }) => raw);
  // The detector is large, and most names are UTF-8.
  const names = unnamed.length === 0 ? [] : (await import('./encoding-evidence.ts')).decodedNames(unnamed);
  let nextName = 0;
  /** Last number tried for a path, so that a million equal names are numbered in one pass. */
  const tried = new Map<string, number>();
  const entries = new Map<string, ZipEntry>();
  for (const { raw: _, named, ...entry } of found) {
    // Some writers use Windows separators and a leading slash.
    const path = (named ?? (names[nextName++] as string)).replaceAll('\\', '/').replace(/^\/+/, '');
    let name = path;
    for (let number = tried.get(path) ?? 2; entries.has(name) && !path.endsWith('/'); number++) {
      name = `${path} (${number})`;
      tried.set(path, number + 1);
    }
    entries.set(name, { name, ...entry });
  }
  return entries;
}

/** The name in Info-ZIP's Unicode Path field (APPNOTE 4.6.9), if it belongs to this name. */
function unicodeName(extra: Buffer, raw: Uint8Array): string | undefined {
  const field = extraField(extra, EXTRA_UNICODE_NAME);
  if (!field || field.length < 5 || field[0] !== 1 || field.readUInt32LE(1) !== crc32(raw)) return undefined;
  return field.toString('utf8', 5);
}

function extraField(extra: Buffer, id: number): Buffer | undefined {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) === id) return extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2));
  }
  return undefined;
}

/** MS-DOS date and time (APPNOTE 4.4.6), the date in the upper half. Null if it is no date. */
function dosTime(stamp: number): string | null {
  const [date, time] = [stamp >>> 16, stamp & 0xffff];
  const parts = [1980 + (date >> 9), (date >> 5) & 15, date & 31, time >> 11, (time >> 5) & 63, (time & 31) * 2];
  const [year, month, day, hour, minute, second] = parts.map((part) => String(part).padStart(2, '0'));
  const text = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const parsed = new Date(`${text}Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(text) ? text : null;
}

/** 8-byte sizes from the ZIP64 extra field, which lists those that do not fit the entry's 4-byte fields, in order. */
class LargeSizes {
  private rest: Buffer;

  constructor(extra: Buffer) {
    this.rest = extraField(extra, EXTRA_64) ?? Buffer.alloc(0);
  }

  of(size: number): number {
    if (size !== 0xffffffff || this.rest.length < 8) return size;
    const large = Number(this.rest.readBigUInt64LE(0));
    this.rest = this.rest.subarray(8);
    return large;
  }
}

async function findDirectory(
  source: ByteSource,
  bounds: ZipBounds,
  signal: AbortSignal | undefined,
): Promise<{ offset: number; bytes: number; shift: number }> {
  const from = Math.max(0, source.size - END_BYTES - MOST_COMMENT - LOCATOR_BYTES);
  const tail = await readPart(source, from, source.size - from, signal);
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END || at + END_BYTES + tail.readUInt16LE(at + 20) > tail.length) continue;
    const offset = tail.readUInt32LE(at + 16);
    const bytes = tail.readUInt32LE(at + 12);
    const locator = at - LOCATOR_BYTES;
    const isLarge = offset === 0xffffffff || bytes === 0xffffffff;
    if (!isLarge || locator < 0 || tail.readUInt32LE(locator) !== LOCATOR_64) {
      // In front of a self-extracting archive is a program, which its offsets do not count.
      const shift = Math.max(0, from + at - bytes - offset);
      const isShifted =
        shift > 0 && bytes > 0 && !(await isEntry(source, offset, signal)) && (await isEntry(source, offset + shift, signal));
      return isShifted ? { offset: offset + shift, bytes, shift } : { offset, bytes, shift: 0 };
    }
    const end = await readPart(source, Number(tail.readBigUInt64LE(locator + 8)), 56, signal);
    if (end.length < 56 || end.readUInt32LE(0) !== END_64) throw bounds.broken(say('zip.directory64'));
    return { offset: Number(end.readBigUInt64LE(48)), bytes: Number(end.readBigUInt64LE(40)), shift: 0 };
  }
  throw bounds.broken(say('zip.none'));
}

async function isEntry(source: ByteSource, offset: number, signal: AbortSignal | undefined): Promise<boolean> {
  const head = await readPart(source, offset, 4, signal);
  return head.length === 4 && head.readUInt32LE(0) === DIRECTORY_ENTRY;
}

async function* unpacked(
  source: ByteSource,
  entry: ZipEntry,
  bounds: ZipBounds,
  signal: AbortSignal | undefined,
): AsyncIterable<Uint8Array> {
  if (entry.encrypted) throw bounds.broken(say('zip.encrypted', { entry: entry.name }));
  if (entry.method !== STORED && entry.method !== DEFLATED) {
    throw bounds.broken(say('zip.method', { entry: entry.name, method: entry.method }));
  }
  if (entry.size > bounds.entryBytes) throw bounds.tooLarge();
  const head = await readPart(source, entry.offset, 30, signal);
  if (head.length < 30 || head.readUInt32LE(0) !== LOCAL_ENTRY) throw bounds.broken(say('zip.misplaced', { entry: entry.name }));
  const start = entry.offset + 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
  const packed = bytesOf(source, start, entry.packed, signal);
  let bytes = 0;
  let crc = 0;
  for await (const chunk of entry.method === STORED ? packed : inflated(packed, entry, bounds)) {
    bytes += chunk.length;
    if (bytes > bounds.entryBytes) throw bounds.tooLarge();
    // It may go on for any time.
    if (bytes > entry.size) break;
    crc = crc32(chunk, crc);
    yield chunk;
  }
  if (bytes !== entry.size) throw bounds.broken(say('zip.size', { entry: entry.name, said: entry.size }));
  if (crc !== entry.crc) throw bounds.broken(say('zip.checksum', { entry: entry.name }));
}

async function* bytesOf(
  source: ByteSource,
  start: number,
  length: number,
  signal: AbortSignal | undefined,
): AsyncIterable<Uint8Array> {
  let left = length;
  if (left === 0) return;
  for await (const chunk of readOn(source, start, signal)) {
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}

async function* inflated(packed: AsyncIterable<Uint8Array>, entry: ZipEntry, bounds: ZipBounds): AsyncIterable<Uint8Array> {
  const inflate = createInflateRaw({ chunkSize: 128 * 1024 });
  // An error in here also fails the loop below.
  const fed = pipeline(Readable.from(packed), inflate).catch(() => undefined);
  try {
    for await (const chunk of inflate) yield chunk as Uint8Array;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw bounds.broken(say('zip.damaged', { entry: entry.name }));
    throw error;
  } finally {
    inflate.destroy();
    await fed;
  }
}

// CRC-32 (ISO 3309), for Node releases without it in zlib.

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc;
});

function byTable(bytes: Uint8Array, before: number): number {
  let crc = before ^ 0xffffffff;
  for (const byte of bytes) crc = (table[(crc ^ byte) & 0xff] as number) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** Node has it from version 20.15 on; Electron's older ones have not. */
const native = (zlib as { crc32?: (bytes: Uint8Array, before: number) => number }).crc32;

/** The checksum of the bytes, after those whose checksum is `before`. */
export const crc32: (bytes: Uint8Array, before?: number) => number = (bytes, before = 0) => (native ?? byTable)(bytes, before);
