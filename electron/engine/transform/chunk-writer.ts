/** Gathers elements into chunks of a size that is cheap to pass on. */
import type { ElementChunk } from '../payload.ts';

/** Chunks are passed on once they reach this. Bytes. */
export const CHUNK_BYTES = 256 * 1024;

export class ChunkWriter {
  #data = new Uint8Array(CHUNK_BYTES + 4096);
  #length = 0;
  #ends: number[] = [];
  #lines: number[] = [];

  get isFull(): boolean {
    return this.#length >= CHUNK_BYTES;
  }

  /** Starts an element; what is written until the next start is its text. */
  begin(line: number | undefined): void {
    if (this.#ends.length > 0) this.byte(0x2c);
    if (line !== undefined) this.#lines.push(line);
  }

  end(): void {
    this.#ends.push(this.#length);
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#data[this.#length] = value;
    this.#length += 1;
  }

  /** Copies `from.subarray(start, end)`. */
  bytes(from: Uint8Array, start = 0, end = from.length): void {
    const length = end - start;
    this.#reserve(length);
    // A short copy is cheaper by hand than through a view.
    if (length < 32) for (let i = 0; i < length; i += 1) this.#data[this.#length + i] = from[start + i] as number;
    else this.#data.set(from.subarray(start, end), this.#length);
    this.#length += length;
  }

  /** The elements so far as a chunk, which then belongs to the caller; undefined if there are none. */
  take(): ElementChunk | undefined {
    if (this.#ends.length === 0) return undefined;
    const chunk: ElementChunk = {
      data: this.#data.slice(0, this.#length),
      ends: Uint32Array.from(this.#ends),
      ...(this.#lines.length === this.#ends.length ? { lines: Uint32Array.from(this.#lines) } : {}),
    };
    this.#length = 0;
    this.#ends = [];
    this.#lines = [];
    return chunk;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#data.length) return;
    const grown = new Uint8Array(Math.max(this.#data.length * 2, this.#length + more));
    grown.set(this.#data.subarray(0, this.#length));
    this.#data = grown;
  }
}
