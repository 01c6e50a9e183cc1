/** Keeps results as they came over the wire, out of reach of the SDK's schemas, which drop or refuse what they don't know. */
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { JsonObject } from './types.ts';

/** Where a stand-in result carries the one it stands for. */
const RAW = Symbol('raw result');

/** The least that both eras' schemas accept, per method whose results are to stay untouched. */
const standIns: Record<string, JsonObject> = {
  'tools/call': { resultType: 'complete', content: [] },
  'tools/list': { resultType: 'complete', tools: [], ttlMs: 0, cacheScope: 'private' },
};

export class ResultTap {
  readonly #pending = new Map<string | number, string>();
  /** In the stateless era `input_required` asks for a further round and must reach the SDK as it is. */
  modern = false;

  /** To be told of every message before it is sent. */
  outgoing(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if ('id' in message) {
      if (message.method in standIns) this.#pending.set(message.id, message.method);
    } else if (message.method === 'notifications/cancelled') {
      const id = message.params?.requestId;
      if (typeof id === 'string' || typeof id === 'number') this.#pending.delete(id);
    }
  }

  /** The message to give to the SDK for one that arrived. */
  incoming<T extends JSONRPCMessage>(message: T): T {
    if (!('id' in message) || 'method' in message || message.id === undefined) return message;
    const method = this.#pending.get(message.id);
    if (method === undefined) return message;
    this.#pending.delete(message.id);
    if (!('result' in message)) return message;
    const raw: unknown = message.result;
    if (this.modern && isObject(raw) && raw.resultType === 'input_required') return message;
    return { ...message, result: { ...standIns[method], [RAW]: raw } };
  }
}

/** The result behind a stand-in, or the value itself. */
export function rawResult(result: unknown): unknown {
  return isObject(result) && RAW in result ? result[RAW as unknown as string] : result;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
