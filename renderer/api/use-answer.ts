/** An answer kept fresh: asked for once, then again whenever one of its events is heard. */
import { useEffect, useMemo, useRef, useState } from 'react';
import type { EventName, OperationInput, OperationName, OperationOutput } from '../../shared/contract/contract.ts';
import { type AppError, toAppError } from '../../shared/model/errors.ts';
import { useClient } from './client-context.ts';

export interface Answer<T> {
  /** The last good value; undefined until the first. */
  value: T | undefined;
  /** Why the last attempt failed. */
  error: AppError | undefined;
  /** Asks again now. */
  refresh(): Promise<void>;
}

/**
 * Asks anew when `input` changes in content; the old value stays until the new one is there. `refreshOn` must be a constant of the
 * caller's module.
 */
export function useAnswer<N extends OperationName>(
  name: N,
  input: OperationInput<N>,
  refreshOn: readonly EventName[],
): Answer<OperationOutput<N>> {
  const client = useClient();
  const [answer, setAnswer] = useState<Omit<Answer<OperationOutput<N>>, 'refresh'>>({ value: undefined, error: undefined });
  const key = JSON.stringify(input);
  const latest = useRef({ input, key });
  latest.current = { input, key };

  const refresh = useMemo(
    () =>
      keepAsking({
        key: () => latest.current.key,
        ask: () => client.call(name, latest.current.input),
        told: (outcome) => setAnswer((before) => ({ value: before.value, error: undefined, ...outcome })),
      }),
    [client, name],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the input
  useEffect(() => void refresh(), [refresh, key]);

  useEffect(() => {
    const leave = [
      ...refreshOn.map((event) => client.on(event, () => void refresh())),
      client.onConnection((connected) => {
        if (connected) void refresh();
      }),
    ];
    return () => {
      for (const stop of leave) stop();
    };
  }, [client, refresh, refreshOn]);

  return useMemo(() => ({ ...answer, refresh }), [answer, refresh]);
}

// Asks one question at a time, and once more when it was to be asked again meanwhile.

interface Question<T> {
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
