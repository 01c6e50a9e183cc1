/** Receipts of batched calls: the outcome of each record, a journal on disk to go on with, and calls that an end of the program interrupted. */

import { createHash } from 'node:crypto';
import type { BatchOutcome, Receipt, RecordRange } from '../../shared/model/call.ts';
import { type Warning, warning } from '../../shared/model/conversion.ts';
import { AppError, toAppError } from '../../shared/model/errors.ts';
import { type Message, say } from '../../shared/model/messages/message.ts';
import type { BoundArguments } from '../binding/bind.ts';
import { formatDataKey } from '../binding/data-key.ts';
import { exactText } from '../engine/core/exact-numbers.ts';
import type { ReceiptEvent, ReceiptHead, ReceiptJournal, StoredReceipt } from '../store/receipts.ts';
import type { Ledger } from '../store/types.ts';
import type { UpstreamTool } from '../upstream/types.ts';
import { type BatchPlan, plannedRanges, recordsIn } from './batch-plan.ts';
import type { Call } from './call.ts';
import { contentHash, type PreparedPayload, recordCount } from './convert.ts';
import { type CallEvents, firstEntry } from './events.ts';
import { type Earlier, madeBefore, mayRepeat } from './sent-before.ts';
import { type CallDeps, type CallerContext, type FileCallRequest, lastingOwner } from './types.ts';

interface Stretch {
  first: number;
  last: number;
  outcome: BatchOutcome;
  /** Its outcome before it was sent again. */
  before?: BatchOutcome;
}

export type OutcomeEvent = Exclude<ReceiptEvent[0], 'doubtful'>;

/**
 * In ascending order. Batches that were refused or whose outcome is unknown stay apart from their neighbours, so that each can be sent
 * again as it was.
 */
export class RecordOutcomes {
  readonly #stretches: Stretch[];

  /** Nothing of it is sent yet. */
  constructor(planned: readonly RecordRange[]) {
    this.#stretches = planned.map(([first, last]) => ({ first, last, outcome: 'not_sent' }));
  }

  /** `sent` counts as unknown until its outcome is heard. What was accepted once stays accepted. */
  note([event, first, last]: readonly [OutcomeEvent, number, number]): void {
    const all = this.#stretches;
    const from = this.#indexOf(first);
    let to = from;
    const fresh: Stretch[] = [];
    const add = (stretch: Stretch) => {
      const before = fresh.at(-1);
      if (before && joins(before, stretch)) before.last = stretch.last;
      else fresh.push(stretch);
    };
    const previous = all[from - 1];
    if (previous) add({ ...previous });
    for (; to < all.length; to += 1) {
      const stretch = all[to] as Stretch;
      if (stretch.first > last) break;
      if (stretch.first < first) add({ ...stretch, last: first - 1 });
      add({
        first: Math.max(first, stretch.first),
        last: Math.min(last, stretch.last),
        ...after(stretch, event),
      });
      if (stretch.last > last) add({ ...stretch, first: last + 1 });
    }
    all.splice(previous ? from - 1 : from, to - (previous ? from - 1 : from), ...fresh);
  }

  /** Index of the stretch that holds this record, or of the next one. */
  #indexOf(record: number): number {
    let low = 0;
    let high = this.#stretches.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#stretches[middle] as Stretch).last < record) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Batch by batch where they stay apart. */
  of(...outcomes: BatchOutcome[]): RecordRange[] {
    return this.#stretches.flatMap(({ first, last, outcome }) => (outcomes.includes(outcome) ? [[first, last] as const] : []));
  }

  count(outcome: BatchOutcome): number {
    return this.of(outcome).reduce((sum, [first, last]) => sum + last - first + 1, 0);
  }

  ranges(): NonNullable<Receipt['ranges']> {
    return {
      accepted: joined(this.of('accepted')),
      refused: joined(this.of('refused')),
      not_sent: joined(this.of('not_sent')),
      unknown: joined(this.of('unknown')),
    };
  }
}

function after({ outcome, before }: Stretch, event: OutcomeEvent): Pick<Stretch, 'outcome' | 'before'> {
  if (outcome === 'accepted') return { outcome };
  if (event === 'sent') return { outcome: 'unknown', before: outcome };
  if (event === 'not_sent') return { outcome: before ?? outcome };
  return { outcome: event };
}

const joins = (before: Stretch, { first, outcome }: Stretch): boolean =>
  before.outcome === outcome && before.last + 1 === first && (outcome === 'accepted' || outcome === 'not_sent');

