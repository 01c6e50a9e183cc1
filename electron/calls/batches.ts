/** Cuts an array payload into several calls and adds up what became of them. */

import { oneAtATime } from '../../shared/lib/one-at-a-time.ts';
import type { BatchRequest, BatchResult, Receipt, RecordRange } from '../../shared/model/call.ts';
import type { TokenCount } from '../../shared/model/conversion.ts';
import { AppError, toAppError } from '../../shared/model/errors.ts';
import { type Message, say } from '../../shared/model/messages/message.ts';
import { counted } from '../../shared/model/messages/phrases.ts';
import { type JsonStream, jsonStreamOf, type Payload } from '../engine/core/payload.ts';
import type { ToolResult } from '../upstream/types.ts';
import { messageTooLarge } from '../wire/outgoing-payload.ts';
import { answerText } from './answer.ts';
import { type BatchPlan, plannedRanges } from './batch-count.ts';
import { joined, RecordOutcomes } from './record-outcomes.ts';
import { addTokens, NO_TOKENS } from './savings.ts';
import { outcomeAfterSending, type SendingWatch, sendingWatch } from './uncertain.ts';

/** About 1 MB a call is where stock servers are fastest: their read buffers cost more than linear time. */
export const AUTO_BATCH_BYTES = 1024 * 1024;
/** Calls with a record each that one request makes; its receipt goes on with the rest. */
export const EACH_CALLS = 10_000;

/** Limits for the batches of one call: the schema's `maxItems`, and the bytes that a message leaves for the payload. */
export interface BatchBounds {
  maxItems: number | undefined;
  payloadBytes: number;
}

/** The room a message to a server leaves for the payload, in bytes. */
export interface MessageRoom {
  server: string;
  payloadBytes: number;
}

/** Settles the batch options against the payload and the upstream. Throws BATCH_INVALID. */
export function planBatches(request: BatchRequest, payload: Payload, bounds: BatchBounds): BatchPlan {
  if (payload.kind !== 'array') {
    throw new AppError('BATCH_INVALID', say('batch.noList', { kind: payload.kind }), {
      hint: say('batch.noList.hint', {}),
    });
  }
  const options = request === 'auto' ? {} : request;
  const each = options.each === true;
  if (each && (options.size !== undefined || options.max_bytes !== undefined)) {
    throw new AppError('BATCH_INVALID', say('batch.eachAndSize'), { hint: say('batch.eachAndSize.hint', {}) });
  }
  const { maxItems = Number.POSITIVE_INFINITY } = bounds;
  if (options.size !== undefined && options.size > maxItems) {
    throw new AppError('BATCH_INVALID', say('batch.size', { size: options.size, most: maxItems }), {
      hint: say('batch.size.hint', { most: maxItems }),
    });
  }
  const ranges = options.ranges;
  if (ranges) checkRanges(ranges, options.start, payload.records);
  const start = ranges?.[0]?.[0] ?? options.start ?? 0;
  if (start > payload.records) {
    throw new AppError('BATCH_INVALID', say('batch.startPastEnd', { start, records: payload.records }));
  }
  const wishedBytes = options.max_bytes ?? (options.size === undefined ? AUTO_BATCH_BYTES : bounds.payloadBytes);
  return {
    size: each ? 1 : Math.min(options.size ?? Number.POSITIVE_INFINITY, maxItems),
    ...(each ? { mostCalls: EACH_CALLS } : {}),
    maxBytes: Math.min(wishedBytes, bounds.payloadBytes),
    concurrency: options.concurrency ?? 1,
    onError: options.on_error ?? 'stop',
    start,
    ...(ranges ? { ranges } : {}),
  };
}

