import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { convert } from '../convert/convert.ts';
import { chunkedSource, convertBytes, failureOf, jsonText, parsedOf, testBounds } from '../fixtures/conversion-fixture.ts';
import { zipOf } from '../input/zip-fixture.ts';
import { tableColumns } from './create-table.ts';

/** SQLite itself has made it, by `fixtures/make-databases.py`. */
const database = (name: string): Buffer => gunzipSync(readFileSync(new URL(`fixtures/${name}.db.gz`, import.meta.url)));

const recordsOf = (bytes: Uint8Array, options = {}, name = 'a.db') => parsedOf(name, bytes, options);
const warningsOf = async (bytes: Uint8Array, options = {}) =>
  (await convertBytes('a.sqlite', bytes, options)).report.warnings.map(({ message }) => message);

const shop = () => database('shop');

describe('a SQLite database', () => {
  it('becomes the records of its first table, with a type for each column', async () => {
    const conversion = await convertBytes('a.sqlite3', shop());
    expect(JSON.parse(await jsonText(conversion))).toEqual([
      { id: 1, zip: '01067', score: 1.5, note: null },
      { id: 2, zip: '80331', score: 2, note: 'ü' },
      { id: 900, zip: null, score: -0.25, note: 'x' },
    ]);
    expect(conversion.report).toMatchObject({ format: 'sqlite', kind: 'array', records: 3 });
    expect(conversion.report.columns?.map(({ name, type, empty }) => [name, type, empty])).toEqual([
      ['id', 'number', 0],
      ['zip', 'string', 1],
      ['score', 'number', 0],
      ['note', 'string', 1],
    ]);
    expect(conversion.report.sheets?.map(({ name }) => name)).toEqual(['users', 'order items']);
    expect(conversion.report.warnings.map(({ message }) => message)).toEqual([
      "Table 'users' was read. The database has 1 other table: 'order items'; sheet names the one to read",
    ]);
  });

  it('gives the table that is asked for, all of them, or a part of one', async () => {
    const items = [
      { user: 1, 'item name': 'tea' },
      { user: 2, 'item name': null },
    ];
    expect(await recordsOf(shop(), { sheet: 'Order Items' })).toEqual(items);
    expect(await recordsOf(shop(), { sheet: 2 })).toEqual(items);
    expect(Object.keys((await recordsOf(shop(), { sheet: '*' })) as object)).toEqual(['users', 'order items']);
    expect(await recordsOf(shop(), { range: 'A2:B2' })).toEqual([{ id: 2, zip: '80331' }]);
    expect(await recordsOf(shop(), { header: false, range: 'A:B' })).toEqual([
      [1, '01067'],
      [2, '80331'],
      [900, null],
    ]);
    expect((await failureOf('a.db', shop(), { sheet: 'rich' })).text).toContain(
      "'rich' is a view, which is computed by a database",
    );
    expect((await failureOf('a.db', shop(), { sheet: 'none' })).text).toContain("1 'users', 2 'order items'");
  });

  it('keeps all digits, and says what bytes became', async () => {
    const bytes = database('digits');
    expect(await jsonText(await convertBytes('a.db', bytes))).toBe(
      '[{"a":9223372036854775807,"b":-9223372036854775808,"c":"AP8=","d":1e+300},{"a":-1,"b":128,"c":null,"d":null},' +
        '{"a":0,"b":1,"c":null,"d":0.1},{"a":8388607,"b":-8388609,"c":null,"d":2147483648},{"a":140737488355327,"b":-140737488355329,"c":null,"d":null}]',
    );
    expect(await warningsOf(bytes)).toEqual([
      "Sheet 't': 1 cell holds an error and became null; the first is d, row 2 (Infinity)",
      '1 binary value is given as base64',
    ]);
  });

  it('reads tables over many pages, long values, and rows that were deleted and added', async () => {
    const bytes = database('pages');
    const records = (await recordsOf(bytes)) as { n: number; text: string }[];
    const wanted = Array.from({ length: 5000 }, (_, i) => i + 1).filter((n) => n % 3 !== 0);
    expect(records.map(({ n }) => n)).toEqual([...wanted, 99999]);
    for (const { n, text } of records) expect(text.length).toBe(n === 99999 ? 4 : n % 500 === 0 ? 20_000 + n : `row ${n}`.length);
    const conversion = await convert(chunkedSource('a.db', bytes, [777]), { bounds: testBounds });
    expect(JSON.parse(await jsonText(conversion))).toEqual(records);
  });

  it.each(['utf-8', 'utf-16le', 'utf-16be'])('reads texts in %s', async (encoding) => {
    expect(await recordsOf(database(encoding))).toEqual([{ ä: '€ 𝄞' }]);
  });

  it('reads tables without row numbers, in the order of their columns', async () => {
    const bytes = database('without-rowid');
    expect(await recordsOf(bytes)).toEqual(Array.from({ length: 400 }, (_, i) => ({ text: `row ${i + 1}`, b: i + 1, a: 'k' })));
  });

  it('knows columns that were added later, and those that are computed', async () => {
    const bytes = database('added-columns');
    expect(await recordsOf(bytes)).toEqual([
      { a: 1, thrice: 3, b: "it's", c: -1.5, d: null },
      { a: 2, thrice: 6, b: 'new', c: -1.5, d: null },
    ]);
    expect(await warningsOf(bytes)).toEqual(['Computed columns are not stored in the file and left out: twice']);
  });

  it('says that newer changes may lie beside it', async () => {
    expect(await warningsOf(database('wal'))).toEqual([expect.stringContaining('keeps its newest changes in a second file')]);
  });

  it('is read from an archive, too', async () => {
    expect(await parsedOf('a.zip', zipOf([{ name: 'shop.db', content: shop() }]), { entry: 'shop.db', range: '1:1' })).toEqual([
      { id: 1, zip: '01067', score: 1.5, note: null },
    ]);
  });

  it('gives the types that are asked for', async () => {
    expect(await recordsOf(shop(), { types: { id: 'string' }, range: 'A1:A1' })).toEqual([{ id: '1' }]);
    expect((await failureOf('a.db', shop(), { types: { zip: 'number' } })).text).toContain("column 'zip' is not a number");
  });
});

