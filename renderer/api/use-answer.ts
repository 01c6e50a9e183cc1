/** An answer kept fresh: asked for once, then again whenever one of its events is heard. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { EventName, OperationInput, OperationName, OperationOutput } from '../../shared/contract/contract.ts';
import { toAppError } from '../../shared/model/errors.ts';
import { useClient } from './client-context.ts';

export interface Answer<T> {
  /** The last good value; undefined until the first. */
  value: T | undefined;
  /** Why the last attempt failed, in a sentence. */
  error: string | undefined;
}

/** `input` and `refreshOn` must be constants of the caller's module. */
export function useAnswer<N extends OperationName>(
  name: N,
  input: OperationInput<N>,
  refreshOn: readonly EventName[],
): Answer<OperationOutput<N>> {
  const client = useClient();
  const [answer, setAnswer] = useState<Answer<OperationOutput<N>>>({ value: undefined, error: undefined });
  const running = useRef(false);
  const again = useRef(false);

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
        const value = await client.call(name, input);
        setAnswer({ value, error: undefined });
      } catch (error) {
        setAnswer((before) => ({ value: before.value, error: toAppError(error).text }));
      }
    } while (again.current);
    running.current = false;
  }, [client, name, input]);

  useEffect(() => {
    const leave = [
      ...refreshOn.map((event) => client.on(event, () => void refresh())),
      client.onConnection((connected) => {
        if (connected) void refresh();
      }),
    ];
    void refresh();
    return () => {
      for (const stop of leave) stop();
    };
  }, [client, refresh, refreshOn]);

  return answer;
}
