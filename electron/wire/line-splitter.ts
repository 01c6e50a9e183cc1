/** Splits a byte stream into lines in linear time, for lines of any length. */

import { ChunkList } from './chunk-list.ts';

/** Below Node's maximum string length (2^29 - 24 characters), so that every line can be decoded (bytes). */
export const MAX_LINE_BYTES = 500 * 1024 * 1024;

const NEWLINE = 0x0a;

/** Receives a long line while it arrives. */
export interface LongLine<T> {
  push(part: Uint8Array): void;
  /** Called at the line's end; returns the value to emit for the line. */
  end(): T;
}

/** `T` is the value emitted for lines over `longBytes`, which are not buffered. */
export class LineSplitter<T = never> {
  #held = new ChunkList();
  #long: LongLine<T> | null = null;
  readonly #maxBytes: number;
  readonly #longBytes: number;
  readonly #begin: (() => LongLine<T>) | undefined;

  constructor(maxBytes = MAX_LINE_BYTES, longBytes = Number.POSITIVE_INFINITY, begin?: () => LongLine<T>) {
    this.#maxBytes = maxBytes;
    this.#longBytes = longBytes;
    this.#begin = begin;
  }

  /** Returns the lines completed by `chunk`, without line ends. Throws RangeError for a line over `maxBytes`. */
  push(chunk: Buffer): (string | T)[] {
    const lines: (string | T)[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      lines.push(this.#finish(chunk.subarray(start, end)));
      start = end + 1;
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start));
    return lines;
  }

  #finish(rest: Buffer): string | T {
    if (this.#held.bytes === 0 && !this.#long) return textOf(rest);
    this.#hold(rest);
    const long = this.#long;
    const held = this.#held;
    this.#long = null;
    this.#held = new ChunkList();
    return long ? long.end() : textOf(held.joined());
  }

  #hold(part: Uint8Array): void {
    if (this.#long) {
      this.#long.push(part);
      return;
    }
    this.#held.push(part);
    if (this.#begin && this.#held.bytes > this.#longBytes) {
      this.#long = this.#begin();
      for (const each of this.#held.parts) this.#long.push(each);
      this.#held = new ChunkList();
    } else if (this.#held.bytes > this.#maxBytes) {
      this.#held = new ChunkList();
      throw new RangeError(`a message is longer than ${this.#maxBytes} bytes`);
    }
  }
}

function textOf(line: Buffer): string {
  const text = line.toString('utf8');
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}
