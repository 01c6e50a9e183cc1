/** Carries raw results past the SDK's schemas, which drop or reject unknown fields, and extracts tool results from them. */

import { randomUUID } from 'node:crypto';
import type { JSONRPCMessage, JSONRPCResponse } from '@modelcontextprotocol/client';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { isJsonObject, type JsonObject } from '../engine/core/json-object.ts';

/** Key under which a placeholder result carries the raw result. */
const RAW = Symbol('raw result');
/** Key under which a placeholder message names the value it replaces; survives the SDK's parsers. */
const PLACEHOLDER_FOR = 'filebridge/stands-for';

/** Minimal results that the schemas of both eras accept, for each method whose results bypass the SDK. */
const placeholders: Record<string, JsonObject> = {
  'tools/call': { resultType: 'complete', content: [] },
  'tools/list': { resultType: 'complete', tools: [], ttlMs: 0, cacheScope: 'private' },
  'prompts/list': { resultType: 'complete', prompts: [], ttlMs: 0, cacheScope: 'private' },
  'prompts/get': { resultType: 'complete', messages: [] },
  'resources/list': { resultType: 'complete', resources: [], ttlMs: 0, cacheScope: 'private' },
  'resources/templates/list': { resultType: 'complete', resourceTemplates: [], ttlMs: 0, cacheScope: 'private' },
  'resources/read': { resultType: 'complete', contents: [], ttlMs: 0, cacheScope: 'private' },
  'completion/complete': { resultType: 'complete', completion: { values: [] } },
};

type RequestId = string | number;

export class ResultTap {
  readonly #pending = new Map<RequestId, { method: string; args: unknown }>();
  /** Failures of calls by placeholder name. */
  readonly #failures = new Map<string, { id: RequestId; failure: AppError }>();
  /** In the 2026 era the SDK must see `input_required` results unchanged, because they start another round. */
  modern = false;

  /** Call with every message before it is sent. */
  outgoing(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if ('id' in message) {
      this.#pending.set(message.id, { method: message.method, args: message.params?.arguments });
    } else if (message.method === 'notifications/cancelled') {
      const id = message.params?.requestId;
      if (typeof id === 'string' || typeof id === 'number') this.#delete(id);
    }
  }

  /** Whether any request is pending. */
  get awaits(): boolean {
    return this.#pending.size > 0;
  }

