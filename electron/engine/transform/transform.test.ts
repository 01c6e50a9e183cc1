import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../shared/lib/fixtures/limits.ts';
import { runs } from '../../../shared/lib/fixtures/property-runs.ts';
import type { Comparison, Transform } from '../../../shared/model/conversion.ts';
import { AppError } from '../../../shared/model/errors.ts';
import type { EngineBounds } from '../core/convert-types.ts';
import type { ElementChunk } from '../core/payload.ts';
import { transformElements } from './transform.ts';

const bounds: EngineBounds = {
  maxFileBytes: 1024,
  maxStreamedFileBytes: 1024,
  maxNesting: 512,
  maxColumns: 200_000,
  expressionTimeoutMs: limits.wait,
  expressionMemoryBytes: 1024,
};

interface Streamed extends AsyncIterable<ElementChunk> {
  /** Chunks that were asked for. */
  taken: number;
  closed: boolean;
}

/** Elements by their text, so many to a chunk; element `i` stands on line `i + 1`. */
function streamOf(elements: readonly string[], perChunk = 2, withLines = true): Streamed {
  const stream: Streamed = {
    taken: 0,
    closed: false,
    async *[Symbol.asyncIterator]() {
      try {
        for (let from = 0; from < elements.length; from += perChunk) {
          stream.taken += 1;
          const some = elements.slice(from, from + perChunk);
          let length = -1;
          const ends = Uint32Array.from(some, (each) => (length += Buffer.byteLength(each) + 1));
          const lines = Uint32Array.from(some, (_, index) => from + index + 1);
          yield { data: Buffer.from(some.join(',')), ends, ...(withLines ? { lines } : {}) };
        }
      } finally {
        stream.closed = true;
      }
    },
  };
  return stream;
}

/** The elements that come out, one text each, checked against their offsets, and their lines. */
async function collect(stream: AsyncIterable<ElementChunk>): Promise<{ texts: string[]; lines: number[] }> {
  const texts: string[] = [];
  const lines: number[] = [];
  for await (const { data, ends, lines: numbers } of stream) {
    expect(ends.length).toBeGreaterThan(0);
    expect(ends.at(-1)).toBe(data.length);
    let start = 0;
    for (const end of ends) {
      texts.push(Buffer.from(data.subarray(start, end)).toString('utf8'));
      if (end < data.length) expect(data[end]).toBe(0x2c);
      start = end + 1;
    }
    lines.push(...(numbers ?? []));
  }
  return { texts, lines };
}

const run = async (elements: readonly string[], transform: Transform) =>
  (await collect(transformElements(streamOf(elements), transform, bounds))).texts;

