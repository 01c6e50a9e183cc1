/** Checks whether bytes that arrive in pieces are one JSON text. */

import { startedKernel } from '../kernel/kernel.ts';
import { JsonKernel, PIECE_BYTES } from './json-kernel.ts';
import { JsonScanner } from './json-scanner.ts';

/** The deepest nesting that can be checked. */
export { MAX_NESTING as DEEPEST_NESTING } from './json-kernel.ts';

/** Takes a text in valid UTF-8 in pieces. Must be finished with `end` or `close`. */
export class JsonCheck {
  readonly #kernel: JsonKernel | null;
  readonly #scanner: JsonScanner | null;
  #fits = true;
  #closed = false;

  constructor(maxNesting: number) {
    this.#kernel = startedKernel(() => new JsonKernel(maxNesting, false));
    this.#scanner = this.#kernel ? null : new JsonScanner({ label: 'JSON', maxNesting, spread: false });
  }

  push(chunk: Uint8Array): void {
    if (!this.#fits || this.#closed) return;
    if (this.#scanner) this.#fits = succeeds(() => this.#scanner?.push(chunk, 0, chunk.length, null));
    for (let at = 0; this.#kernel && this.#fits && at < chunk.length; at += PIECE_BYTES) {
      this.#fits = this.#kernel.read(chunk.subarray(at, at + PIECE_BYTES), false);
    }
  }

  /** Whether the text can still become valid JSON. */
  get fits(): boolean {
    return this.#fits;
  }

  /** Whether the text is complete; false also if it is nested too deep. */
  end(): boolean {
    const whole = this.#kernel ? this.#fits && this.#kernel.finish() : this.#fits && succeeds(() => this.#scanner?.end('line'));
    this.close();
    return whole;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#kernel?.close();
  }
}

function succeeds(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
