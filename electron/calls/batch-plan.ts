/** How a list is cut into calls: settled against the tool, the server and the payload, and counted before anything is sent. */

import type { BatchRequest, RecordRange } from '../../shared/model/call.ts';
import type { PayloadKind } from '../../shared/model/conversion.ts';
import { AppError } from '../../shared/model/errors.ts';
import { type Message, say } from '../../shared/model/messages/message.ts';
import type { BoundArguments } from '../binding/bind.ts';
import type { Payload } from '../engine/core/payload.ts';
import { maxItems } from '../engine/schema/schema-advice.ts';
import type { UpstreamTool } from '../upstream/types.ts';
import { messageTooLarge } from '../wire/outgoing-payload.ts';
import type { PreparedPayload } from './convert.ts';
import type { CallDeps } from './types.ts';

/** How a list is cut into calls, settled against the tool and the payload. */
export interface BatchPlan {
  size: number;
  maxBytes: number;
  concurrency: number;
  onError: 'stop' | 'continue';
  start: number;
  /** More calls are left to the next request. */
  mostCalls?: number;
  /** Only these records, in ascending order; absent: all from `start` on. */
  ranges?: readonly RecordRange[];
}

/** A list, and how it is cut into calls. */
export interface Batches {
  readonly payload: PreparedPayload;
  readonly room: MessageRoom;
  readonly plan: BatchPlan;
}

/** The room a message to a server leaves for the payload, in bytes. */
export interface MessageRoom {
  readonly server: string;
  readonly payloadBytes: number;
}

/** Room for the JSON-RPC envelope around the arguments: method, ids, `_meta` of the 2026 era. */
const ENVELOPE_BYTES = 2048;

/** Where a list goes that is to be cut. `each`: every record is a call. Throws BATCH_INVALID. */
export function batchesOf(
  { upstreams }: Pick<CallDeps, 'upstreams'>,
  request: { server: string; batch: BatchRequest },
  tool: UpstreamTool,
  payloads: readonly PreparedPayload[],
  bound: BoundArguments,
  each: boolean,
): Batches {
  const [payload] = payloads;
  const [at] = bound.at;
  if (payload === undefined || at === undefined || payloads.length > 1 || (at.length === 0 && !each)) {
    throw new AppError('BATCH_INVALID', say('batch.onePlace'), {
      hint: say('batch.onePlace.hint', {}),
    });
  }
  const { server } = request;
  const payloadBytes = upstreams.maxMessageBytes(server) - ENVELOPE_BYTES - (bound.bytes - bound.placed(0).bytes);
  const most = each ? undefined : maxItems(tool.inputSchema, at);
  return { payload, room: { server, payloadBytes }, plan: planBatches(request.batch, payload, { maxItems: most, payloadBytes }) };
}

/** Whether a list has to be cut to reach the tool: one message cannot hold it, or the tool takes no list as long. */
export function needsBatches(
  tool: UpstreamTool,
  payloads: readonly PreparedPayload[],
  bound: BoundArguments,
  fits: boolean,
): boolean {
  const [payload] = payloads;
  const [at] = bound.at;
  if (payloads.length !== 1 || payload?.kind !== 'array' || at === undefined || at.length === 0) return false;
  return !fits || payload.records > (maxItems(tool.inputSchema, at) ?? Number.POSITIVE_INFINITY);
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

/** About 1 MB a call is where stock servers are fastest: their read buffers cost more than linear time. */
export const AUTO_BATCH_BYTES = 1024 * 1024;
/** Calls with a record each that one request makes; its receipt goes on with the rest. */
export const EACH_CALLS = 10_000;

/** Limits for the batches of one call: the schema's `maxItems`, and the bytes that a message leaves for the payload. */
export interface BatchBounds {
  maxItems: number | undefined;
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
  if (start > payload.records || (start > 0 && start === payload.records)) {
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

/** A list up to this is measured record by record; the calls of a longer one are estimated. Bytes. */
const MEASURED_BYTES = 64 * 1024 * 1024;

interface BatchCount {
  count: number;
  exact: boolean;
}

/** Counts as `cutBatches` cuts. */
export async function countBatches(payload: Payload, plan: BatchPlan, signal: AbortSignal): Promise<BatchCount> {
  const { mostCalls = Number.POSITIVE_INFINITY } = plan;
  const counted = await countAll(payload, plan, signal);
  return counted.count > mostCalls ? { ...counted, count: mostCalls } : counted;
}

async function countAll(payload: Payload, plan: BatchPlan, signal: AbortSignal): Promise<BatchCount> {
  const records = recordsIn(plannedRanges(plan, payload.records));
  if (plan.mostCalls !== undefined) return { count: records, exact: true };
  if (plan.ranges) return { count: estimated(payload, plan, records) + plan.ranges.length - 1, exact: false };
  if (payload.bytes <= plan.maxBytes) return { count: Math.ceil(records / Math.min(plan.size, records || 1)), exact: true };
  if (payload.bytes > MEASURED_BYTES) {
    return { count: estimated(payload, plan, records), exact: false };
  }
  let count = 0;
  let inBatch = 0;
  let bytes = 0;
  for await (const { ends } of payload.elements({ signal, start: plan.start, reuse: true })) {
    let from = 0;
    for (const end of ends) {
      const length = end - from;
      if (inBatch === 0 || inBatch >= plan.size || bytes + 1 + length > plan.maxBytes) {
        count += 1;
        inBatch = 0;
        bytes = 2;
      }
      bytes += length + (inBatch > 0 ? 1 : 0);
      inBatch += 1;
      from = end + 1;
    }
  }
  return { count, exact: true };
}

/** The records that a batched call is to send. */
export function plannedRanges({ ranges, start }: Pick<BatchPlan, 'ranges' | 'start'>, total: number): readonly RecordRange[] {
  return ranges ?? (start < total ? [[start, total - 1]] : []);
}

export const recordsIn = (ranges: readonly RecordRange[]): number =>
  ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);

/** Those of them that this request sends. */
export function rangesNow(plan: BatchPlan, total: number): readonly RecordRange[] {
  let left = plan.mostCalls ?? Number.POSITIVE_INFINITY;
  return plannedRanges(plan, total).flatMap(([first, last]): RecordRange[] => {
    const end = Math.min(last, first + left - 1);
    left -= Math.max(0, end - first + 1);
    return end < first ? [] : [[first, end]];
  });
}

function estimated(payload: Payload, plan: BatchPlan, records: number): number {
  const bytesEach = payload.bytes / Math.max(1, payload.records);
  return Math.ceil(records / Math.max(1, Math.min(plan.size, plan.maxBytes / bytesEach)));
}
