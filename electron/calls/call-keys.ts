/** Idempotency keys of a call with files: one for each message, the same again when the same records are sent again. */
import { type Message, say } from '../../shared/model/messages/message.ts';
import { idempotencyArgument, idempotencyKey } from '../binding/idempotency.ts';
import type { JsonObject } from '../engine/core/json-object.ts';
import { isJsonObject } from '../engine/core/json-object.ts';
import type { StoredReceipt } from '../store/receipts.ts';
import type { UpstreamTool } from '../upstream/types.ts';
import type { CallDeps } from './deps.ts';
import { contentHash, type PreparedPayload } from './payloads.ts';
import type { FileCallRequest } from './types.ts';

export interface CallKeys {
  /** Names from the root of the arguments to the key. */
  readonly path: readonly string[];
  /** Whether the caller gave a key, which each batch replaces with one derived from it. */
  readonly given: boolean;
  /** The key of the message with these records. */
  of(first: number, last: number): string;
}

/**
 * Undefined for a tool without such an argument, and where the caller's own key is sent as it is. In batches, one key for all of them would
 * make the server take the second for a repetition of the first.
 *
 * A batch whose outcome is unknown is repeated with its key. One that the server refused gets a new key, because servers answer a
 * known key with the outcome they stored.
 */
export function callKeys(
  { upstreams }: Pick<CallDeps, 'upstreams'>,
  request: Pick<FileCallRequest, 'server' | 'tool_name' | 'tool_args' | 'batch'>,
  tool: Pick<UpstreamTool, 'inputSchema'>,
  receiptId: string,
  resumed: Pick<StoredReceipt, 'events'> | undefined,
): ((payloads: readonly PreparedPayload[]) => CallKeys) | undefined {
  const set = upstreams.config(request.server)?.idempotencyKeys ?? {};
  const named = Object.hasOwn(set, request.tool_name) ? set[request.tool_name] : idempotencyArgument(tool.inputSchema);
  if (named === undefined || named === null) return undefined;
  const path = Object.hasOwn(set, request.tool_name) ? named.split('.') : [named];
  const own = memberAt(request.tool_args ?? {}, path);
  if (own !== undefined && (request.batch === undefined || typeof own !== 'string')) return undefined;
  const refusals = resumed?.events.filter(([event]) => event === 'refused') ?? [];
  return (payloads) => {
    const sha256 = contentHash(payloads);
    return {
      path,
      given: own !== undefined,
      of(first, last) {
        const refused = refusals.filter((event) => event[1] <= last && event[2] >= first).length;
        return idempotencyKey(own ?? receiptId, sha256, first, last, refused);
      },
    };
  };
}

function memberAt(args: JsonObject, path: readonly string[]): unknown {
  let value: unknown = args;
  for (const name of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/** How an agent repeats a single call so that the server can recognize the repetition. */
export const repeatHint = (argument: string, key: string): Message => say('idempotency.repeat', { argument, key });
