/** The end of a call: its answer shaped, or stored where that was asked for or it is too big to hand over; receipts and dry runs in words. */
import { formatBytes } from '../../shared/lib/bytes.ts';
import type { OutputFormat, Receipt, RecordRange } from '../../shared/model/call.ts';
import { type TokenCount, type Warning, warning } from '../../shared/model/conversion.ts';
import { toAppError } from '../../shared/model/errors.ts';
import { inAgentsWords, type Message, say } from '../../shared/model/messages/message.ts';
import { counted } from '../../shared/model/messages/phrases.ts';
import type { BoundArguments } from '../binding/bind.ts';
import { formatDataKey } from '../binding/data-key.ts';
import { exactJson } from '../engine/core/exact-numbers.ts';
import { isJsonObject } from '../engine/core/json-object.ts';
import type { JsonObject, ToolResult } from '../upstream/types.ts';
import { answerText, bytesOf, mentionsFailures, readableContent, responseTypes, resultTokens, withheldTokens } from './answer.ts';
import { type Batches, type BatchPlan, countBatches, rangesNow, recordsIn } from './batch-plan.ts';
import type { Call } from './call.ts';
import type { CheckedCall } from './check.ts';
import { payloadTokens } from './convert.ts';
import type { CallTarget, Verdict } from './events.ts';
import { type CallFigures, noteBlocks, type OutputRequest, outputRequest, shapeResult, upstreamFailure } from './output.ts';
import { unaccepted } from './receipts.ts';
import type { Sent, SentBatches } from './send.ts';
import { sentBeforeText } from './sent-before.ts';
import { type Responses, resourceLink, type StorageRequest, type StoredAnswer, wantsStorage } from './stored-answers.ts';
import { type CallDeps, targetOf } from './types.ts';

/** A call that was sent, and how its caller wants to hear of it. */
export interface EndedCall {
  readonly deps: Pick<CallDeps, 'config' | 'converter' | 'log'>;
  readonly responses: Responses;
  readonly call: Pick<Call, 'events' | 'caller'>;
  readonly request: {
    server: string;
    tool_name: string;
    output_format?: OutputFormat | undefined;
    template?: string | undefined;
  } & StorageRequest;
  readonly sent: Sent;
  /** Milliseconds since it was asked for. */
  readonly durationMs: number;
  readonly warnings: readonly Warning[];
  /** Store the answer even when no storage parameter was given. */
  readonly alwaysStore?: boolean;
  /** What the caller may have done wrong, where the tool failed. */
  readonly hint?: Message | undefined;
}

/** A call at its end: what became of it, and what its caller is told. */
export interface FinishedCall extends Partial<Sent> {
  readonly shown: ToolResult;
  readonly verdict: Verdict;
}

const LONG_BYTES = 1024 * 1024;

/** All that the ways of ending a call need, worked out once. */
interface CallEnd extends EndedCall {
  readonly target: CallTarget;
  readonly output: OutputRequest;
  readonly figures: CallFigures;
  /** A call in batches whose caller asks for no format: its sentence says all that they need. */
  readonly asSentence: boolean;
  /** Warnings beside the answer; problems while storing it are added. */
  readonly notes: Warning[];
}

/** Shapes or stores the answer, and tells what that kept out of the context. */
export async function finishCall(ended: EndedCall): Promise<FinishedCall> {
  const { deps, request, sent, call, responses } = ended;
  const { facts } = call.events;
  const target = targetOf(request);
  const output = outputRequest(request.output_format, request.template);
  const asSentence = sent.batched !== undefined && request.output_format === undefined && request.template === undefined;
  const result = resultOf(sent, target, output, asSentence);
  responses.noteLinks(request.server, result.content ?? []);
  const figures: CallFigures = {
    durationMs: ended.durationMs,
    bytes: facts.sentBytes,
    records: facts.records,
    tokens: facts.savings.arguments,
    receipt: sent.receipt,
  };
  const shown = await finish({ ...ended, target, output, figures, asSentence, notes: [...ended.warnings] }, result);
  const { batched } = sent;
  if (batched) {
    const kept = await deps.converter.countTokens(answerText(result));
    await call.events.tell({ type: 'withheld', tokens: withheldTokens(batched.answerTokens, kept) });
  }
  return { ...sent, shown, verdict: verdictOf(sent, target) };
}

/** The server's answer, or the receipt in its place: all of it as JSON, in short where it is read by the way. */
function resultOf(
  { answer, receipt, batched }: Sent,
  target: CallTarget,
  { format }: OutputRequest,
  asSentence: boolean,
): ToolResult {
  if (!batched || !receipt) return answer ?? { content: [] };
  const result = receiptResult(receipt, batched, target, asSentence || format === 'raw');
  // `structured` has the receipt beside the result.
  if (format === 'structured') return result;
  return { ...result, structuredContent: format === 'json' ? receipt : shortReceipt(receipt) };
}

