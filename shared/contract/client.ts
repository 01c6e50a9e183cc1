/** Typed client of the contract for a page, over any transport. */

import { AppError } from '../model/errors.ts';
import { say } from '../model/messages/message.ts';
import {
  contract,
  type EventName,
  type EventPayload,
  type OperationInput,
  type OperationName,
  type OperationOutput,
  operations,
} from './contract.ts';
import { openReply } from './wire.ts';

/** Transports requests and events without knowing their meaning. */
export interface Transport {
  /** Resolves with a reply envelope. */
  request(name: string, input: unknown): Promise<unknown>;
  /** Returns the unsubscribe function. */
  subscribe(listener: (event: { name: string; payload: unknown }) => void): () => void;
  /** Called when the connection is lost and restored, and with `true` alone after missed events; absent for transports without such losses. */
  onConnection?(listener: (connected: boolean) => void): () => void;
}

/** The object that the preload script puts on `window.filebridge`. */
export interface Bridge extends Transport {
  /** The path of a file dropped onto the page (a DOM `File`); null if the browser hides it. */
  pathOf?(file: object): string | null;
}

export interface Client {
  call<N extends OperationName>(name: N, input: OperationInput<N>): Promise<OperationOutput<N>>;
  on<N extends EventName>(name: N, listener: (payload: EventPayload<N>) => void): () => void;
  onConnection(listener: (connected: boolean) => void): () => void;
}

export function createClient(transport: Transport): Client {
  return {
    async call<N extends OperationName>(name: N, input: OperationInput<N>) {
      const value = openReply(await transport.request(name, input));
      const checked = operations[name].output.safeParse(value);
      if (!checked.success) {
        throw new AppError('INTERNAL', say('operation.answer', { name }), {
          hint: say('operation.answer.hint'),
          cause: checked.error,
        });
      }
      return checked.data as OperationOutput<N>;
    },
    on<N extends EventName>(name: N, listener: (payload: EventPayload<N>) => void) {
      return transport.subscribe((event) => {
        if (event.name !== name) return;
        listener(contract.events[name].parse(event.payload) as EventPayload<N>);
      });
    },
    onConnection: (listener) => transport.onConnection?.(listener) ?? (() => undefined),
  };
}
