/** Keeps results as they came over the wire, out of reach of the SDK's schemas, which drop or refuse what they don't know. */
import { randomUUID } from 'node:crypto';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { AppError } from '../../shared/model/errors.ts';
import type { JsonObject } from './message-types.ts';

/** Where a placeholder result carries the one it stands for. */
const RAW = Symbol('raw result');
/** Where a message that is passed through the SDK's parsers names what it stands for. */
const PLACEHOLDER_FOR = 'filebridge/stands-for';

/** The least that both eras' schemas accept, per method whose results are to stay untouched. */
const placeholders: Record<string, JsonObject> = {
  'tools/call': { resultType: 'complete', content: [] },
  'tools/list': { resultType: 'complete', tools: [], ttlMs: 0, cacheScope: 'private' },
};

/** What a message may stand for: something that must be closed, or why there is nothing. */
type Replaced = { close(): Promise<void> } | AppError;

type RequestId = string | number;

export class ResultTap {
  readonly #pending = new Map<RequestId, { method: string; args: unknown }>();
  /** By the names in their messages. */
  readonly #replaced = new Map<string, { id: RequestId; what: Replaced }>();
  /** Handed to the SDK and not yet received by the call, by what the call has for arguments. */
  readonly #handed = new Map<unknown, { close(): Promise<void> }>();
  /** In the stateless era `input_required` asks for a further round and must reach the SDK as it is. */
  modern = false;
  /** Called when nothing is waited for any more. */
  onIdle: () => void = () => {};

  /** To be told of every message before it is sent. */
  outgoing(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if ('id' in message) {
      if (message.method in placeholders)
        this.#pending.set(message.id, { method: message.method, args: message.params?.arguments });
    } else if (message.method === 'notifications/cancelled') {
      const id = message.params?.requestId;
      if (typeof id === 'string' || typeof id === 'number') this.#delete(id);
    }
  }

  /** Whether any answer is waited for. */
  get awaits(): boolean {
    return this.#pending.size > 0;
  }

  /** The method whose answer is waited for under this id. */
  awaitsAnswer(id: RequestId): string | undefined {
    return this.#pending.get(id)?.method;
  }

  /** The calls whose answers are waited for. */
  get calls(): RequestId[] {
    return [...this.#pending].filter(([, { method }]) => method === 'tools/call').map(([id]) => id);
  }

  /** The one call whose answer is waited for, if it is only one. */
  get onlyCall(): RequestId | undefined {
    const { calls } = this;
    return calls.length === 1 ? calls[0] : undefined;
  }

  /** The call with these arguments, if its answer is waited for. */
  callWith(args: unknown): RequestId | undefined {
    return this.calls.find((id) => this.#pending.get(id)?.args === args);
  }

  /** A message to be given to `incoming` in place of one that is not held, or that could not be had. It survives being written as JSON. */
  placeholder(id: RequestId, what: Replaced): JSONRPCMessage {
    const name = randomUUID();
    this.#replaced.set(name, { id, what });
    return { jsonrpc: '2.0', id, result: { [PLACEHOLDER_FOR]: name } } as JSONRPCMessage;
  }

  /** The message to give to the SDK for one that arrived. */
  incoming<T extends JSONRPCMessage>(message: T): T {
    if (!('id' in message) || 'method' in message || message.id === undefined) return message;
    const pending = this.#pending.get(message.id);
    const raw = 'result' in message ? this.#resolved(message.result) : undefined;
    if (pending === undefined) {
      if (isCloseable(raw)) void raw.close();
      return message;
    }
    this.#delete(message.id);
    if (!('result' in message)) return message;
    if (this.modern && isObject(raw) && raw.resultType === 'input_required') return message;
    if (isCloseable(raw)) this.#handed.set(pending.args, raw);
    return { ...message, result: { ...placeholders[pending.method], [RAW]: raw } };
  }

  /** The call with these arguments has what it waited for. */
  received(args: unknown): void {
    this.#handed.delete(args);
  }

  /** Nobody waits any more for the answer to the call with these arguments. */
  forget(args: unknown): void {
    const ids = [...this.#pending].filter(([, pending]) => pending.args === args).map(([id]) => id);
    for (const id of ids) this.#delete(id);
    void this.#handed.get(args)?.close();
    this.#handed.delete(args);
  }

  /** To be called when the connection has ended. */
  close(): void {
    for (const { what } of this.#replaced.values()) if (isCloseable(what)) void what.close();
    this.#replaced.clear();
    for (const handed of this.#handed.values()) void handed.close();
    this.#handed.clear();
    this.#pending.clear();
    this.onIdle();
  }

  #delete(id: RequestId): void {
    for (const [name, replaced] of this.#replaced) {
      if (replaced.id !== id) continue;
      this.#replaced.delete(name);
      if (isCloseable(replaced.what)) void replaced.what.close();
    }
    if (this.#pending.delete(id) && this.#pending.size === 0) this.onIdle();
  }

  #resolved(result: unknown): unknown {
    const name = isObject(result) ? result[PLACEHOLDER_FOR] : undefined;
    const found = typeof name === 'string' ? this.#replaced.get(name) : undefined;
    if (!found) return result;
    this.#replaced.delete(name as string);
    return found.what;
  }
}

/** The result behind a placeholder, or the value itself. */
export function rawResult(result: unknown): unknown {
  return isObject(result) && RAW in result ? result[RAW as unknown as string] : result;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCloseable(what: unknown): what is { close(): Promise<void> } {
  return isObject(what) && typeof what.close === 'function';
}
