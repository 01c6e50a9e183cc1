/** An answer kept fresh: asked for once, then again whenever one of its events is heard. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
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
  const running = useRef(false);
  const again = useRef(false);
  const key = JSON.stringify(input);
  const latest = useRef(input);
  latest.current = input;

  // A burst of events asks once more when the present question is answered, not once for each.
  const refresh = useCallback(async () => {
    if (running.current) {
      again.current = true;
      return;
    }
    running.current = true;
    do {
      again.current = false;
      try {
        const value = await client.call(name, latest.current);
        if (!again.current) setAnswer({ value, error: undefined });
      } catch (error) {
        setAnswer((before) => ({ value: before.value, error: toAppError(error) }));
      }
    } while (again.current);
    running.current = false;
  }, [client, name]);

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
