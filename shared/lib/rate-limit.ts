/** Limits of rates, and a log that keeps to one. */

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

const BURST = 200;
const PER_SECOND = 2;
const MAX_CHARACTERS = 2_000;

/** A log that a flood of lines neither fills nor holds up: a burst passes, then a few lines per second; long lines are cut. */
export function limitedLog(log: (line: string) => void): (line: string) => void {
  const bucket = new TokenBucket(BURST, PER_SECOND);
  let leftOut = 0;
  return (line) => {
    if (!bucket.take()) {
      leftOut += 1;
      return;
    }
    const before = leftOut > 0 ? `(${leftOut} lines left out) ` : '';
    leftOut = 0;
    log(`${before}${line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS)}…` : line}`);
  };
}