  /** The pending request that an answer's id means: some servers answer with a text for a number. */
  awaited(id: RequestId): RequestId | undefined {
    return [id, Number(id)].find((each) => this.#pending.has(each));
  }

  /** Method of the pending request that an answer's id means. */
  awaitsAnswer(id: RequestId): string | undefined {
    const awaited = this.awaited(id);
    return awaited === undefined ? undefined : this.#pending.get(awaited)?.method;
  }

  /** Ids of the pending tool calls. */
  get calls(): RequestId[] {
    return [...this.#pending].filter(([, { method }]) => method === 'tools/call').map(([id]) => id);
  }

  /** The pending tool call, if there is exactly one. */
  get onlyCall(): RequestId | undefined {
    const { calls } = this;
    return calls.length === 1 ? calls[0] : undefined;
  }

  /** The pending tool call with these arguments. */
  callWith(args: unknown): RequestId | undefined {
    return this.calls.find((id) => this.#pending.get(id)?.args === args);
  }

  /** A message to pass to `incoming` that fails a call. Survives JSON serialization. */
  placeholder(id: RequestId, failure: AppError): JSONRPCMessage {
    const name = randomUUID();
    this.#failures.set(name, { id, failure });
    return { jsonrpc: '2.0', id, result: { [PLACEHOLDER_FOR]: name } } as JSONRPCMessage;
  }

  /** Returns the message to pass to the SDK for one that arrived. */
  incoming(arrived: JSONRPCMessage): JSONRPCMessage {
    if (!('id' in arrived) || 'method' in arrived || arrived.id === undefined) return arrived;
    const message = wellFormed(arrived, this.#idOf(arrived));
    if (message.id === undefined) return message;
    const pending = this.#pending.get(message.id);
    const raw = 'result' in message ? this.#resolved(message.result) : undefined;
    if (pending === undefined) return message;
    this.#delete(message.id);
    if (!('result' in message) || !(pending.method in placeholders)) return message;
    if (this.modern && isJsonObject(raw) && raw.resultType === 'input_required') return message;
    return { ...message, result: { ...placeholders[pending.method], [RAW]: raw } };
  }

  /** The pending request that an answer means: some servers answer with an error for null where they could not read the id. */
  #idOf(answer: JSONRPCResponse): RequestId | undefined {
    const id: unknown = answer.id;
    if (id === null) return 'result' in answer ? undefined : this.onlyCall;
    return typeof id === 'string' || typeof id === 'number' ? (this.awaited(id) ?? id) : undefined;
  }

  /** Call when the call with these arguments was abandoned: nobody waits for its answer. */
  forget(args: unknown): void {
    const ids = [...this.#pending].filter(([, pending]) => pending.args === args).map(([id]) => id);
    for (const id of ids) this.#delete(id);
  }

  /** Call when the connection has ended. */
  close(): void {
    this.#failures.clear();
    this.#pending.clear();
  }

  #delete(id: RequestId): void {
    for (const [name, failed] of this.#failures) if (failed.id === id) this.#failures.delete(name);
    this.#pending.delete(id);
  }

  #resolved(result: unknown): unknown {
    const name = isJsonObject(result) ? result[PLACEHOLDER_FOR] : undefined;
    const found = typeof name === 'string' ? this.#failures.get(name) : undefined;
    if (!found) return result;
    this.#failures.delete(name as string);
    return found.failure;
  }
}

/** JSON-RPC 2.0, section 5.1. */
const INTERNAL_ERROR = -32603;

/** An answer with a result or an error, as JSON-RPC wants it: the SDK would drop any other, and its call would wait in vain. */
function wellFormed(answer: JSONRPCResponse, id: RequestId | undefined): JSONRPCResponse {
  if (id === undefined) return answer;
  const { result, error } = answer as { result?: unknown; error?: unknown };
  if ((error === undefined || error === null) && result !== undefined) return { jsonrpc: '2.0', id, result } as JSONRPCResponse;
  const { code, message, data } = (isJsonObject(error) ? error : { message: error }) as Record<string, unknown>;
  const unknown = error === undefined ? 'the answer has neither a result nor an error' : JSON.stringify(error)?.slice(0, 1_000);
  return {
    jsonrpc: '2.0',
    id,
    error: {
      code: Number.isInteger(code) ? (code as number) : INTERNAL_ERROR,
      message: typeof message === 'string' ? message : (unknown ?? ''),
      ...(data === undefined ? {} : { data }),
    },
  };
}

/** The raw result carried by a placeholder, or the value unchanged. Throws the failure that stands for a result. */
export function rawResult(result: unknown): unknown {
  const raw = isJsonObject(result) && RAW in result ? result[RAW as unknown as string] : result;
  if (raw instanceof AppError) throw raw;
  return raw;
}

/** `_meta` key with the upstream's identity (2026 era); removed because Filebridge answers as itself. */
const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';

/** Most JSON parsers and serializers fail a few thousand levels deep. */
export const MOST_LEVELS = 1_000;

/** Whether `value` is nested deeper than `levels`. Iterative, because recursion overflows the stack on such values. */
export function isDeeper(value: object, levels: number): boolean {
  let layer: object[] = [value];
  for (let level = 1; layer.length > 0; level += 1) {
    if (level > levels) return true;
    const next: object[] = [];
    for (const each of layer) {
      for (const member of Object.values(each) as unknown[]) if (typeof member === 'object' && member !== null) next.push(member);
    }
    layer = next;
  }
  return false;
}

/** The result without the 2026 era's envelope fields; a missing `content` becomes an empty array. */
export function toToolResult(raw: unknown, tool: string): ToolResult {
  if (!isJsonObject(raw)) throw new AppError('UPSTREAM_FAILED', say('answer.notObject', { tool }));
  if (isDeeper(raw, MOST_LEVELS)) {
    throw new AppError('UPSTREAM_FAILED', say('answer.nested', { tool, levels: MOST_LEVELS }), {
      hint: say('answer.nested.hint'),
    });
  }
  return { ...withoutEnvelope(raw), content: Array.isArray(raw.content) ? raw.content.filter(isJsonObject) : [] };
}

/** A result without what the 2026 era adds to each. */
export function withoutEnvelope(raw: JsonObject): JsonObject {
  const { resultType, ...result } = raw;
  if (resultType !== undefined && resultType !== 'complete') result.resultType = resultType;
  if (isJsonObject(result._meta) && SERVER_INFO in result._meta) {
    const { [SERVER_INFO]: _, ...meta } = result._meta;
    if (Object.keys(meta).length > 0) result._meta = meta;
    else delete result._meta;
  }
  return result;
}

/** An unmodified tools/call result: `content` blocks of any type, `structuredContent`, `isError`, `_meta`. */
export interface ToolResult extends JsonObject {
  content: JsonObject[];
  structuredContent?: unknown;
  isError?: boolean;
}
