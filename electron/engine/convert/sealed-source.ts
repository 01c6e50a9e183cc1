/** A source that guarantees the same bytes at every reading: the file sent is the file shown. */

import { createHash } from 'node:crypto';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { bytesAfter } from '../core/byte-streams.ts';
import type { ByteSource, ReadNow, ReadOptions } from '../core/source.ts';

/** Chunk sizes of files are multiples of this, so that most chunks need not be copied. Bytes. */
export const BLOCK_BYTES = 64 * 1024;
const DIGEST_BYTES = 32;

/**
 * Stores the SHA-256 of each block at its first reading, and compares it at every later one before any byte of the block
 * is yielded; FILE_CHANGED on a difference. Modification times and sizes can be reset, and memory-mapped files change
 * without updating them.
 */
export function sealedSource(source: ByteSource): ByteSource {
  const seal = new Seal(source);
  const { name, size, identity, readFrom, log, logUnread, isUnfinished } = source;
  const now = source.readNow ?? source.elsewhere?.readNow;
  const readNow: ReadNow | undefined = now && ((...where) => seal.readNow(now, ...where));
  const sealed = {
    name,
    size,
    identity,
    log,
    logUnread,
    isUnfinished,
    readNow,
    read: (signal?: AbortSignal, options?: ReadOptions) => seal.read(0, signal, options),
  };
  return readFrom === undefined
    ? sealed
    : { ...sealed, readFrom: (offset, signal, options) => seal.read(offset, signal, options) };
}

class Seal {
  private readonly source: ByteSource;
  private readonly digests: Buffer;
  private readonly known: Uint8Array;
  private last: { block: number; bytes: Uint8Array } | undefined;

  constructor(source: ByteSource) {
    this.source = source;
    const blocks = Math.ceil(source.size / BLOCK_BYTES);
    this.digests = Buffer.alloc(blocks * DIGEST_BYTES);
    this.known = new Uint8Array(blocks);
  }

  /** Reads from the start of the block that contains `offset`, because only whole blocks can be compared. */
  read(offset: number, signal?: AbortSignal, options?: ReadOptions): AsyncIterable<Uint8Array> {
    const { source } = this;
    const start = offset - (offset % BLOCK_BYTES);
    // `skip` is ignored: every block is compared.
    const reading = { reuse: options?.reuse };
    const chunks = source.readFrom?.(start, signal, reading) ?? source.read(signal, reading);
    return bytesAfter(this.checked(chunks, start), offset - start);
  }

  /** As `ReadNow`, by whole blocks; one is kept, since databases read a few pages of it in turn. */
  readNow(now: ReadNow, memory: Uint8Array, address: number, length: number, offset: number): number {
    const block = Math.floor(offset / BLOCK_BYTES);
    if (this.last?.block !== block) {
      const bytes = new Uint8Array(BLOCK_BYTES);
      let filled = 0;
      for (let more = 1; filled < BLOCK_BYTES && more > 0; filled += more)
        more = now(bytes, filled, BLOCK_BYTES - filled, block * BLOCK_BYTES + filled);
      if (filled > 0) this.check(block, bytes.subarray(0, filled));
      this.last = { block, bytes: bytes.subarray(0, filled) };
    }
    const from = offset - block * BLOCK_BYTES;
    const part = this.last.bytes.subarray(from, from + length);
    memory.set(part, address);
    return part.length;
  }

  private async *checked(chunks: AsyncIterable<Uint8Array>, start: number): AsyncIterable<Uint8Array> {
    let block = start / BLOCK_BYTES;
    /** The beginning of a block that arrives in several chunks. */
    let begun: Uint8Array | undefined;
    let filled = 0;
    for await (const chunk of chunks) {
      let at = 0;
      if (begun) {
        at = Math.min(BLOCK_BYTES - filled, chunk.length);
        begun.set(chunk.subarray(0, at), filled);
        filled += at;
        if (filled < BLOCK_BYTES) continue;
        this.check(block, begun);
        block += 1;
        yield begun;
        begun = undefined;
      }
      const whole = at + Math.floor((chunk.length - at) / BLOCK_BYTES) * BLOCK_BYTES;
      for (let from = at; from < whole; from += BLOCK_BYTES) {
        this.check(block, chunk.subarray(from, from + BLOCK_BYTES));
        block += 1;
      }
      if (whole < chunk.length) {
        begun = new Uint8Array(BLOCK_BYTES);
        begun.set(chunk.subarray(whole));
        filled = chunk.length - whole;
      }
      if (whole > at) yield chunk.subarray(at, whole);
    }
    if (begun === undefined) return;
    const last = begun.subarray(0, filled);
    this.check(block, last);
    yield last;
  }

  private check(block: number, bytes: Uint8Array): void {
    const digest = createHash('sha256').update(bytes).digest();
    const at = block * DIGEST_BYTES;
    if (this.known[block] === 0) {
      this.known[block] = 1;
      this.digests.set(digest, at);
      return;
    }
    // The file has grown: a block beyond its first size has no hash.
    if (!this.digests.subarray(at, at + DIGEST_BYTES).equals(digest)) throw this.changed(block);
  }

  private changed(block: number): AppError {
    const from = block * BLOCK_BYTES;
    const where = { name: this.source.name, from, to: from + BLOCK_BYTES };
    return new AppError('FILE_CHANGED', say('file.changedSinceApproval', where), { hint: say('file.changedSinceApproval.hint') });
  }
}
