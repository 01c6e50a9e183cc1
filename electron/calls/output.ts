import type { OutputFormat, Receipt } from '../../shared/model/call.ts';
import { forAgents, type TokenCount, type Warning, warning } from '../../shared/model/conversion.ts';
import { AppError, type RpcError, toAppError } from '../../shared/model/errors.ts';
import { inAgentsWords, type Message, say } from '../../shared/model/messages/message.ts';
import { parseDataKey } from '../binding/data-key.ts';
import { exactJson, exactText } from '../engine/core/exact-numbers.ts';
import { isJsonObject, type JsonObject } from '../engine/core/json-object.ts';
import type { ToolResult } from '../upstream/types.ts';
import { answerText, answerValue, cellText, structureRepeatsText, templateValue, textPart, toMarkdown } from './answer.ts';
import type { CallTarget } from './events.ts';
import type { CallerContext } from './types.ts';

/** Figures of a finished call, as `structured` and templates show them. */
export interface CallFigures {
  durationMs: number;
  /** Bytes of arguments sent, over all batches. */
  bytes: number;
  records: number;
  /** Tokens the model did not type. */
  tokens: TokenCount;
  receipt: Receipt | null;
}

export interface OutputRequest {
  format: OutputFormat;
  template: Template | undefined;
}

/** Checks the wish for an output before anything is sent. */
export function outputRequest(format: OutputFormat | undefined, template: string | undefined): OutputRequest {
  if (format === 'custom' && template === undefined) {
    throw new AppError('INVALID_REQUEST', say('request.noTemplate'), { hint: say('request.noTemplate.hint') });
  }
  if (template !== undefined && format !== undefined && format !== 'custom') {
    throw new AppError('INVALID_REQUEST', say('request.templateUnused', { format }), {
      hint: say('request.templateUnused.hint'),
    });
  }
  const chosen = format ?? (template === undefined ? 'json' : 'custom');
  return { format: chosen, template: template === undefined ? undefined : compileTemplate(template) };
}

/** Warnings as one short block of text, or none. */
export function noteBlocks(warnings: readonly Warning[]): { type: 'text'; text: string }[] {
  return warnings.length === 0
    ? []
    : [{ type: 'text', text: `Note: ${warnings.map((warning) => warning.message).join('\nNote: ')}` }];
}

/** An upstream's own `isError` in its words, as an error of ours. */
export function upstreamFailure(result: ToolResult, target: CallTarget, hint?: Message): AppError {
  const reason = answerText(result).trim() || say('answer.noReason');
  return new AppError('UPSTREAM_FAILED', say('answer.failed', { tool: target.tool, reason }), hint === undefined ? {} : { hint });
}

/** Shapes a result. `raw` stays untouched, but for warnings in `_meta`; in every format `isError` is kept. */
export function shapeResult(
  result: ToolResult,
  target: CallTarget,
  output: OutputRequest,
  figures: CallFigures,
  warnings: readonly Warning[],
  hint?: Message,
): ToolResult {
  if (output.format === 'raw') {
    return warnings.length === 0
      ? result
      : { ...result, _meta: { ...(result._meta as object), 'filebridge/warnings': forAgents(warnings) } };
  }
  const failed = result.isError === true;
  const failure = failed ? upstreamFailure(result, target, hint) : undefined;
  // A table or template would hide that the answer is an error.
  const leftOut = isTextual.has(output.format) ? blocksLeftOut(result, output.format) : [];
  if (failure && isTextual.has(output.format)) {
    const said = failureResult(failure, target, output.format);
    return { ...said, content: [...said.content, ...noteBlocks(leftOut)] };
  }

  const notes = [...warnings, ...leftOut];
  // The error quotes the server's words.
  const { rest, shown } = withShownBeside(failure ? withoutText(result) : result);
  const text = () => {
    // They stand first, and win over fields of the same name.
    const fields = failure ? failureFields(failure, target) : {};
    switch (output.format) {
      case 'string':
        return answerText(result);
      case 'markdown':
        return toMarkdown(answerValue(result));
      case 'structured':
        return pretty({ ...fields, ...structured(rest, target, figures, warnings), ...fields });
      case 'custom': {
        const filled = output.template?.({ value: templateValue(result), text: answerText(result), meta: meta(target, figures) });
        if (filled && filled.missing.length > 0) {
          const holes = filled.missing.map((hole) => `{{${hole}}}`);
          notes.push(warning('TEMPLATE_HOLE', say('answer.templateHoles', { holes })));
        }
        return filled?.text ?? '';
      }
      default:
        return pretty({ ...fields, ...rest, ...fields });
    }
  };
  const first = { type: 'text', text: exactText(text()) };
  const beside = isTextual.has(output.format) ? [] : shown;
  const content = [first, ...(output.format === 'structured' ? [] : noteBlocks(notes)), ...beside];
  return failed ? { content, isError: true } : { content };
}

/** Formats of one text. */
const isTextual: ReadonlySet<OutputFormat> = new Set<OutputFormat>(['string', 'markdown', 'custom']);

