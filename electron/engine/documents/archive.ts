/** Opens ZIP and tar archives: the list of their files, as records too, and each file as a source of its own. */

import { warning } from '../../../shared/model/conversion.ts';
import { AppError } from '../../../shared/model/errors.ts';
import type { ArchiveFormat } from '../../../shared/model/formats.ts';
import { type Message, nearNames, say } from '../../../shared/model/messages/message.ts';
import { ElementBuilder } from '../core/byte-builder.ts';
import { bytesAfter } from '../core/byte-streams.ts';
import type { EngineBounds } from '../core/convert-types.ts';
import { fileTooLarge } from '../core/failures.ts';
import type { ElementChunk } from '../core/payload.ts';
import type { FormatScan } from '../core/reader.ts';
import type { ByteSource } from '../core/source.ts';
import { decompress } from '../input/decompress.ts';
import type { Compression } from '../input/detect.ts';
import { openZip, type ZipArchive } from '../input/zip.ts';
import { documentFault } from './parts.ts';

/** A file in an archive. */
export interface ArchiveFile {
  /** Its path in the archive, with slashes. */
  readonly name: string;
  /** Unpacked size. */
  readonly bytes: number;
  /** ISO 8601; in a ZIP without zone, since it has none. */
  readonly modified: string | null;
}

export interface Archive {
  /** In the archive's order, without directories. */
  readonly files: readonly ArchiveFile[];
  /** The file's content. Throws INVALID_REQUEST for a name that is not there. */
  open(name: string): ByteSource;
}

const archiveFault = (format: ArchiveFormat, reason: Message): AppError =>
  documentFault(format, reason, say(reason.code === 'zip.encrypted' ? 'zip.encrypted.hint' : 'archive.broken.hint'));

/** Memory of one listed file besides its name. Bytes. */
const LISTED_BYTES = 64;
export const NAMES_SHOWN = 10;

/** Throws PARSE_FAILED for a broken archive, FILE_TOO_LARGE for one with too many files. */
export async function openArchive(
  source: ByteSource,
  { format, compression }: { format: ArchiveFormat; compression: Compression | null },
  bounds: Pick<EngineBounds, 'maxFileBytes' | 'maxStreamedFileBytes'>,
  signal?: AbortSignal,
): Promise<Archive> {
  if (source.size === 0) throw archiveFault(format, say('archive.empty'));
  if (format === 'tar') return openTar(source, compression, bounds, signal);
  const tooLarge = () => fileTooLarge(null, bounds.maxStreamedFileBytes, 'maxStreamedFileBytes');
  const zip = await openZip(
    source,
    {
      directoryBytes: bounds.maxFileBytes,
      entryBytes: bounds.maxStreamedFileBytes,
      tooLarge,
      broken: (reason) => archiveFault('zip', reason),
    },
    signal,
  );
  const files = [...zip.entries.values()]
    .filter(({ name }) => !name.endsWith('/'))
    .map(({ name, size, modified }) => ({ name, bytes: size, modified }));
  return { files, open: (name) => zipped(zip, find(files, name).name) };
}

function zipped(zip: ZipArchive, name: string): ByteSource {
  const entry = zip.entries.get(name);
  if (entry === undefined) throw new TypeError(`the archive's list has no '${name}'`);
  return { name: baseName(name), size: entry.size, read: (signal) => zip.read(entry, signal) };
}

async function openTar(
  source: ByteSource,
  compression: Compression | null,
  { maxFileBytes }: Pick<EngineBounds, 'maxFileBytes'>,
  signal: AbortSignal | undefined,
): Promise<Archive> {
  const unpacked = (again?: AbortSignal) =>
    compression === null ? source.read(again) : decompress(source.read(again), compression, again);
  const files: TarFile[] = [];
  let held = 0;
  for await (const file of tarFiles(unpacked(signal))) {
    signal?.throwIfAborted();
    held += 2 * file.name.length + LISTED_BYTES;
    if (held > maxFileBytes) throw fileTooLarge(null, maxFileBytes, 'maxFileBytes');
    files.push(file);
  }
  const { readFrom } = source;
  const from = (offset: number, again?: AbortSignal) =>
    compression === null && readFrom ? readFrom(offset, again) : bytesAfter(unpacked(again), offset);
  return {
    files: files.map(({ name, bytes, modified }) => ({ name, bytes, modified })),
    open(name) {
      const { bytes, offset, name: found } = find(files, name);
      return { name: baseName(found), size: bytes, read: (again) => firstOf(from(offset, again), bytes) };
    },
  };
}

