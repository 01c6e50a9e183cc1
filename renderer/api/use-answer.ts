/** An answer kept fresh: asked for once, then again whenever one of its events is heard. */
import { useEffect, useMemo, useRef, useState } from 'react';
import type { EventName, OperationInput, OperationName, OperationOutput } from '../../shared/contract/contract.ts';
import type { AppError } from '../../shared/model/errors.ts';
import { useClient } from './client-context.ts';
import { keepAsking } from './keep-asking.ts';

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
