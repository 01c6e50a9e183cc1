/** The whole way from bytes to a payload: reports, bounds, transforms, streaming again and from the middle. */
import { createHash } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import type { Comparison } from '../../../shared/model/conversion.ts';
import type { Conversion } from '../core/convert-types.ts';
import {
  chunkedSource,
  convertBytes,
  failureOf,
  jsonOf,
  jsonText,
  parsedOf,
  testBounds as standardBounds,
} from '../fixtures/conversion-fixture.ts';
import { convert } from './convert.ts';

const MIB = 1024 * 1024;
/** JSON is kept up to a smaller size, so that small files go the way of big ones. */
const testBounds = { ...standardBounds, keptBytes: 256 * 1024 };

/** Elements as JSON texts, with their lines. */
async function elementsOf(conversion: Conversion, start?: number) {
  const found: { json: string; line: number | undefined }[] = [];
  for await (const { data, ends, lines } of conversion.elements({ start }))
    ends.forEach((end, i) => {
      const from = i === 0 ? 0 : (ends[i - 1] as number) + 1;
      if (i > 0 && data[from - 1] !== 0x2c) throw new Error(`no comma before element ${found.length}`);
      found.push({ json: new TextDecoder().decode(data.subarray(from, end)), line: lines?.[i] });
    });
  return found;
}

describe('the report', () => {
  it.each([
    [0, 'base64', false],
    [1, 'data_uri', false],
    [2, 'base64', true],
  ] as const)('of bytes as they are, %i more than whole groups, as %s, is made in one pass', async (more, as, bytesOnly) => {
    const bytes = Buffer.from(Array.from({ length: 256 * 1024 + 2 + more }, (_, i) => (i * i * 7919) >> 8));
    const source = chunkedSource('a.png', bytes, [100_000]);
    const read = vi.fn(source.read);
    const conversion = await convert({ ...source, read }, { bounds: testBounds, as, bytesOnly });
    expect(read).toHaveBeenCalledOnce();
    const text = JSON.stringify((as === 'data_uri' ? 'data:image/png;base64,' : '') + bytes.toString('base64'));
    expect(conversion.report).toMatchObject({ outputBytes: text.length, records: 1 });
    if (!bytesOnly) expect(conversion.report.tokens.count).toBeGreaterThan(text.length / 3);
    expect((await jsonText(conversion)) === text).toBe(true);
  });

  it('tells everything of the file and the payload', async () => {
    const file = '\ufeffid;name\n1;Ann\n2;\n';
    const conversion = await convertBytes('users.csv', file);
    const text = '[{"id":1,"name":"Ann"},{"id":2,"name":null}]';
    expect(await jsonText(conversion)).toBe(text);
    expect(conversion.report).toEqual({
      format: 'csv',
      as: 'auto',
      compression: null,
      encoding: 'utf-8',
      delimiter: ';',
      columns: [
        { name: 'id', type: 'number', decidedBy: 'data', empty: 0 },
        { name: 'name', type: 'string', decidedBy: 'data', empty: 1 },
      ],
      kind: 'array',
      records: 2,
      inputBytes: 20,
      outputBytes: text.length,
      sha256: createHash('sha256').update(file).digest('hex'),
      tokens: { count: expect.any(Number), method: 'measured' },
      warnings: [],
    });
  });
});

describe('a payload can be streamed', () => {
  const small = 'n,t\n1,a\n2,b\n3,c\n';
  const big = `n,t\n${Array.from({ length: 10_000 }, (_, i) => `${i},some text for row ${i}\n`).join('')}`;

  it.each([
    ['small', small, 3],
    ['big', big, 10_000],
  ])('%s, more than once, whole and by element', async (_, file, records) => {
    const conversion = await convertBytes('a.csv', file, { bounds: testBounds });
    const text = await jsonText(conversion);
    expect((await jsonText(conversion)) === text).toBe(true);
    expect(text).toHaveLength(conversion.bytes);
    expect(conversion.records).toBe(records);
    const elements = await elementsOf(conversion);
    expect(`[${elements.map(({ json }) => json).join(',')}]`).toBe(text);
    expect(elements.map(({ line }) => line)).toEqual(elements.map((_, i) => i + 2));
    for (const start of [1, 2, records - 1, records]) expect(await elementsOf(conversion, start)).toEqual(elements.slice(start));
  });

  it('chunks belong to their receiver', async () => {
    const conversion = await convertBytes('a.csv', small);
    const text = await jsonText(conversion);
    for await (const chunk of conversion.json()) chunk.fill(0);
    for await (const chunk of conversion.elements()) chunk.data.fill(0);
    expect(await jsonText(conversion)).toBe(text);
  });

  it('only arrays have elements', async () => {
    const conversion = await convertBytes('a.json', '{}');
    expect(() => conversion.elements()).toThrow("kind 'object'");
  });
});

