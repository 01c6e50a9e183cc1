/** Sends bound arguments to the tool: in one call, or in batches cut from their list. */

import { setMaxListeners } from 'node:events';
import type { Receipt, RecordRange } from '../../shared/model/call.ts';
import type { PayloadKind } from '../../shared/model/conversion.ts';
import { AppError, toAppError } from '../../shared/model/errors.ts';
import { type Message, say } from '../../shared/model/messages/message.ts';
import type { BoundArguments } from '../binding/bind.ts';
import { heldPayload } from '../binding/payload-parts.ts';
import type { JsonStream } from '../engine/core/payload.ts';
import { maxItems } from '../engine/schema/schema-advice.ts';
import type { ReceiptJournal } from '../store/receipts.ts';
import type { CallHooks, ToolResult, UpstreamTool } from '../upstream/types.ts';
import { messageTooLarge } from '../wire/outgoing-payload.ts';
import type { BatchPlan } from './batch-count.ts';
import {
  type Batch,
  type BatchBounds,
  batchReceipt,
  cutBatches,
  type MessageRoom,
  planBatches,
  receiptText,
  runBatches,
} from './batches.ts';
import { repeatHint } from './call-keys.ts';
import { restsOnceSent } from './conversion-turns.ts';
import type { CallDeps } from './deps.ts';
import type { FileCallRun, Sent } from './file-call-run.ts';
import { headersOf } from './headers.ts';
import { contentHash, type OpenedFiles, type PreparedPayload } from './payloads.ts';
import { type CallRecord, cancelledByPerson, isCancelledByPerson, refuseWhilePaused } from './recorded.ts';
import { keptReceipt, newReceipt, outcomesOf, refuseIfMovedOn } from './resume.ts';
import { NO_TOKENS, withheldTokens } from './savings.ts';
import { sentBeforeText } from './sent-before.ts';
import { callOnce } from './uncertain.ts';
import { sameServerOnly, unchangedToTheEnd } from './unchanged.ts';

/** Room for the JSON-RPC envelope around the arguments: method, ids, `_meta` of the 2026 era. */
const ENVELOPE_BYTES = 2048;