/** Files that were read into memory, as an archive. */
export const heldArchive = (held: readonly { readonly name: string; readonly content: Uint8Array }[]): Archive => {
  const files = held.map(({ name, content }) => ({ name, bytes: content.length, modified: null, content }));
  return {
    files,
    open(name) {
      const { name: found, content } = find(files, name);
      return {
        name: baseName(found),
        size: content.length,
        async *read() {
          yield new Uint8Array(content);
        },
      };
    },
  };
};

/** By its path, or by its last part where only one file has it. */
function find<T extends ArchiveFile>(files: readonly T[], asked: string): T {
  const plain = (name: string) => name.replaceAll('\\', '/').replace(/^\.?\/+/, '');
  const wanted = plain(asked);
  // Macs write letters and accents apart, keyboards do not.
  const exact =
    files.find(({ name }) => name === asked) ??
    files.find(({ name }) => plain(name) === wanted) ??
    files.find(({ name }) => plain(name).normalize() === wanted.normalize());
  if (exact) return exact;
  const sameEnd = wanted.includes('/') ? [] : files.filter(({ name }) => baseName(name).normalize() === wanted.normalize());
  const [only, another] = sameEnd;
  if (only && !another) return only;
  const names = (sameEnd.length > 0 ? sameEnd : files).slice(0, NAMES_SHOWN).map(({ name }) => name);
  throw new AppError('INVALID_REQUEST', say(another ? 'entry.several' : 'entry.absent', { entry: asked }), {
    hint:
      nearNames(
        wanted,
        files.map(({ name }) => name),
      ) ?? say('entry.names', { names, more: (sameEnd.length || files.length) - names.length }),
  });
}

const baseName = (name: string): string => name.split('/').at(-1) || name;

/** Throws PARSE_FAILED if fewer bytes are there. */
async function* firstOf(chunks: AsyncIterable<Uint8Array>, bytes: number): AsyncIterable<Uint8Array> {
  let left = bytes;
  if (left === 0) return;
  for await (const chunk of chunks) {
    yield chunk.length > left ? chunk.subarray(0, left) : chunk;
    left -= chunk.length;
    if (left <= 0) return;
  }
  throw archiveFault('tar', say('archive.cutOff'));
}

// The list as records.

/** Names in a report: more are not chosen from a list. */
export const ENTRIES_LISTED = 1000;

const encoder = new TextEncoder();

/** Records with `name`, `bytes` and `modified`. */
export function archiveList(files: readonly ArchiveFile[]): FormatScan & { entries: string[] } {
  async function* elements(): AsyncIterable<ElementChunk> {
    const builder = new ElementBuilder();
    for (const [index, { name, bytes, modified }] of files.entries()) {
      builder.startElement(index + 1);
      builder.out.bytes(encoder.encode(JSON.stringify({ name, bytes, modified })));
      builder.endElement();
      if (builder.ready) yield builder.take() as ElementChunk;
    }
    const rest = builder.take();
    if (rest) yield rest;
  }
  const [first] = files;
  return {
    entries: files.slice(0, ENTRIES_LISTED).map(({ name }) => name),
    kind: 'array',
    columns: null,
    delimiter: null,
    warnings: [
      first === undefined
        ? warning('ARCHIVE_EMPTY', say('archive.noFiles'))
        : warning('ARCHIVE_LIST', say('archive.list', { files: files.length, first: first.name })),
    ],
    async *json() {
      yield* [];
    },
    elements,
    locate: async () => undefined,
  };
}

// Tar (POSIX.1-2017, pax, "ustar Interchange Format"; GNU's long names).

const BLOCK = 512;
/** Limit for the records with long names. Bytes. */
const MOST_NAME = 1024 * 1024;

interface TarFile extends ArchiveFile {
  /** Where its content starts in the unpacked archive. Bytes. */
  readonly offset: number;
}

