/** One call with files: opened, converted, bound, checked, sent, and answered. */

import { randomUUID } from 'node:crypto';
import { type TokenCount, type Warning, warning } from '../../shared/model/conversion.ts';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { type BoundArguments, bindArguments } from '../binding/bind.ts';
import { problemText } from '../binding/check.ts';
import { formatDataKey, parseDataKey } from '../binding/data-key.ts';
import { heldPayload, recordsOf } from '../binding/payload-parts.ts';
import type { Fill } from '../binding/text-form.ts';
import type { SchemaPlace } from '../engine/core/convert-types.ts';
import type { Payload } from '../engine/core/payload.ts';
import { placeMatters } from '../engine/schema/record-types.ts';
import type { StoredReceipt } from '../store/receipts.ts';
import type { ToolResult, UpstreamTool } from '../upstream/types.ts';
import { fileCallApproval } from './approval-request.ts';
import { argumentMismatch, argumentProblems, inRecord, placeOfEach, sendsEach } from './argument-problems.ts';
import { plannedRanges } from './batch-count.ts';
import { type CallKeys, callKeys } from './call-keys.ts';
import { callNeedsConfirmation, confirmCall } from './confirm.ts';
import type { CallDeps } from './deps.ts';
import { dryRun } from './dry-run.ts';
import type { CallTarget } from './failure.ts';
import type { BindRecord, FileCallRun } from './file-call-run.ts';
import { finishCall } from './finish.ts';
import { headersOfBound } from './headers.ts';
import { outputRequest } from './output.ts';
import {
  conversionWarnings,
  type OpenedFiles,
  openFiles,
  type PlacedFiles,
  type PreparedPayload,
  placedFiles,
  preparePayload,
} from './payloads.ts';
import { awaitingApproval } from './recorded.ts';
import { type Responses, wantsStorage } from './responses.ts';
import { resumedReceipt, resumedRequest } from './resume.ts';
import { addTokens, NO_TOKENS, payloadTokens } from './savings.ts';
import { type Batches, batchesOf, sendBatches, sendWhole } from './send.ts';
import { filesSentBefore, notingSentFiles } from './sent-before.ts';
import { agreed, bytesParameter, chosenForm, filledBeside, fillNotes, formNotes, isNoText, withFills } from './text-forms.ts';
import type { CallerContext, FileCallRequest } from './types.ts';
import { refuseIfChangedSinceShown, refuseIfToolChangedSinceShown } from './unchanged.ts';

/** Files of one call that are converted at the same time. */
const AT_ONCE = 8;

/** A call that may start, and what was found out on the way. */
export interface AdmittedFileCall {
  readonly tool: UpstreamTool;
  readonly placed: PlacedFiles[];
  /** The receipt it goes on with. */
  readonly resumed: StoredReceipt | undefined;
  /** Its files, where they were opened ahead of the call and are closed after it. */
  readonly opened?: OpenedFiles | undefined;
}

/** Refuses everything that can be refused without reading a file. */
export async function admitFileCall(
  deps: CallDeps,
  responses: Responses,
  request: FileCallRequest,
  caller: Pick<CallerContext, 'owner' | 'client'>,
  signal: AbortSignal,
): Promise<AdmittedFileCall> {
  const placed = placedFiles(request);
  const resumed = await resumedReceipt(deps, caller, request);
  outputRequest(request.output_format, request.template);
  const tool = await deps.upstreams.tool(request.server, request.tool_name, { signal });
  if (wantsStorage(request) && !request.dry_run) await responses.check(request, targetOf(request));
  return { tool, placed, resumed };
}

const targetOf = (request: FileCallRequest): CallTarget => ({ server: request.server, tool: request.tool_name });

