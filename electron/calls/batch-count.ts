/** How many calls a batch makes, before it makes them. */
import type { RecordRange } from '../../shared/model/call.ts';
import type { Payload } from '../engine/core/payload.ts';

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
