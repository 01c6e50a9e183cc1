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