/** The warning that pictures, sounds, files and links have no place in a text. */
function blocksLeftOut({ content = [] }: ToolResult, format: OutputFormat): Warning[] {
  const counts = new Map<string, number>();
  for (const block of content) {
    if (textPart(block) !== undefined) continue;
    const { mimeType } = (isJsonObject(block.resource) ? block.resource : block) as { mimeType?: string };
    const kind = `${block.type}${mimeType === undefined ? '' : ` (${mimeType})`}`;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const blocks = [...counts].map(([kind, count]) => `${count} ${kind}`);
  return blocks.length === 0 ? [] : [warning('BLOCKS_LEFT_OUT', say('answer.blocksLeftOut', { format, blocks }))];
}

/** Pictures and sounds stand beside the JSON, where hosts show them, and not as base64 in it. */
function withShownBeside(result: JsonObject): { rest: JsonObject; shown: JsonObject[] } {
  const shown: JsonObject[] = [];
  const named = (block: JsonObject): JsonObject => {
    if ((block.type !== 'image' && block.type !== 'audio') || typeof block.data !== 'string') return block;
    shown.push(block);
    return { ...block, data: inAgentsWords(say('answer.shownBeside', { index: shown.length })) };
  };
  const content = Array.isArray(result.content) ? result.content.map(named) : [];
  return shown.length === 0 ? { rest: result, shown } : { rest: { ...result, content }, shown };
}

function withoutText({ content = [], structuredContent, ...result }: ToolResult): JsonObject {
  const others = content.filter((block) => textPart(block) === undefined);
  const repeats = structuredContent === undefined || structureRepeatsText({ content, structuredContent });
  return { ...result, ...(others.length > 0 ? { content: others } : {}), ...(repeats ? {} : { structuredContent }) };
}

const pretty = (value: unknown) => exactJson(value, 2);

function meta(target: CallTarget, figures: CallFigures) {
  const { receipt, ...rest } = figures;
  return { server: target.server, tool: target.tool, ...rest, tokens: figures.tokens.count, ...(receipt ?? {}) };
}

function structured(result: JsonObject, target: CallTarget, figures: CallFigures, warnings: readonly Warning[]) {
  const { receipt, ...rest } = figures;
  return {
    result,
    server: target.server,
    tool: target.tool,
    ...rest,
    ...(receipt ? { receipt } : {}),
    warnings: forAgents(warnings),
  };
}

// `custom` output: a template whose `{{path}}` holes are filled from the answer.

interface TemplateData {
  /** The answer, parsed where it is JSON. */
  value: unknown;
  text: string;
  meta: Record<string, unknown>;
}

/** Fills the holes. Those that lead nowhere become empty and are listed in `missing`. */
type Template = (data: TemplateData) => { text: string; missing: string[] };

/** White space around the name is cut off afterwards: a pattern for it would try each of its characters again. */
const HOLE = /\{\{([^{}]+)\}\}/g;

/**
 * Compiles a template, so that a bad hole is known before anything is sent. A hole is a data key into the answer,
 * `text` for all of it, or `meta.<key>` for the call's own figures. Throws DATA_KEY_INVALID.
 */
function compileTemplate(template: string): Template {
  const paths = new Map<string, (string | number)[]>();
  for (const [, inside = ''] of template.matchAll(HOLE)) {
    const hole = inside.trim();
    if (hole !== 'text') paths.set(hole, parseDataKey(hole.replace(/^meta\./, '')));
  }
  return (data) => {
    const missing: string[] = [];
    const text = template.replaceAll(HOLE, (_, inside: string) => {
      const hole = inside.trim();
      if (hole === 'text') return data.text;
      const value = follow(hole.startsWith('meta.') ? data.meta : data.value, paths.get(hole) ?? []);
      if (value === undefined) missing.push(hole);
      return cellText(value);
    });
    return { text, missing };
  };
}

/** Own properties only: a template never reaches a prototype. */
function follow(root: unknown, segments: readonly (string | number)[]): unknown {
  let at = root;
  for (const segment of segments) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, segment)) return undefined;
    at = (at as Record<string | number, unknown>)[segment];
  }
  return at;
}

// Failures as tool results: one text a model can act on, shaped as the caller asked.

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

/** The error with the hint in the words of the tool that was called. */
export function reworded(error: AppError, hintFor: CallerContext['hintFor']): AppError {
  const hint = hintFor?.(error);
  return hint === undefined ? error : new AppError(error.code, error.asText, { hint, details: error.details, cause: error });
}

/** `string` → `Error in <tool>: <message>`; anything else → `{error, tool, timestamp, …}`; always `isError`. */
export function failureResult(error: unknown, target: CallTarget, format: OutputFormat = 'json'): ToolResult {
  const known = toAppError(error);
  const text = format === 'string' ? `Error in ${target.tool}: ${known.text}` : JSON.stringify(failureFields(known, target));
  return { content: [{ type: 'text', text }], isError: true };
}