function hooksOf(run: Pick<FileCallRun, 'caller' | 'signal' | 'headers'>, passProgress: boolean): CallHooks {
  const { caller, signal } = run;
  return {
    signal,
    onLog: (params) => caller.log(params),
    elicit: caller.elicit,
    sample: caller.sample,
    meta: caller.meta,
    headers: run.headers,
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
  return messageTooLarge(say('message.callTooLarge', { bytes: bound.bytes, server, allowed: cap }), lessToSend(payloads), server);
}

function lessToSend(payloads: readonly PreparedPayload[]): Message {
  const has = (kind: PayloadKind) => payloads.some((payload) => payload.kind === kind);
  if (payloads.length > 1) return say('message.fewerFiles', {});
  if (has('array')) return say('message.batch', {});
  if (has('object')) return say('message.expression', {});
  return say('message.wholeText');
}

/** In one call. Throws MESSAGE_TOO_LARGE before anything is sent. */
export async function sendWhole(
  run: FileCallRun,
  opened: OpenedFiles,
  payloads: PreparedPayload[],
  bound: BoundArguments,
): Promise<Sent> {
  const { deps, request, record } = run;
  const tooLarge = tooLargeForServer(deps, request.server, payloads, bound);
  if (tooLarge) throw tooLarge;
  record.calls = 1;
  record.sentBytes = bound.bytes;
  const result = await callOnce(
    unchangedToTheEnd(restsOnceSent(bound, run.turn), opened),
    (args) => deps.upstreams.callTool(request.server, request.tool_name, args, hooksOf(run, true)),
    run.keys && bound.keyAt !== undefined ? repeatHint(bound.keyAt, run.keys.of(0, Math.max(0, record.records - 1))) : undefined,
  );
  const accepted = result.isError ? 0 : record.records;
  const receipt: Receipt = {
    id: run.receiptId,
    sha256: contentHash(payloads),
    recordsRead: record.records,
    recordsAccepted: accepted,
    recordsFailed: record.records - accepted,
    batches: [],
    ...(run.sentBefore.length === 0 ? {} : { sentBefore: [...run.sentBefore] }),
    resumeFrom: null,
  };
  return { result, receipt, counts: receipt, withheld: NO_TOKENS };
}

/** A list, and how it is cut into calls. */
export interface Batches {
  payload: PreparedPayload;
  bounds: BatchBounds & MessageRoom;
  plan: BatchPlan;
}

/** Throws BATCH_INVALID. */
export function batchesOf(
  { deps, request, bindRecord }: Pick<FileCallRun, 'deps' | 'request' | 'bindRecord'>,
  tool: UpstreamTool,
  payloads: readonly PreparedPayload[],
  bound: BoundArguments,
): Batches {
  const [payload] = payloads;
  const [at] = bound.at;
  if (payload === undefined || at === undefined || payloads.length > 1 || (at.length === 0 && bindRecord === undefined)) {
    throw new AppError('BATCH_INVALID', say('batch.onePlace'), {
      hint: say('batch.onePlace.hint', {}),
    });
  }
  const bounds = {
    server: request.server,
    maxItems: bindRecord ? undefined : maxItems(tool.inputSchema, at),
    payloadBytes: deps.upstreams.maxMessageBytes(request.server) - ENVELOPE_BYTES - (bound.bytes - bound.placed(0).bytes),
  };
  return { payload, bounds, plan: planBatches(request.batch ?? 'auto', payload, bounds) };
}

/** In several calls, each with a slice of the one list, or with one record of it. */
export async function sendBatches(
  run: FileCallRun,
  { payload, bounds, plan }: Batches,
  tool: UpstreamTool,
  opened: OpenedFiles,
  bound: BoundArguments,
): Promise<Sent> {
  const { deps, request, record, signal, caller, resumed, bindRecord } = run;
  // Each call under way listens for its end.
  setMaxListeners(plan.concurrency + 10, signal);
  const before = record.calls;
  const runWith = async (journal?: ReceiptJournal) => {
    if (resumed) await refuseIfMovedOn(deps, resumed);
    let done = plan.start;
    let accepted = (resumed && outcomesOf(resumed).count('accepted')) ?? 0;
    const refuseOtherServer = sameServerOnly(deps, request.server);
    const send = async (batch: Batch): Promise<ToolResult> => {
      const { start, records } = batch;
      await opened.assertUnchanged();
      // Pausing also stops the rest of a long run; its receipt lists the unsent records.
      refuseWhilePaused(deps);
      refuseOtherServer();
      let args: JsonStream;
      try {
        args = bindRecord
          ? await bindRecord(heldPayload(batch.text()), start)
          : bound.withPayload(0, batch.array, run.keys?.of(start, start + records - 1));
      } catch (error) {
        return refusedHere(error);
      }
      const headers = bindRecord ? await headersOf(tool, args) : run.headers;
      await journal?.sent(start, start + records - 1);
      record.calls += 1;
      record.sentBytes += args.bytes;
      return deps.upstreams.callTool(request.server, request.tool_name, batch.watch(args), hooksOf({ ...run, headers }, false));
    };
    return runBatches(
      cutBatches(payload, plan, bounds, signal),
      plan,
      send,
      async (results) => {
        const row = results.at(-1);
        if (row) await journal?.outcome(row.outcome, row.start, row.start + row.records - 1);
        done = plan.start + results.reduce((sum, each) => sum + each.records, 0);
        caller.progress({ progress: done, total: payload.records, message: `${done} of ${payload.records} records` });
        if (row?.outcome === 'accepted') accepted += row.records;
        record.progress = { records: done, accepted, total: payload.records, batches: results.length };
        run.report?.progress(done, payload.records, results.length);
      },
      (text) => deps.converter.countTokens(text),
      signal,
    );
  };
  const head = resumed?.head ?? newReceipt(run, [payload], plan, payload.records);
  const { value: batches, kept } = await keptReceipt(deps, record, head, resumed ? 'again' : 'new', runWith);
  const { failure } = batches;
  // Once the server refused a batch, the agent needs the ranges and the receipt's id.
  if (failure && batches.results.every(({ outcome }) => outcome === 'not_sent')) throw failure;
  const receipt = {
    ...(kept ? { id: head.id } : {}),
    ...batchReceipt(batches, plan, head.sha256, payload.records, resumed && outcomesOf(resumed)),
    ...(bound.keyAt === undefined ? {} : { idempotencyArgument: bound.keyAt }),
    ...(run.sentBefore.length === 0 ? {} : { sentBefore: [...run.sentBefore] }),
  };
  if (kept) record.unfinished = unfinished(head.id, receipt);
  const counts = resumed ? batchReceipt(batches, plan, head.sha256, payload.records) : receipt;
  const target = `${request.server}:${request.tool_name}`;
  const cancelled = batches.cancelled && isCancelledByPerson(signal) ? cancelledByPerson() : undefined;
  const reason = (cancelled ?? failure)?.text ?? batches.results.find((row) => !row.ok)?.message;
  const text = [receiptText(receipt, target, record.calls - before, plan), ...run.sentBefore.map(sentBeforeText), reason ?? []]
    .flat()
    .join(' ');
  const failed = failure !== undefined || batches.results.some(({ ok }) => !ok);
  if (failure) record.errorCode = failure.code;
  if (batches.cancelled) record.outcome = 'cancelled';
  const result: ToolResult = {
    content: [{ type: 'text', text }],
    structuredContent: receipt,
    ...(failed || batches.cancelled ? { isError: true } : {}),
  };
  return { result, receipt, counts, withheld: withheldTokens(batches.answerTokens, await deps.converter.countTokens(text)) };
}

/** A record that fits nowhere is refused before the server sees it, as it would be by the server. Throws any other error. */
function refusedHere(error: unknown): ToolResult {
  const known = toAppError(error);
  if (!['BINDING_AMBIGUOUS', 'BINDING_CONFLICT', 'DATA_KEY_INVALID'].includes(known.code)) throw error;
  return { content: [{ type: 'text', text: known.text }], isError: true };
}

/** Returns the ranges that a resumed call would send; undefined if none are left. */
function unfinished(receipt: string, { recordsRead, recordsAccepted, ranges }: Receipt): CallRecord['unfinished'] {
  const count = (list: readonly RecordRange[] = []) => list.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  const left = count(ranges?.refused) + count(ranges?.not_sent);
  if (left === 0) return undefined;
  return { receipt, total: recordsRead, accepted: recordsAccepted, left, unknown: count(ranges?.unknown) };
}
