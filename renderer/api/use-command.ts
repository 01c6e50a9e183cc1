/** A command a person gives: whether it runs, and why it failed. */
import { useCallback, useState } from 'react';
import type { OperationInput, OperationName, OperationOutput } from '../../shared/contract/contract.ts';
import { type AppError, toAppError } from '../../shared/model/errors.ts';
import { useClient } from './client-context.ts';

export interface Command<N extends OperationName> {
  /** Undefined when it failed; `error` then says why. */
  run(input: OperationInput<N>): Promise<OperationOutput<N> | undefined>;
  busy: boolean;
  error: AppError | undefined;
  clear(): void;
}

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
