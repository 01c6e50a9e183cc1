/**
 * The way of a call: admit, open, convert, bind, check, approve, send, finish. Each stage takes what is known and gives what is known then; what
 * happens on the way is told as events.
 */

import { randomUUID } from 'node:crypto';
import { type TokenCount, type Warning, warning } from '../../shared/model/conversion.ts';
import { AppError, toAppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { formatDataKey } from '../binding/data-key.ts';
import { exactJson } from '../engine/core/exact-numbers.ts';
import { jsonStreamOf } from '../engine/core/payload.ts';
import type { JsonObject, UpstreamTool } from '../upstream/types.ts';
import { type AdmittedFileCall, admitCall, admitFileCall } from './admit.ts';
import { answerText, mentionsFailures } from './answer.ts';
import { fileCallApproval, plainCallApproval } from './approval-request.ts';
import { callNeedsConfirmation, confirmCall, refuseIfChangedSinceShown, refuseIfToolChangedSinceShown } from './approve.ts';
import { recordsIn } from './batch-plan.ts';
import { sendBatches } from './batches.ts';
import { bindFiles } from './bind.ts';
import { awaitingApproval, type Call } from './call.ts';
import {
  argumentMismatch,
  type CheckedCall,
  checkFiles,
  misspeltArguments,
  pathsAsContent,
  refusedArguments,
  refuseStrayOptions,
} from './check.ts';
import type { Turn } from './conversion-turns.ts';
import { type PreparedPayload, payloadTokens, recordCount } from './convert.ts';
import { NO_TOKENS } from './events.ts';
import { dryRun, type FinishedCall, finishCall } from './finish.ts';
import { type OpenedFiles, openFiles, readingsFor } from './open.ts';
import type { JobReport } from './running-calls.ts';
import { hooksOf, type Sent, sameServerOnly, sendPlain, sendWhole } from './send.ts';
import { notingSentFiles, sentBeforeMessage } from './sent-before.ts';
import type { Responses } from './stored-answers.ts';
import type { CallAndStoreRequest, CallDeps, CallerContext, FileCallRequest, UpstreamRequest } from './types.ts';

/** One call of one client. */
export interface CallRun<Request> {
  readonly deps: CallDeps;
  readonly responses: Responses;
  readonly request: Request;
  readonly call: Call;
}

export interface FileCallRun extends CallRun<FileCallRequest> {
  /** Held while its conversions are read. */
  readonly turn: Turn;
  readonly report?: JobReport | undefined;
}

/** A call that was admitted before, with its files open. */
export interface AheadOfCall {
  readonly admitted: AdmittedFileCall;
  readonly opened: OpenedFiles;
}

export async function fileCall(run: FileCallRun, ahead?: AheadOfCall): Promise<FinishedCall> {
  const { deps, responses, call, turn } = run;
  const { events, caller } = call;
  const began = performance.now();
  const admitted = ahead?.admitted ?? (await admitFileCall(deps, responses, run.request, caller));
  await turn.take();
  const opened = ahead?.opened ?? (await openFiles(deps, admitted.placed, readingsFor(deps)));
  try {
    await events.tell({ type: 'opened', paths: opened.paths, inputBytes: opened.inputBytes });
    const receiptId = admitted.resumed?.head.id ?? run.report?.id ?? randomUUID().slice(0, 8);
    const bound = (dataKeys: string[]) => events.tell({ type: 'bound', dataKeys });
    const checked = await untilChecked({ deps, request: run.request, caller, receiptId, bound }, admitted, opened);
    const { request, tool, payloads, mismatches, warnings } = checked;
    if (mismatches.length > 0) throw argumentMismatch(mismatches, payloads, checked.bound.at, tool, request.tool_args);
    if (request.dry_run) return { shown: await dryRun(checked, caller.signal), verdict: { outcome: 'ok' } };
    const refusal = checked.tooLarge ?? (deps.byPerson ? undefined : checked.partlySent);
    if (refusal) throw refusal;
    if (checked.asks) await approveFiles(run, checked, opened);
    await events.tell({ type: 'counted', records: recordCount(payloads) });
    const sent = await notingSentFiles(deps, caller, checked, opened, () => sendFiles(run, checked, opened));
    await tellReceipt(call, checked, sent);
    const durationMs = Math.round(performance.now() - began);
    // The sentence about batches says it in its own words.
    const doubts = request.output_format === 'structured' ? doubtsOf(sent, payloads) : repeatsOf(sent, checked);
    return await finishCall({ deps, responses, call, request, sent, durationMs, warnings: [...warnings, ...doubts] });
  } finally {
    if (ahead === undefined) await opened.close();
  }
}

/** Contents that a call in one message sent once more, unless its tool only reads. */
const repeatsOf = ({ batched }: Sent, { sentBefore, tool }: CheckedCall): Warning[] =>
  batched || tool.annotations?.readOnlyHint === true
    ? []
    : sentBefore.map((each) => warning('SENT_BEFORE', sentBeforeMessage(each)));

/** Answers that tell of failures although they are no errors. */
function doubtsOf({ answer, batched }: Sent, [payload]: readonly PreparedPayload[]): Warning[] {
  const records = payload?.kind === 'array' ? payload.records : undefined;
  const single =
    answer && !answer.isError && mentionsFailures(answer, records)
      ? { batches: 1, words: answerText(answer).slice(0, 200) }
      : undefined;
  const doubtful = batched?.doubtful ?? single;
  return doubtful && doubtful.batches > 0 ? [warning('ANSWER_DOUBTFUL', say('answer.doubtful', doubtful))] : [];
}

/** Converts, binds and checks: dry runs, previews and approvals show what this gives. */
export async function untilChecked(
  run: {
    readonly deps: CallDeps;
    readonly request: FileCallRequest;
    readonly caller: Pick<CallerContext, 'owner' | 'client' | 'signal'>;
    readonly receiptId: string;
    /** Hears where the files go, before anything is found wrong with them. */
    readonly bound?: (dataKeys: string[]) => Promise<void>;
  },
  { tool, resumed }: Pick<AdmittedFileCall, 'tool' | 'resumed'>,
  opened: OpenedFiles,
): Promise<CheckedCall & { asks: boolean }> {
  const { deps, request, caller } = run;
  const asks = await callNeedsConfirmation(deps, request.server, tool);
  const binding = { ...run, tool, resumed, signal: caller.signal };
  const files = await bindFiles(binding, opened, asks);
  await run.bound?.(files.bound.at.map((key) => formatDataKey(key)));
  return { ...(await checkFiles(binding, opened, files)), asks };
}

/** Asks the person. What they were shown is what is sent. */
async function approveFiles({ deps, call, turn }: FileCallRun, checked: CheckedCall, opened: OpenedFiles): Promise<void> {
  const { caller, events } = call;
  const approval = await fileCallApproval(deps, checked, opened, caller);
  // A person may take minutes. Open approvals have a bound of their own.
  turn.rest();
  await awaitingApproval(events, () => confirmCall(deps, approval, caller));
  await turn.take();
  await refuseIfChangedSinceShown(opened);
  await refuseIfToolChangedSinceShown(deps, approval, caller.signal);
}

/** In one call, or in batches, whose progress the caller and the job hear of. */
function sendFiles({ deps, call, turn, report }: FileCallRun, checked: CheckedCall, opened: OpenedFiles): Promise<Sent> {
  const sending = { deps, call, checked, opened, turn };
  if (checked.batches === undefined) return sendWhole(sending);
  call.events.on((event) => {
    if (event.type !== 'settled') return;
    const { records, total, batches } = event.progress;
    call.caller.progress({ progress: records, ...(total === null ? {} : { total }), message: `${records} of ${total} records` });
    report?.progress(records, total, batches);
  });
  return sendBatches(sending, checked.batches);
}

/** Nothing is saved by what was not taken: the payload's tokens count in proportion to the records that were accepted. */
async function tellReceipt({ events }: Call, { payloads }: CheckedCall, { receipt, batched }: Sent): Promise<void> {
  if (receipt === null) return;
  const { recordsAccepted, recordsFailed, recordsUnknown, ranges } = batched?.counts ?? receipt;
  const recordsNotSent = recordsIn(ranges?.not_sent ?? []);
  await events.tell({
    type: 'receipt',
    receipt: {
      sha256: receipt.sha256,
      recordsAccepted,
      recordsFailed,
      ...(recordsUnknown ? { recordsUnknown } : {}),
      ...(recordsNotSent ? { recordsNotSent } : {}),
      batches: receipt.batches.reduce((sum, row) => sum + (row.batches ?? 1), 0) || 1,
    },
    tokens: acceptedTokens(payloadTokens(payloads), recordsAccepted, receipt.recordsRead),
  });
}

function acceptedTokens(tokens: TokenCount, recordsAccepted: number, recordsRead: number): TokenCount {
  if (recordsAccepted === recordsRead) return tokens;
  if (recordsAccepted === 0) return NO_TOKENS;
  return { count: Math.round((tokens.count * recordsAccepted) / recordsRead), method: 'estimated' };
}

/** A call without files: arguments as the agent gave them. */
export async function plainCall(
  { deps, responses, request, call }: CallRun<CallAndStoreRequest>,
  alwaysStore: boolean,
): Promise<FinishedCall> {
  const { caller, events } = call;
  const began = performance.now();
  const tool = await admitCall(deps, responses, request, caller, alwaysStore);
  const given = request.tool_args ?? {};
  refuseStrayOptions(tool, given);
  const paths = await pathsAsContent(deps.files, tool, given);
  const args = jsonStreamOf(Buffer.from(exactJson(request.tool_args ?? {})));
  if (await callNeedsConfirmation(deps, request.server, tool)) {
    const approval = await plainCallApproval(deps, request, tool, args, caller.meta);
    await awaitingApproval(events, () => confirmCall(deps, approval, caller));
    await refuseIfToolChangedSinceShown(deps, approval, caller.signal);
  }
  const sent = await sendPlain({ deps, call }, request, tool, args).catch(async (error: unknown) => {
    const known = toAppError(error);
    const hint = known.details.rpc === undefined ? undefined : await refusedArguments(tool, given);
    throw hint === undefined ? error : new AppError(known.code, known.asText, { hint, details: known.details, cause: error });
  });
  const hint = sent.answer?.isError ? await refusedArguments(tool, given) : undefined;
  const warnings = sent.answer?.isError ? [] : [...misspeltArguments(tool, given), ...paths];
  const durationMs = Math.round(performance.now() - began);
  return finishCall({ deps, responses, call, request, sent, durationMs, warnings, alwaysStore, hint });
}

/** Asks a server for a prompt, a resource or completions: approved as a tool that only reads. */
export async function upstreamRequest({
  deps,
  request,
  call,
}: Pick<CallRun<UpstreamRequest>, 'deps' | 'request' | 'call'>): Promise<JsonObject> {
  const { server, method, params, about } = request;
  const { caller, events } = call;
  await awaitingApproval(events, () => approveRequest(deps, request, caller));
  await events.tell({ type: 'sent', bytes: Buffer.byteLength(JSON.stringify(params)) });
  return deps.upstreams.request(server, { method, params, about }, hooksOf(caller, undefined, true));
}

const asTool = (method: string): UpstreamTool => ({
  name: method,
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
});

/** Throws CONFIRMATION_REFUSED, and UPSTREAM_CLOSED where the server's entry changed meanwhile. Nobody is asked at each letter that is typed. */
async function approveRequest(deps: CallDeps, { server, method, params }: UpstreamRequest, caller: CallerContext): Promise<void> {
  const tool = asTool(method);
  // A server's own claim about its tools has no bearing on these.
  if (!(await callNeedsConfirmation({ ...deps, readOnlyAtFirst: async () => true }, server, tool))) return;
  if (method === 'completion/complete') throw new AppError('CONFIRMATION_REFUSED', say('approval.noCompletions'));
  const args = jsonStreamOf(Buffer.from(JSON.stringify(params)));
  const refuseOtherServer = sameServerOnly(deps, server);
  await confirmCall(deps, await plainCallApproval(deps, { server, tool_name: method }, tool, args, caller.meta), caller);
  refuseOtherServer();
}