describe('bounds on size', () => {
  const bounds = { ...testBounds, maxFileBytes: MIB, maxStreamedFileBytes: 1.25 * MIB };

  it.each([
    ['a.yaml', 1.5 * MIB, {}, 'maxFileBytes', 'File size 1.5 MB exceeds maximum allowed size of 1 MB'],
    ['a.xml', 1.125 * MIB, {}, 'maxFileBytes', 'File size 1.1 MB exceeds maximum allowed size of 1 MB'],
    [
      'a.json',
      1.125 * MIB,
      { transform: { expression: '$' } },
      'maxFileBytes',
      'File size 1.1 MB exceeds maximum allowed size of 1 MB',
    ],
    ['a.csv', 1.5 * MIB, {}, 'maxStreamedFileBytes', 'File size 1.5 MB exceeds maximum allowed size of 1.3 MB'],
    [
      'a.png',
      1.5 * MIB,
      { as: 'base64' as const },
      'maxStreamedFileBytes',
      'File size 1.5 MB exceeds maximum allowed size of 1.3 MB',
    ],
    [
      'a.txt',
      1.25 * MIB + 1,
      {},
      'maxStreamedFileBytes',
      'File size 1.3 MB (1 byte more than that) exceeds maximum allowed size of 1.3 MB',
    ],
  ])('%s of %i bytes', async (name, size, options, setting, message) => {
    const error = await failureOf(name, Buffer.alloc(size, ' '), { ...options, bounds });
    expect(error.code).toBe('FILE_TOO_LARGE');
    expect(error.message).toBe(message);
    expect(error.hint).toContain(`limits.${setting}`);
  });

  it('a file that grew while it was read is bounded all the same', async () => {
    const source = { ...chunkedSource('a.txt', Buffer.alloc(1.3 * MIB, 'a')), size: 10 };
    await expect(convert(source, { bounds })).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
  });

  it('an expression after other steps is bounded by what they leave', async () => {
    const file = `n\n${'1\n'.repeat(0.6 * MIB - 100)}`;
    const streamed = { ...bounds, maxStreamedFileBytes: 100 * MIB };
    expect(await jsonOf('a.csv', file, { bounds: streamed, transform: { limit: 3, expression: '$sum(n)' } })).toBe('3');
    const error = await failureOf('a.csv', file, { bounds: streamed, transform: { offset: 1, expression: '$sum(n)' } });
    expect(error.code).toBe('FILE_TOO_LARGE');
    expect(error.hint).toContain('limits.maxFileBytes');
  });
});

describe('transform', () => {
  const file = 'id,name,city\n1,Ann,Rome\n2,Bob,Oslo\n3,Cid,Rome\n';

  it('works on records as they stream, and the report follows', async () => {
    const conversion = await convertBytes('a.csv', file, {
      transform: { where: [{ column: 'city', op: '=', value: 'Rome' }], select: ['name', 'id'], rename: { id: 'key' } },
    });
    const text = await jsonText(conversion);
    expect(text).toBe('[{"name":"Ann","key":1},{"name":"Cid","key":3}]');
    expect(conversion.report).toMatchObject({ records: 2, outputBytes: text.length });
    expect(conversion.report.columns?.map(({ name }) => name)).toEqual(['name', 'key']);
    expect(await conversion.locate([1, 'key'])).toEqual({ line: 4, columnName: 'id' });
    expect(await conversion.locate([5])).toBeUndefined();
  });

  it('gives any kind of value with an expression', async () => {
    const total = await convertBytes('a.csv', file, { transform: { offset: 1, expression: '$sum(id)' } });
    expect(await jsonText(total)).toBe('5');
    expect(total.report).toMatchObject({ kind: 'number', records: 1, columns: null, outputBytes: 1 });
    const names = await convertBytes('a.csv', file, { transform: { expression: 'name' } });
    expect(await elementsOf(names)).toEqual(['"Ann"', '"Bob"', '"Cid"'].map((json) => ({ json, line: undefined })));
    expect(await names.locate([1])).toBeUndefined();
  });

  it('says what to do where there are no records', async () => {
    const error = await failureOf('a.json', '{"users":[]}', { transform: { where: [{ column: 'a', op: 'not_null' }] } });
    expect(error.code).toBe('TRANSFORM_FAILED');
    expect(error.message).toBe('transform.where works on a list of records, but this file holds one object');
    expect(error.hint).toContain('transform.expression');
    expect(await parsedOf('a.json', '{"users":[{"a":1}]}', { transform: { expression: 'users.a' } })).toBe(1);
  });
});

