/** Limits how many servers start at the same time, because many at once compete for CPU, memory and descriptors. */

const AT_ONCE = 6;
/** A start slower than this, such as a package download, frees its slot (milliseconds). */
const HELD_MS = 5_000;

export class StartSlots {
  #free: number;
  readonly #heldMs: number;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce = AT_ONCE, heldMs = HELD_MS) {
    this.#free = atOnce;
    this.#heldMs = heldMs;
  }

  /** Runs `start` when a slot is free. */
  async run<T>(start: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    let held = true;
    const release = () => {
      if (!held) return;
      held = false;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    };
    const timer = setTimeout(release, this.#heldMs);
    try {
      return await start();
    } finally {
      clearTimeout(timer);
      release();
    }
  }
}
