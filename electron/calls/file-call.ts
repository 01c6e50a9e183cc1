/** One call with files: opened, converted, bound, checked, sent, and answered. */

import { formatBytes } from '../../shared/model/bytes.ts';
import type { Receipt } from '../../shared/model/call.ts';
import type { PayloadKind, TokenCount, Warning } from '../../shared/model/conversion.ts';
import { AppError } from '../../shared/model/errors.ts';
import { type BoundArguments, bindArguments } from '../engine/bind/bind.ts';
import { checkArguments, type SchemaProblem, schemaMismatch } from '../engine/bind/check.ts';
import { formatDataKey, parseDataKey } from '../engine/bind/data-key.ts';
import { columnAdvice, maxItems, propertyNames } from '../engine/bind/schema-advice.ts';
import type { SchemaPlace } from '../engine/convert-types.ts';
import type { JsonStream } from '../engine/payload.ts';
import { messageTooLarge } from '../upstream/message-cap.ts';
import type { CallHooks, ToolResult, UpstreamTool } from '../upstream/types.ts';
import { batchReceipt, cutBatches, planBatches, receiptText, runBatches } from './batches.ts';
import { confirmCall, needsConfirmation } from './confirm.ts';
import type { CallDeps } from './deps.ts';
import { dryRun } from './dry-run.ts';
import type { CallTarget } from './failure.ts';
import { finishCall } from './finish.ts';
import type { JobReport } from './jobs.ts';
import { outputRequest } from './output.ts';
import {
  contentHash,
  conversionWarnings,
  type OpenedFiles,
  openFiles,
  type PreparedPayload,
  placedFiles,
  preparePayload,
} from './payloads.ts';
import { type CallRecord, refuseWhilePaused } from './recorded.ts';
import { type Responses, wantsStorage } from './responses.ts';
import { addTokens, NO_TOKENS, payloadTokens, withheldTokens } from './savings.ts';
import { shortenedArguments, shownRecords } from './shown-records.ts';
import type { CallerContext, FileCallRequest } from './types.ts';

/** Records checked against the upstream's schema before anything is sent. */
const CHECKED_RECORDS = 1000;
/** Records of lists in the arguments that a person is shown before a call they must allow. */
const SHOWN_RECORDS = 5;
/** Room for the JSON-RPC envelope around the arguments: method, ids, `_meta` of the 2026 era. */
const ENVELOPE_BYTES = 2048;

export interface FileCallRun {
  deps: CallDeps;
  responses: Responses;
  request: FileCallRequest;
  caller: CallerContext;
  record: CallRecord;
  signal: AbortSignal;
  report?: JobReport | undefined;
}

/** What must hold before a call may start: everything that can be refused without reading a file. */
export async function admitFileCall(
  deps: CallDeps,
  responses: Responses,
  request: FileCallRequest,
  signal: AbortSignal,
): Promise<UpstreamTool> {
  placedFiles(request);
  outputRequest(request.output_format, request.template);
  const tool = await deps.upstreams.tool(request.server, request.tool_name, { signal });
  if (wantsStorage(request) && !request.dry_run) await responses.check(request, targetOf(request));
  return tool;
}

const targetOf = (request: FileCallRequest): CallTarget => ({ server: request.server, tool: request.tool_name });

export async function fileCall(run: FileCallRun): Promise<ToolResult> {
  const { deps, request, record, signal } = run;
  const began = performance.now();
  const tool = await admitFileCall(deps, run.responses, request, signal);
  const opened = await openFiles(deps, placedFiles(request));
  try {
    record.paths = opened.paths;
    record.inputBytes = opened.inputBytes;
    const { payloads, bound } = await prepareFiles(run, tool, opened);
    record.dataKeys = bound.at.map((key) => formatDataKey(key));
    await opened.assertUnchanged();
    const warnings = [...conversionWarnings(payloads), ...bound.warnings];
    await check(run, tool, payloads, bound, warnings);
    if (request.dry_run) return dryRun(request, payloads, bound, warnings);
    await confirm(run, tool, opened, payloads, bound);

    record.records = payloads.reduce((sum, payload) => sum + payload.records, 0);
    const sent =
      request.batch === undefined
        ? await sendWhole(run, opened, payloads, bound, warnings)
        : await sendBatches(run, tool, opened, payloads, bound);
    const { sha256, recordsAccepted, recordsFailed, batches } = sent.receipt;
    record.receipt = {
      sha256,
      recordsAccepted,
      recordsFailed,
      batches: batches.reduce((sum, row) => sum + (row.batches ?? 1), 0) || 1,
    };
    record.savings.arguments = acceptedTokens(payloadTokens(payloads), sent.receipt);
    const figures = {
      durationMs: Math.round(performance.now() - began),
      bytes: record.sentBytes,
      records: record.records,
      tokens: record.savings.arguments,
      receipt: sent.receipt,
    };
    const result = await finishCall(run, sent.result, figures, warnings);
    record.savings.answer = addTokens(record.savings.answer, sent.withheld);
    return result;
  } finally {
    await opened.close();
  }
}

