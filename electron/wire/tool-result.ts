/** Extracts the tool result from a raw response. */
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import type { JsonObject, ToolResult } from './message-types.ts';
import { isObject } from './result-tap.ts';

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
  if (!isObject(raw)) throw new AppError('UPSTREAM_FAILED', say('answer.notObject', { tool }));
  if (isDeeper(raw, MOST_LEVELS)) {
    throw new AppError('UPSTREAM_FAILED', say('answer.nested', { tool, levels: MOST_LEVELS }), {
      hint: say('answer.nested.hint'),
    });
  }
  return { ...withoutEnvelope(raw), content: Array.isArray(raw.content) ? raw.content.filter(isObject) : [] };
}

/** A result without what the 2026 era adds to each. */
export function withoutEnvelope(raw: JsonObject): JsonObject {
  const { resultType, ...result } = raw;
  if (resultType !== undefined && resultType !== 'complete') result.resultType = resultType;
  if (isObject(result._meta) && SERVER_INFO in result._meta) {
    const { [SERVER_INFO]: _, ...meta } = result._meta;
    if (Object.keys(meta).length > 0) result._meta = meta;
    else delete result._meta;
  }
  return result;
}