/** What of joined ranges is in none of others. */
function without(ranges: readonly RecordRange[], others: readonly RecordRange[]): RecordRange[] {
  return others.reduce<RecordRange[]>(
    (left, [first, last]) =>
      left.flatMap(([from, to]): RecordRange[] => {
        if (last < from || first > to) return [[from, to]];
        return [...(from < first ? [[from, first - 1] as const] : []), ...(to > last ? [[last + 1, to] as const] : [])];
      }),
    [...ranges],
  );
}

/** In ascending order, with neighbours, and those that overlap, as one. */
export function joined(ranges: readonly RecordRange[]): RecordRange[] {
  const result: RecordRange[] = [];
  for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const before = result.at(-1);
    if (before && first <= before[1] + 1) result[result.length - 1] = [before[0], Math.max(before[1], last)];
    else result.push([first, last]);
  }
  return result;
}

// Receipts of batched calls: begun, looked up by the client they belong to, and gone on with.

type Asking = Pick<CallerContext, 'owner' | 'client'>;

/** Ranges that can be sent again without sending an accepted record twice. */
export const unaccepted = ({ refused, not_sent }: NonNullable<Receipt['ranges']>): RecordRange[] =>
  joined([...refused, ...not_sent]);

/** The receipt of this client with this id; undefined for one that it has not. */
export async function receiptOf(deps: CallDeps, caller: Asking, id: string): Promise<StoredReceipt | undefined> {
  const stored = await deps.receipts?.read(id);
  return stored?.head.owner === lastingOwner(caller) ? stored : undefined;
}

