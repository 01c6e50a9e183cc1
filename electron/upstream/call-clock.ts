/** How long a call may go without a sign of life, times aside when its caller is being asked something. */
export class CallClock {
  readonly #timeoutMs: number;
  readonly #onTimeout: () => void;
  #timer: NodeJS.Timeout | undefined;
  #pauses = 0;

  constructor(timeoutMs: number, onTimeout: () => void) {
    this.#timeoutMs = timeoutMs;
    this.#onTimeout = onTimeout;
  }

  /** There is a sign of life. */
  restart(): void {
    if (this.#timer) this.#timer.refresh();
    else if (this.#pauses === 0) this.#timer = setTimeout(this.#onTimeout, this.#timeoutMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Stands still while the caller is asked. */
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
