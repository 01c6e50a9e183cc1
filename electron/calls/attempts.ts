/** Recognises calls that repeat one that did not work. */
import type { LedgerEntry } from '../../shared/model/call.ts';

/** For how long a call after a failed one counts as its repetition (milliseconds). */
const WITHIN_MS = 10 * 60_000;
/** Failed calls that are remembered. */
const KEPT = 500;

type Ended = Pick<LedgerEntry, 'client' | 'server' | 'tool' | 'paths' | 'outcome'>;

export class Attempts {
  readonly #failed = new Map<string, { entry: string; attempt: number; at: number }>();

  /** A call of a server's tool has ended. Gives which try it was, and the one before; undefined for a first one. */
  ended(entry: string, { client, server, tool, paths, outcome }: Ended): { attempt: number; retryOf: string } | undefined {
    const key = JSON.stringify([client, server, tool, paths]);
    const now = performance.now();
    const before = this.#failed.get(key);
    const again = before !== undefined && now - before.at <= WITHIN_MS ? before : undefined;
    this.#failed.delete(key);
    const attempt = (again?.attempt ?? 0) + 1;
    if (outcome !== 'ok') this.#failed.set(key, { entry, attempt, at: now });
    const [oldest] = this.#failed.keys();
    if (this.#failed.size > KEPT && oldest !== undefined) this.#failed.delete(oldest);
    return again && { attempt, retryOf: again.entry };
  }
}
