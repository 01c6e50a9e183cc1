import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../shared/lib/fixtures/property-runs.ts';
import { until } from '../../shared/lib/fixtures/waiting.ts';
import { AppError } from '../../shared/model/errors.ts';
import type { ElementChunk, Payload } from '../engine/core/payload.ts';
import { inProcess } from '../engine/index.ts';
import type { ToolResult } from '../upstream/types.ts';
import { type BatchPlan, countBatches, planBatches, rangesNow } from './batch-plan.ts';
import { type Batch, batchReceipt, cutBatches, foldRows, runBatches } from './batches.ts';
import { receiptText } from './finish.ts';

const encoder = new TextEncoder();

/** An array payload in chunks of `perChunk` elements. */
function payloadOf(values: readonly unknown[], perChunk = 3): Payload {
  const texts = values.map((value) => JSON.stringify(value));
  return {
    kind: 'array',
    records: values.length,
    bytes: encoder.encode(`[${texts.join(',')}]`).byteLength,
    async *json() {
      yield encoder.encode(`[${texts.join(',')}]`);
    },
    async *elements({ start = 0, reuse } = {}): AsyncGenerator<ElementChunk> {
      for (let at = start; at < texts.length; at += perChunk) {
        const slice = texts.slice(at, at + perChunk);
        let end = -1;
        const ends = slice.map((text) => {
          end += encoder.encode(text).byteLength + 1;
          return end;
        });
        const data = encoder.encode(slice.join(','));
        yield {
          data,
          ends: Uint32Array.from(ends),
          lines: Uint32Array.from(slice.map((_, i) => at + i + 2)),
        };
        // As memory that is used again.
        if (reuse) data.fill(0x21);
      }
    },
  };
}

async function textOf(batch: Batch): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of batch.watch(batch.array).json()) parts.push(chunk);
  return Buffer.concat(parts).toString('utf8');
}

const wide = { maxItems: undefined, payloadBytes: 1e9 };
const signal = new AbortController().signal;
const ok = (text: string): ToolResult => ({ content: [{ type: 'text', text }] });

describe('cutBatches', () => {
  it('loses, repeats and reorders nothing, whatever the sizes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 40 }),
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 40, max: 400 }),
        fc.nat(10),
        async (values, perChunk, size, maxBytes, start) => {
          const payload = payloadOf(values, perChunk);
          const first = Math.min(start, values.length);
          const plan: BatchPlan = { size, maxBytes, concurrency: 1, onError: 'stop', start: first };
          const seen: unknown[] = [];
          let at = first;
          for await (const batch of cutBatches(payload, plan, { ...wide, server: 'db' })) {
            const text = await textOf(batch);
            if (at % 2 === 0) batch.release();
            const items = JSON.parse(text) as unknown[];
            expect(Buffer.byteLength(text)).toBe(batch.array.bytes);
            expect(batch).toMatchObject({ start: at, records: items.length });
            expect(items.length).toBeLessThanOrEqual(size);
            if (items.length > 1) expect(batch.array.bytes).toBeLessThanOrEqual(maxBytes);
            at += items.length;
            seen.push(...items);
          }
          expect(JSON.stringify(seen)).toBe(JSON.stringify(values.slice(first)));
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it('refuses a record that fits no message, naming its line', async () => {
    const payload = payloadOf(['short', 'x'.repeat(500)]);
    const plan = planBatches('auto', payload, { maxItems: undefined, payloadBytes: 100 });
    const cut = async () => {
      for await (const _ of cutBatches(payload, plan, { server: 'db', payloadBytes: 100 }));
    };
    await expect(cut()).rejects.toMatchObject({
      code: 'MESSAGE_TOO_LARGE',
      hint: expect.stringMatching(
        /^Leave parts of the records out with transform .*; .* the user can raise maxMessageBytes of 'db'/,
      ),
      details: { line: 3 },
    });
  });
});

describe('planBatches', () => {
  it('never goes over the schema, the message or the wish', () => {
    const payload = payloadOf([1, 2, 3]);
    expect(planBatches('auto', payload, { maxItems: 2, payloadBytes: 1e9 })).toMatchObject({ size: 2, maxBytes: 1024 * 1024 });
    expect(planBatches({ size: 3 }, payload, { maxItems: undefined, payloadBytes: 500 })).toMatchObject({
      size: 3,
      maxBytes: 500,
    });
    expect(() => planBatches({ size: 3 }, payload, { maxItems: 2, payloadBytes: 1e9 })).toThrow(
      /at most|more than the 2 records/,
    );
    expect(() => planBatches({ start: 4 }, payload, wide)).toThrow(/past the end/);
    for (const ranges of [
      [[0, 3]],
      [[1, 0]],
      [
        [1, 2],
        [2, 2],
      ],
    ] as [number, number][][]) {
      expect(() => planBatches({ ranges }, payload, wide)).toThrow(/batch\.ranges/);
    }
    expect(() => planBatches({ ranges: [[0, 1]], start: 1 }, payload, wide)).toThrow(/exclude each other/);
    expect(() => planBatches('auto', { ...payload, kind: 'object' }, wide)).toThrow(/needs a list/);
  });
});

