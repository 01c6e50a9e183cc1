/** Requests and events over any transport: their envelopes, the program's end (the router), and the page's end (the client). */
import { z } from 'zod';
import { AppError, type ErrorCode, errorCodes, toAppError } from '../model/errors.ts';
import { say } from '../model/messages/message.ts';
import { known, saidSchema } from '../model/messages/received.ts';
import {
  type EventName,
  type EventPayload,
  isOperation,
  type OperationInput,
  type OperationName,
  type OperationOutput,
  operations,
} from './contract.ts';

// Envelopes, which keep an error's code and hint

export const requestSchema = z.strictObject({ name: z.string(), input: z.unknown() });

const codes = Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]];

const replySchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({
    ok: z.literal(false),
    error: z.object({ code: z.enum(codes), message: z.string(), hint: z.string().optional(), said: saidSchema.optional() }),
  }),
]);
export type Reply = z.infer<typeof replySchema>;

export const eventMessageSchema = z.object({ name: z.string(), payload: z.unknown() });
export type EventMessage = z.infer<typeof eventMessageSchema>;

/** Replaces events that a page did not read in time: it then requests everything again, as after a lost connection. */
export const eventsMissed: EventMessage = { name: 'events.missed', payload: {} };

/** Runs work and wraps its result or error. Never rejects. */
export async function reply(work: () => Promise<unknown>): Promise<Reply> {
  try {
    return { ok: true, value: await work() };
  } catch (thrown) {
    const { code, message, hint, said } = toAppError(thrown);
    return {
      ok: false,
      error: { code, message, ...(hint === undefined ? {} : { hint }), ...(Object.keys(said).length === 0 ? {} : { said }) },
    };
  }
}

/** The value of a reply; throws the AppError it carries. */
export function openReply(received: unknown): unknown {
  const checked = replySchema.safeParse(received);
  if (!checked.success) throw new AppError('INTERNAL', 'Filebridge gave an answer that this page does not understand');
  if (checked.data.ok) return checked.data.value;
  const { code, message, hint, said } = checked.data.error;
  throw new AppError(code, known(said?.message) ?? message, hint === undefined ? {} : { hint: known(said?.hint) ?? hint });
}

// The program's end

export type Handlers = { [N in OperationName]: (input: OperationInput<N>) => Promise<OperationOutput<N>> };

export type Router = (name: string, input: unknown) => Promise<unknown>;

/** Characters of a refusal that may be made of what was sent. */
const MAX_QUOTED = 500;
const shortened = (text: string, most = MAX_QUOTED): string => (text.length > most ? `${text.slice(0, most)}…` : text);

/** Routes requests to handlers by name, and checks arguments and results. Throws INVALID_REQUEST for an unknown name or wrong input, INTERNAL for an answer that breaks the contract. */
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

// The page's end

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

/** Answers and events are what the router and the program let out, which check each once: they are not checked again. */
export function createClient(transport: Transport): Client {
  return {
    async call<N extends OperationName>(name: N, input: OperationInput<N>) {
      return openReply(await transport.request(name, input)) as OperationOutput<N>;
    },
    on<N extends EventName>(name: N, listener: (payload: EventPayload<N>) => void) {
      return transport.subscribe((event) => {
        if (event.name === name) listener(event.payload as EventPayload<N>);
      });
    },
    onConnection: (listener) => transport.onConnection?.(listener) ?? (() => undefined),
  };
}