describe('options that contradict or say nothing', () => {
  it('header_row and skip in one call are refused', async () => {
    for (const name of ['a.csv', 'a.tsv', 'a.xlsx', 'a.ods'])
      expect(await failureOf(name, 'a,b\n1,2\n', { header_row: 2, skip: 1 })).toMatchObject({
        code: 'INVALID_REQUEST',
        message: 'header_row: 2 and skip: 1 both say where the table begins: give one of them',
      });
  });

  it('a selection of no column is refused', async () => {
    for (const [name, text] of [
      ['a.csv', 'a,b\n1,2\n'],
      ['a.json', '[{"a":1}]'],
    ] as const)
      expect(await failureOf(name, text, { transform: { select: [] } })).toMatchObject({
        code: 'TRANSFORM_FAILED',
        message: 'transform.select names no column',
        hint: 'Leave select out to get all columns',
      });
  });

  it('where finds the same in CSV and in JSON: parts of numbers, and empty cells by the empty text', async () => {
    const csv = 'id,name,n\n12,,\n112,"",2\n3,x,3\n';
    const json = '[{"id":12,"name":null},{"id":112,"name":"","n":2},{"id":3,"name":"x","n":3}]';
    const found = async (where: Comparison) => {
      const ids = [];
      for (const [name, text] of [
        ['a.csv', csv],
        ['a.json', json],
      ] as const) {
        const records = (await parsedOf(name, text, { transform: { where: [where] } })) as { id: number }[];
        ids.push(records.map(({ id }) => id));
      }
      expect(ids[0]).toEqual(ids[1]);
      return ids[0];
    };
    expect(await found({ column: 'id', op: 'contains', value: 12 })).toEqual([12, 112]);
    expect(await found({ column: 'id', op: 'starts_with', value: '1' })).toEqual([12, 112]);
    expect(await found({ column: 'name', op: '=', value: '' })).toEqual([12, 112]);
    expect(await found({ column: 'name', op: '!=', value: '' })).toEqual([3]);
    expect(await found({ column: 'n', op: '=', value: '' })).toEqual([12]);
    expect(await found({ column: 'n', op: 'in', value: ['', 3] })).toEqual([12, 3]);
  });
});

describe('while it runs', () => {
  it('progress goes up to the size of the file, and no further afterwards', async () => {
    const seen: number[] = [];
    const file = 'n\n'.repeat(500_000);
    const conversion = await convertBytes('a.csv', file, { onProgress: (bytes, total) => seen.push(bytes / total) });
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen.at(-1)).toBe(1);
    expect(seen.length).toBeGreaterThan(10);
    const calls = seen.length;
    await jsonText(conversion);
    expect(seen).toHaveLength(calls);
  });

  it.each(['a.csv', 'a.json', 'a.txt.gz', 'a.png'])('%s can be cancelled', async (name) => {
    const controller = new AbortController();
    const endless = {
      name,
      size: 1,
      async *read() {
        yield name.endsWith('gz') ? Buffer.from('1f8b0800000000000003', 'hex') : Buffer.from('[\n');
        controller.abort();
        for (;;) yield Buffer.alloc(64 * 1024);
      },
    };
    const as = name === 'a.png' ? 'base64' : 'auto';
    await expect(convert(endless, { bounds: testBounds, as, signal: controller.signal })).rejects.toMatchObject({
      code: 'CANCELLED',
    });
  });

  it('streaming stops when its own signal fires', async () => {
    const conversion = await convertBytes('a.txt', 'x'.repeat(MIB), { bounds: testBounds });
    const controller = new AbortController();
    await expect(async () => {
      for await (const _ of conversion.json(controller.signal)) controller.abort();
    }).rejects.toThrow();
  });
});

