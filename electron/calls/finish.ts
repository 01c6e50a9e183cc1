/** The end of a call: its answer stored where that was asked for or it is too big to hand over, and shaped otherwise. */

import { formatBytes } from '../../shared/lib/bytes.ts';
import type { OutputFormat } from '../../shared/model/call.ts';
import { type TokenCount, type Warning, warning } from '../../shared/model/conversion.ts';
import { toAppError } from '../../shared/model/errors.ts';
import { inAgentsWords, say } from '../../shared/model/messages/message.ts';
import type { ToolResult } from '../upstream/types.ts';
import { answerText, bytesOf, readableContent, resultTokens, withheldTokens } from './answer.ts';
import { type CallFigures, type CallTarget, type OutputRequest, outputRequest, shapeResult, upstreamFailure } from './output.ts';
import type { CallRecord } from './recorded.ts';
import { type Responses, resourceLink, type StorageRequest, type StoredAnswer, wantsStorage } from './stored-answers.ts';
import type { CallDeps } from './types.ts';

export interface FinishedCall {
  deps: Pick<CallDeps, 'config' | 'converter' | 'log' | 'answered'>;
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
  /** Gives up the storing of the answer. */
  signal?: AbortSignal;
}

const LONG_BYTES = 1024 * 1024;

/** A call at its end: all that the ways of ending it need, worked out once. */
interface CallEnd {
  readonly call: FinishedCall;
  readonly target: CallTarget;
  readonly output: OutputRequest;
  readonly figures: CallFigures;
  /** Storing was asked for. */
  readonly storing: boolean;
  /** Warnings beside the answer; problems while storing it are added. */
  readonly notes: Warning[];
}

/** Shapes or stores the upstream's answer, and notes what that kept out of the context. */
export async function finishCall(
  call: FinishedCall,
  answer: ToolResult,
  figures: CallFigures,
  warnings: readonly Warning[],
): Promise<ToolResult> {
  const { request } = call;
  call.deps.answered?.(answer, figures.receipt);
  call.responses.noteLinks(request.server, answer.content ?? []);
  const end: CallEnd = {
    call,
    target: { server: request.server, tool: request.tool_name },
    output: outputRequest(request.output_format, request.template),
    figures,
    storing: call.alwaysStore === true || wantsStorage(request),
    notes: [...warnings],
  };
  return finish(end, answer);
}

/** The call has been made: its answer is worth more than the wish to have it in a file. */
function notStored(deps: FinishedCall['deps'], error: unknown): Warning {
  const known = toAppError(error);
  deps.log(`an answer could not be stored: ${known.text}`);
  return warning(known.code, say('answer.notStored', { reason: known.asText }));
}

const overLimit = (tokens: TokenCount, limit: number): string =>
  inAgentsWords(say('answer.overLimit', { tokens: tokens.count, limit }));

async function finish(end: CallEnd, result: ToolResult): Promise<ToolResult> {
  const { call, target, output, storing, notes } = end;
  const { deps, responses, request, signal } = call;
  if (result.isError) call.record.said = answerText(result) || upstreamFailure(result, target).message;
  let stored: StoredAnswer | undefined;
  if (!result.isError && storing) {
    try {
      stored = await responses.store(result, request, target, signal);
    } catch (error) {
      if (signal?.aborted) throw error;
      notes.push(notStored(deps, error));
    }
  }
  if (stored) {
    // A long answer is not shaped only to be counted.
    const whole = bytesOf(result) > LONG_BYTES ? result : shape(end, result);
    return handOver(call, await resultTokens(deps.converter, whole), storedResult(end, stored, 'Stored'), stored);
  }
  const shaped = shape(end, result);
  // A token is at least one byte of text, so small answers need no count.
  const limit = deps.config().responses.spillOverTokens;
  const read = output.format === 'raw' ? { content: readableContent(shaped) } : shaped;
  if (bytesOf(read) <= limit) return shaped;
  const tokens = await resultTokens(deps.converter, read);
  return tokens.count <= limit ? shaped : spill(end, result, shaped, overLimit(tokens, limit));
}

function shape({ target, output, figures, notes }: CallEnd, result: ToolResult): ToolResult {
  return shapeResult(result, target, output, figures, notes);
}

/** Stores what nobody asked to store. */
async function spill(end: CallEnd, result: ToolResult, shaped: ToolResult, why: string): Promise<ToolResult> {
  const { call, target } = end;
  const { deps, responses } = call;
  try {
    const stored = await responses.store(result, {}, target);
    const answer = storedResult(end, stored, why);
    const whole = await resultTokens(deps.converter, shaped);
    return await handOver(call, whole, result.isError ? { ...answer, isError: true } : answer, stored);
  } catch (error) {
    // Better a long answer than none.
    const known = toAppError(error);
    deps.log(`a big answer could not be stored: ${known.text}`);
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
function storedResult({ target, output, figures, notes: before }: CallEnd, stored: StoredAnswer, why: string): ToolResult {
  const notes = [...before, ...stored.warnings].map((warning) => warning.message);
  const links = stored.files.map(resourceLink);
  if (output.format === 'structured') {
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
