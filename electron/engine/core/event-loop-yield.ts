/** Yields to the event loop during long work, so that timers, aborts and other calls can run. */
import { setImmediate } from 'node:timers/promises';

/** Maximum time without a yield if work comes in small steps. Milliseconds. */
const TURN_MS = 4;

/** Use between two steps: `if (yielding.due) await yielding.pause()`. */
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
