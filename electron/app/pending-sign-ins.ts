/** Pending sign-ins started in the window, one per server. */

import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';

export interface PendingSignIns {
  /** Starts one, in the place of one under way; resolves with the link as soon as there is one. */
  start(name: string, work: (onLink: (link: string) => void, signal: AbortSignal) => Promise<void>): Promise<string>;
  /** Settles as the one under way does; at once where there is none. */
  finished(name: string): Promise<void>;
  cancel(name: string): void;
  close(): void;
}

export function createPendingSignIns(): PendingSignIns {
  const pending = new Map<string, { done: Promise<void>; ending: AbortController }>();
  const cancel = (name: string) => pending.get(name)?.ending.abort();
  return {
    async start(name, work) {
      cancel(name);
      const ending = new AbortController();
      let found = (_: string) => {};
      const link = new Promise<string>((resolve) => {
        found = resolve;
      });
      const done = work(found, ending.signal);
      const entry = { done, ending };
      pending.set(name, entry);
      const forget = () => {
        if (pending.get(name) === entry) pending.delete(name);
      };
      done.then(forget, forget);
      return Promise.race([
        link,
        done.then(() => {
          throw new AppError('INTERNAL', say('signIn.noLink'));
        }),
      ]);
    },
    finished: async (name) => pending.get(name)?.done,
    cancel,
    close() {
      for (const { ending } of pending.values()) ending.abort();
    },
  };
}
