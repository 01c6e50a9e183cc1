/** The page's way to the program, for every component: answers, commands, events, and the settings. */
import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import type { EventName, EventPayload, OperationInput, OperationName, OperationOutput } from '../../shared/contract/contract.ts';
import type { Client } from '../../shared/contract/rpc.ts';
import type { Settings } from '../../shared/contract/settings.ts';
import { type AppError, toAppError } from '../../shared/model/errors.ts';

export const ClientContext = createContext<Client | null>(null);

export function useClient(): Client {
  const client = useContext(ClientContext);
  if (!client) throw new Error('there is no client above this component');
  return client;
}

/** The settings, for every page below the one that fetches them. */
export const SettingsContext = createContext<Settings | undefined>(undefined);

/** Undefined while the program cannot be reached. */
export const useSettings = (): Settings | undefined => useContext(SettingsContext);

// Answers

export interface Answer<T> {
  /** The last good value; undefined until the first. */
  value: T | undefined;
  /** Why the last attempt failed. */
  error: AppError | undefined;
  /** Asks again now. */
  refresh(): Promise<void>;
}

/**
 * An answer kept fresh: asked for once, then again whenever one of the events `refreshOn` is heard. Asks anew when `input` changes in content; the old value stays until the new one is there. `refreshOn` must be a constant of the
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

// Commands and events

export interface Command<N extends OperationName> {
  /** Undefined when it failed; `error` then says why. */
  run(input: OperationInput<N>): Promise<OperationOutput<N> | undefined>;
  busy: boolean;
  error: AppError | undefined;
  clear(): void;
}

/** A command a person gives: whether it runs, and why it failed. */
export function useCommand<N extends OperationName>(name: N): Command<N> {
  const client = useClient();
  const [running, setRunning] = useState(0);
  const [error, setError] = useState<AppError>();
  const run = useCallback(
    async (input: OperationInput<N>) => {
      setRunning((count) => count + 1);
      setError(undefined);
      try {
        return await client.call(name, input);
      } catch (thrown) {
        setError(toAppError(thrown));
        return undefined;
      } finally {
        setRunning((count) => count - 1);
      }
    },
    [client, name],
  );
  return { run, busy: running > 0, error, clear: useCallback(() => setError(undefined), []) };
}

/** Hears one of the program's events while a component is there. */
export function useEvent<N extends EventName>(name: N, listener: (payload: EventPayload<N>) => void): void {
  const client = useClient();
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => client.on(name, (payload) => latest.current(payload)), [client, name]);
}
