/** Checks arguments too long to be looked at byte by byte in JavaScript while their line arrives. */
import { JsonKernel, PIECE_BYTES } from '../engine/json/json-kernel.ts';
import { startedKernel } from '../engine/kernel/kernel.ts';
import type { ResumedAt } from './member-span.ts';

/** So much stays unread until the line is whole: what ends the line mostly ends the arguments as well, and nothing behind them is theirs. */
const TAIL_BYTES = 1024;

// As JsonScanner numbers its states.
const STRING = 7;
const ESCAPE = 8;
const HEX = 9;

export class LongArguments {
  /** Bytes that were read. */
  read = 0;
  readonly #kernel: JsonKernel;
  #unread: Buffer[] = [];
  #fits = true;

  private constructor(maxNesting: number) {
    this.#kernel = new JsonKernel(maxNesting, false);
  }

  /** Null where no kernel runs. */
  static begin(maxNesting: number): LongArguments | null {
    return startedKernel(() => new LongArguments(maxNesting));
  }

  push(part: Buffer): void {
    const tail = part.length - TAIL_BYTES;
    if (tail > 0) {
      for (const each of this.#unread) this.#take(each);
      this.#take(part.subarray(0, tail));
      this.#unread = [];
    }
    this.#unread.push(part.subarray(Math.max(0, tail)));
  }

  /** How the text stands after what was read. */
  get state(): ResumedAt {
    // It is not whole, so that this only brings the state up to date.
    this.#kernel.finish();
    const { state, containers } = this.#kernel.stateBefore;
    return {
      depth: containers.length,
      inString: state === STRING || state === ESCAPE || state === HEX,
      escaped: state === ESCAPE,
    };
  }

  /** Whether the text is one whole value with these last parts, which follow what was read. */
  endsWith(parts: readonly Buffer[]): boolean {
    for (const part of parts) this.#take(part);
    return this.#fits && this.#kernel.finish();
  }

  close(): void {
    this.#kernel.close();
  }

  #take(part: Buffer): void {
    for (let at = 0; at < part.length && this.#fits; at += PIECE_BYTES) {
      this.#fits = this.#kernel.read(part.subarray(at, at + PIECE_BYTES), false);
    }
    this.read += part.length;
  }
}
