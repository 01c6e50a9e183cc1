import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { SchemaElement } from 'hyparquet';
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { convert } from '../convert/convert.ts';
import { chunkedSource, convertBytes, failureOf, jsonText, parsedOf, testBounds } from '../fixtures/conversion-fixture.ts';
import { cellWriter, decimalText } from './parquet-values.ts';

type Options = Omit<Parameters<typeof parquetWriteBuffer>[0], 'columnData'>;
const fileOf = (columnData: ColumnSource[], options: Options = {}) => Buffer.from(parquetWriteBuffer({ columnData, ...options }));
const recordsOf = (bytes: Uint8Array, options = {}) => parsedOf('a.parquet', bytes, options);
const people = () =>
  fileOf([
    { name: 'id', data: [1, 2, 3], type: 'INT32' },
    { name: 'zip', data: ['01067', '80331', null], type: 'STRING' },
    { name: 'member', data: [true, false, null], type: 'BOOLEAN' },
    { name: 'score', data: [0.5, null, -1e-7], type: 'DOUBLE' },
  ]);

describe('a Parquet file', () => {
  it('becomes records, with the types of its columns', async () => {
    const conversion = await convertBytes('a.parquet', people());
    expect(JSON.parse(await jsonText(conversion))).toEqual([
      { id: 1, zip: '01067', member: true, score: 0.5 },
      { id: 2, zip: '80331', member: false, score: null },
      { id: 3, zip: null, member: null, score: -1e-7 },
    ]);
    expect(conversion.report).toMatchObject({ format: 'parquet', kind: 'array', records: 3, warnings: [] });
    expect(conversion.report.columns?.map(({ name, type, empty }) => [name, type, empty])).toEqual([
      ['id', 'number', 0],
      ['zip', 'string', 1],
      ['member', 'boolean', 1],
      ['score', 'number', 1],
    ]);
  });

  it('keeps all digits of integers, and names that JavaScript treats as special', async () => {
    const bytes = fileOf([
      { name: '__proto__', data: [9223372036854775807n, -9007199254740993n], type: 'INT64' },
      { name: 'constructor', data: [1, 2], type: 'INT32' },
    ]);
    expect(await jsonText(await convertBytes('a.parquet', bytes))).toBe(
      '[{"__proto__":9223372036854775807,"constructor":1},{"__proto__":-9007199254740993,"constructor":2}]',
    );
  });

  it('writes times as ISO 8601, floats as short as they are, and texts of JSON as values', async () => {
    const bytes = fileOf([
      { name: 'at', data: [new Date('2024-03-02T12:30:00.250Z'), new Date('1969-12-31T23:59:59.999Z')], type: 'TIMESTAMP' },
      { name: 'small', data: [0.1, 3.4e38], type: 'FLOAT' },
      { name: 'json', data: [{ a: [1] }, [2]], type: 'JSON' },
      { name: 'uuid', data: ['7f2b8f6e-1d4c-4b5a-9e3f-000000000001', '7f2b8f6e-1d4c-4b5a-9e3f-000000000002'], type: 'UUID' },
    ]);
    expect(await recordsOf(bytes)).toEqual([
      {
        at: expect.stringMatching(/^2024-03-02T12:30:00\.25Z?$/),
        small: 0.1,
        json: { a: [1] },
        uuid: '7f2b8f6e-1d4c-4b5a-9e3f-000000000001',
      },
      {
        at: expect.stringMatching(/^1969-12-31T23:59:59\.999Z?$/),
        small: 3.4e38,
        json: [2],
        uuid: '7f2b8f6e-1d4c-4b5a-9e3f-000000000002',
      },
    ]);
  });

  it.each([
    [0n, 2, '0.00'],
    [12345n, 2, '123.45'],
    [-5n, 3, '-0.005'],
    [7n, 0, '7'],
    [7n, -2, '700'],
    [123456789012345678901234567890n, 10, '12345678901234567890.1234567890'],
  ])('writes the decimal %s with %s digits after the point as %s', (unscaled, scale, wanted) => {
    expect(decimalText(unscaled, scale)).toBe(wanted);
  });

  it('reads decimals, dates, lists, maps and structs of a schema', async () => {
    const bytes = fileOf(
      [
        { name: 'price', data: [19.99, -0.5] },
        { name: 'day', data: [new Date('2024-03-02'), new Date('1969-12-31')] },
        { name: 'tags', data: [['a', 'b'], []] },
      ],
      {
        schema: [
          { name: 'root', num_children: 3 },
          { name: 'price', type: 'INT32', converted_type: 'DECIMAL', scale: 2, precision: 9, repetition_type: 'REQUIRED' },
          { name: 'day', type: 'INT32', converted_type: 'DATE', repetition_type: 'REQUIRED' },
          { name: 'tags', num_children: 1, converted_type: 'LIST', repetition_type: 'REQUIRED' },
          { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
          { name: 'element', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
        ],
      },
    );
    expect(await jsonText(await convertBytes('a.parquet', bytes))).toBe(
      '[{"price":19.99,"day":"2024-03-02","tags":["a","b"]},{"price":-0.50,"day":"1969-12-31","tags":[]}]',
    );
  });

  it('is read over row groups, in parts, in any chunks, and by its columns', async () => {
    const many = Array.from({ length: 5000 }, (_, i) => i);
    const bytes = fileOf(
      [
        { name: 'n', data: many, type: 'INT32' },
        { name: 'text', data: many.map((n) => `row ${n % 7}`), type: 'STRING' },
      ],
      { rowGroupSize: 1000 },
    );
    const records = many.map((n) => ({ n, text: `row ${n % 7}` }));
    expect(await recordsOf(bytes)).toEqual(records);
    expect(await recordsOf(bytes, { range: 'A998:B1003' })).toEqual(records.slice(997, 1003));
    expect(await recordsOf(bytes, { range: 'B1:B2', header: false })).toEqual([['row 0'], ['row 1']]);
    expect(await recordsOf(bytes, { transform: { where: [{ column: 'n', op: '>', value: 4998 }] } })).toEqual([records[4999]]);
    const conversion = await convert(chunkedSource('a.parquet', bytes, [999]), { bounds: testBounds, sealed: true });
    expect(JSON.parse(await jsonText(conversion))).toEqual(records);
    expect(await conversion.locate([4321, 'text'])).toEqual({ line: 4322, column: 2, columnName: 'text' });
  });

  it('gives the types that are asked for', async () => {
    expect(await recordsOf(people(), { types: { id: 'string' }, range: 'A1:A1' })).toEqual([{ id: '1' }]);
    expect((await failureOf('a.parquet', people(), { types: { zip: 'number' } })).text).toContain("column 'zip' is not a number");
  });

  it('without rows has no records', async () => {
    expect(await recordsOf(fileOf([{ name: 'a', data: [], type: 'INT32' }]))).toEqual([]);
  });
});

describe('a Parquet file that cannot be read', () => {
  it.each([
    ['an empty file', Buffer.alloc(0), 'it is empty'],
    ['text', Buffer.from('id,name\n1,a\n'), 'it is no Parquet file'],
    ['one that is cut off', people().subarray(0, 100), 'its end is missing'],
    ['an encrypted one', Buffer.concat([Buffer.from('PARE'), Buffer.alloc(20), Buffer.from('PARE')]), 'it is encrypted'],
    [
      'a footer of a false size',
      Buffer.concat([people().subarray(0, -8), Buffer.from([255, 255, 0, 0]), Buffer.from('PAR1')]),
      'it is damaged',
    ],
    ['nothing but marks', Buffer.from('PAR1\0\0\0\0PAR1'), 'it is damaged'],
  ])('is refused: %s', async (_, bytes, says) => {
    const error = await failureOf('a.parquet', bytes);
    expect(error.code).toBe('PARSE_FAILED');
    expect(error.text).toContain(`Failed to parse PARQUET file: ${says}`);
  });

  it('is bounded in what it unpacks to', async () => {
    const wide = fileOf([
      { name: 'a', data: Array.from({ length: 20_000 }, (_, i) => `${i}${'x'.repeat(100)}`), type: 'STRING' },
    ]);
    const bounds = { ...testBounds, maxFileBytes: 10_000 };
    expect((await failureOf('a.parquet', wide, { bounds })).code).toBe('FILE_TOO_LARGE');
  });

  it('is refused or read with any byte changed, and never ends the program', async () => {
    const good = people();
    let refused = 0;
    for (let at = 4; at < good.length - 4; at += 3) {
      const broken = Buffer.from(good);
      broken[at] = (broken[at] as number) ^ 0x5a;
      const error = await convertBytes('a.parquet', broken).then(
        (conversion) => void conversion.close(),
        (thrown: { code: string }) => thrown,
      );
      if (error) {
        refused += 1;
        expect(['PARSE_FAILED', 'FILE_TOO_LARGE']).toContain(error.code);
      }
    }
    expect(refused).toBeGreaterThan(20);
  });
});

describe('a Parquet file of another program', () => {
  const fixture = (name: string): Buffer => gunzipSync(readFileSync(new URL(`fixtures/${name}.parquet.gz`, import.meta.url)));

  /** DuckDB: COPY (SELECT * FROM (VALUES (1, 42::VARIANT), (2, 'iceberg'::VARIANT), …) t(id, v)) TO 'variant.parquet'. */
  it('has values of any type in a column', async () => {
    expect(await recordsOf(fixture('variant'))).toEqual([
      { id: 1, v: 42 },
      { id: 2, v: 'iceberg' },
      { id: 3, v: { a: 1.5, b: [1, null, 2] } },
      { id: 4, v: null },
    ]);
  });

  /** PyArrow: date32 and microseconds at the ends of their ranges. */
  it('has days that no calendar has, which are named and null', async () => {
    const { report } = await convertBytes('a.parquet', fixture('beyond-calendar'));
    expect(await recordsOf(fixture('beyond-calendar'))).toEqual([
      { d: null, us: null },
      { d: null, us: null },
      { d: '0000-12-31', us: '+010000-01-01T00:00:00' },
      { d: '+010000-01-01', us: '0000-12-31T23:59:59.999999' },
    ]);
    expect(report.warnings.map(({ message }) => message).join('\n')).toMatch(/4 cells hold errors.*d, row 1 \(2147483647\)/);
  });

  it('has columns of one name, each with its own values, and fields of any name', async () => {
    const bytes = fileOf([
      { name: 'a', data: [1, 2], type: 'INT32' },
      { name: 'b', data: [5, 6], type: 'INT32' },
      { name: 'a', data: [3, 4], type: 'INT32' },
    ]);
    expect(await recordsOf(bytes)).toEqual([
      { a: 1, b: 5, a_2: 3 },
      { a: 2, b: 6, a_2: 4 },
    ]);
    expect(await recordsOf(bytes, { range: 'C1:C2' })).toEqual([{ a: 3 }, { a: 4 }]);
    const named = fileOf([{ name: 's', data: [JSON.parse('{"__proto__":1,"b":2}')] }], {
      schema: [
        { name: 'root', num_children: 1 },
        { name: 's', num_children: 2, repetition_type: 'OPTIONAL' },
        { name: '__proto__', type: 'INT32', repetition_type: 'OPTIONAL' },
        { name: 'b', type: 'INT32', repetition_type: 'OPTIONAL' },
      ],
    });
    expect(await jsonText(await convertBytes('a.parquet', named))).toBe('[{"s":{"__proto__":1,"b":2}}]');
  });

  it('has empty lists outside of list groups', () => {
    const element: SchemaElement = { name: 'n', type: 'INT32', repetition_type: 'REPEATED' };
    const leaf = { type: 'INT32' as const, converted: undefined, logical: undefined, scale: 0 };
    const write = cellWriter(
      { children: [], count: 1, element, path: ['n'] },
      {
        leaves: new Map([[element, leaf]]),
        maps: new Set(),
        variants: new Set(),
        nameOf: ({ name }) => name,
        binary: false,
        notText: false,
        unusable: () => undefined,
      },
    );
    expect([[1, 2], [], undefined].map((value) => write(value)?.value)).toEqual(['[1,2]', '[]', '[]']);
  });

  it('names the columns of texts that are not UTF-8', async () => {
    const bytes = fileOf([{ name: 's', data: [Uint8Array.of(0x54, 0xff)] }], {
      schema: [
        { name: 'root', num_children: 1 },
        { name: 's', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
      ],
    });
    const { report } = await convertBytes('a.parquet', bytes);
    expect(report.warnings).toMatchObject([{ code: 'BAD_TEXT', message: expect.stringContaining('(s)') }]);
  });
});