/** Converts and binds. Where the place is only known after binding, a table is read again if the schema there types its columns. */
export async function prepareFiles(
  run: Pick<FileCallRun, 'deps' | 'request' | 'signal'>,
  tool: UpstreamTool,
  opened: OpenedFiles,
): Promise<{ payloads: PreparedPayload[]; bound: BoundArguments }> {
  const { deps, request, signal } = run;
  const limits = deps.config().limits;
  const schemaPlace = (segments: readonly (string | number)[], combine: string): SchemaPlace => ({
    inputSchema: tool.inputSchema,
    segments: combine === 'list' ? [...segments, 0] : segments,
  });
  const payloads = await Promise.all(
    opened.placed.map((place) => {
      const { dataKey, combine } = place.spec;
      const known = dataKey === undefined ? undefined : schemaPlace(parseDataKey(dataKey), combine);
      return preparePayload(opened, place, limits, known, signal);
    }),
  );
  const bind = () =>
    bindArguments({
      toolArgs: request.tool_args ?? {},
      placements: payloads.map((payload, index) => ({ dataKey: opened.placed[index]?.spec.dataKey, payload })),
      onConflict: request.on_conflict ?? 'error',
      inputSchema: tool.inputSchema,
      signal,
    });
  let bound = await bind();
  let again = false;
  for (const [index, place] of opened.placed.entries()) {
    const at = bound.at[index];
    if (place.spec.dataKey !== undefined || at === undefined || at.length === 0) continue;
    const found = schemaPlace(at, place.spec.combine);
    const advice = columnAdvice(tool.inputSchema, found.segments);
    const columns = payloads[index]?.reports.flatMap((report) => report.columns ?? []) ?? [];
    if (!columns.some((column) => advice(column.name) !== undefined)) continue;
    payloads[index] = await preparePayload(opened, place, limits, found, signal);
    again = true;
  }
  if (again) bound = await bind();
  return { payloads, bound };
}

async function check(
  run: FileCallRun,
  tool: UpstreamTool,
  payloads: PreparedPayload[],
  bound: BoundArguments,
  warnings: Warning[],
): Promise<void> {
  const problems = await argumentProblems(tool, payloads, bound, run.request.batch !== undefined);
  for (const { message } of problems.unchecked) warnings.push({ code: 'SCHEMA_UNCHECKED', message });
  if (problems.mismatches.length > 0) throw argumentMismatch(problems.mismatches, bound.at, tool);
}

/** Where the first records break the tool's schema, and where that schema could not be used. */
export async function argumentProblems(
  tool: UpstreamTool,
  payloads: readonly PreparedPayload[],
  bound: BoundArguments,
  batched: boolean,
): Promise<{ mismatches: SchemaProblem[]; unchecked: SchemaProblem[] }> {
  const problems = await checkArguments({
    inputSchema: tool.inputSchema,
    sample: await bound.sample(CHECKED_RECORDS),
    at: bound.at,
    // A batched payload is held to maxItems batch by batch.
    payloads: payloads.map((payload) => ({
      kind: payload.kind,
      records: batched ? Math.min(payload.records, 1) : payload.records,
      locate: (pointer) => payload.locate(pointer),
    })),
  });
  return {
    mismatches: problems.filter((problem) => problem.rule !== 'schema'),
    unchecked: problems.filter((problem) => problem.rule === 'schema'),
  };
}

