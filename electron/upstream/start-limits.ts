/** Limits on the start of servers: how many start at the same time, and how long one may take. */
import type { Upstream } from '../../shared/model/config.ts';

const AT_ONCE = 6;
/** A start slower than this, such as a package download, frees its slot (milliseconds). */
const HELD_MS = 5_000;

/** Many at once compete for CPU, memory and descriptors. */
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

const START_MS = 60_000;
/** Ended halfway, npx leaves a cache behind that it cannot use, so that the next start fails, too. */
const FETCHED_START_MS = 180_000;

/** Programs that fetch a server before its first start. */
const fetchers = /^(?:npx|pnpx|bunx|npm|pnpm|yarn|uvx?|pipx|docker|podman|nerdctl|dnx)$/i;

/** How long a server may take to start (milliseconds). */
export function startTime(upstream: Upstream): number {
  if (upstream.type !== 'stdio') return START_MS;
  const program = upstream.command.split(/[\\/]/).at(-1) ?? '';
  return fetchers.test(program.replace(/\.(?:exe|cmd|bat)$/i, '')) ? FETCHED_START_MS : START_MS;
}