describe('a call per record', () => {
  it('has the record alone in each, and stops at the most calls of one request', async () => {
    const payload = payloadOf(Array.from({ length: 7 }, (_, i) => ({ i })));
    const plan = { ...planBatches({ each: true, start: 1 }, payload, wide), mostCalls: 3 };
    const texts: string[] = [];
    for await (const batch of cutBatches(payload, plan, { ...wide, server: 'db' }))
      texts.push(Buffer.from(batch.text()).toString());
    expect(texts).toEqual(['{"i":1}', '{"i":2}', '{"i":3}']);
    expect(await countBatches(payload, plan, signal)).toEqual({ count: 3, exact: true });
    expect(rangesNow(plan, 7)).toEqual([[1, 3]]);
    expect(
      rangesNow(
        {
          ...plan,
          ranges: [
            [0, 1],
            [4, 4],
            [5, 6],
          ],
        },
        7,
      ),
    ).toEqual([
      [0, 1],
      [4, 4],
    ]);
    const some = {
      ...plan,
      ranges: [
        [0, 1],
        [4, 4],
        [5, 6],
      ] as const,
    };
    const starts: number[] = [];
    for await (const batch of cutBatches(payload, { ...some, start: 0 }, { ...wide, server: 'db' })) starts.push(batch.start);
    expect(starts).toEqual([0, 1, 4]);
  });

  it('has no size', () => {
    const payload = payloadOf([1]);
    expect(() => planBatches({ each: true, size: 2 }, payload, wide)).toThrow(/batch\.size and batch\.max_bytes do not apply/);
    expect(() => planBatches({ each: true, max_bytes: 2 }, payload, wide)).toThrow(/do not apply/);
    expect(planBatches({ each: true }, payload, { ...wide, maxItems: undefined })).toMatchObject({ size: 1, mostCalls: 10_000 });
  });

  it('names the ways on', () => {
    const ranges = { accepted: [[0, 2] as const], refused: [], not_sent: [[3, 6] as const], unknown: [] };
    const receipt = { sha256: '', recordsRead: 7, recordsAccepted: 3, recordsFailed: 0, batches: [], ranges, resumeFrom: 3 };
    expect(receiptText(receipt, 'db:add', 3, { mostCalls: 3 })).toBe(
      '3 of 7 records accepted by db:add in 3 calls. Accepted: records 0-2. Not sent: records 3-6. One request makes at most 3 calls. ' +
        'To send what was refused or not sent, use batch: {"each": true, "ranges": [[3,6]]} with the same file.',
    );
  });
});