function checkRanges(ranges: readonly RecordRange[], start: number | undefined, records: number): void {
  const invalid = (message: Message) => new AppError('BATCH_INVALID', message, { hint: say('batch.ranges.hint') });
  if (start !== undefined) throw invalid(say('batch.rangesAndStart'));
  let next = 0;
  for (const [first, last] of ranges) {
    if (first < next || last < first) throw invalid(say('batch.rangesOrder', { first, last }));
    if (last >= records) throw invalid(say('batch.rangesPastEnd', { last, records }));
    next = last + 1;
  }
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

export interface BatchRun {
  results: BatchResult[];
  /** Tokens of the upstream's answers, which the receipt stands for. */
  answerTokens: TokenCount;
  cancelled: boolean;
  /** The error that stopped the run, other than a tool's own `isError`. */
  failure: AppError | undefined;
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
  onDone: (results: readonly BatchResult[]) => Promise<void>,
  countTokens: (text: string) => Promise<TokenCount>,
  signal: AbortSignal,
): Promise<BatchRun> {
  const run: BatchRun = { results: [], answerTokens: NO_TOKENS, cancelled: false, failure: undefined };
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
      const row = { index: batch.index, start: batch.start, records: batch.records, bytes: batch.array.bytes };
      try {
        const result = await send(batch);
        batch.release();
        const text = answerText(result);
        const tokens = countTokens(text);
        tokens.catch(() => undefined);
        counts.push(tokens);
        const message = shortened(text);
        const ok = result.isError !== true;
        run.results.push({ ...row, ok, outcome: ok ? 'accepted' : 'refused', ...(message ? { message } : {}) });
        if (result.isError && plan.onError === 'stop') stopped = true;
      } catch (error) {
        const known = toAppError(error);
        run.results.push({
          ...row,
          ok: false,
          outcome: batch.sent() ? outcomeAfterSending(known) : 'not_sent',
          message: shortened(known.text),
        });
        // A failure of the way, not of the data: going on would fail the same way again.
        if (known.code !== 'UPSTREAM_FAILED' || plan.onError === 'stop') {
          stopped = true;
          run.failure ??= known;
        }
      }
      try {
        await onDone(run.results);
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

/** Ranges that can be sent again without sending an accepted record twice. */
const unaccepted = ({ refused, not_sent }: Receipt['ranges'] & object): RecordRange[] => joined([...refused, ...not_sent]);

const ROWS_SHOWN = 12;

/** Long runs of accepted batches become one row each, so that a receipt stays short at any size. */
export function foldRows(rows: readonly BatchResult[]): BatchResult[] {
  if (rows.length <= ROWS_SHOWN) return [...rows];
  const folded: BatchResult[] = [];
  for (const row of rows) {
    const last = folded.at(-1);
    if (last?.ok && row.ok && last.start + last.records === row.start) {
      const { message: _, ...rest } = last;
      folded[folded.length - 1] = {
        ...rest,
        records: last.records + row.records,
        bytes: last.bytes + row.bytes,
        batches: (last.batches ?? 1) + 1,
      };
    } else {
      folded.push({ ...row });
    }
  }
  return folded;
}

/** The receipt in a few sentences, as the agent reads it. */
export function receiptText(
  receipt: Receipt,
  target: string,
  batches: number,
  { mostCalls }: Pick<BatchPlan, 'mostCalls'> = {},
): string {
  const { recordsAccepted, recordsRead, ranges } = receipt;
  const each = mostCalls !== undefined;
  const calls = each ? counted(batches, 'call', 'calls') : counted(batches, 'batch', 'batches');
  const said = [`${recordsAccepted} of ${recordsRead} records accepted by ${target} in ${calls}`];
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
  const ways = [
    ...(receipt.id === undefined ? [] : [`make the same call with batch: {"resume": "${receipt.id}"}`]),
    left.length > RANGES_SHOWN
      ? 'give those ranges of the receipt as batch.ranges'
      : `use batch: {${each ? '"each": true, ' : ''}"ranges": ${JSON.stringify(left)}} with the same file`,
  ];
  if (left.length > 0) said.push(`To send what was refused or not sent, ${ways.join(', or ')}`);
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
