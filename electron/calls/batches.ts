/** Sends a list in several calls, cut at record boundaries, and adds up what became of them. */

import { setMaxListeners } from 'node:events';
import { oneAtATime } from '../../shared/lib/one-at-a-time.ts';
import type { BatchResult, Receipt, RecordRange } from '../../shared/model/call.ts';
import type { TokenCount } from '../../shared/model/conversion.ts';
import { type AppError, toAppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { heldPayload } from '../binding/payload-parts.ts';
import { type JsonStream, jsonStreamOf, type Payload } from '../engine/core/payload.ts';
import type { ReceiptJournal } from '../store/receipts.ts';
import type { ToolResult } from '../upstream/types.ts';
import { messageTooLarge } from '../wire/outgoing-payload.ts';
import { answerText, mentionsFailures, saysItFailed } from './answer.ts';
import { type Batches, type BatchPlan, type MessageRoom, plannedRanges, recordsIn } from './batch-plan.ts';
import { headersOf } from './bind.ts';
import { cancelledByPerson, isCancelledByPerson, refuseWhilePaused } from './call.ts';
import { addTokens, type CallListener, NO_TOKENS, type Unfinished } from './events.ts';
import { keptReceipt, newReceipt, outcomesOf, RecordOutcomes, refuseIfMovedOn, unaccepted } from './receipts.ts';
import {
  hooksOf,
  outcomeAfterSending,
  type Sending,
  type SendingWatch,
  type Sent,
  sameServerOnly,
  sendingWatch,
} from './send.ts';

/** Writes down what is sent before it is sent, and what became of it. */
const journalListener =
  (journal: ReceiptJournal): CallListener =>
  async (event) => {
    if (event.type === 'sending') await journal.sent(...event.range);
    if (event.type !== 'settled') return;
    await journal.outcome(event.outcome, ...event.range);
    if (event.isDoubtful) await journal.outcome('doubtful', ...event.range);
  };

/**
 * Sends batches of one list. A tool's refusal of a batch is part of the receipt; an error of the way is the reason why the rest was not sent.
 * Throws it where nothing reached the server.
 */
export async function sendBatches(sending: Sending, { payload, room, plan }: Batches): Promise<Sent> {
  const { deps, call, checked } = sending;
  const { resumed, bound } = checked;
  const { events, caller } = call;
  const { signal } = caller;
  // Each call under way listens for its end.
  setMaxListeners(plan.concurrency + 10, signal);
  const runWith = async (journal?: ReceiptJournal) => {
    if (resumed) await refuseIfMovedOn(deps, resumed);
    const silence = journal && events.on(journalListener(journal));
    const before = (resumed && outcomesOf(resumed).count('accepted')) ?? 0;
    const send = batchSender(sending);
    const settle = (row: SettledBatch, results: readonly BatchResult[]) => {
      const count = (rows: readonly BatchResult[]) => rows.reduce((sum, each) => sum + each.records, 0);
      const progress = {
        records: plan.start + count(results),
        accepted: before + count(results.filter(({ ok }) => ok)),
        total: payload.records,
        batches: results.length,
      };
      return events.tell({ type: 'settled', range: rangeOf(row), outcome: row.outcome, isDoubtful: row.isDoubtful, progress });
    };
    const countTokens = (text: string) => deps.converter.countTokens(text);
    return runBatches(cutBatches(payload, plan, room, signal), plan, send, settle, countTokens, signal).finally(silence);
  };
  const head = resumed?.head ?? newReceipt(call, checked, plan);
  const { value: run, kept } = await keptReceipt(deps, events, head, resumed ? 'again' : 'new', runWith);
  const { failure, cancelled } = run;
  // Once the server refused a batch, the agent needs the ranges and the receipt's id.
  if (failure && run.results.every(({ outcome }) => outcome === 'not_sent')) throw failure;
  const receipt = {
    ...(kept ? { id: head.id } : {}),
    ...batchReceipt(run, plan, head.sha256, payload.records, resumed && outcomesOf(resumed)),
    ...(bound.keyAt === undefined ? {} : { idempotencyArgument: bound.keyAt }),
    ...(checked.sentBefore.length === 0 ? {} : { sentBefore: [...checked.sentBefore] }),
  };
  const left = kept ? unfinished(head.id, receipt) : undefined;
  if (left) await events.tell({ type: 'stopped', left });
  const byPerson = cancelled && isCancelledByPerson(signal) ? cancelledByPerson() : undefined;
  return {
    receipt,
    batched: {
      plan,
      calls: events.facts.calls,
      cancelled,
      reason: byPerson ?? failure ?? run.results.find(({ ok }) => !ok)?.message,
      answerTokens: run.answerTokens,
      doubtful: run.doubtful,
      counts: resumed ? batchReceipt(run, plan, head.sha256, payload.records) : receipt,
    },
  };
}

/** Sends one batch, unless the file, the server or the person's wish has changed since the call began. */
function batchSender({ deps, call, checked, opened }: Sending): (batch: Batch) => Promise<ToolResult> {
  const { request, tool, bound, bindRecord, keys } = checked;
  const refuseOtherServer = sameServerOnly(deps, request.server);
  return async (batch) => {
    const { start } = batch;
    const range = rangeOf(batch);
    await opened.assertUnchanged();
    // Pausing also stops the rest of a long run; its receipt lists the unsent records.
    refuseWhilePaused(deps);
    refuseOtherServer();
    let args: JsonStream;
    try {
      args = bindRecord
        ? await bindRecord(heldPayload(batch.text()), start)
        : bound.withPayload(0, batch.array, keys?.of(...range));
    } catch (error) {
      return refusedHere(error);
    }
    const headers = bindRecord ? await headersOf(tool, args) : checked.headers;
    await call.events.tell({ type: 'sending', range });
    await call.events.tell({ type: 'sent', bytes: args.bytes });
    return deps.upstreams.callTool(request.server, request.tool_name, batch.watch(args), hooksOf(call.caller, headers, false));
  };
}

/** A record that fits nowhere is refused before the server sees it, as it would be by the server. Throws any other error. */
function refusedHere(error: unknown): ToolResult {
  const known = toAppError(error);
  if (!['BINDING_AMBIGUOUS', 'BINDING_CONFLICT', 'DATA_KEY_INVALID'].includes(known.code)) throw error;
  return { content: [{ type: 'text', text: known.text }], isError: true };
}

/** What a resumed call would send; undefined if nothing is left. */
function unfinished(receipt: string, { recordsRead, recordsAccepted, ranges }: Receipt): Unfinished | undefined {
  const left = recordsIn(ranges?.refused ?? []) + recordsIn(ranges?.not_sent ?? []);
  if (left === 0) return undefined;
  return { receipt, total: recordsRead, accepted: recordsAccepted, left, unknown: recordsIn(ranges?.unknown ?? []) };
}

/** The watch tells whether any of it has been read in order to be sent. */
export interface Batch extends SendingWatch {
  index: number;
  /** Index of the first record, from 0 in the whole payload. */
  start: number;
  records: number;
  array: JsonStream;
  /** The JSON texts of its records with commas between them, in memory of their own. */
  text(): Uint8Array;
  /** Called when the array is not read any more: its memory is used again. */
  release(): void;
}

const COMMA = Buffer.from(',');

/** Streams the payload cut at record boundaries. Throws MESSAGE_TOO_LARGE for a record that fits no message. */
export async function* cutBatches(
  payload: Payload,
  plan: BatchPlan,
  room: MessageRoom,
  signal?: AbortSignal,
): AsyncGenerator<Batch> {
  const memory = new Blocks();
  let text = new BatchText(memory);
  let bytes = 2;
  let records = 0;
  let start = plan.start;
  let index = 0;
  const ranges = plan.ranges ?? [[plan.start, Number.POSITIVE_INFINITY] as const];
  if (ranges.length === 0) return;
  const { mostCalls = Number.POSITIVE_INFINITY } = plan;
  let range = 0;
  /** Index of the next record in the payload. */
  let at = plan.start;
  const flush = (): Batch => {
    const whole = text;
    const batch = {
      index,
      start,
      records,
      array: whole.array(),
      text: () => whole.copy(),
      ...sendingWatch(),
      release: () => whole.release(),
    };
    index += 1;
    start += records;
    text = new BatchText(memory);
    bytes = 2;
    records = 0;
    return batch;
  };
  for await (const { data, ends, lines } of payload.elements({ signal, start: plan.start, reuse: true })) {
    let from = 0;
    // Neighbours stay together, with the comma that is between them.
    let run = 0;
    let comma = records > 0;
    const keep = (to: number) => {
      if (to <= run) return;
      if (comma) text.add(COMMA);
      comma = false;
      text.add(data.subarray(run, to));
    };
    for (let i = 0; i < ends.length; i += 1) {
      const end = ends[i] as number;
      const length = end - from;
      const last = ranges[range]?.[1] as number;
      if (at > last) {
        if (records > 0) {
          keep(from - 1);
          yield flush();
          comma = false;
        }
        if (index >= mostCalls) return;
        range += 1;
        const following = ranges[range];
        if (following === undefined) return;
        start = following[0];
        run = from;
      }
      if (at < start) {
        at += 1;
        from = end + 1;
        run = from;
        continue;
      }
      at += 1;
      if (length + 2 > room.payloadBytes) {
        const line = lines?.[i];
        throw messageTooLarge(
          say('message.recordTooLarge', { record: start + records, bytes: length, server: room.server, line }),
          say('message.smallerRecord', {}),
          room.server,
          line === undefined ? {} : { line },
        );
      }
      if (records > 0 && (records >= plan.size || bytes + 1 + length > plan.maxBytes)) {
        // Without the comma that stands before this record.
        keep(from - 1);
        yield flush();
        if (index >= mostCalls) return;
        comma = false;
        run = from;
      }
      bytes += length + (records > 0 ? 1 : 0);
      records += 1;
      from = end + 1;
    }
    keep(data.byteLength);
  }
  if (records > 0) yield flush();
}

/** `isDoubtful`: accepted with an answer that tells of failures. */
export type SettledBatch = BatchResult & { outcome: NonNullable<BatchResult['outcome']>; isDoubtful: boolean };

export interface BatchRun {
  results: BatchResult[];
  /** Tokens of the upstream's answers, which the receipt stands for. */
  answerTokens: TokenCount;
  cancelled: boolean;
  /** The error that stopped the run, other than a tool's own `isError`. */
  failure: AppError | undefined;
  /** Batches that were accepted with an answer that tells of failures, and what the first such answer says. */
  doubtful: { batches: number; words: string };
}

const MESSAGE_CHARS = 200;
const shortened = (text: string) => (text.length > MESSAGE_CHARS ? `${text.slice(0, MESSAGE_CHARS - 1)}…` : text);

/**
 * Sends batches, at most `plan.concurrency` at once. A failed batch stops the run unless `onError` is `continue`;
 * what is in flight then is waited for, so that the receipt tells the truth.
 */
export async function runBatches(
  batches: AsyncGenerator<Batch>,
  plan: BatchPlan,
  send: (batch: Batch) => Promise<ToolResult>,
  settle: (row: SettledBatch, results: readonly BatchResult[]) => Promise<void>,
  countTokens: (text: string) => Promise<TokenCount>,
  signal: AbortSignal,
): Promise<BatchRun> {
  const run: BatchRun = {
    results: [],
    answerTokens: NO_TOKENS,
    cancelled: false,
    failure: undefined,
    doubtful: { batches: 0, words: '' },
  };
  let stopped = false;
  const counts: Promise<TokenCount>[] = [];
  // One batch is cut while those before it are on their way, so that no server waits for us.
  const cut = () => {
    const batch = batches.next();
    batch.catch(() => undefined);
    return batch;
  };
  let ahead = cut();
  // Batches are handed out in order.
  const inTurn = oneAtATime();
  const next = (): Promise<Batch | undefined> =>
    inTurn(async () => {
      if (stopped || signal.aborted) return undefined;
      const { value, done } = await ahead;
      if (done || stopped || signal.aborted) return undefined;
      ahead = cut();
      return value;
    });
  const work = async (): Promise<void> => {
    for (;;) {
      const batch = await next();
      if (batch === undefined) return;
      let settled: SettledBatch;
      const row = { index: batch.index, start: batch.start, records: batch.records, bytes: batch.array.bytes };
      try {
        const result = await send(batch);
        batch.release();
        const text = answerText(result);
        const tokens = countTokens(text);
        tokens.catch(() => undefined);
        counts.push(tokens);
        const message = shortened(text);
        const ok = result.isError !== true && !saysItFailed(result);
        const isDoubtful = ok && mentionsFailures(result, batch.records);
        if (isDoubtful) {
          run.doubtful.batches += 1;
          run.doubtful.words ||= message;
        }
        settled = { ...row, ok, outcome: ok ? 'accepted' : 'refused', isDoubtful, ...(message ? { message } : {}) };
        if (!ok && plan.onError === 'stop') stopped = true;
      } catch (error) {
        const known = toAppError(error);
        const outcome = batch.sent() ? outcomeAfterSending(known) : 'not_sent';
        settled = { ...row, ok: false, outcome, isDoubtful: false, message: shortened(known.text) };
        // A failure of the way, not of the data: going on would fail the same way again.
        if (known.code !== 'UPSTREAM_FAILED' || plan.onError === 'stop') {
          stopped = true;
          run.failure ??= known;
        }
      }
      run.results.push(settled);
      try {
        await settle(settled, run.results);
      } catch (error) {
        // Without a place to write how far it came, the rest stays unsent.
        stopped = true;
        run.failure ??= toAppError(error);
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: plan.concurrency }, work));
  } catch (error) {
    run.failure ??= toAppError(error);
  } finally {
    await batches.return(undefined);
  }
  run.answerTokens = addTokens(...(await Promise.all(counts)));
  run.cancelled = signal.aborted;
  run.results.sort((a, b) => a.index - b.index);
  return run;
}

