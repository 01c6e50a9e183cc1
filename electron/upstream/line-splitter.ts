/** Splits a byte stream into lines in time linear in its length, however long a line is. */

/** Below Node's longest string (2^29 - 24 characters), so that a line can always be decoded. Bytes. */
export const MAX_LINE_BYTES = 500 * 1024 * 1024;

const NEWLINE = 0x0a;

export class LineSplitter {
  #parts: Uint8Array[] = [];
  #held = 0;
  readonly #maxBytes: number;

  constructor(maxBytes = MAX_LINE_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** The lines that `chunk` completes, without their line ends. Throws RangeError for a line beyond the bound. */
  push(chunk: Buffer): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      lines.push(this.#finish(chunk.subarray(start, end)));
      start = end + 1;
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start));
    return lines;
  }

  #finish(rest: Buffer): string {
    let line = rest;
    if (this.#held > 0) {
      this.#hold(rest);
      line = Buffer.concat(this.#parts, this.#held);
      this.#parts = [];
      this.#held = 0;
    }
    const text = line.toString('utf8');
    return text.endsWith('\r') ? text.slice(0, -1) : text;
  }

  #hold(part: Uint8Array): void {
    this.#held += part.length;
    if (this.#held > this.#maxBytes) {
      this.#parts = [];
      this.#held = 0;
      throw new RangeError(`a message is longer than ${this.#maxBytes} bytes`);
    }
    this.#parts.push(part);
  }
}
