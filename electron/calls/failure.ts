/** Failures as tool results: one text a model can act on, shaped as the caller asked. */
import type { OutputFormat } from '../../shared/model/call.ts';
import { type AppError, toAppError } from '../../shared/model/errors.ts';
import type { ToolResult } from '../upstream/types.ts';

/** `server` and `tool` of a failed call; our own tools are `filebridge:<tool>`. */
export interface CallTarget {
  server: string;
  tool: string;
}

/** The fields of an error every output format but `string` carries. */
export function failureFields(error: AppError, target: CallTarget): Record<string, unknown> {
  const { line, column, retryAfterSeconds, mayHaveRun } = error.details;
  return {
    error: error.message,
    ...(error.hint ? { hint: error.hint } : {}),
    code: error.code,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    ...(mayHaveRun === true ? { may_have_run: true } : {}),
    ...(retryAfterSeconds === undefined ? {} : { retry_after_seconds: retryAfterSeconds }),
    tool: `${target.server}:${target.tool}`,
    timestamp: new Date().toISOString(),
  };
}

/** `string` → `Error in <tool>: <message>`; anything else → `{error, tool, timestamp, …}`; always `isError`. */
export function failureResult(error: unknown, target: CallTarget, format: OutputFormat = 'json'): ToolResult {
  const known = toAppError(error);
  const text =
    format === 'string' ? `Error in ${target.tool}: ${known.text}` : JSON.stringify(failureFields(known, target), null, 2);
  return { content: [{ type: 'text', text }], isError: true };
}