describe('runBatches', () => {
  const run = async (request: Parameters<typeof planBatches>[0], send: (batch: Batch) => Promise<ToolResult>, count = 10) => {
    const payload = payloadOf(Array.from({ length: count }, (_, i) => i));
    const plan = planBatches(request, payload, wide);
    const result = await runBatches(
      cutBatches(payload, plan, { ...wide, server: 'db' }),
      plan,
      send,
      async () => undefined,
      inProcess.countTokens,
      signal,
    );
    return { result, receipt: batchReceipt(result, plan, 'hash', payload.records) };
  };

  it('accepts everything in order', async () => {
    const { receipt } = await run({ size: 4 }, async (batch) => ok(`took ${batch.records}`));
    expect(receipt).toMatchObject({ recordsRead: 10, recordsAccepted: 10, recordsFailed: 0, resumeFrom: null });
    // Those that say the same are one row.
    expect(receipt.batches).toMatchObject([{ message: 'took 4', batches: 2, records: 8 }, { message: 'took 2' }]);
  });

  it('stops at a tool error and says what is left', async () => {
    const { receipt } = await run({ size: 4 }, async (batch) => (batch.index === 1 ? { ...ok('no'), isError: true } : ok('yes')));
    expect(receipt).toMatchObject({ recordsAccepted: 4, recordsFailed: 4, resumeFrom: 4 });
    expect(receipt.ranges).toEqual({ accepted: [[0, 3]], refused: [[4, 7]], not_sent: [[8, 9]], unknown: [] });
    expect(receiptText(receipt, 'db:insert', 2)).toBe(
      '4 of 10 records accepted by db:insert in 2 batches. Accepted: records 0-3. Refused: records 4-7. Not sent: records 8-9. ' +
        'To send what was refused or not sent, use batch: {"ranges": [[4,9]]} with the same file.',
    );
    expect(receipt.batches).toHaveLength(2);
  });

  it('goes on past a tool error when asked to', async () => {
    const { receipt } = await run({ size: 4, on_error: 'continue' }, async (batch) =>
      batch.index === 1 ? { ...ok('no'), isError: true } : ok('yes'),
    );
    expect(receipt).toMatchObject({ recordsAccepted: 6, recordsFailed: 4, resumeFrom: null });
  });

  it('stops when the connection fails, even when told to continue', async () => {
    const { result, receipt } = await run({ size: 2, on_error: 'continue' }, async (batch) => {
      if (batch.index === 2) throw new AppError('UPSTREAM_CLOSED', 'gone');
      return ok('yes');
    });
    expect(result.failure?.code).toBe('UPSTREAM_CLOSED');
    expect(receipt).toMatchObject({ recordsAccepted: 4, recordsFailed: 0, resumeFrom: 4 });
    expect(receipt.ranges?.not_sent).toEqual([[4, 9]]);
  });

  it.each(['CANCELLED', 'UPSTREAM_TIMEOUT', 'UPSTREAM_CLOSED', 'UPSTREAM_UNREACHABLE'] as const)(
    'calls a batch unknown whose bytes went out before %s, and never advises to send it again',
    async (code) => {
      const { receipt } = await run({ size: 2 }, async (batch) => {
        await textOf(batch);
        if (batch.index === 1) throw new AppError(code, 'gone');
        return ok('yes');
      });
      expect(receipt.ranges).toEqual({ accepted: [[0, 1]], refused: [], not_sent: [[4, 9]], unknown: [[2, 3]] });
      expect(receipt).toMatchObject({ recordsAccepted: 2, recordsFailed: 0, recordsUnknown: 2, resumeFrom: null });
      const text = receiptText(receipt, 'db:insert', 2);
      expect(text).toContain('Unknown (sent, outcome not heard): records 2-3. Check on the server');
      expect(text).toContain('batch: {"ranges": [[4,9]]}');
    },
  );

  it.each([
    [
      'no connection was made',
      new AppError('UPSTREAM_UNREACHABLE', 'down', { cause: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }) }),
    ],
    ['its file changed before the message was complete', new AppError('FILE_CHANGED', 'changed')],
  ])('calls a batch not sent where %s', async (_, error) => {
    const { receipt } = await run({ size: 5 }, async (batch) => {
      await textOf(batch);
      throw error;
    });
    expect(receipt.ranges).toEqual({ accepted: [], refused: [], not_sent: [[0, 9]], unknown: [] });
  });

  it('calls a batch refused that the server answered with a protocol error', async () => {
    const { receipt } = await run({ size: 5 }, async (batch) => {
      await textOf(batch);
      throw new AppError('UPSTREAM_FAILED', 'no', { details: { rpc: { code: -32602, message: 'no' } } });
    });
    expect(receipt.ranges).toEqual({ accepted: [], refused: [[0, 4]], not_sent: [[5, 9]], unknown: [] });
  });

  it('calls a batch refused whose answer says that it failed, and stops', async () => {
    const { receipt } = await run({ size: 5 }, async () => ok('{"success": false, "error": "table is locked"}'));
    expect(receipt.ranges).toEqual({ accepted: [], refused: [[0, 4]], not_sent: [[5, 9]], unknown: [] });
  });

  it('sends every record exactly once over a failed run and its resumption, at any concurrency', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(9),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 4 }),
        async (bad, size, concurrency) => {
          const received: number[] = [];
          const take = async (batch: Batch) => {
            const records = JSON.parse(await textOf(batch)) as number[];
            received.push(...records);
            return records;
          };
          const first = await run({ size, concurrency }, async (batch) => {
            if (batch.start <= bad && bad < batch.start + batch.records) return { ...ok('no'), isError: true };
            await take(batch);
            return ok('yes');
          });
          const { refused = [], not_sent = [] } = first.receipt.ranges ?? {};
          const ranges = [...refused, ...not_sent].sort((a, b) => a[0] - b[0]);
          const second = await run({ size, concurrency, ranges }, async (batch) => {
            await take(batch);
            return ok('yes');
          });
          expect(received.sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
          expect(second.receipt.recordsAccepted + first.receipt.recordsAccepted).toBe(10);
          expect(second.receipt.ranges?.not_sent).toEqual([]);
        },
      ),
      { numRuns: runs(100) },
    );
  });

  it('keeps at most `concurrency` calls in flight and uses them', async () => {
    let inFlight = 0;
    let most = 0;
    await run({ size: 1, concurrency: 3 }, async () => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      await until(() => most >= 3);
      inFlight -= 1;
      return ok('yes');
    });
    expect(most).toBe(3);
  });
});

describe('foldRows', () => {
  it('keeps a receipt short and its failures visible', () => {
    const rows = Array.from({ length: 100 }, (_, index) => ({
      index,
      start: index * 10,
      records: 10,
      bytes: 50,
      ok: index !== 40,
      outcome: index !== 40 ? ('accepted' as const) : ('refused' as const),
      message: 'm',
    }));
    const folded = foldRows(rows);
    expect(folded).toHaveLength(3);
    expect(folded[0]).toMatchObject({ start: 0, records: 400, batches: 40 });
    expect(folded[1]).toMatchObject({ ok: false, start: 400, message: 'm' });
    expect(folded.reduce((sum, row) => sum + row.records, 0)).toBe(1000);
  });
});