/** Reads all of the archive. PARSE_FAILED if it is none, cut off or damaged. */
async function* tarFiles(chunks: AsyncIterable<Uint8Array>): AsyncIterable<TarFile> {
  const blocks = new Blocks(chunks);
  let longName: string | undefined;
  let longSize: number | undefined;
  while (true) {
    const header = await blocks.take(BLOCK);
    if (header.length === 0 || header.every((byte) => byte === 0)) return;
    if (header.length < BLOCK) throw archiveFault('tar', say('archive.cutOff'));
    if (!hasChecksum(header)) throw archiveFault('tar', say(blocks.at === BLOCK ? 'tar.none' : 'tar.damaged'));
    const type = String.fromCharCode(header[156] as number);
    const size = longSize ?? numberAt(header, 124, 12);
    const padded = Math.ceil(size / BLOCK) * BLOCK;
    if (type === 'L' || type === 'x') {
      if (size > MOST_NAME) throw archiveFault('tar', say('tar.damaged'));
      const record = (await blocks.take(padded)).subarray(0, size);
      if (type === 'L') longName = textOf(record);
      else {
        const pax = paxRecords(record);
        longName = pax.get('path') ?? longName;
        longSize = pax.has('size') ? Number(pax.get('size')) : undefined;
      }
      continue;
    }
    if (!Number.isSafeInteger(size) || size < 0) throw archiveFault('tar', say('tar.damaged'));
    const name = longName ?? nameIn(header);
    longName = undefined;
    longSize = undefined;
    if (type === '0' || type === '\0' || type === '7') {
      const seconds = numberAt(header, 136, 12);
      yield { name, bytes: size, modified: isoOf(seconds * 1000), offset: blocks.at };
    }
    if ((await blocks.skip(padded)) < size) throw archiveFault('tar', say('archive.cutOff'));
  }
}

/** Takes a stream apart in pieces of given sizes. */
class Blocks {
  /** Bytes taken and skipped. */
  at = 0;
  private readonly chunks: AsyncIterator<Uint8Array>;
  private rest: Uint8Array = new Uint8Array(0);

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.chunks = chunks[Symbol.asyncIterator]();
  }

  /** Fewer bytes at the end. */
  async take(length: number): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    await this.each(length, (part) => parts.push(part.slice()));
    return Buffer.concat(parts);
  }

  /** Returns how many bytes were there. */
  skip(length: number): Promise<number> {
    return this.each(length, () => undefined);
  }

  private async each(length: number, see: (part: Uint8Array) => void): Promise<number> {
    let left = length;
    while (left > 0) {
      if (this.rest.length === 0) {
        const next = await this.chunks.next();
        if (next.done) break;
        this.rest = next.value;
      }
      const part = this.rest.subarray(0, left);
      see(part);
      this.rest = this.rest.subarray(part.length);
      left -= part.length;
    }
    this.at += length - left;
    return length - left;
  }
}

/** The sum of the header's bytes, in which the checksum's own are blanks. */
function hasChecksum(header: Buffer): boolean {
  let sum = 0;
  for (let i = 0; i < BLOCK; i++) sum += i >= 148 && i < 156 ? 0x20 : (header[i] as number);
  return sum === numberAt(header, 148, 8);
}

/** Octal digits, or for large numbers GNU's binary form, which begins with the bit 0x80. */
function numberAt(header: Buffer, offset: number, length: number): number {
  if (((header[offset] as number) & 0x80) === 0) {
    const digits = textOf(header.subarray(offset, offset + length)).trim();
    return digits === '' ? 0 : Number.parseInt(digits, 8);
  }
  let value = 0;
  for (let i = offset + length - 8; i < offset + length; i++) value = value * 256 + (header[i] as number);
  return value;
}

function nameIn(header: Buffer): string {
  const name = textOf(header.subarray(0, 100));
  const isUstar = header.toString('latin1', 257, 262) === 'ustar';
  const prefix = isUstar ? textOf(header.subarray(345, 500)) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

function textOf(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end);
}

/** Records `<length> <key>=<value>\n`, in which the length counts the whole record. */
function paxRecords(bytes: Buffer): Map<string, string> {
  const records = new Map<string, string>();
  for (let at = 0; at < bytes.length; ) {
    const blank = bytes.indexOf(0x20, at);
    const length = Number(bytes.toString('latin1', at, blank));
    if (blank < 0 || !Number.isInteger(length) || length <= blank - at || at + length > bytes.length) break;
    const [key = '', ...value] = bytes.toString('utf8', blank + 1, at + length - 1).split('=');
    records.set(key, value.join('='));
    at += length;
  }
  return records;
}

/** Null for times that no calendar has. */
function isoOf(ms: number): string | null {
  const time = new Date(ms);
  return Number.isNaN(time.getTime()) ? null : time.toISOString().replace(/\.\d+Z$/, 'Z');
}
