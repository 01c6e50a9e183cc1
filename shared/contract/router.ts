/** Routes requests to handlers by name, and checks arguments and results. */

import { z } from 'zod';
import { AppError } from '../model/errors.ts';
import { say } from '../model/messages/message.ts';
import { isOperation, type OperationInput, type OperationName, type OperationOutput, operations } from './contract.ts';

export type Handlers = { [N in OperationName]: (input: OperationInput<N>) => Promise<OperationOutput<N>> };

export type Router = (name: string, input: unknown) => Promise<unknown>;

/** Characters of a refusal that may be made of what was sent. */
const MAX_QUOTED = 500;
const shortened = (text: string, most = MAX_QUOTED): string => (text.length > most ? `${text.slice(0, most)}…` : text);

/** Throws INVALID_REQUEST for an unknown name or wrong input, INTERNAL for an answer that breaks the contract. */
export function createRouter(handlers: Handlers): Router {
  return async (name, input) => {
    if (!isOperation(name)) throw new AppError('INVALID_REQUEST', say('operation.unknown', { name: shortened(name, 100) }));
    const checkedInput = operations[name].input.safeParse(input);
    if (!checkedInput.success) {
      throw new AppError(
        'INVALID_REQUEST',
        say('operation.input', { name, reason: shortened(z.prettifyError(checkedInput.error)) }),
      );
    }
    const handler = handlers[name] as (input: unknown) => Promise<unknown>;
    const checkedOutput = operations[name].output.safeParse(await handler(checkedInput.data));
    if (!checkedOutput.success) {
      throw new AppError('INTERNAL', `The answer to '${name}' is malformed: ${z.prettifyError(checkedOutput.error)}`);
    }
    return checkedOutput.data;
  };
}
