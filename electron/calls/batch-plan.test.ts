import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../shared/lib/fixtures/property-runs.ts';
import type { ElementChunk, Payload } from '../engine/core/payload.ts';
import { type BatchPlan, countBatches } from './batch-plan.ts';
import { cutBatches } from './batches.ts';

const signal = new AbortController().signal;
const room = { server: 'db', payloadBytes: 1e9 };

function payloadOf(texts: readonly string[], perChunk: number): Payload {
  const whole = Buffer.from(`[${texts.join(',')}]`);
  return {
    kind: 'array',
    records: texts.length,
    bytes: whole.length,
    async *json() {
      yield whole;
    },
    async *elements({ start = 0 } = {}): AsyncGenerator<ElementChunk> {
      for (let at = start; at < texts.length; at += perChunk) {
        const slice = texts.slice(at, at + perChunk);
        let end = -1;
        const ends = slice.map((text) => {
          end += text.length + 1;
          return end;
        });
        yield { data: Buffer.from(slice.join(',')), ends: Uint32Array.from(ends) };
      }
    },
  };
}

const planned = (plan: Partial<BatchPlan>): BatchPlan => ({
  size: Number.POSITIVE_INFINITY,
  maxBytes: 1e9,
  concurrency: 1,
  onError: 'stop',
  start: 0,
  ...plan,
});

it('counts the calls that cutting makes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 60 }),
      fc.integer({ min: 1, max: 7 }),
      fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.integer({ min: 1, max: 20 })),
      fc.oneof(fc.constant(1e9), fc.integer({ min: 1, max: 200 })),
      fc.nat({ max: 60 }),
      async (lengths, perChunk, size, maxBytes, skip) => {
        const payload = payloadOf(
          lengths.map((length) => '1'.repeat(length)),
          perChunk,
        );
        const plan = planned({ size, maxBytes, start: Math.min(skip, lengths.length) });
        let cut = 0;
        for await (const batch of cutBatches(payload, plan, room, signal)) {
          cut += 1;
          batch.release();
        }
        expect(await countBatches(payload, plan, signal)).toEqual({ count: cut, exact: true });
      },
    ),
    { numRuns: runs(100) },
  );
});

it('estimates the calls of a list too long to be measured', async () => {
  const payload: Payload = {
    ...payloadOf([], 1),
    records: 1_000_000,
    bytes: 100 * 1024 * 1024,
    elements() {
      throw new Error('is not read');
    },
  };
  expect(await countBatches(payload, planned({ maxBytes: 1024 * 1024 }), signal)).toEqual({ count: 100, exact: false });
  expect(await countBatches(payload, planned({ maxBytes: 1024 * 1024, start: 500_000 }), signal)).toEqual({
    count: 50,
    exact: false,
  });
  expect(await countBatches(payload, planned({ size: 100, maxBytes: 1024 * 1024 }), signal)).toEqual({
    count: 10_000,
    exact: false,
  });
});
