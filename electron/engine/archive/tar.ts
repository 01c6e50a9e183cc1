/** Lists the files of a tar archive (POSIX.1-2017, pax, "ustar Interchange Format"; GNU's long names). */
import { say } from '../../../shared/model/messages/message.ts';
import type { ArchiveFile } from './archive-file.ts';
import { archiveFault } from './failures.ts';

const BLOCK = 512;
/** Limit for the records with long names. Bytes. */
const MOST_NAME = 1024 * 1024;

export interface TarFile extends ArchiveFile {
  /** Where its content starts in the unpacked archive. Bytes. */
  readonly offset: number;
}

/** Reads all of the archive. PARSE_FAILED if it is none, cut off or damaged. */
export async function* tarFiles(chunks: AsyncIterable<Uint8Array>): AsyncIterable<TarFile> {
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
export function isoOf(ms: number): string | null {
  const time = new Date(ms);
  return Number.isNaN(time.getTime()) ? null : time.toISOString().replace(/\.\d+Z$/, 'Z');
}