function verdictOf({ answer, batched, receipt }: Sent, target: CallTarget): Verdict {
  if (batched?.reason !== undefined || batched?.cancelled) {
    const { reason, cancelled } = batched;
    const why = typeof reason === 'string' ? { said: reason } : { error: reason };
    const outcome = cancelled ? 'cancelled' : receipt?.recordsUnknown ? 'unknown' : 'tool_error';
    return { outcome, ...why };
  }
  if (answer?.isError !== true) return { outcome: 'ok' };
  return { outcome: 'tool_error', said: answerText(answer) || upstreamFailure(answer, target).message };
}

/** The call has been made: its answer is worth more than the wish to have it in a file. */
function notStored(deps: EndedCall['deps'], error: unknown): Warning {
  const known = toAppError(error);
  deps.log(`an answer could not be stored: ${known.text}`);
  return warning(known.code, say('answer.notStored', { reason: known.asText }));
}

const overLimit = (tokens: TokenCount, limit: number): string =>
  inAgentsWords(say('answer.overLimit', { tokens: tokens.count, limit }));

async function finish(end: CallEnd, result: ToolResult): Promise<ToolResult> {
  const { target, notes, deps, responses, request, call } = end;
  const { signal } = call.caller;
  let stored: StoredAnswer | undefined;
  if (!result.isError && (end.alwaysStore === true || wantsStorage(request))) {
    try {
      stored = await responses.store(result, request, target, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      notes.push(notStored(deps, error));
    }
  }
  if (stored) {
    // A long answer is not shaped only to be counted.
    const whole = bytesOf(result) > LONG_BYTES ? result : shape(end, result);
    const tokens = await resultTokens(deps.converter, asRead(whole));
    return handOver(end, tokens, storedResult(end, result, stored, 'Stored'), stored);
  }
  const shaped = shape(end, result);
  // A token is at least one byte of text, so small answers need no count.
  const limit = deps.config().responses.spillOverTokens;
  const read = asRead(shaped);
  if (bytesOf(read) <= limit) return shaped;
  const tokens = await resultTokens(deps.converter, read);
  return tokens.count <= limit ? shaped : spill(end, result, shaped, overLimit(tokens, limit));
}

/** Files in an answer: hosts show pictures and sounds as such, and other bytes as their base64. */
const asRead = (result: ToolResult): ToolResult => ({ content: [...readableContent(result), ...heldFiles(result)] });

const heldFiles = ({ content = [] }: ToolResult): JsonObject[] =>
  content.filter(({ resource }) => isJsonObject(resource) && typeof resource.blob === 'string');

function shape({ target, output, figures, notes, asSentence, hint }: CallEnd, result: ToolResult): ToolResult {
  if (asSentence) {
    const { structuredContent: _, ...sentence } = result;
    return { ...sentence, content: [...(result.content ?? []), ...noteBlocks(notes)] };
  }
  return shapeResult(result, target, output, figures, notes, hint);
}

/** Stores what nobody asked to store. */
async function spill(end: CallEnd, result: ToolResult, shaped: ToolResult, why: string): Promise<ToolResult> {
  const { target, deps, responses } = end;
  try {
    const stored = await responses.store(result, {}, target);
    const answer = storedResult(end, result, stored, why);
    const whole = await resultTokens(deps.converter, asRead(shaped));
    return await handOver(end, whole, result.isError ? { ...answer, isError: true } : answer, stored);
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
async function handOver(
  { call, deps }: CallEnd,
  whole: TokenCount,
  answer: ToolResult,
  stored: StoredAnswer,
): Promise<ToolResult> {
  await call.events.tell({ type: 'stored', path: stored.files[0]?.path ?? null });
  await call.events.tell({ type: 'withheld', tokens: withheldTokens(whole, await resultTokens(deps.converter, answer)) });
  return answer;
}

/** A short text with the beginning of what was stored, and a link to each file. */
function storedResult(end: CallEnd, result: ToolResult, stored: StoredAnswer, why: string): ToolResult {
  const { target, output, figures, deps } = end;
  const notes = [...end.notes, ...doubtsBeside(end, result), ...stored.warnings].map((warning) => warning.message);
  const links = stored.files.map(resourceLink);
  if (output.format === 'structured') {
    const files = stored.files.map(({ path, uri, mimeType, size }) => ({ path, uri, mimeType, size }));
    const { tokens, ...rest } = figures;
    const text = JSON.stringify({ stored: files, preview: stored.preview, ...target, ...rest, tokens, warnings: notes }, null, 2);
    return { content: [{ type: 'text', text }, ...links] };
  }
  const size = (bytes: number) =>
    stored.records === undefined ? formatBytes(bytes) : `${formatBytes(bytes)}, ${counted(stored.records, 'record', 'records')}`;
  const lines = [
    why === 'Stored' ? `Stored the answer of ${target.server}:${target.tool}:` : why,
    ...stored.files.map((file) => `${file.path} (${file.mimeType}, ${size(file.size)})`),
    ...readingOn(stored, deps.config().expose.fileTools),
    ...(stored.preview === '' ? [] : ['It begins:', stored.preview]),
    ...notes.map((note) => `Note: ${note}`),
  ];
  return { content: [{ type: 'text', text: lines.join('\n') }, ...links] };
}

/** Of an answer that nobody reads whole: that it tells of failures. The sentence about batches says so itself. */
function doubtsBeside({ sent, figures, notes }: CallEnd, result: ToolResult): Warning[] {
  const isSaid = sent.batched !== undefined || result.isError || notes.some(({ code }) => code === 'ANSWER_DOUBTFUL');
  if (isSaid || !mentionsFailures(result, figures.records || undefined)) return [];
  return [warning('ANSWER_DOUBTFUL', say('answer.doubtful', { batches: 1, words: answerText(result).slice(0, 200) }))];
}

/** Files whose records `preview_file` shows. */
const tables: ReadonlySet<string> = new Set([
  'application/json',
  'application/x-ndjson',
  'text/csv',
  'text/tab-separated-values',
]);

/** The tool that reads more of it. */
function readingOn({ files: [file], preview, list }: StoredAnswer, fileTools: boolean): string[] {
  if (file === undefined || file.size <= Buffer.byteLength(preview)) return [];
  if (tables.has(file.mimeType)) return [inAgentsWords(say('answer.readRecords', { list }))];
  return fileTools && responseTexts.has(file.mimeType) ? [inAgentsWords(say('answer.readText'))] : [];
}

const responseTexts: ReadonlySet<string> = new Set(Object.values(responseTypes));

// A call in batches: the receipt in a few sentences, as the agent reads it.

/** The receipt, with what the agent should know and do. `named`: with its id, where nothing is left to be done. */
export function receiptResult(receipt: Receipt, batched: SentBatches, target: CallTarget, named: boolean): ToolResult {
  const { calls, plan, reason, cancelled } = batched;
  const said = receiptText(receipt, `${target.server}:${target.tool}`, calls, plan);
  const why =
    reason === undefined ? [] : [typeof reason === 'string' ? inAgentsWords(say('answer.serverSaid', { reason })) : reason.text];
  const isClean = reason === undefined && receipt.id !== undefined && receipt.recordsAccepted === recordsAsked(receipt);
  const id = named && isClean ? [`Receipt: ${receipt.id}.`] : [];
  const doubt = batched.doubtful.batches > 0 ? [inAgentsWords(say('answer.doubtful', batched.doubtful))] : [];
  const text = [said, ...id, ...doubt, ...(receipt.sentBefore ?? []).map(sentBeforeText), ...why].join(' ');
  return {
    content: [{ type: 'text', text }],
    ...(cancelled || reason !== undefined ? { isError: true } : {}),
  };
}

/** The receipt without what is empty, and without each batch. */
function shortReceipt({
  batches: _,
  sha256: __,
  recordsFailed,
  recordsUnknown = 0,
  ranges,
  resumeFrom,
  ...receipt
}: Receipt): JsonObject {
  const some = Object.entries(ranges ?? {}).filter(([, list]) => list.length > 0);
  const isWhole = some.length === 1 && ranges?.accepted.length === 1;
  return {
    ...receipt,
    ...(recordsFailed > 0 ? { recordsFailed } : {}),
    ...(recordsUnknown > 0 ? { recordsUnknown } : {}),
    ...(isWhole || some.length === 0 ? {} : { ranges: Object.fromEntries(some) }),
    ...(resumeFrom === null ? {} : { resumeFrom }),
  };
}

/** The records that the call was to send, of those that the file holds. */
const recordsAsked = ({ recordsRead, ranges }: Receipt): number =>
  ranges === undefined ? recordsRead : recordsIn(Object.values(ranges).flat());

/** The receipt in a few sentences. `batches`: messages that were sent. */
export function receiptText(
  receipt: Receipt,
  target: string,
  batches: number,
  { mostCalls }: Pick<BatchPlan, 'mostCalls'> = {},
): string {
  const { recordsAccepted, recordsRead, ranges } = receipt;
  const each = mostCalls !== undefined;
  const calls = each ? counted(batches, 'call', 'calls') : counted(batches, 'batch', 'batches');
  const asked = recordsAsked(receipt);
  const of = asked === recordsRead ? `${recordsRead} records` : `the ${asked} records asked for`;
  const said = [`${recordsAccepted} of ${of} accepted by ${target} in ${calls}`];
  if (ranges === undefined) return `${said[0]}.`;
  const { refused, not_sent, unknown } = ranges;
  const some = refused.length + not_sent.length + unknown.length > 0;
  if (some && ranges.accepted.length > 0) said.push(`Accepted: ${listed(ranges.accepted)}`);
  if (refused.length > 0) said.push(`Refused: ${listed(refused)}`);
  if (not_sent.length > 0) said.push(`Not sent: ${listed(not_sent)}`);
  if (not_sent.length > 0 && batches === mostCalls) said.push(`One request makes at most ${mostCalls} calls`);
  if (unknown.length > 0)
    said.push(
      `Unknown (sent, outcome not heard): ${listed(unknown)}. Check on the server whether they arrived before sending them again`,
    );
  const left = unaccepted(ranges);
  const rest =
    receipt.id !== undefined
      ? `make the same call with batch: {"resume": "${receipt.id}"}`
      : left.length > RANGES_SHOWN
        ? 'give those ranges of the receipt as batch.ranges'
        : `use batch: {${each ? '"each": true, ' : ''}"ranges": ${JSON.stringify(left)}} with the same file`;
  if (left.length > 0) said.push(`To send what was refused or not sent, ${rest}`);
  if (unknown.length > 0 && receipt.id !== undefined)
    said.push(
      `batch: {"resume": "${receipt.id}", "resend_unknown": true} sends the unknown records again too${receipt.idempotencyArgument === undefined ? '' : `, with the same keys in ${receipt.idempotencyArgument}, by which the server can recognize them`}`,
    );
  return `${said.join('. ')}.`;
}

const RANGES_SHOWN = 20;

/** Records as `0-399, 600-999`, counted from 0. */
function listed(ranges: readonly RecordRange[]): string {
  const shown = ranges.slice(0, RANGES_SHOWN).map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
  const more = ranges.length - shown.length;
  return `records ${shown.join(', ')}${more > 0 ? ` and ${more} more ranges` : ''}`;
}

// Dry run: shows what a call would send.

/** Records of a list that `shownArguments` shows. */
export const SHOWN_RECORDS = 3;
const SHOWN_CHARS = 300;

/** Shape, size, tokens and first records of the bound arguments, as JSON text. */
export async function dryRun(checked: CheckedCall, signal: AbortSignal): Promise<ToolResult> {
  const { request, payloads, bound, batches, warnings, sentBefore, resumed, partlySent } = checked;
  const calls = batches && (await countBatches(batches.payload, batches.plan, signal));
  const report = {
    dry_run: true,
    server: request.server,
    tool: request.tool_name,
    arguments_bytes: bound.bytes,
    payloads: payloads.map((payload, index) => ({
      data_key: formatDataKey(bound.at[index] ?? []) || null,
      kind: payload.kind,
      records: payload.records,
      size: formatBytes(payload.bytes),
      columns: payload.reports[0]?.columns?.map((column) => `${column.name}: ${column.type}`),
    })),
    calls: calls === undefined ? 1 : calls.exact ? calls.count : `about ${calls.count}`,
    ...(resumed && batches ? { resumes: resumed.head.id, ...leftToSend(batches) } : {}),
    tokens: payloadTokens(payloads),
    arguments: await shownArguments(bound),
    ...(bound.keyAt === undefined ? {} : { idempotency_key: inAgentsWords(say('idempotency.added', { argument: bound.keyAt })) }),
    ...(partlySent ? { would_be_refused: partlySent.text } : {}),
    warnings: [...warnings.map((warning) => warning.message), ...sentBefore.map(sentBeforeText)],
  };
  return { content: [{ type: 'text', text: exactJson(report) }] };
}

function leftToSend({ payload, plan }: Batches) {
  const ranges = rangesNow(plan, payload.records);
  return { records_left: recordsIn(ranges), ranges_left: ranges.slice(0, RANGES_SHOWN) };
}

/** The arguments as they are shown: lists cut to their first records, long texts shortened. */
export async function shownArguments(bound: BoundArguments): Promise<unknown> {
  return shorten((await bound.sample(SHOWN_RECORDS)).value);
}

function shorten(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > SHOWN_CHARS ? `${value.slice(0, SHOWN_CHARS)}… (${value.length} characters)` : value;
  if (Array.isArray(value)) return value.map(shorten);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shorten(member)]));
}