/** `ahead`: the call was admitted before, with its files open. */
export async function fileCall(
  given: Omit<FileCallRun, 'receiptId' | 'sentBefore'>,
  ahead?: AdmittedFileCall,
): Promise<ToolResult> {
  const { deps, record, signal, caller, turn } = given;
  const began = performance.now();
  const admitted = ahead ?? (await admitFileCall(deps, given.responses, given.request, caller, signal));
  const { tool, resumed } = admitted;
  await turn.take();
  const opened = admitted.opened ?? (await openFiles(deps, admitted.placed));
  try {
    record.paths = opened.paths;
    record.inputBytes = opened.inputBytes;
    const receiptId = resumed?.head.id ?? given.report?.id ?? randomUUID().slice(0, 8);
    const { payloads, bound, keys, bindRecord, asks } = await prepareFiles({ ...given, receiptId, resumed }, tool, opened);
    const request = resumed ? resumedRequest(given.request, resumed, payloads) : given.request;
    const sentBefore = await filesSentBefore(deps, caller, request, payloads, opened, receiptId);
    const headers = await headersOfBound(tool, bound, payloads);
    const run = { ...given, request, resumed, receiptId, sentBefore, keys, bindRecord, headers };
    const batches = request.batch === undefined ? undefined : batchesOf(run, tool, payloads, bound);
    record.dataKeys = bound.at.map((key) => formatDataKey(key));
    await opened.assertUnchanged();
    const warnings = [...conversionWarnings(payloads), ...bound.warnings];
    await check(run, batches, tool, payloads, bound, warnings);
    if (request.dry_run) return await dryRun(request, payloads, bound, batches, warnings, sentBefore, signal);
    if (asks) {
      const approval = await fileCallApproval(run, tool, opened, payloads, bound, batches);
      // A person may take minutes. Open approvals have a bound of their own.
      turn.rest();
      await awaitingApproval(record, () => confirmCall(deps, approval, run.caller));
      await turn.take();
      await refuseIfChangedSinceShown(opened);
      await refuseIfToolChangedSinceShown(deps, approval, signal);
    }

    record.records = recordCount(payloads);
    const sent = await notingSentFiles(run, opened, payloads, () =>
      batches === undefined ? sendWhole(run, opened, payloads, bound) : sendBatches(run, batches, tool, opened, bound),
    );
    const { recordsAccepted, recordsFailed, recordsUnknown } = sent.counts;
    const { sha256, batches: rows } = sent.receipt;
    record.receipt = {
      sha256,
      recordsAccepted,
      recordsFailed,
      ...(recordsUnknown ? { recordsUnknown } : {}),
      batches: rows.reduce((sum, row) => sum + (row.batches ?? 1), 0) || 1,
    };
    record.savings.arguments = acceptedTokens(payloadTokens(payloads), recordsAccepted, sent.receipt.recordsRead);
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
    if (admitted.opened === undefined) await opened.close();
  }
}

interface PreparedCall {
  payloads: PreparedPayload[];
  /** Of the first call, where each record gets one of its own. */
  bound: BoundArguments;
  keys: CallKeys | undefined;
  bindRecord?: BindRecord;
  /** Whether a person is asked, decided before anything was read: the content is sealed then, so that what is shown is what is sent. */
  asks: boolean;
}

const inferredNote = (name: string): Warning =>
  warning('DATA_KEY_INFERRED', say('warning.dataKeyInferred', { key: formatDataKey([name]) }));