/** The error that stops a call whose arguments do not fit. */
export function argumentMismatch(mismatches: readonly SchemaProblem[], at: BoundArguments['at'], tool: UpstreamTool): AppError {
  const mismatch = schemaMismatch(mismatches);
  const hint = mismatchHint(mismatches, at, tool);
  return hint === undefined ? mismatch : withHint(mismatch, hint);
}

/** What to do about arguments that do not fit for another reason than what is in the file. */
function mismatchHint(problems: readonly SchemaProblem[], at: BoundArguments['at'], tool: UpstreamTool): string | undefined {
  const known = propertyNames(tool.inputSchema);
  const strange = at.map(([key]) => key).find((key) => typeof key === 'string' && known.length > 0 && !known.includes(key));
  if (strange !== undefined) {
    return `'${strange}' is no parameter of ${tool.name}, which has: ${known.join(', ')}. Set data_key to the one that takes the file`;
  }
  const wantsText = problems.some(
    ({ pointer, message }) => /must be string/.test(message) && at.some((key) => formatDataKey(key) === formatDataKey(pointer)),
  );
  if (wantsText) return 'Set as: "text" to pass the file as text, or as: "base64" for its bytes';
  // A record that lacks a member is a matter of the file.
  const missing = problems.some(({ rule, pointer }) => rule === 'required' && pointer.length === 0);
  return missing && !at.some((key) => key.length === 0) ? 'Add what is missing to tool_args' : undefined;
}

const withHint = (error: AppError, hint: string) =>
  new AppError(error.code, error.message, { hint, details: error.details, cause: error });

async function confirm(
  run: FileCallRun,
  tool: UpstreamTool,
  opened: OpenedFiles,
  payloads: PreparedPayload[],
  bound: BoundArguments,
): Promise<void> {
  const { deps, request, signal } = run;
  if (!needsConfirmation(deps.upstreams.config(request.server), tool)) return;
  const start = typeof request.batch === 'object' ? (request.batch.start ?? 0) : 0;
  const [list] = payloads.length === 1 && payloads[0]?.kind === 'array' ? payloads : [];
  const records = list ? await shownRecords(list, start, signal) : [];
  await confirmCall(
    deps,
    {
      server: request.server,
      tool: request.tool_name,
      paths: opened.paths,
      records: Math.max(0, payloads.reduce((sum, payload) => sum + payload.records, 0) - start),
      bytes: bound.bytes,
      firstRecords:
        records.length > 0
          ? records
          : [shortenedArguments(Buffer.from(JSON.stringify((await bound.sample(SHOWN_RECORDS)).value)))],
    },
    run.caller,
  );
}

/** Nothing is saved by what was not taken: the payload's tokens, in proportion to the records that were accepted. */
function acceptedTokens(tokens: TokenCount, receipt: Receipt): TokenCount {
  const { recordsAccepted, recordsRead } = receipt;
  if (recordsAccepted === recordsRead) return tokens;
  if (recordsAccepted === 0) return NO_TOKENS;
  return { count: Math.round((tokens.count * recordsAccepted) / recordsRead), method: 'estimated' };
}

interface Sent {
  result: ToolResult;
  receipt: Receipt;
  /** Tokens of answers that were folded into the receipt. */
  withheld: typeof NO_TOKENS;
}

function hooksOf(run: FileCallRun, passProgress: boolean): CallHooks {
  const { caller, signal } = run;
  return {
    signal,
    onLog: (params) => caller.log(params),
    elicit: caller.elicit,
    sample: caller.sample,
    ...(passProgress ? { onProgress: (progress) => caller.progress(progress) } : {}),
  };
}

/** The error for arguments that fit no one message to this server; undefined where they do. */
export function tooLargeForServer(
  deps: Pick<CallDeps, 'upstreams'>,
  server: string,
  payloads: readonly PreparedPayload[],
  bound: BoundArguments,
): AppError | undefined {
  const cap = deps.upstreams.maxMessageBytes(server);
  if (bound.bytes + ENVELOPE_BYTES <= cap) return undefined;
  return messageTooLarge(
    `The call would be ${formatBytes(bound.bytes)}, but server '${server}' takes messages of at most ${formatBytes(cap)}`,
    lessToSend(payloads),
    server,
  );
}

