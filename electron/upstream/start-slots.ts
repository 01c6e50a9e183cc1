/** Lets only a few servers start at the same time: each takes processor time, memory and descriptors, and tens at once starve one another. */

const AT_ONCE = 6;
/** A server that is slower than this, as one whose package is downloaded first, no longer keeps others waiting. Milliseconds. */
const HELD_MS = 5_000;

export class StartSlots {
  #free: number;
  readonly #heldMs: number;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce = AT_ONCE, heldMs = HELD_MS) {
    this.#free = atOnce;
    this.#heldMs = heldMs;
  }

  /** Runs `start` when it is its turn. */
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
