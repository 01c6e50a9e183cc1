/** Receipts of batched calls: begun, looked up by the client they belong to, and gone on with. */

import { createHash } from 'node:crypto';
import type { Receipt } from '../../shared/model/call.ts';
import { AppError, toAppError } from '../../shared/model/errors.ts';
import { type Message, say } from '../../shared/model/messages/message.ts';
import { exactText } from '../engine/core/exact-numbers.ts';
import type { ReceiptHead, ReceiptJournal, StoredReceipt } from '../store/receipts.ts';
import type { BatchPlan } from './batch-count.ts';
import { plannedRanges } from './batch-count.ts';
import type { CallDeps } from './deps.ts';
import type { FileCallRun } from './file-call-run.ts';
import { lastingOwner } from './lasting-owner.ts';
import { contentHash, type PreparedPayload, placedFiles } from './payloads.ts';
import { RecordOutcomes } from './record-outcomes.ts';
import type { CallRecord } from './recorded.ts';
import type { CallerContext, FileCallRequest } from './types.ts';

type Asking = Pick<CallerContext, 'owner' | 'client'>;

/** The receipt of this client with this id; undefined for one that it has not. */
export async function receiptOf(deps: CallDeps, caller: Asking, id: string): Promise<StoredReceipt | undefined> {
  const stored = await deps.receipts?.read(id);
  return stored?.head.owner === lastingOwner(caller) ? stored : undefined;
}

export function outcomesOf({ head, events }: StoredReceipt): RecordOutcomes {
  const outcomes = new RecordOutcomes(head.planned);
  for (const event of events) outcomes.note(event);
  return outcomes;
}

/** The id of the receipt that a request goes on with. */
export const resumedId = ({ batch }: FileCallRequest): string | undefined =>
  typeof batch === 'object' ? batch.resume : undefined;

/** Throws INVALID_REQUEST for a receipt that this client has not, or that was for another tool. */
export async function resumedReceipt(
  deps: CallDeps,
  caller: Asking,
  request: FileCallRequest,
): Promise<StoredReceipt | undefined> {
  const id = resumedId(request);
  if (id === undefined) return undefined;
  const { batch, server, tool_name } = request;
  if (typeof batch === 'object' && (batch.start !== undefined || batch.ranges !== undefined)) {
    throw invalid(say('receipt.resumeAlone'), say('receipt.resumeAlone.hint'));
  }
  const stored = await receiptOf(deps, caller, id);
  if (stored === undefined) {
    throw invalid(say('receipt.unknown', { id }), say('receipt.unknown.hint'));
  }
  const { head } = stored;
  if (head.server !== server || head.tool !== tool_name) {
    throw invalid(
      say('receipt.otherTool', { id, its: `${head.server}:${head.tool}`, given: `${server}:${tool_name}` }),
      say('batch.sameCall', {}),
    );
  }
  return stored;
}

/**
 * The request with the records that are left in the place of `resume`, batched as before unless it says otherwise. Throws INVALID_REQUEST
 * for other content or other arguments than those of the receipt.
 */
export function resumedRequest(
  request: FileCallRequest,
  { head, ...stored }: StoredReceipt,
  payloads: readonly PreparedPayload[],
): FileCallRequest {
  const { resume: _, resend_unknown, ...given } = request.batch as Exclude<FileCallRequest['batch'], 'auto' | undefined>;
  if (head.sha256 !== contentHash(payloads)) {
    throw invalid(
      say('receipt.otherContent', { id: head.id, given: contentHash(payloads), its: head.sha256 }),
      say('batch.sameFile', {}),
    );
  }
  const otherCalls = given.each !== undefined && head.batch.each === undefined;
  if (otherCalls || head.request !== requestHash(request) || head.records !== payloads[0]?.records) {
    throw invalid(say('receipt.otherCall', { id: head.id }), say('batch.sameArguments', {}));
  }
  const outcomes = outcomesOf({ head, ...stored });
  const ranges = outcomes.of('refused', 'not_sent', ...(resend_unknown ? (['unknown'] as const) : []));
  return { ...request, batch: { ...head.batch, ...given, ranges } };
}

/** Hash of what decides, beside the files' content, what a call sends. */
function requestHash(request: FileCallRequest): string {
  const placed = placedFiles(request).map(({ dataKey, combine, sources }) => ({
    dataKey,
    combine,
    options: sources.map(({ options }) => options),
  }));
  const { tool_args = {}, on_conflict = 'error' } = request;
  return createHash('sha256').update(stableText({ placed, tool_args, on_conflict })).digest('hex');
}

