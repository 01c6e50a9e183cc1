/** Time limits of calls: the timeout of each, and the detection of a server that stopped answering. */

/** Timeout of a call, restarted by activity and paused while the caller answers a question. */
export class CallClock {
  readonly #timeoutMs: number;
  readonly #onTimeout: () => void;
  #timer: NodeJS.Timeout | undefined;
  #pauses = 0;

  constructor(timeoutMs: number, onTimeout: () => void) {
    this.#timeoutMs = timeoutMs;
    this.#onTimeout = onTimeout;
  }

  /** Restarts the timeout. */
  restart(): void {
    if (this.#timer) this.#timer.refresh();
    else if (this.#pauses === 0) this.#timer = setTimeout(this.#onTimeout, this.#timeoutMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Pauses the timeout while the caller answers a question. */
  async paused<T>(work: () => Promise<T>): Promise<T> {
    this.#pauses += 1;
    this.stop();
    try {
      return await work();
    } finally {
      this.#pauses -= 1;
      this.restart();
    }
  }
}

/** Consecutive silent calls after which the server is probed. */
const SILENT_CALLS = 2;

/** Detects a server that stopped answering: it sent nothing during several consecutive calls. */
export class Silence {
  #calls = 0;
  /** Sequence number of the last call that timed out silently. */
  #lastEnd = 0;
  #now = 0;

  /** Starts a call. `heard` is the number of chunks received from the server so far. */
  begin(heard: number): { lasts(heardSince: number): boolean } {
    this.#now += 1;
    const began = this.#now;
    return {
      /** The call timed out. Returns whether the server should be probed. */
      lasts: (heardSince) => {
        if (heardSince !== heard) {
          this.#calls = 0;
          return false;
        }
        // Concurrent silent calls count once.
        if (began < this.#lastEnd) return false;
        this.#now += 1;
        this.#lastEnd = this.#now;
        this.#calls += 1;
        return this.#calls >= SILENT_CALLS;
      },
    };
  }
}
