/** Limits the running calls of each client, so that a client that never waits for answers cannot exhaust memory. */

import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';

/** Maximum running calls of one client. */
export const MAX_CALLS = 1_000;

export class CallLimit {
  readonly #counts = new Map<string, number>();
  readonly #max: number;

  constructor(max = MAX_CALLS) {
    this.#max = max;
  }

  /** Runs a call of this client. Throws INVALID_REQUEST when too many are running. */
  async run<T>(owner: string, call: () => Promise<T>): Promise<T> {
    const count = this.#counts.get(owner) ?? 0;
    if (count >= this.#max) {
      throw new AppError('INVALID_REQUEST', say('calls.many', { most: this.#max }), { hint: say('calls.many.hint') });
    }
    this.#counts.set(owner, count + 1);
    try {
      return await call();
    } finally {
      const left = (this.#counts.get(owner) ?? 1) - 1;
      if (left === 0) this.#counts.delete(owner);
      else this.#counts.set(owner, left);
    }
  }
}