function lessToSend(payloads: readonly PreparedPayload[]): string {
  const has = (kind: PayloadKind) => payloads.some((payload) => payload.kind === kind);
  if (payloads.length > 1) return 'Send the files in several calls, or less of each with transform (where, select, limit)';
  if (payloads.length > 1) return 'Send the files in several calls, or less of each with transform (where, select, limit)';
  if (has('array'))
    return 'Set batch: "auto" to send it in several calls, or send less of it with transform (where, select, limit)';
  if (has('object')) return 'Send only what is needed of it, with an expression in transform';
  return 'A text goes into one call whole: split the file, and make a call for each part';
}
async function sendWhole(
  run: FileCallRun,
  opened: OpenedFiles,
  payloads: PreparedPayload[],
  bound: BoundArguments,
  warnings: Warning[],
): Promise<Sent> {
  const { deps, request, record } = run;
  const tooLarge = tooLargeForServer(deps, request.server, payloads, bound);
  if (tooLarge) throw tooLarge;
  record.calls = 1;
  record.sentBytes = bound.bytes;
  const result = await deps.upstreams.callTool(request.server, request.tool_name, bound, hooksOf(run, true));
  try {
    await opened.assertUnchanged();
  } catch {
    warnings.push({ code: 'FILE_CHANGED', message: 'The file changed while it was being sent: check what the server received' });
  }
  const accepted = result.isError ? 0 : record.records;
  const receipt: Receipt = {
    sha256: contentHash(payloads),
    recordsRead: record.records,
    recordsAccepted: accepted,
    recordsFailed: record.records - accepted,
    batches: [],
    resumeFrom: null,
  };
  return { result, receipt, withheld: NO_TOKENS };
}

async function sendBatches(
  run: FileCallRun,
  tool: UpstreamTool,
  opened: OpenedFiles,
  payloads: PreparedPayload[],
  bound: BoundArguments,
): Promise<Sent> {
  const { deps, request, record, signal, caller } = run;
  const [payload] = payloads;
  const [at] = bound.at;
  if (payload === undefined || at === undefined || payloads.length > 1 || at.length === 0) {
    throw new AppError('BATCH_INVALID', 'batch works on one list at one place in the arguments', {
      hint: 'Use path with data_key instead of files, or leave batch out',
    });
  }
  const bounds = {
    server: request.server,
    maxItems: maxItems(tool.inputSchema, at),
    payloadBytes: deps.upstreams.maxMessageBytes(request.server) - ENVELOPE_BYTES - (bound.bytes - payload.bytes),
  };
  const plan = planBatches(request.batch ?? 'auto', payload, bounds);
  const send = async (args: JsonStream): Promise<ToolResult> => {
    await opened.assertUnchanged();
    // Who pauses means the rest of a long run, too; its receipt says where to go on.
    refuseWhilePaused(deps);
    record.calls += 1;
    record.sentBytes += args.bytes;
    return deps.upstreams.callTool(request.server, request.tool_name, args, hooksOf(run, false));
  };
  let done = plan.start;
  const batches = await runBatches(
    cutBatches(payload, plan, bounds, signal),
    plan,
    (batch) => send(bound.withPayload(0, batch.array)),
    (results) => {
      done = plan.start + results.reduce((sum, row) => sum + row.records, 0);
      caller.progress({ progress: done, total: payload.records, message: `${done} of ${payload.records} records` });
      run.report?.progress(done, payload.records, results.length);
    },
    (text) => deps.converter.countTokens(text),
    signal,
  );
  if (batches.failure && batches.results.every((row) => !row.ok)) throw batches.failure;
  const receipt = batchReceipt(batches, plan, contentHash(payloads), payload.records);
  const target = `${request.server}:${request.tool_name}`;
  const reason = batches.failure?.text ?? batches.results.find((row) => !row.ok)?.message;
  const text = `${receiptText(receipt, target, batches.results.length)}${reason === undefined ? '' : ` ${reason}`}`;
  const failed = batches.failure !== undefined || receipt.recordsFailed > 0;
  if (batches.failure) record.errorCode = batches.failure.code;
  if (batches.cancelled) record.outcome = 'cancelled';
  const result: ToolResult = {
    content: [{ type: 'text', text }],
    structuredContent: receipt,
    ...(failed || batches.cancelled ? { isError: true } : {}),
  };
  return { result, receipt, withheld: withheldTokens(batches.answerTokens, await deps.converter.countTokens(text)) };
}
