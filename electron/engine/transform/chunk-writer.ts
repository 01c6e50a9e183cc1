/** Collects elements, with their lines if known, into chunks of an efficient size. */
import { ByteBuilder, NumberList } from '../core/byte-builder.ts';
import type { Checkpoint, ElementChunk } from '../core/payload.ts';

/** A chunk is emitted at this size. Bytes. */
const CHUNK_BYTES = 256 * 1024;
const COMMA = 0x2c;

export class ChunkWriter {
  /** Write an element's text here, between `begin` and `end`. */
  readonly out = new ByteBuilder(CHUNK_BYTES + 4096);
  readonly #ends = new NumberList();
  readonly #lines = new NumberList();
  /** Added to the next chunk. */
  checkpoint: Checkpoint | undefined;

  get isEmpty(): boolean {
    return this.#ends.length === 0;
  }

  get isFull(): boolean {
    return this.out.length >= CHUNK_BYTES;
  }

  begin(line: number | undefined): void {
    if (this.#ends.length > 0) this.out.byte(COMMA);
    if (line !== undefined) this.#lines.push(line);
  }

  end(): void {
    this.#ends.push(this.out.length);
  }

  /** The elements so far as a chunk, which the caller owns; undefined if there are none. */
  take(): ElementChunk | undefined {
    if (this.#ends.length === 0) return undefined;
    const allHaveLines = this.#lines.length === this.#ends.length;
    const lines = this.#lines.take();
    const { checkpoint } = this;
    this.checkpoint = undefined;
    return {
      data: this.out.take(),
      ends: this.#ends.take(),
      ...(allHaveLines ? { lines } : {}),
      ...(checkpoint === undefined ? {} : { checkpoint }),
    };
  }
}
