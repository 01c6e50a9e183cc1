/** The roots of one client of the 2025 era: the folders it works in, which servers and our own file tools may ask for. */
import { z } from 'zod';
import { rootsResult } from '../upstream/roots.ts';
import type { Root } from '../upstream/types.ts';

/** Time limit for a client's answer, which no person is asked for (milliseconds). */
export const ROOTS_ANSWER_MS = 10_000;

export class ClientRoots {
  readonly #log: (line: string) => void;
  #known: Promise<readonly Root[]> | undefined;

  constructor(log: (line: string) => void) {
    this.#log = log;
  }

  /** As `ask` finds them the first time, and the first time after a change. None where it fails; then they are asked for again. */
  get(ask: () => Promise<unknown>): Promise<readonly Root[]> {
    if (this.#known) return this.#known;
    const found = ask().then(
      (answer) => {
        const { data, error } = rootsResult.safeParse(answer);
        if (error) this.#log(`the client's roots could not be read: ${z.prettifyError(error)}`);
        return data?.roots ?? [];
      },
      (error: unknown) => {
        this.#log(`the client's roots could not be had: ${error instanceof Error ? error.message : String(error)}`);
        if (this.#known === found) this.#known = undefined;
        return [];
      },
    );
    this.#known = found;
    return found;
  }

  /** The client says that they have changed. */
  changed(): void {
    this.#known = undefined;
  }
}
