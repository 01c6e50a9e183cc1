/** The end of a call: its answer stored where that was asked for or it is too big to hand over, and shaped otherwise. */

import { formatBytes } from '../../shared/model/bytes.ts';
import type { OutputFormat } from '../../shared/model/call.ts';
import type { TokenCount, Warning } from '../../shared/model/conversion.ts';
import { toAppError } from '../../shared/model/errors.ts';
import type { LongAnswer } from '../upstream/long-answer.ts';
import { isLong } from '../upstream/tool-result.ts';
import type { ToolResult } from '../upstream/types.ts';
import { binaryPart, readableContent } from './answer.ts';
import type { CallDeps } from './deps.ts';
import type { CallTarget } from './failure.ts';
import { type CallFigures, outputRequest, shapeResult, upstreamFailure } from './output.ts';
import type { CallRecord } from './recorded.ts';
import { type Responses, resourceLink, type StorageRequest, type StoredAnswer, wantsStorage } from './responses.ts';
import { resultTokens, withheldTokens } from './savings.ts';

export interface FinishedCall {
  deps: Pick<CallDeps, 'config' | 'converter' | 'log'>;
  responses: Responses;
  record: CallRecord;
  request: {
    server: string;
    tool_name: string;
    output_format?: OutputFormat | undefined;
    template?: string | undefined;
  } & StorageRequest;
  /** Store the answer even when no storage parameter was given. */
  alwaysStore?: boolean;
  /** Gives up the storing of a long answer. */
  signal?: AbortSignal;
  /** It was tried already. */
  unstorable?: boolean;
}

/** Shapes or stores the upstream's answer, and notes what that kept out of the context. A long answer is closed. */
export async function finishCall(
  call: FinishedCall,
  answer: ToolResult | LongAnswer,
  figures: CallFigures,
  warnings: readonly Warning[],
): Promise<ToolResult> {
  if (!isLong(answer)) return finishHeld(call, answer, figures, warnings);
  // Whatever is being done with it then fails at its next step.
  const giveUp = () => void answer.close();
  call.signal?.addEventListener('abort', giveUp, { once: true });
  try {
    return await finishLong(call, answer, figures, warnings);
  } finally {
    call.signal?.removeEventListener('abort', giveUp);
    await answer.close();
  }
}

/** Samples of a long answer by which its tokens are estimated, and their size in bytes. */
const SAMPLES = { count: 128, bytes: 1024 } as const;

/** A long answer goes from one file into another, unless it is to be handed over all the same. */
async function finishLong(
  call: FinishedCall,
  answer: LongAnswer,
  figures: CallFigures,
  warnings: readonly Warning[],
): Promise<ToolResult> {
  const { request, deps } = call;
  const target = { server: request.server, tool: request.tool_name };
  const { format } = outputRequest(request.output_format, request.template);
  const hold = async () => finishHeld(call, await answer.whole(target.tool), figures, warnings);
  // What a tool says of its failure is words, however many; hosts show images and sounds that are handed over as they are.
  const asked = call.alwaysStore || wantsStorage(request);
  const shown = format === 'raw' && answer.outline.content.some((block) => binaryPart(block).data !== undefined);
  if (answer.outline.isError || (shown && !asked)) return hold();
  const tokens = await sampledTokens(deps, answer);
  const limit = deps.config().responses.spillOverTokens;
  if (!asked && tokens.count <= limit) return hold();
  const notes = [...warnings];
  let stored: StoredAnswer | undefined;
  if (asked) {
    try {
      stored = await call.responses.store(answer, request, target, call.signal);
    } catch (error) {
      if (call.signal?.aborted) throw error;
      notes.push(notStored(deps, error));
    }
  }
  const why = stored ? 'Stored' : overLimit(tokens, limit);
  try {
    stored ??= await call.responses.store(answer, {}, target, call.signal);
  } catch (error) {
    if (call.signal?.aborted) throw error;
    notes.push(notStored(deps, error));
    return finishHeld({ ...call, unstorable: true }, await answer.whole(target.tool), figures, notes);
  }
  return handOver(call, tokens, storedResult(stored, why, format, target, figures, notes), stored);
}

/** The call has been made: its answer is worth more than the wish to have it in a file. */
function notStored(deps: FinishedCall['deps'], error: unknown): Warning {
  const known = toAppError(error);
  deps.log(`an answer could not be stored: ${known.text}`);
  return { code: known.code, message: `The answer could not be stored as asked: ${known.text}` };
}

const overLimit = (tokens: TokenCount, limit: number): string =>
  `The answer of ${tokens.count.toLocaleString('en')} tokens is over the limit of ${limit.toLocaleString('en')} (responses.spillOverTokens), so it was stored:`;

