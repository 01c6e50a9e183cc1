/** Decompressed text kept in memory, so that an archive need not be unpacked for every pass. */
import { setImmediate } from 'node:timers/promises';

/** All that one thread keeps at a time. Bytes. */
const BUDGET_BYTES = 192 * 1024 * 1024;
/** What is given out in a row. */
const TURN_BYTES = 1024 * 1024;

let kept = 0;

/** Takes the chunks of one text as they come, until they are too many for the budget. */
export class KeptText {
  overflown = false;
  private chunks: Uint8Array[] = [];
  /** What is kept of it. */
  bytes = 0;

  /** Keeps the chunk, which must not be changed any more. */
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

  /** Whether all that was pushed is there. */
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
        // Timers, aborts and other calls get their turn.
        await setImmediate();
        sinceTurn = 0;
      }
      yield left > 0 ? chunk.subarray(left) : chunk;
      left = 0;
    }
  }
}