async function refusal(elements: readonly string[], transform: Transform): Promise<AppError> {
  const error = await run(elements, transform).then(
    (texts) => expect.fail(`gave ${texts.join()}`),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(AppError);
  expect((error as AppError).code).toBe('TRANSFORM_FAILED');
  return error as AppError;
}

/** The cells that pass, of a table with one column `c`; `-` stands for a record without it. */
async function passing(cells: readonly string[], comparison: Omit<Comparison, 'column'>): Promise<string[]> {
  const elements = cells.map((cell, at) => (cell === '-' ? `{"at":${at}}` : `{"at":${at},"c":${cell}}`));
  const texts = await run(elements, { where: [{ column: 'c', ...comparison }] });
  return texts.map((text) => cells[(JSON.parse(text) as { at: number }).at] as string);
}

describe('where', () => {
  it('compares numbers by value, however they are written', async () => {
    const cells = ['1', '1.0', '10e-1', '0.1e1', '2', '-1', '10', '9', 'null', '-'];
    expect(await passing(cells, { op: '=', value: 1 })).toEqual(['1', '1.0', '10e-1', '0.1e1']);
    expect(await passing(cells, { op: '>', value: 2 })).toEqual(['10', '9']);
    expect(await passing(cells, { op: '<=', value: 1 })).toEqual(['1', '1.0', '10e-1', '0.1e1', '-1']);
    expect(await passing(['0', '-0', '0.0', '0e5', '1e-400'], { op: '=', value: 0 })).toEqual(['0', '-0', '0.0', '0e5']);
    expect(await passing(['0.1', '0.10', '0.3', '0.30000000000000004'], { op: '=', value: 0.1 + 0.2 })).toEqual([
      '0.30000000000000004',
    ]);
  });

  it('tells big integers apart to the last digit; those that JSON rounds are given as strings', async () => {
    const cells = ['9007199254740992', '9007199254740993', '12345678901234567890', '12345678901234567891', '-9007199254740993'];
    expect(await passing(cells, { op: '=', value: 9007199254740992 })).toEqual(['9007199254740992']);
    expect(await passing(cells, { op: '=', value: '9007199254740993' })).toEqual(['9007199254740993']);
    expect(await passing(cells, { op: '>', value: '12345678901234567890' })).toEqual(['12345678901234567891']);
    expect(await passing(cells, { op: 'in', value: ['12345678901234567891', 1] })).toEqual(['12345678901234567891']);
  });

  it('compares strings by code point, escaped or not', async () => {
    const cells = ['"a"', '"\\u0061"', '"B"', '"ä"', '"\u{ff5e}"', '"\u{1f600}"', '"\\ud83d\\ude00"', '""'];
    expect(await passing(cells, { op: '=', value: 'a' })).toEqual(['"a"', '"\\u0061"']);
    expect(await passing(cells, { op: '<', value: 'a' })).toEqual(['"B"', '""']);
    expect(await passing(cells, { op: '>', value: '\u{ff5e}' })).toEqual(['"\u{1f600}"', '"\\ud83d\\ude00"']);
  });

  it('has null, and what is absent, equal null alone and satisfy no order', async () => {
    const cells = ['1', 'null', '-'];
    expect(await passing(cells, { op: '=', value: null })).toEqual(['null', '-']);
    expect(await passing(cells, { op: 'is_null' })).toEqual(['null', '-']);
    expect(await passing(cells, { op: 'not_null' })).toEqual(['1']);
    expect(await passing(cells, { op: '!=', value: 1 })).toEqual(['null', '-']);
    expect(await passing(cells, { op: '!=', value: null })).toEqual(['1']);
    expect(await passing(cells, { op: '<', value: 5 })).toEqual(['1']);
    expect(await passing(cells, { op: '>=', value: -5 })).toEqual(['1']);
    expect(await passing(cells, { op: 'in', value: [null, 3] })).toEqual(['null', '-']);
  });

  it('never has values of different types equal or in order', async () => {
    const cells = ['1', '"1"', 'true', '[1]', '{"a":1}', 'null'];
    expect(await passing(cells, { op: '=', value: 1 })).toEqual(['1']);
    expect(await passing(cells, { op: '=', value: '1' })).toEqual(['"1"']);
    expect(await passing(cells, { op: '=', value: true })).toEqual(['true']);
    expect(await passing(cells, { op: '>=', value: 1 })).toEqual(['1']);
    expect(await passing(cells, { op: '!=', value: 1 })).toEqual(['"1"', 'true', '[1]', '{"a":1}', 'null']);
  });

  it('looks into strings and lists', async () => {
    const cells = ['"abc"', '"xabc"', '["abc", "d"]', '["ab"]', 'true', 'null'];
    expect(await passing(cells, { op: 'contains', value: 'abc' })).toEqual(['"abc"', '"xabc"', '["abc", "d"]']);
    expect(await passing(cells, { op: 'starts_with', value: 'ab' })).toEqual(['"abc"']);
    expect(await passing(['[1, 2.0]', '[3]', '[]'], { op: 'contains', value: 2 })).toEqual(['[1, 2.0]']);
    expect(await passing(['"b"', '"c"', '3'], { op: 'in', value: ['b', 3] })).toEqual(['"b"', '3']);
    expect(await passing(['"b"'], { op: 'in', value: [] })).toEqual([]);
  });

  it('looks into the text of a number, for a number or a text', async () => {
    const cells = ['12', '112', '"a12"', '1.20', 'null', '-'];
    for (const value of [12, '12']) {
      expect(await passing(cells, { op: 'contains', value })).toEqual(['12', '112', '"a12"']);
      expect(await passing(cells, { op: 'starts_with', value })).toEqual(['12']);
    }
    expect(await passing(cells, { op: 'starts_with', value: '1.20' })).toEqual(['1.20']);
  });

  it('has the empty text equal null and what is absent, as empty cells are', async () => {
    const cells = ['"a"', '""', 'null', '-', '1'];
    expect(await passing(cells, { op: '=', value: '' })).toEqual(['""', 'null', '-']);
    expect(await passing(cells, { op: 'in', value: ['', 1] })).toEqual(['""', 'null', '-', '1']);
    expect(await passing(cells, { op: '!=', value: '' })).toEqual(['"a"', '1']);
    expect(await passing(['1', '2'], { op: '=', value: '' })).toEqual([]);
    await refusal(['{"n":1}'], { where: [{ column: 'n', op: '<', value: '' }] });
  });

  it('says so where a value can fit nothing in the column', async () => {
    const zip = await refusal(['{"zip":"00501"}', '{"zip":null}'], { where: [{ column: 'zip', op: '=', value: 501 }] });
    expect(zip.text).toMatch(/'zip'.*string.*501.*quotes/);
    const flag = await refusal(['{"b":true}'], { where: [{ column: 'b', op: 'contains', value: true }] });
    expect(flag.hint).toBe("'contains' searches texts and numbers: use another test");
    const nothing = await refusal(['{"n":1}'], { where: [{ column: 'n', op: 'contains', value: null }] });
    expect(nothing.hint).toBe('Give a text or a number as the value');
    await refusal(['{"n":1}'], { where: [{ column: 'n', op: '>', value: '1' }] });
  });

  it.each<[string, Comparison]>([
    ['no value', { column: 'c', op: '=' }],
    ['one value for in', { column: 'c', op: 'in', value: 1 }],
    ['a list for =', { column: 'c', op: '=', value: [1] }],
    ['true for starts_with', { column: 'c', op: 'starts_with', value: true }],
    ['null for <', { column: 'c', op: '<', value: null }],
  ])('refuses %s', async (_name, comparison) => {
    expect((await refusal(['{"c":1}'], { where: [comparison] })).message).toContain("'c'");
  });
});

describe('select and rename', () => {
  it('keep order, text and digits', async () => {
    const record = '{ "a" : 12345678901234567890 , "b":{"x": [1, "}"]},"c":"\\u00e9" }';
    expect(await run([record], { select: ['c', 'a'] })).toEqual(['{"c":"\\u00e9","a":12345678901234567890}']);
    expect(await run([record], { rename: { b: 'd"e' } })).toEqual([
      '{"a":12345678901234567890,"d\\"e":{"x": [1, "}"]},"c":"\\u00e9"}',
    ]);
    expect(await run([record], { offset: 0 })).toEqual([record]);
  });

  it('exchange names, and know names by what they stand for', async () => {
    expect(await run(['{"a":1,"b":2}'], { rename: { a: 'b', b: 'a' } })).toEqual(['{"b":1,"a":2}']);
    expect(await run(['{"\\u0061":1}', '{"a":2}'], { select: ['a'] })).toEqual(['{"\\u0061":1}', '{"a":2}']);
    expect(await run(['{"\ufeffa":1}'], { select: ['\ufeffa'] })).toEqual(['{"\ufeffa":1}']);
    expect(await run(['{"__proto__":1,"b":2}'], { select: ['__proto__'] })).toEqual(['{"__proto__":1}']);
  });

  it('leave absent columns out, or null in lists', async () => {
    expect(await run(['{"a":1}', '{"b":2}'], { select: ['b', 'a'] })).toEqual(['{"a":1}', '{"b":2}']);
    expect(await run(['[1,2,3]', '[4]'], { select: ['2', '0'] })).toEqual(['[3,1]', '[null,4]']);
    expect(await run(['[1,2]', '[3,4]'], { where: [{ column: '1', op: '>', value: 2 }] })).toEqual(['[3,4]']);
  });

  it('take the last of equal names', async () => {
    expect(await run(['{"a":1,"b":2,"a":3}'], { select: ['a'] })).toEqual(['{"a":3}']);
    expect(await run(['{"a":1,"b":2,"a":3}'], { rename: { b: 'c' } })).toEqual(['{"a":3,"c":2}']);
  });

  it('refuse unknown columns once everything was read, and list those there are', async () => {
    expect(await run(['{"a":1}', '{"rare":2}'], { select: ['rare'] })).toEqual(['{}', '{"rare":2}']);
    for (const transform of [
      { select: ['nmae'] },
      { rename: { nmae: 'x' } },
      { where: [{ column: 'nmae', op: 'is_null' as const }] },
    ]) {
      expect((await refusal(['{"name":1,"age":2}'], transform)).text).toMatch(/'nmae'.*'name', 'age'/);
    }
    expect(await run([], { select: ['anything'] })).toEqual([]);
  });

  it('refuse names that collide', async () => {
    const error = await refusal(['{"a":1}', '{"a":1,"b":2}'], { rename: { a: 'b' } });
    expect(error.message).toMatch(/record 2 at line 2.*'b'/);
    await refusal(['{"a":1,"b":2}'], { rename: { a: 'x', b: 'x' } });
    await refusal(['{"a":1}'], { select: ['a', 'a'] });
    expect((await refusal(['{"a":1,"b":2}'], { select: ['a'], rename: { b: 'c' } })).message).toContain('select leaves out');
    await refusal(['[1]'], { rename: { 0: 'x' } });
  });

  it('refuse records without columns, saying where', async () => {
    expect((await refusal(['{"a":1}', '7'], { select: ['a'] })).message).toMatch(/Record 2 at line 2/);
    expect(await run(['7', '"x"', 'null'], { offset: 1, limit: 1 })).toEqual(['"x"']);
  });
});

describe('offset and limit', () => {
  const elements = Array.from({ length: 10 }, (_, n) => `{"n":${n}}`);

  it('count the records that passed', async () => {
    const where: Comparison[] = [{ column: 'n', op: '>=', value: 4 }];
    expect(await run(elements, { where, offset: 1, limit: 2 })).toEqual(['{"n":5}', '{"n":6}']);
  });

  it('stop the reading, and let the source go', async () => {
    const stream = streamOf(elements);
    await collect(transformElements(stream, { limit: 3 }, bounds));
    expect(stream).toMatchObject({ taken: 2, closed: true });
    const untouched = streamOf(elements);
    await collect(transformElements(untouched, { limit: 0 }, bounds));
    expect(untouched.taken).toBe(0);
  });

  it('let the source go where the reader stops', async () => {
    const stream = streamOf(Array.from({ length: 100 }, () => JSON.stringify('x'.repeat(20_000))));
    for await (const _ of transformElements(stream, { offset: 1 }, bounds)) break;
    expect(stream.closed).toBe(true);
    expect(stream.taken).toBeLessThan(20);
  });

  it('keep lines with their elements, where there are lines', async () => {
    const where: Comparison[] = [{ column: 'n', op: 'in', value: [2, 7] }];
    expect((await collect(transformElements(streamOf(elements), { where }, bounds))).lines).toEqual([3, 8]);
    expect((await collect(transformElements(streamOf(elements, 2, false), { where }, bounds))).lines).toEqual([]);
  });

  it('pass on chunks of a useful size', async () => {
    const many = Array.from({ length: 30_000 }, (_, n) => `{"n":${n},"text":"some text to fill it"}`);
    const sizes: number[] = [];
    for await (const { data } of transformElements(streamOf(many, 10), { select: ['n', 'text'] }, bounds))
      sizes.push(data.length);
    expect(sizes.length).toBeGreaterThan(2);
    for (const size of sizes.slice(0, -1)) expect(size).toBeGreaterThanOrEqual(256 * 1024);
  });

  it('end where the caller cancels', async () => {
    const stream = transformElements(streamOf(elements), { offset: 1 }, bounds, { signal: AbortSignal.abort() });
    await expect(collect(stream)).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});

/** The same steps on parsed values. Columns and values are of one type each, so that nothing is refused. */
function reference(records: readonly Record<string, unknown>[], { where = [], select, rename, offset = 0, limit }: Transform) {
  const compare = (cell: unknown, op: string, value: unknown): boolean => {
    const order =
      typeof cell === typeof value && cell !== null
        ? (cell as number) < (value as number)
          ? -1
          : cell === value
            ? 0
            : 1
        : undefined;
    const equal = (cell ?? (value === '' ? '' : null)) === value;
    if (op === '=') return equal;
    if (op === '!=') return !equal;
    if (op === 'is_null') return (cell ?? null) === null;
    if (op === 'not_null') return (cell ?? null) !== null;
    if (order === undefined) return false;
    return op === '<' ? order < 0 : op === '<=' ? order <= 0 : op === '>' ? order > 0 : order >= 0;
  };
  return records
    .filter((record) => where.every(({ column, op, value }) => compare(record[column], op, value)))
    .map((record) =>
      select ? select.filter((name) => name in record).map((name) => [name, record[name]]) : Object.entries(record),
    )
    .map((entries) => Object.fromEntries(entries.map(([name, value]) => [rename?.[name as string] ?? name, value])))
    .slice(offset, limit === undefined ? undefined : offset + limit);
}

describe('against a plain implementation', () => {
  const record = fc.record(
    {
      n: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constant(null)),
      s: fc.constantFrom('', 'a', 'b', 'ä', '"', '\\', ',}'),
      o: fc.json().map((text) => JSON.parse(text) as unknown),
    },
    { requiredKeys: [] },
  );
  const comparison = fc.oneof(
    fc.record({
      column: fc.constant('n'),
      op: fc.constantFrom('=', '!=', '<', '<=', '>', '>='),
      value: fc.integer({ min: -3, max: 3 }),
    }),
    fc.record({ column: fc.constant('s'), op: fc.constantFrom('=', '!=', '<', '>='), value: fc.constantFrom('', 'a', 'b', '"') }),
    fc.record({ column: fc.constantFrom('n', 's', 'o'), op: fc.constantFrom('is_null', 'not_null') }),
  ) as fc.Arbitrary<Comparison>;
  const transform = fc.record(
    {
      where: fc.array(comparison, { maxLength: 2 }),
      select: fc.shuffledSubarray(['n', 's', 'o']),
      offset: fc.nat({ max: 5 }),
      limit: fc.nat({ max: 10 }),
    },
    { requiredKeys: [] },
  );
  // Every column is there in the first record with a value, so that none is unknown or of another type.
  const first = { n: 1, s: 'a', o: 1 };

  it('gives the same, at any chunk size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(record),
        transform,
        fc.boolean(),
        fc.integer({ min: 1, max: 4 }),
        async (more, steps, renames, size) => {
          const records = [first, ...more];
          const asked: Transform =
            renames && (steps.select?.includes('n') ?? true) ? { ...steps, rename: { n: 'renamed' } } : steps;
          const stream = streamOf(
            records.map((each) => JSON.stringify(each, null, size - 1)),
            size,
          );
          const { texts } = await collect(transformElements(stream, asked, bounds));
          expect(texts.map((text) => JSON.parse(text))).toEqual(JSON.parse(JSON.stringify(reference(records, asked))));
        },
      ),
      { numRuns: runs(500) },
    );
  });
});