it.each([
  ['a table', 'a.csv', `n,t\n${Array.from({ length: 20_000 }, (_, i) => `${i},row ${i}\n`).join('')}`],
  ['an object', 'a.json', JSON.stringify({ rows: Array.from({ length: 20_000 }, (_, i) => ({ n: i, t: `row ${i}` })) })],
  ['a list', 'a.jsonl', Array.from({ length: 20_000 }, (_, i) => `{"n": ${i}, "t": "row"}\n`).join('')],
  ['a text', 'a.txt', 'some "text"\n'.repeat(50_000)],
])('%s comes out the same in memory that is reused', async (_, name, file) => {
  const conversion = await convertBytes(name, file, { bounds: testBounds });
  const copies: Uint8Array[] = [];
  for await (const chunk of conversion.json(undefined, { reuse: true })) copies.push(new Uint8Array(chunk));
  expect(Buffer.concat(copies).toString() === (await jsonText(conversion))).toBe(true);
});

describe('JSON Lines under the name of JSON', () => {
  it.each([
    ['objects', '{"a":1}\n{"a":9007199254740993}\n', '[{"a":1},{"a":9007199254740993}]', 2],
    ['lists', '[1]\r\n[2]', '[[1],[2]]', 2],
    ['lines with blank ones between', '{}\n\n{"b":[]}\n7\n', '[{},{"b":[]},7]', 3],
  ])('is read: %s', async (_, text, json, records) => {
    const conversion = await convertBytes('rows.json', text);
    expect(await jsonText(conversion)).toBe(json);
    expect(conversion.report).toMatchObject({ format: 'jsonl', records });
    expect(conversion.report.warnings.map(({ code }) => code)).toEqual(['JSON_LINES']);
  });

  it.each([
    ['a list that goes on', '[1,2]\n3 4'],
    ['a broken object over several lines', '{\n"a": ,\n}'],
    ['numbers', '1\n2\n'],
    ['a number and a record', '1\n{"a":2}'],
    ['a line that is cut', '{"a":1}\n{"a":'],
  ])('is not taken from %s: the error is that of JSON', async (_, text) => {
    expect(await failureOf('rows.json', text)).toMatchObject({
      code: 'PARSE_FAILED',
      message: expect.stringContaining('JSON file'),
    });
  });

  it('is read as values one after the other where JSON was asked for', async () => {
    const { report } = await convertBytes('rows.json', '{"a":1}\n{"a":2}', { format: 'json' });
    expect(report).toMatchObject({ format: 'json', records: 2, warnings: [{ code: 'JSON_RELAXED' }] });
  });
});

describe('a binary file under the name of a text', () => {
  const bytes = (beginning: string) =>
    Buffer.concat([Buffer.from(beginning, 'latin1'), Buffer.from(Array.from({ length: 3_000 }, (_, i) => (i * 7919) % 256))]);

  it.each([
    ['a.csv', 'PK\x03\x04', 'a ZIP archive, as Excel workbooks', 'format: "xlsx"'],
    ['a.tsv', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'a file of an old Office program', 'Save it as .xlsx'],
    ['a.txt', '%PDF-1.7\n%\xe2\xe3', 'a PDF', 'base64'],
    ['a.csv', '\x1f\x8b\x08\x00', 'compressed with gzip', '.gz'],
  ])('is refused by what it is: %s, %j', async (name, beginning, what, advice) => {
    const { code, message, hint } = await failureOf(name, bytes(beginning));
    expect({ code, message }).toMatchObject({ code: 'FORMAT_UNKNOWN', message: expect.stringContaining(what) });
    expect(hint).toContain(advice);
  });

  it.each(['a.csv', 'a.json', 'a.xml', 'a.yaml'])('is refused so as well where %s cannot be parsed', async (name) => {
    expect(await failureOf(name, 'PK\x03\x04\n"a"b')).toMatchObject({ message: expect.stringContaining('a ZIP archive') });
  });

  it('is told from text that only begins so, and from other bytes, which are read with a warning', async () => {
    expect(await jsonOf('a.csv', 'PK\x03\x04,b\n1,2\n')).toBe('[{"PK\\u0003\\u0004":1,"b":2}]');
    const guessed = await convertBytes('a.csv', Buffer.from('name\nGr\xfc\xdfe\n', 'latin1'));
    expect(guessed.report.warnings.map(({ code }) => code)).toEqual(['ENCODING_GUESSED']);
  });
});