/** The receipt of a run over a payload of `total` records. `outcomes`: of the earlier runs that this one goes on with. */
export function batchReceipt(
  run: BatchRun,
  plan: BatchPlan,
  sha256: string,
  total: number,
  outcomes = new RecordOutcomes(plannedRanges(plan, total)),
): Receipt {
  for (const { outcome, ...row } of run.results) {
    const [first, last] = rangeOf(row);
    outcomes.note(['sent', first, last]);
    outcomes.note([outcome, first, last]);
  }
  const ranges = outcomes.ranges();
  const left = unaccepted(ranges);
  const [tail] = left;
  const wholeTail = left.length === 1 && tail?.[1] === total - 1 && ranges.unknown.length === 0;
  return {
    sha256,
    recordsRead: total,
    recordsAccepted: outcomes.count('accepted'),
    recordsFailed: outcomes.count('refused'),
    recordsUnknown: outcomes.count('unknown'),
    batches: foldRows(run.results),
    ranges,
    resumeFrom: wholeTail ? tail[0] : null,
  };
}

const rangeOf = ({ start, records }: Pick<BatchResult, 'start' | 'records'>): RecordRange => [start, start + records - 1];

const ROWS_SHOWN = 12;

/** Neighbours with the same outcome and the same words become one row; in long runs, all accepted ones: a receipt stays short at any size. */
export function foldRows(rows: readonly (BatchResult | SettledBatch)[]): BatchResult[] {
  const many = rows.length > ROWS_SHOWN;
  const folded: BatchResult[] = [];
  for (const row of rows) {
    const last = folded.at(-1);
    const isNext = last?.outcome === row.outcome && last.start + last.records === row.start;
    if (last && isNext && (last.message === row.message || (many && row.ok))) {
      const { message, ...rest } = last;
      folded[folded.length - 1] = {
        ...rest,
        records: last.records + row.records,
        bytes: last.bytes + row.bytes,
        batches: (last.batches ?? 1) + 1,
        ...(message !== undefined && message === row.message ? { message } : {}),
      };
    } else {
      folded.push({ ...row });
    }
  }
  return folded;
}

