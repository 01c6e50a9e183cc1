/** Asks one question at a time, and once more when it was to be asked again meanwhile. */
import { type AppError, toAppError } from '../../shared/model/errors.ts';

export interface Question<T> {
  /** Key of the current question; answers to other questions are ignored. */
  key(): string;
  ask(): Promise<T>;
  told(outcome: { value: T } | { error: AppError }): void;
}

/**
 * Gives what asks, which resolves when nothing is left to be asked. A burst of events asks once more when the present question is
 * answered, not once for each; every answer to what is still asked is told, or a steady stream of events would keep all of them back.
 */
export function keepAsking<T>({ key, ask, told }: Question<T>): () => Promise<void> {
  let again = false;
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    do {
      again = false;
      const asked = key();
      let outcome: { value: T } | { error: AppError };
      try {
        outcome = { value: await ask() };
      } catch (error) {
        outcome = { error: toAppError(error) };
      }
      if (asked === key()) told(outcome);
    } while (again);
    running = undefined;
  }

  return () => {
    if (running) again = true;
    else running = run();
    return running;
  };
}