export function outcomesOf({ head, events }: StoredReceipt): RecordOutcomes {
  const outcomes = new RecordOutcomes(head.planned);
  for (const [event, ...range] of events) if (event !== 'doubtful') outcomes.note([event, ...range]);
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
  if (id === undefined) {
    if (typeof request.batch === 'object' && request.batch.resend_unknown)
      throw invalid(say('receipt.resendAlone'), say('receipt.unknown.hint'));
    return undefined;
  }
  const { batch, server, tool_name } = request;
  if (typeof batch === 'object' && (batch.start !== undefined || batch.ranges !== undefined || batch.again !== undefined)) {
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
  identity: CallIdentity,
): FileCallRequest {
  const { resume: _, resend_unknown, ...given } = request.batch as Exclude<FileCallRequest['batch'], 'auto' | undefined>;
  if (head.sha256 !== contentHash(payloads)) {
    throw invalid(
      say('receipt.otherContent', { id: head.id, given: contentHash(payloads), its: head.sha256 }),
      say('batch.sameFile', {}),
    );
  }
  const otherCalls = given.each !== undefined && head.batch.each === undefined;
  if (otherCalls || head.request !== identity.call || head.records !== payloads[0]?.records) {
    const inArguments = head.args !== undefined && head.args !== identity.args;
    throw invalid(say('receipt.otherCall', { id: head.id, inArguments }), say('batch.sameArguments', {}));
  }
  const outcomes = outcomesOf({ head, ...stored });
  const ranges = outcomes.of('refused', 'not_sent', ...(resend_unknown ? (['unknown'] as const) : []));
  return { ...request, batch: { ...head.batch, ...given, ranges } };
}

/**
 * The error for a call whose content, or an earlier content of its file, went to the tool before with the same arguments, and did not arrive as
 * a whole; undefined where that is not so, or where the call itself says which records it sends. `before`: this client's earlier calls with the
 * same files.
 */
export async function partlySent(
  deps: Pick<CallDeps, 'receipts'>,
  request: FileCallRequest,
  tool: UpstreamTool,
  payloads: readonly PreparedPayload[],
  paths: readonly string[],
  before: readonly Earlier[],
  identity: CallIdentity,
): Promise<AppError | undefined> {
  if (mayRepeat(request, tool)) return undefined;
  const calls: { id: string; path: string; stored: StoredReceipt; outcomes: RecordOutcomes }[] = [];
  for (const { receipt: id, path, openSince: time } of before) {
    const stored = await deps.receipts?.read(id);
    if (stored === undefined && time !== undefined) return madeBefore(path, { id, time });
    if (stored === undefined) continue;
    if (stored.head.request === identity.call || stored.head.args === identity.args)
      calls.push({ id, path, stored, outcomes: outcomesOf(stored) });
  }
  calls.sort((a, b) => (a.stored.head.time < b.stored.head.time ? 1 : -1));
  const hash = contentHash(payloads);
  for (const { id, path, stored, outcomes } of calls) {
    const { head } = stored;
    const isChanged = head.sha256 !== hash;
    if (await deps.receipts?.isOpen(id)) {
      return new AppError('PARTLY_SENT', say('receipt.stillSending', { path }), {
        hint: say('receipt.stillSending.hint', { id }),
      });
    }
    const alike = countedWith(head, calls);
    const ofAll = (outcome: BatchOutcome) => joined(alike.flatMap((each) => each.outcomes.of(outcome)));
    const arrived = ofAll('accepted');
    const accepted = recordsIn(arrived);
    const total = head.records;
    if (accepted >= total) return undefined;
    const unclear = without(ofAll('unknown'), arrived);
    // Nothing of it arrived: all of it is what is left.
    if (accepted + recordsIn(unclear) === 0) continue;
    const unknown = recordsIn(unclear);
    const left = without([[0, total - 1]], joined([...arrived, ...unclear])).slice(0, RANGES_HINTED);
    const goesOn =
      !isChanged &&
      head.request === identity.call &&
      recordsIn(head.planned) === total &&
      outcomes.count('accepted') === accepted;
    const isAmong = isChanged && String(head.paths) !== String(paths);
    // The numbers of other records say nothing of these.
    const ranges = total === payloads[0]?.records ? left : null;
    const hint = goesOn
      ? say('receipt.partlySent.hint', { id, unknown })
      : !isAmong && (isChanged || head.request === identity.call)
        ? say('receipt.partlySent.changed', { ranges, unknown })
        : say('receipt.partlySent.otherwise', { id });
    const file = isAmong ? 'among' : isChanged ? 'changed' : 'same';
    return new AppError('PARTLY_SENT', say('receipt.partlySent', { path, accepted, total, unknown, file }), { hint });
  }
  return undefined;
}

/**
 * Of the calls with the same arguments, the last one first: those that count together, as one may have sent what another one left. These are all
 * with its content; and where it sent only what others had left of an earlier content, those, up to the call that began with all records.
 */
function countedWith<T extends { stored: StoredReceipt }>(head: ReceiptHead, calls: readonly T[]): T[] {
  const since = calls.filter(({ stored: { head: other } }) => other.time <= head.time && other.records === head.records);
  const wasWhole = ({ stored: { head: other } }: T) => recordsIn(other.planned) === other.records;
  const chain = since.slice(0, since.findIndex(wasWhole) + 1 || since.length);
  return calls.filter(
    (each) => chain.includes(each) || (each.stored.head.sha256 === head.sha256 && each.stored.head.records === head.records),
  );
}

/** A warning of the last call with the same arguments, of another file, where only some of it arrived: this file may be that one, corrected. */
export async function unfinishedOther(
  deps: Pick<CallDeps, 'receipts'>,
  { path, receipt: id }: Earlier,
  isDryRun: boolean,
): Promise<Warning[]> {
  const stored = await deps.receipts?.read(id);
  if (stored === undefined) return [];
  const outcomes = outcomesOf(stored);
  const accepted = outcomes.count('accepted');
  const total = accepted + outcomes.count('unknown') + outcomes.count('refused') + outcomes.count('not_sent');
  if (accepted === 0 || accepted === total) return [];
  const ranges = isDryRun ? joined(outcomes.of('refused', 'not_sent')).slice(0, RANGES_HINTED) : null;
  return [warning('UNFINISHED_BEFORE', say('receipt.unfinishedOther', { path, accepted, total, id, ranges }))];
}

const RANGES_HINTED = 20;

/** Hashes of what a call sends, beside the files' content, however its options and its place are written. */
export interface CallIdentity {
  /** Of the arguments beside the files. */
  readonly args: string;
  /** Of these, the places of the files, and what the files became. */
  readonly call: string;
}

/** Of a converted file, this much decides whether another conversion gave the same. Bytes. */
const BEGINNING = 64 * 1024;

export async function identityOf(
  { tool_args = {}, on_conflict = 'error' }: FileCallRequest,
  payloads: readonly PreparedPayload[],
  at: BoundArguments['at'],
  signal: AbortSignal,
): Promise<CallIdentity> {
  const args = stableText({ tool_args, on_conflict });
  const placed = [];
  for (const [index, payload] of payloads.entries()) {
    const beginning = createHash('sha256');
    let seen = 0;
    for await (const chunk of payload.json(signal)) {
      beginning.update(chunk.subarray(0, BEGINNING - seen));
      seen += Math.min(chunk.length, BEGINNING - seen);
      if (seen === BEGINNING) break;
    }
    const { kind, records, bytes } = payload;
    placed.push({ at: formatDataKey(at[index] ?? []), kind, records, bytes, beginning: beginning.digest('hex') });
  }
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  return { args: hash(args), call: hash(stableText({ args, placed })) };
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
  { events, caller }: Call,
  {
    request,
    receiptId,
    payloads,
    identity,
  }: { request: FileCallRequest; receiptId: string; payloads: readonly PreparedPayload[]; identity: CallIdentity },
  plan: BatchPlan,
): ReceiptHead {
  const { each, size, max_bytes, concurrency, on_error } = typeof request.batch === 'object' ? request.batch : {};
  const records = recordCount(payloads);
  return {
    receipt: 1,
    id: receiptId,
    owner: lastingOwner(caller),
    client: caller.client,
    time: new Date().toISOString(),
    server: request.server,
    tool: request.tool_name,
    sha256: contentHash(payloads),
    request: identity.call,
    args: identity.args,
    paths: [...events.facts.paths],
    records,
    planned: [...plannedRanges(plan, records)],
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
  events: CallEvents,
  head: ReceiptHead,
  how: 'new' | 'again',
  work: (journal?: ReceiptJournal) => Promise<T>,
): Promise<{ value: T; kept: boolean }> {
  if (deps.receipts === undefined) return { value: await work(), kept: false };
  const { receipts } = deps;
  let begun = false;
  const began = (journal: ReceiptJournal) => {
    begun = true;
    events.on(async (event) => {
      if (event.type === 'listed') await receipts.listed(head.id);
    });
    return work(journal);
  };
  try {
    const value = await receipts.write(head, how, began, events.facts.id);
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
  const doubtful = joined(stored.events.flatMap(([event, ...range]) => (event === 'doubtful' ? [range] : [])));
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
    ...(doubtful.length === 0 ? {} : { accepted_with_failures: doubtful }),
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

// Writes ledger lines for batched calls that were interrupted by the end of their process.

/** A program killed before it marked the receipt may have written the line; this many lines may have followed it. */
const RECENT_LINES = 1_000;

type Reporting = Pick<CallDeps, 'failed'> & { ledger: Pick<Ledger, 'append' | 'recent'> };

/** Writes a line for each that no process is making any more and that has none yet. */
export async function recordInterrupted(deps: Reporting & Pick<CallDeps, 'receipts' | 'log'>): Promise<void> {
  try {
    await deps.receipts?.tellInterrupted((stored, entry) => record(deps, stored, entry));
  } catch (error) {
    deps.log(`an interrupted call could not be written to the ledger: ${toAppError(error).text}`);
  }
}

async function record({ ledger, failed }: Reporting, stored: StoredReceipt, ownId: string | undefined): Promise<void> {
  const { head, events } = stored;
  const outcomes = outcomesOf(stored);
  const batches = events.filter(([event]) => event === 'sent').length;
  const id = entryIdOf(stored);
  const listed = new Set((await ledger.recent(RECENT_LINES)).map((entry) => entry.id));
  // Killed right after it had written its own line.
  if (ownId !== undefined && listed.has(ownId)) return;
  failed?.(id, interruptedText(stored));
  if (listed.has(id)) return;
  await ledger.append({
    ...firstEntry({ id, time: head.time, kind: 'file_call', client: head.client }, head, head.paths),
    durationMs: 0,
    records: head.records,
    calls: batches,
    outcome: outcomes.count('unknown') > 0 ? 'unknown' : 'failed',
    errorCode: 'INTERRUPTED',
    receipt: {
      sha256: head.sha256,
      recordsAccepted: outcomes.count('accepted'),
      recordsFailed: outcomes.count('refused'),
      recordsUnknown: outcomes.count('unknown'),
      recordsNotSent: outcomes.count('not_sent'),
      batches,
    },
  });
}

/** The same for every attempt to report one interruption: each resume that sent something adds events. */
const entryIdOf = ({ head, events }: StoredReceipt): string =>
  createHash('sha256').update(`${head.id} ${head.time} ${events.length}`).digest('hex').slice(0, 32);