/** Converts and binds. Where the place is only known after binding, a table is read again if the schema there types its columns. */
export async function prepareFiles(
  run: Pick<FileCallRun, 'deps' | 'request' | 'signal' | 'receiptId' | 'resumed'>,
  tool: UpstreamTool,
  opened: OpenedFiles,
): Promise<PreparedCall> {
  const { deps, request, signal } = run;
  const each = sendsEach(request, run.resumed);
  const limits = deps.config().limits;
  // The approved content is sent even if the file changes meanwhile.
  const asks = await callNeedsConfirmation(deps, request.server, tool);
  const sealed = asks || undefined;
  const { inputSchema } = tool;
  const schemaPlace = (segments: readonly (string | number)[], combine: string): SchemaPlace => {
    // A file of a list of files is a record itself.
    if (combine === 'list') return { inputSchema, segments: each ? segments : [...segments, 0] };
    return each ? placeOfEach(inputSchema, segments) : { inputSchema, segments };
  };
  const fills = new Map<OpenedFiles['placed'][number], readonly Fill[]>();
  /** Where files went that are no text, and had no data key. */
  const inferred = new Map<OpenedFiles['placed'][number], string>();
  const keyOf = (place: OpenedFiles['placed'][number]) => place.spec.dataKey ?? inferred.get(place);
  const prepareAt = async (place: OpenedFiles['placed'][number], segments: (string | number)[]): Promise<PreparedPayload> => {
    const at = schemaPlace(segments, place.spec.combine);
    const convert = (spec: PlacedFiles) => preparePayload(opened, { ...place, spec }, limits, { sealed, place: at, signal });
    // Records of their own calls are no content of a text.
    const form = each ? undefined : chosenForm(tool, at.segments, request.tool_args, place.spec);
    let spec = form?.spec ?? place.spec;
    const { otherwise } = form ?? {};
    const payload = await convert(spec).catch((error: unknown) => {
      if (otherwise === undefined || !isNoText(error)) throw error;
      spec = otherwise;
      return convert(otherwise);
    });
    fills.set(place, place.spec.combine === 'list' || each ? [] : filledBeside(tool, segments, request.tool_args, spec));
    return { ...payload, notes: formNotes(formatDataKey(segments), form, spec) };
  };
  const prepare = (place: OpenedFiles['placed'][number]) => {
    const { dataKey } = place.spec;
    if (dataKey !== undefined) return prepareAt(place, parseDataKey(dataKey));
    return preparePayload(opened, place, limits, { sealed, place: undefined, signal }).catch((error: unknown) => {
      // What is no text can only be meant for the parameter that takes bytes.
      const name = opened.placed.length === 1 && !each && isNoText(error) ? bytesParameter(tool, request.tool_args) : undefined;
      if (name === undefined) throw error;
      inferred.set(place, formatDataKey([name]));
      return prepareAt(place, [name]).then((payload) => ({ ...payload, notes: [inferredNote(name), ...(payload.notes ?? [])] }));
    });
  };
  const payloads: PreparedPayload[] = [];
  for (let from = 0; from < opened.placed.length; from += AT_ONCE) {
    payloads.push(...(await Promise.all(opened.placed.slice(from, from + AT_ONCE).map(prepare))));
  }
  const keysFor = callKeys(deps, request, tool, run.receiptId, run.resumed);
  const filled = () =>
    agreed(
      opened.placed.map((place) => fills.get(place) ?? []),
      request.tool_args ?? {},
      opened.placed.flatMap((place) => [keyOf(place) ?? []].flat().map(parseDataKey)),
    );
  const bindAll = (placed: readonly Payload[], first: number, last: number) => {
    const keys = keysFor?.(payloads);
    return bindArguments({
      toolArgs: withFills(request.tool_args ?? {}, filled()),
      placements: placed.map((payload, index) => {
        const place = opened.placed[index] as OpenedFiles['placed'][number];
        const { sources } = place.spec;
        return { dataKey: keyOf(place), payload, orText: sources.every(({ options }) => options.as === 'json') };
      }),
      onConflict: request.on_conflict ?? 'error',
      inputSchema,
      tool,
      key: keys && { path: keys.path, value: keys.of(first, last), replace: keys.given },
      signal,
    });
  };
  const bindRecord = (record: Payload, index: number) =>
    bindAll([record], index, index).catch((error: unknown) => {
      throw error instanceof AppError ? inRecord(error, index) : error;
    });
  const bind = async () => {
    const [list, ...others] = payloads;
    if (!each || list?.kind !== 'array' || others.length > 0) return bindAll(payloads, 0, Math.max(0, recordCount(payloads) - 1));
    for await (const { record } of recordsOf(list, Number.POSITIVE_INFINITY, signal)) return bindRecord(record, 0);
    return bindRecord(heldPayload(Buffer.from('{}')), 0);
  };
  let bound = await bind();
  let again = false;
  for (const [index, place] of opened.placed.entries()) {
    const at = bound.at[index];
    if (keyOf(place) !== undefined || at === undefined) continue;
    const found = schemaPlace(at, place.spec.combine);
    const options = place.spec.sources.map((source) => source.options);
    const isFormed = !each && at.length > 0 && chosenForm(tool, found.segments, request.tool_args, place.spec) !== undefined;
    if (!isFormed && !payloads[index]?.reports.some((report, i) => placeMatters(report, options[i] ?? {}, found))) continue;
    payloads[index] = await prepareAt(place, at);
    again = true;
  }
  if (again) bound = await bind();
  bound.warnings.push(...fillNotes(filled()));
  const keys = bound.keyAt === undefined ? undefined : keysFor?.(payloads);
  return { payloads, bound, keys, asks, ...(each ? { bindRecord } : {}) };
}

const recordCount = (payloads: readonly PreparedPayload[]): number => payloads.reduce((sum, { records }) => sum + records, 0);

async function check(
  run: Pick<FileCallRun, 'bindRecord' | 'signal'>,
  batches: Batches | undefined,
  tool: UpstreamTool,
  payloads: PreparedPayload[],
  bound: BoundArguments,
  warnings: Warning[],
): Promise<void> {
  const ranges = batches && plannedRanges(batches.plan, payloads[0]?.records ?? 0);
  const problems = await argumentProblems(tool, payloads, bound, { ...run, batches: ranges });
  for (const problem of problems.unchecked) warnings.push(warning('SCHEMA_UNCHECKED', problemText(problem)));
  if (problems.mismatches.length > 0) throw argumentMismatch(problems.mismatches, payloads, bound.at, tool);
}

/** Nothing is saved by what was not taken: the payload's tokens, in proportion to the records that were accepted. */
function acceptedTokens(tokens: TokenCount, recordsAccepted: number, recordsRead: number): TokenCount {
  if (recordsAccepted === recordsRead) return tokens;
  if (recordsAccepted === 0) return NO_TOKENS;
  return { count: Math.round((tokens.count * recordsAccepted) / recordsRead), method: 'estimated' };
}