// Memory for the texts of batches. A finished batch gives its blocks back, so a long run takes no more memory than the batches that run at the same time.

const BLOCK_BYTES = 256 * 1024;
const OPEN = Buffer.from('[');
const CLOSE = Buffer.from(']');

/** Blocks that nobody uses, of all batches of one run. */
class Blocks {
  private readonly free: Uint8Array[] = [];

  take(): Uint8Array {
    return this.free.pop() ?? new Uint8Array(Buffer.allocUnsafeSlow(BLOCK_BYTES).buffer);
  }

  giveBack(blocks: readonly Uint8Array[]): void {
    this.free.push(...blocks);
  }
}

/** A text that is put together from copies. */
class BatchText {
  private readonly memory: Blocks;
  private readonly blocks: Uint8Array[] = [];
  /** Bytes in the last block. */
  private filled = BLOCK_BYTES;

  constructor(memory: Blocks) {
    this.memory = memory;
  }

  add(text: Uint8Array): void {
    for (let at = 0; at < text.length; ) {
      if (this.filled === BLOCK_BYTES) {
        this.blocks.push(this.memory.take());
        this.filled = 0;
      }
      const part = text.subarray(at, at + BLOCK_BYTES - this.filled);
      this.blocks.at(-1)?.set(part, this.filled);
      this.filled += part.length;
      at += part.length;
    }
  }

  /** The text between brackets, until it is released. */
  array(): JsonStream {
    return jsonStreamOf(OPEN, ...this.parts(), CLOSE);
  }

  /** The text in memory of its own. */
  copy(): Uint8Array {
    return Buffer.concat(this.parts());
  }

  private parts(): Uint8Array[] {
    const last = this.blocks.length - 1;
    return this.blocks.map((block, index) => (index === last ? block.subarray(0, this.filled) : block));
  }

  /** Its memory may hold another text. */
  release(): void {
    this.memory.giveBack(this.blocks.splice(0));
  }
}
