/** Failures as tool results: one text a model can act on, shaped as the caller asked. */
import type { OutputFormat } from '../../shared/model/call.ts';
import { type AppError, type RpcError, toAppError } from '../../shared/model/errors.ts';
import type { ToolResult } from '../upstream/types.ts';

/** `server` and `tool` of a failed call; our own tools are `filebridge:<tool>`. */
export interface CallTarget {
  server: string;
  tool: string;
}

/** The fields of an error every output format but `string` carries. */
export function failureFields(error: AppError, target: CallTarget): Record<string, unknown> {
  const { line, column, retryAfterSeconds, mayHaveRun, rpc } = error.details;
  return {
    error: error.message,
    ...(error.hint ? { hint: error.hint } : {}),
    code: error.code,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    ...(mayHaveRun === true ? { may_have_run: true } : {}),
    ...(retryAfterSeconds === undefined ? {} : { retry_after_seconds: retryAfterSeconds }),
    ...(rpc === undefined ? {} : rpcFields(rpc)),
    tool: `${target.server}:${target.tool}`,
    timestamp: new Date().toISOString(),
  };
}

/** Longer data would fill a model's context (characters of JSON). */
const DATA_CHARS = 20_000;

function rpcFields({ code, data }: RpcError): Record<string, unknown> {
  if (data === undefined) return { rpc_code: code };
  const { length } = JSON.stringify(data);
  return { rpc_code: code, ...(length > DATA_CHARS ? { rpc_data_omitted: `${length} characters` } : { rpc_data: data }) };
}

/** `string` → `Error in <tool>: <message>`; anything else → `{error, tool, timestamp, …}`; always `isError`. */
export function failureResult(error: unknown, target: CallTarget, format: OutputFormat = 'json'): ToolResult {
  const known = toAppError(error);
  const text =
    format === 'string' ? `Error in ${target.tool}: ${known.text}` : JSON.stringify(failureFields(known, target), null, 2);
  return { content: [{ type: 'text', text }], isError: true };
}
