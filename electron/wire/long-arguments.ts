/** Validates long arguments with the JSON kernel while their line arrives. */
import { JsonKernel, PIECE_BYTES } from '../engine/json/json-kernel.ts';
import { startedKernel } from '../engine/kernel/kernel.ts';
import type { ResumedAt } from './member-span.ts';

/** Bytes withheld from the kernel until the line is complete, because the end of the line usually contains the end of the arguments. */
const TAIL_BYTES = 1024;

// State numbers of JsonScanner.
const STRING = 7;
const ESCAPE = 8;
const HEX = 9;

export class LongArguments {
  /** Bytes passed to the kernel. */
  read = 0;
  readonly #kernel: JsonKernel;
  #unread: Buffer[] = [];
  #fits = true;

  private constructor(maxNesting: number) {
    this.#kernel = new JsonKernel(maxNesting, false);
  }

  /** Returns null when the kernel cannot start. */
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

  /** Parser state after the bytes read so far. */
  get state(): ResumedAt {
    // The text is incomplete: `finish` only updates the state.
    this.#kernel.finish();
    const { state, containers } = this.#kernel.stateBefore;
    return {
      depth: containers.length,
      inString: state === STRING || state === ESCAPE || state === HEX,
      escaped: state === ESCAPE,
    };
  }

  /** Reads the last parts and returns whether the text is one complete value. */
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
