/** What a tool answered, out of the envelope that it came in. */
import { AppError } from '../../shared/model/errors.ts';
import type { LongAnswer } from './long-answer.ts';
import { isObject } from './result-tap.ts';
import type { ToolResult } from './types.ts';

/** Where an answer of the 2026 era says who gives it. Ours says that it is ours. */
const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';

/** The result as it came, save for the 2026 era's envelope; a missing `content` is an empty one. */
export function toToolResult(raw: unknown, tool: string): ToolResult {
  if (!isObject(raw)) throw new AppError('UPSTREAM_FAILED', `Upstream tool '${tool}' failed: its answer is not an object`);
  const { resultType, ...result } = raw;
  if (resultType !== undefined && resultType !== 'complete') result.resultType = resultType;
  if (isObject(result._meta) && SERVER_INFO in result._meta) {
    const { [SERVER_INFO]: _, ...meta } = result._meta;
    if (Object.keys(meta).length > 0) result._meta = meta;
    else delete result._meta;
  }
  return { ...result, content: Array.isArray(raw.content) ? raw.content.filter(isObject) : [] };
}

/** Whether an answer waits in a file. None that was read from JSON has a function for a member. */
export function isLong(answer: ToolResult | LongAnswer): answer is LongAnswer {
  return typeof answer.whole === 'function';
}
