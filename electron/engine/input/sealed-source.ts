/** A source that gives the same bytes at every reading: what was shown of a file is what is sent of it. */
import { createHash } from 'node:crypto';
import { AppError } from '../../../shared/model/errors.ts';
import type { ByteSource, ReadOptions } from '../core/source.ts';
import { bytesAfter } from './input.ts';

/** Divides the chunks of a file, so that most of them need not be copied. Bytes. */
export const BLOCK_BYTES = 64 * 1024;
const DIGEST_BYTES = 32;

/**
 * Takes the SHA-256 of each block when it is read first, and compares it whenever the block is read again. No byte of a block is given
 * away before: FILE_CHANGED. Times and sizes can be put back, and a file mapped into memory changes without them.
 */
export function sealedSource(source: ByteSource): ByteSource {
  const seal = new Seal(source);
  const { name, size, identity, readFrom } = source;
  const sealed = { name, size, identity, read: (signal?: AbortSignal, options?: ReadOptions) => seal.read(0, signal, options) };
  return readFrom === undefined
    ? sealed
    : { ...sealed, readFrom: (offset, signal, options) => seal.read(offset, signal, options) };
}

class Seal {
  private readonly source: ByteSource;
  private readonly digests: Buffer;
  private readonly known: Uint8Array;

  constructor(source: ByteSource) {
    this.source = source;
    const blocks = Math.ceil(source.size / BLOCK_BYTES);
    this.digests = Buffer.alloc(blocks * DIGEST_BYTES);
    this.known = new Uint8Array(blocks);
  }

  /** From the start of a block on, of which `offset` is part: a part of it alone could not be compared. */
  read(offset: number, signal?: AbortSignal, options?: ReadOptions): AsyncIterable<Uint8Array> {
    const { source } = this;
    const start = offset - (offset % BLOCK_BYTES);
    // Nothing is skipped: every block is compared.
    const reading = { reuse: options?.reuse };
    const chunks = source.readFrom?.(start, signal, reading) ?? source.read(signal, reading);
    return bytesAfter(this.checked(chunks, start), offset - start);
  }

  private async *checked(chunks: AsyncIterable<Uint8Array>, start: number): AsyncIterable<Uint8Array> {
    let block = start / BLOCK_BYTES;
    /** The beginning of a block that came in several chunks. */
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
    // A block beyond those of the size has none, either.
    if (!this.digests.subarray(at, at + DIGEST_BYTES).equals(digest)) throw this.changed(block);
  }

  private changed(block: number): AppError {
    const from = block * BLOCK_BYTES;
    return new AppError(
      'FILE_CHANGED',
      `File '${this.source.name}' changed after it was read for the approval: bytes ${from} to ${from + BLOCK_BYTES} are not those that were approved`,
      { hint: 'The call was broken off. Make it again, so that the user is asked about the file as it is now' },
    );
  }
}
