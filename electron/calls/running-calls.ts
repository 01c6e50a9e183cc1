/** The calls that are running now, for a person who watches, and the way to cancel one. */
import type { LedgerEntry, RunningCall } from '../../shared/model/call.ts';

/** Facts about a call that are known at its start. */
export interface StartedCall {
  /** The id of its later ledger line. */
  readonly id: string;
  readonly kind: LedgerEntry['kind'];
  readonly client: string | null;
  readonly server: string;
  readonly tool: string;
  readonly background: boolean;
}

/** Facts that a call learns while it runs; read at each update. */
export interface CallFacts {
  readonly paths: readonly string[];
  readonly progress?: RunningCall['progress'];
  readonly needsApproval?: boolean;
  readonly steps?: RunningCall['steps'];
}

interface Entry {
  readonly call: StartedCall;
  readonly startedAt: string;
  readonly facts: CallFacts;
  readonly cancel: () => void;
  cancelling: boolean;
  /** In milliseconds of `performance.now()`. */
  readonly shownFrom: number;
}

/** Shorter calls are over before anybody sees them. Milliseconds. */
const SHOWN_AFTER_MS = 300;
/** Time between two looks, however many calls begin and end. Milliseconds. */
const LOOK_MS = 200;
/** Calls that are listed, the oldest first; more are only counted by nobody. */
const MOST_LISTED = 200;

/** Length limit for names, which an agent may have made up. UTF-16 code units. */
const MAX_NAME = 200;
const MAX_PATH = 4096;
/** Paths of one call. */
const MOST_PATHS = 100;

export class RunningCalls {
  readonly #entries = new Map<string, Entry>();
  readonly #listeners = new Set<() => void>();
  #looking: NodeJS.Timeout | undefined;
  #seen = '[]';

  /** Returns the function that ends it. `cancel` is called when the person cancels the call. */
  begin(call: StartedCall, facts: CallFacts, cancel: () => void): () => void {
    const entry: Entry = {
      call,
      startedAt: new Date().toISOString(),
      facts,
      cancel,
      cancelling: false,
      shownFrom: performance.now() + SHOWN_AFTER_MS,
    };
    this.#entries.set(call.id, entry);
    this.#lookSoon(SHOWN_AFTER_MS);
    return () => {
      this.#entries.delete(call.id);
      // One that nobody has seen changes nothing.
      if (this.#entries.size === 0 && this.#seen === '[]') this.#stopLooking();
    };
  }

  /** Those that have lasted for a moment, the oldest first. */
  list(): RunningCall[] {
    const now = performance.now();
    return [...this.#entries.values()]
      .filter(({ shownFrom }) => shownFrom <= now)
      .slice(0, MOST_LISTED)
      .map(({ call, startedAt, facts, cancelling }) => ({
        ...call,
        server: call.server.slice(0, MAX_NAME),
        tool: call.tool.slice(0, MAX_NAME),
        startedAt,
        paths: facts.paths.slice(0, MOST_PATHS).map((path) => path.slice(0, MAX_PATH)),
        progress: facts.progress ?? null,
        steps: facts.steps ?? null,
        needsApproval: facts.needsApproval ?? false,
        cancelling,
      }));
  }

  /** Whether there is such a call. */
  cancel(id: string): boolean {
    const entry = this.#entries.get(id);
    if (!entry) return false;
    entry.cancelling = true;
    entry.cancel();
    this.#look();
    return true;
  }

  /** The listener hears when the list has changed, progress included. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #lookSoon(ms: number): void {
    this.#looking ??= setTimeout(() => this.#look(), ms).unref();
  }

  #stopLooking(): void {
    clearTimeout(this.#looking);
    this.#looking = undefined;
  }

  #look(): void {
    this.#stopLooking();
    if (this.#entries.size > 0) this.#lookSoon(LOOK_MS);
    const now = JSON.stringify(this.list());
    if (now === this.#seen) return;
    this.#seen = now;
    for (const listener of [...this.#listeners]) listener();
  }
}
