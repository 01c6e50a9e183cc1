/** Turns for timers, aborts and other calls amid long work in one thread. */
import { setImmediate } from 'node:timers/promises';

/** Longer than this nobody waits for a turn, if work comes in small steps. Milliseconds. */
const TURN_MS = 4;

/** Asked between two steps: `if (yielding.due) await yielding.pause()`. */
export class EventLoopYield {
  private since = performance.now();

  get due(): boolean {
    return performance.now() - this.since >= TURN_MS;
  }

  async pause(): Promise<void> {
    await setImmediate();
    this.since = performance.now();
  }
}