/** Tokens of an answer as its server wrote it, from samples. */
async function sampledTokens({ converter }: FinishedCall['deps'], answer: LongAnswer): Promise<TokenCount> {
  const { count } = await converter.countTokens(await answer.sample(SAMPLES.count, SAMPLES.bytes));
  return { count: Math.round((count * answer.bytes) / (SAMPLES.count * SAMPLES.bytes)), method: 'estimated' };
}

async function finishHeld(
  call: FinishedCall,
  result: ToolResult,
  figures: CallFigures,
  warnings: readonly Warning[],
): Promise<ToolResult> {
  const { request, deps } = call;
  const target = { server: request.server, tool: request.tool_name };
  const output = outputRequest(request.output_format, request.template);
  if (result.isError) call.record.said = upstreamFailure(result, target).message;
  const notes = [...warnings];
  let stored: StoredAnswer | undefined;
  if (!result.isError && !call.unstorable && (call.alwaysStore || wantsStorage(request))) {
    try {
      stored = await call.responses.store(result, request, target);
    } catch (error) {
      notes.push(notStored(deps, error));
    }
  }
  const shaped = shapeResult(result, target, output, figures, notes);
  if (stored)
    return handOver(
      call,
      await resultTokens(deps.converter, shaped),
      storedResult(stored, 'Stored', output.format, target, figures, notes),
      stored,
    );
  if (call.unstorable) return shaped;
  // A token is at least one byte of text, so small answers need no count.
  const limit = deps.config().responses.spillOverTokens;
  const read = output.format === 'raw' ? { content: readableContent(shaped) } : shaped;
  if (Buffer.byteLength(JSON.stringify(read.content)) <= limit) return shaped;
  const tokens = await resultTokens(deps.converter, read);
  if (tokens.count <= limit) return shaped;
  return spill(call, shaped, result, tokens, { target, figures, warnings: notes, format: output.format });
}

async function spill(
  call: FinishedCall,
  shaped: ToolResult,
  result: ToolResult,
  tokens: TokenCount,
  context: { target: CallTarget; figures: CallFigures; warnings: readonly Warning[]; format: OutputFormat },
): Promise<ToolResult> {
  try {
    const stored = await call.responses.store(result, {}, context.target);
    const why = overLimit(tokens, call.deps.config().responses.spillOverTokens);
    const answer = storedResult(stored, why, context.format, context.target, context.figures, context.warnings);
    const whole = await resultTokens(call.deps.converter, shaped);
    return await handOver(call, whole, result.isError ? { ...answer, isError: true } : answer, stored);
  } catch (error) {
    // Better a long answer than none.
    const known = toAppError(error);
    call.deps.log(`a big answer could not be stored: ${known.text}`);
    return {
      ...shaped,
      content: [...shaped.content, { type: 'text', text: `Note: this long answer could not be stored instead: ${known.text}` }],
    };
  }
}

/** `whole`: the tokens of the answer that is not handed over. */
async function handOver(call: FinishedCall, whole: TokenCount, answer: ToolResult, stored: StoredAnswer): Promise<ToolResult> {
  call.record.storedPath = stored.files[0]?.path ?? null;
  call.record.savings.answer = withheldTokens(whole, await resultTokens(call.deps.converter, answer));
  return answer;
}

/** A short text with the beginning of what was stored, and a link to each file. */
function storedResult(
  stored: StoredAnswer,
  why: string,
  format: OutputFormat,
  target: CallTarget,
  figures: CallFigures,
  warnings: readonly Warning[],
): ToolResult {
  const notes = [...warnings, ...stored.warnings].map((warning) => warning.message);
  const links = stored.files.map(resourceLink);
  if (format === 'structured') {
    const files = stored.files.map(({ path, uri, mimeType, size }) => ({ path, uri, mimeType, size }));
    const { tokens, ...rest } = figures;
    const text = JSON.stringify({ stored: files, preview: stored.preview, ...target, ...rest, tokens, warnings: notes }, null, 2);
    return { content: [{ type: 'text', text }, ...links] };
  }
  const lines = [
    why === 'Stored' ? `Stored the answer of ${target.server}:${target.tool}:` : why,
    ...stored.files.map((file) => `${file.path} (${file.mimeType}, ${formatBytes(file.size)})`),
    ...(stored.preview === '' ? [] : ['It begins:', stored.preview]),
    ...notes.map((note) => `Note: ${note}`),
  ];
  return { content: [{ type: 'text', text: lines.join('\n') }, ...links] };
}
