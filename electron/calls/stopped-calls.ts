/**
 * Calls in batches that ended before all was accepted, with the way to go on. Kept in memory: the receipt on disk knows the records, but not
 * the arguments.
 */
import type { StoppedCall } from '../../shared/model/call.ts';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';

/** Calls that are remembered; the oldest go first. */
const KEPT = 20;
/** Files named of one call. */
const NAMED = 5;

export class StoppedCalls {
  readonly #calls = new Map<string, { call: StoppedCall; again: () => Promise<unknown> }>();
  readonly #listeners = new Set<() => void>();

  /** `again` sends what is left, and throws what prevents it. */
  keep(call: StoppedCall, again: () => Promise<unknown>): void {
    this.#calls.delete(call.receipt);
    this.#calls.set(call.receipt, { call: { ...call, paths: call.paths.slice(0, NAMED) }, again });
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > KEPT && oldest !== undefined) this.#calls.delete(oldest);
    this.#changed();
  }

  /** Nothing is left of it, or nobody wants to go on. */
  forget(receipt: string): void {
    if (this.#calls.delete(receipt)) this.#changed();
  }

  /** The newest first. */
  list(): StoppedCall[] {
    return [...this.#calls.values()].reverse().map(({ call }) => call);
  }

  /** Throws INVALID_REQUEST for one that is not listed. */
  async resume(receipt: string): Promise<void> {
    const found = this.#calls.get(receipt);
    if (!found) throw new AppError('INVALID_REQUEST', say('call.nothingLeft'));
    await found.again();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