/** JSON text in which the order of members makes no difference. */
function stableText(value: unknown): string {
  const text = JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
  return exactText(text);
}

/** The head of the receipt of a call that begins. */
export function newReceipt(
  { request, caller, record, receiptId }: Pick<FileCallRun, 'request' | 'caller' | 'record' | 'receiptId'>,
  payloads: readonly PreparedPayload[],
  plan: BatchPlan,
  total: number,
): ReceiptHead {
  const { each, size, max_bytes, concurrency, on_error } = typeof request.batch === 'object' ? request.batch : {};
  return {
    receipt: 1,
    id: receiptId,
    owner: lastingOwner(caller),
    client: caller.client,
    time: new Date().toISOString(),
    server: request.server,
    tool: request.tool_name,
    sha256: contentHash(payloads),
    request: requestHash(request),
    paths: record.paths,
    records: total,
    planned: [...plannedRanges(plan, total)],
    batch: { each, size, max_bytes, concurrency, on_error },
  };
}

/** Throws INVALID_REQUEST where another call has gone on with the receipt since it was read. */
export async function refuseIfMovedOn(deps: CallDeps, { head, events }: StoredReceipt): Promise<void> {
  const now = await deps.receipts?.read(head.id);
  if (now?.events.length === events.length) return;
  throw invalid(say('receipt.movedOn', { id: head.id }), say('receipt.movedOn.hint'));
}

/**
 * Runs `work` with the journal of the receipt. A call whose receipt cannot be begun on disk is made without one: then nothing can be resumed
 * by its id.
 */
export async function keptReceipt<T>(
  deps: Pick<CallDeps, 'receipts' | 'log'>,
  record: CallRecord,
  head: ReceiptHead,
  how: 'new' | 'again',
  work: (journal?: ReceiptJournal) => Promise<T>,
): Promise<{ value: T; kept: boolean }> {
  if (deps.receipts === undefined) return { value: await work(), kept: false };
  const { receipts } = deps;
  let begun = false;
  const began = (journal: ReceiptJournal) => {
    begun = true;
    record.listed = () => receipts.listed(head.id);
    return work(journal);
  };
  try {
    const value = await receipts.write(head, how, began, record.entryId);
    return { value, kept: true };
  } catch (error) {
    if (begun || how === 'again' || toAppError(error).code !== 'FILE_WRITE_FAILED') throw error;
    deps.log(`the receipt of a batched call could not be kept: ${toAppError(error).text}`);
    return { value: await work(), kept: false };
  }
}

/** How far a batched call came that this process does not know as a job. */
export async function receiptStatus(deps: CallDeps, stored: StoredReceipt): Promise<Record<string, unknown>> {
  const { id, server, tool, time, paths, records, sha256 } = stored.head;
  const outcomes = outcomesOf(stored);
  const open = (await deps.receipts?.isOpen(id)) === true;
  const ranges = outcomes.ranges();
  const hint = open ? undefined : resumeHint(id, ranges);
  return {
    job_id: id,
    state: open ? 'running' : hint === undefined ? 'done' : 'stopped',
    server,
    tool,
    startedAt: time,
    paths,
    sha256,
    records,
    recordsAccepted: outcomes.count('accepted'),
    recordsFailed: outcomes.count('refused'),
    recordsUnknown: outcomes.count('unknown'),
    ranges,
    ...(hint === undefined ? {} : { hint }),
  };
}

/** The message about an interrupted call for persons. */
export function interruptedText(stored: StoredReceipt): string {
  const { head } = stored;
  const outcomes = outcomesOf(stored);
  const said = `Filebridge ended while the call ran. ${outcomes.count('accepted')} of ${head.records} records were accepted, ${outcomes.count('unknown')} are unknown`;
  const hint = resumeHint(head.id, outcomes.ranges());
  return hint === undefined ? said : `${said}. ${hint}`;
}

/** How to go on; undefined where every record was accepted. */
function resumeHint(id: string, { refused, not_sent, unknown }: NonNullable<Receipt['ranges']>): string | undefined {
  const left = refused.length + not_sent.length > 0;
  const resume = (more: string) => `make the same call with batch: {"resume": "${id}"${more}}`;
  if (unknown.length === 0) return left ? `To send what was refused or not sent, ${resume('')}` : undefined;
  const again = resume(', "resend_unknown": true');
  return left
    ? `To send what was refused or not sent, ${resume('')}; add "resend_unknown": true to send the unknown records again too`
    : `To send the unknown records again, ${again}`;
}

const invalid = (message: Message, hint: Message) => new AppError('INVALID_REQUEST', message, { hint });
