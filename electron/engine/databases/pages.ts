/** Reads a SQLite file's pages in any order, through a cache of blocks. */
import { collect } from '../core/collect.ts';
import { fileTooLarge } from '../core/failures.ts';
import type { ByteSource } from '../core/source.ts';
import { readPart } from '../input/zip.ts';

const BLOCK_BYTES = 1024 * 1024;
/** Tables lie scattered over a file that has grown for long. */
const BLOCKS_KEPT = 24;

/** Bytes of a file at an offset; fewer at its end. */
export type ReadAt = (offset: number, length: number, signal?: AbortSignal) => Promise<Buffer>;

/** A source that cannot be read from an offset is held in memory; FILE_TOO_LARGE beyond `limit` bytes. */
export async function randomAccess(source: ByteSource, limit: number, signal?: AbortSignal): Promise<ReadAt> {
  if (source.readFrom === undefined) {
    const bytes = await collect(source.read(signal), limit, () => fileTooLarge(null, limit, 'maxFileBytes'));
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    return async (offset, length) => whole.subarray(offset, offset + length);
  }
  const blocks = new Map<number, Buffer>();
  const block = async (number: number, again: AbortSignal | undefined): Promise<Buffer> => {
    const known = blocks.get(number);
    blocks.delete(number);
    const found = known ?? (await readPart(source, number * BLOCK_BYTES, BLOCK_BYTES, again));
    blocks.set(number, found);
    const [oldest] = blocks.keys();
    if (blocks.size > BLOCKS_KEPT && oldest !== undefined) blocks.delete(oldest);
    return found;
  };
  return async (offset, length, again) => {
    const parts: Buffer[] = [];
    for (let at = offset; at < offset + length; ) {
      const number = Math.floor(at / BLOCK_BYTES);
      const from = at - number * BLOCK_BYTES;
      const part = (await block(number, again)).subarray(from, Math.min(BLOCK_BYTES, from + offset + length - at));
      if (part.length === 0) break;
      parts.push(part);
      at += part.length;
    }
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
  };
}
