/** Limits a rate: a burst at once, then so much per second. Time is monotonic. */
export class TokenBucket {
  readonly #capacity: number;
  readonly #perMs: number;
  #level: number;
  #filled = performance.now();

  constructor(capacity: number, perSecond: number) {
    this.#capacity = capacity;
    this.#perMs = perSecond / 1000;
    this.#level = capacity;
  }

  /** Takes `cost` if there is as much; a cost above the capacity never fits. */
  take(cost = 1): boolean {
    this.#fill();
    if (cost > this.#level) return false;
    this.#level -= cost;
    return true;
  }

  /** Time until `cost` can be taken (milliseconds). */
  waitMs(cost = 1): number {
    this.#fill();
    return cost <= this.#level ? 0 : Math.ceil((cost - this.#level) / this.#perMs);
  }

  #fill(): void {
    const now = performance.now();
    this.#level = Math.min(this.#capacity, this.#level + (now - this.#filled) * this.#perMs);
    this.#filled = now;
  }
}
