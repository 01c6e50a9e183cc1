/** Splits a byte stream into lines in linear time, for lines of any length. */

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
  #parts: Uint8Array[] = [];
  #held = 0;
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
    if (this.#held === 0 && !this.#long) return textOf(rest);
    this.#hold(rest);
    const long = this.#long;
    const parts = this.#parts;
    const held = this.#held;
    this.#long = null;
    this.#parts = [];
    this.#held = 0;
    return long ? long.end() : textOf(Buffer.concat(parts, held));
  }

  #hold(part: Uint8Array): void {
    if (this.#long) {
      this.#long.push(part);
      return;
    }
    this.#held += part.length;
    this.#parts.push(part);
    if (this.#begin && this.#held > this.#longBytes) {
      this.#long = this.#begin();
      for (const each of this.#parts) this.#long.push(each);
      this.#parts = [];
      this.#held = 0;
    } else if (this.#held > this.#maxBytes) {
      this.#parts = [];
      this.#held = 0;
      throw new RangeError(`a message is longer than ${this.#maxBytes} bytes`);
    }
  }
}

function textOf(line: Buffer): string {
  const text = line.toString('utf8');
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}
