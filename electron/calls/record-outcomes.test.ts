import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../shared/lib/fixtures/property-runs.ts';
import type { ReceiptEvent } from '../store/receipts.ts';
import { RecordOutcomes } from './receipts.ts';

const outcomes = ['accepted', 'refused', 'not_sent', 'unknown'] as const;

it('tells of each record what the events say of it one by one', () => {
  const events = fc.array(
    fc
      .tuple(fc.constantFrom('sent' as const, ...outcomes), fc.nat(30), fc.nat(8))
      .map(([event, first, more]): ReceiptEvent => [event, first, Math.min(30, first + more)]),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(events, (given) => {
      const ranges = new RecordOutcomes([
        [2, 9],
        [12, 30],
      ]);
      const each = Array.from({ length: 31 }, (_, record) => ({
        now: record < 2 || record === 10 || record === 11 ? undefined : ('not_sent' as string | undefined),
        before: undefined as string | undefined,
      }));
      for (const [event, first, last] of given) {
        ranges.note([event, first, last]);
        for (const record of each.slice(first, last + 1)) {
          if (record.now === undefined || record.now === 'accepted') continue;
          const before = event === 'sent' ? record.now : undefined;
          if (event === 'sent') record.now = 'unknown';
          else if (event === 'not_sent') record.now = record.before ?? record.now;
          else record.now = event;
          record.before = before;
        }
      }
      for (const outcome of outcomes) {
        const listed = ranges.of(outcome).flatMap(([first, last]) => each.map((_, at) => at).slice(first, last + 1));
        expect(listed).toEqual(each.flatMap(({ now }, at) => (now === outcome ? [at] : [])));
      }
    }),
    { numRuns: runs(100) },
  );
});

it('what is unknown stays so where sending it again did not begin', () => {
  const ranges = new RecordOutcomes([[0, 9]]);
  const events: ReceiptEvent[] = [
    ['sent', 0, 4],
    ['sent', 0, 4],
    ['not_sent', 0, 4],
  ];
  for (const event of events) ranges.note(event);
  expect(ranges.ranges()).toEqual({ accepted: [], refused: [], not_sent: [[5, 9]], unknown: [[0, 4]] });
});

it('keeps batches apart that may be sent again, and joins those that were accepted', () => {
  const ranges = new RecordOutcomes([[0, 7]]);
  for (const first of [0, 2, 4, 6]) {
    ranges.note(['sent', first, first + 1]);
    if (first < 4) ranges.note(['accepted', first, first + 1]);
  }
  expect(ranges.of('accepted')).toEqual([[0, 3]]);
  expect(ranges.of('unknown')).toEqual([
    [4, 5],
    [6, 7],
  ]);
});
