/** Keeps decompressed text in memory, so that an archive is not unpacked again for every pass. */
import { setImmediate } from 'node:timers/promises';

/** Total size kept by one thread. Bytes. */
const BUDGET_BYTES = 192 * 1024 * 1024;
/** Bytes yielded without a pause. */
const TURN_BYTES = 1024 * 1024;

let kept = 0;

/** Collects the chunks of one text until they exceed the budget. */
export class KeptText {
  overflown = false;
  private chunks: Uint8Array[] = [];
  /** The chunks that are kept. */
  bytes = 0;

  /** Keeps the chunk, which must not be changed afterwards. */
  push(chunk: Uint8Array): void {
    if (this.overflown) return;
    if (kept + chunk.length > BUDGET_BYTES) {
      this.drop();
      return;
    }
    this.chunks.push(chunk);
    this.bytes += chunk.length;
    kept += chunk.length;
  }

  /** Whether everything that was pushed is kept. */
  get whole(): boolean {
    return !this.overflown;
  }

  drop(): void {
    kept -= this.bytes;
    this.overflown = true;
    this.chunks = [];
    this.bytes = 0;
  }

  async *read(offset: number): AsyncIterable<Uint8Array> {
    let left = offset;
    let sinceTurn = 0;
    for (const chunk of this.chunks) {
      if (left >= chunk.length) {
        left -= chunk.length;
        continue;
      }
      sinceTurn += chunk.length;
      if (sinceTurn >= TURN_BYTES) {
        // Lets timers, aborts and other calls run.
        await setImmediate();
        sinceTurn = 0;
      }
      yield left > 0 ? chunk.subarray(left) : chunk;
      left = 0;
    }
  }
}
