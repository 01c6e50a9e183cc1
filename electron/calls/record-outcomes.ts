/** Outcome of each record of a batched call, stored as ranges. */
import type { BatchOutcome, Receipt, RecordRange } from '../../shared/model/call.ts';
import type { ReceiptEvent } from '../store/receipts.ts';

interface Stretch {
  first: number;
  last: number;
  outcome: BatchOutcome;
  /** Its outcome before it was sent again. */
  before?: BatchOutcome;
}

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
  note([event, first, last]: ReceiptEvent): void {
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

function after({ outcome, before }: Stretch, event: ReceiptEvent[0]): Pick<Stretch, 'outcome' | 'before'> {
  if (outcome === 'accepted') return { outcome };
  if (event === 'sent') return { outcome: 'unknown', before: outcome };
  if (event === 'not_sent') return { outcome: before ?? outcome };
  return { outcome: event };
}

const joins = (before: Stretch, { first, outcome }: Stretch): boolean =>
  before.outcome === outcome && before.last + 1 === first && (outcome === 'accepted' || outcome === 'not_sent');

/** In ascending order, with neighbours as one. */
export function joined(ranges: readonly RecordRange[]): RecordRange[] {
  const result: RecordRange[] = [];
  for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const before = result.at(-1);
    if (before && before[1] + 1 === first) result[result.length - 1] = [before[0], last];
    else result.push([first, last]);
  }
  return result;
}
