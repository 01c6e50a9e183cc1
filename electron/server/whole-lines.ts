/** Gathers a byte stream into whole lines, so that a reader which searches all it holds on every chunk does so once a line. */
import { Transform, type TransformCallback } from 'node:stream';

const NEWLINE = 0x0a;

export class WholeLines extends Transform {
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #held = 0;

  /** A line longer than `maxBytes` ends the stream with a RangeError. */
  constructor(maxBytes: number) {
    super();
    this.#maxBytes = maxBytes;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      this.#parts.push(chunk.subarray(0, end));
      this.push(Buffer.concat(this.#parts));
      this.#parts = [];
      this.#held = 0;
    }
    if (end < chunk.length) {
      this.#parts.push(chunk.subarray(end));
      this.#held += chunk.length - end;
    }
    if (this.#held > this.#maxBytes) {
      this.#parts = [];
      done(new RangeError(`a message is longer than ${this.#maxBytes} bytes`));
    } else done();
  }
}