describe('a database that cannot be read', () => {
  it.each([
    ['an empty file', Buffer.alloc(0), 'it is empty'],
    ['text', Buffer.from('id,name\n1,a\n'.repeat(50)), 'it is no SQLite database, or it is encrypted'],
    ['a wrong page size', Buffer.from(`SQLite format 3\0\x00\x03${'\0'.repeat(600)}`, 'latin1'), 'it is damaged'],
  ])('is refused: %s', async (_, bytes, says) => {
    const error = await failureOf('a.db', bytes);
    expect(error.code).toBe('PARSE_FAILED');
    expect(error.text).toContain(`Failed to parse SQLITE file: ${says}`);
  });

  it('is refused without tables, cut off, or with any byte of its pages changed, and never hangs', async () => {
    expect((await failureOf('a.db', database('view-only'))).text).toContain('it has no tables');
    const good = database('small-pages');
    expect((await failureOf('a.db', good.subarray(0, good.length / 2))).code).toBe('PARSE_FAILED');
    let refused = 0;
    for (let at = 16; at < good.length; at += at < 600 ? 17 : 411) {
      const broken = Buffer.from(good);
      broken[at] = (broken[at] as number) ^ 0x55;
      const error = await convertBytes('a.db', broken).then(
        (conversion) => void conversion.close(),
        (thrown: { code: string }) => thrown,
      );
      if (error) {
        refused += 1;
        expect(['PARSE_FAILED', 'FILE_TOO_LARGE', 'ENCODING_INVALID']).toContain(error.code);
      }
    }
    expect(refused).toBeGreaterThan(5);
  });
});

describe('the columns of a table', () => {
  it.each([
    ['CREATE TABLE t(a,b)', ['a', 'b'], []],
    ['CREATE TABLE "t" ("a ""b""" TEXT, [c d], `e` INT, \'f\')', ['a "b"', 'c d', 'e', 'f'], []],
    [
      'CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, x DECIMAL(10, 2) CHECK (x > (1)), -- one, two\n y /* , z */)',
      ['id', 'x', 'y'],
      ['id'],
    ],
    ['CREATE TABLE t (id INT PRIMARY KEY, "primary" TEXT)', ['id', 'primary'], []],
    ['CREATE TABLE t (id INTEGER PRIMARY KEY DESC, x)', ['id', 'x'], []],
    [
      'CREATE TABLE t (a INTEGER, b, CONSTRAINT pk PRIMARY KEY ("A"), UNIQUE (b), FOREIGN KEY (b) REFERENCES u (c))',
      ['a', 'b'],
      ['a'],
    ],
    ['CREATE TABLE t (a INTEGER NOT NULL, b, PRIMARY KEY (a, b))', ['a', 'b'], []],
  ])('%s', (sql, names, rowIds) => {
    const { columns = [] } = tableColumns(sql) ?? {};
    expect(columns.map(({ name }) => name)).toEqual(names);
    expect(columns.filter(({ isRowId }) => isRowId).map(({ name }) => name)).toEqual(rowIds);
  });
});
