import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { convert } from '../convert/convert.ts';
import { chunkedSource, convertBytes, failureOf, jsonText, parsedOf, testBounds } from '../fixtures/conversion-fixture.ts';
import { zipOf } from '../input/zip-fixture.ts';

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
    expect(conversion.report.sheets?.map(({ name }) => name)).toEqual(['users', 'order items', 'rich']);
    expect(conversion.report.warnings.map(({ message }) => message)).toEqual([
      "Table 'users' was read. The database has 2 other tables: 'order items', 'rich'; table names the one to read",
    ]);
  });

  it('gives the table that is asked for, all of them, or a part of one', async () => {
    const items = [
      { user: 1, 'item name': 'tea' },
      { user: 2, 'item name': null },
    ];
    expect(await recordsOf(shop(), { sheet: 'Order Items' })).toEqual(items);
    expect(await recordsOf(shop(), { sheet: 2 })).toEqual(items);
    expect(Object.keys((await recordsOf(shop(), { sheet: '*' })) as object)).toEqual(['users', 'order items', 'rich']);
    expect(await recordsOf(shop(), { table: 'users' })).toHaveLength(3);
    expect(await recordsOf(shop(), { range: 'A2:B2' })).toEqual([{ id: 2, zip: '80331' }]);
    expect(await recordsOf(shop(), { header: false, range: 'A:B' })).toEqual([
      [1, '01067'],
      [2, '80331'],
      [900, null],
    ]);
    expect(await recordsOf(shop(), { table: 'rich' })).toHaveLength(3);
    const absent = await failureOf('a.db', shop(), { table: 'none' });
    expect(absent.text).toContain("no table or view 'none'. It has 'users', 'order items', 'rich'");
    expect((await failureOf('a.db', shop(), { table: 'users', sheet: 'users' })).text).toContain('give one of them');
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

  it('says what to do about one in UTF-16', async () => {
    expect(await recordsOf(database('utf-8'))).toEqual([{ ä: '€ 𝄞' }]);
    for (const encoding of ['utf-16le', 'utf-16be']) {
      expect(await failureOf('a.db', database(encoding))).toMatchObject({
        code: 'PARSE_FAILED',
        message: expect.stringContaining('its texts are in UTF-16'),
        hint: expect.stringContaining('.dump | sqlite3'),
      });
    }
  });

  it('reads tables without row numbers, in the order of their columns', async () => {
    const bytes = database('without-rowid');
    expect(await recordsOf(bytes)).toEqual(Array.from({ length: 400 }, (_, i) => ({ text: `row ${i + 1}`, b: i + 1, a: 'k' })));
  });

  it('knows columns that were added later, and those that are computed', async () => {
    const bytes = database('added-columns');
    expect(await recordsOf(bytes)).toEqual([
      { a: 1, twice: 2, thrice: 3, b: "it's", c: -1.5, d: null },
      { a: 2, twice: 4, thrice: 6, b: 'new', c: -1.5, d: null },
    ]);
    expect(await warningsOf(bytes)).toEqual([]);
  });

  it('in the mode of a write-ahead log is read, and needs none beside it', async () => {
    expect(await warningsOf(database('wal'))).toEqual([]);
  });

  it('gives the rows of a query', async () => {
    const query = 'SELECT zip, count(*) AS n FROM users GROUP BY zip ORDER BY n DESC, zip';
    expect(await recordsOf(shop(), { query })).toEqual([
      { zip: null, n: 1 },
      { zip: '01067', n: 1 },
      { zip: '80331', n: 1 },
    ]);
    expect(await recordsOf(shop(), { query: `${query}; -- done` })).toHaveLength(3);
    expect(
      await recordsOf(shop(), {
        query: 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c LIMIT 3',
      }),
    ).toEqual([{ x: 1 }, { x: 2 }, { x: 3 }]);
  });

  it.each([
    ['DELETE FROM users', /may only read/],
    ['DROP TABLE users', /may only read/],
    ['PRAGMA user_version', /may only read/],
    ['SELECT random()', /not authorized to use function: random/],
    ['SELECT hex(RandomBlob(2))', /not authorized to use function: randomblob/i],
    ["ATTACH '/etc/passwd' AS x", /may only read/],
    ['SELECT 1; SELECT 2', /not one statement/],
    ['SELECT absent FROM users', /does not understand the query: no such column: absent/],
    ['SELEKT 1', /syntax error/],
    ['-- nothing', /not one statement/],
  ])('refuses the query %s', async (query, says) => {
    expect(await failureOf('a.db', shop(), { query })).toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringMatching(says),
    });
  });

  it('does not count the time that its reader takes, and has one time in every pass', async () => {
    const query = "SELECT n, julianday('now') AS t FROM t";
    const bounds = { ...testBounds, keptBytes: 0, expressionTimeoutMs: 1000 };
    const conversion = await convert(chunkedSource('a.db', database('pages'), [10_000]), { bounds, query });
    const [once, again] = [await jsonText(conversion), await jsonText(conversion)];
    expect(again).toBe(once);
    const later = vi.spyOn(performance, 'now').mockImplementation(() => 0);
    try {
      let clock = 0;
      let bytes = 0;
      for await (const chunk of conversion.json()) {
        bytes += chunk.length;
        // As a slow server takes them.
        clock += 10_000;
        later.mockImplementation(() => clock);
      }
      expect(bytes).toBe(conversion.bytes);
    } finally {
      later.mockRestore();
    }
  });

  it('ends a query without end, and one that takes too much memory', async () => {
    const bounds = { ...testBounds, expressionTimeoutMs: 200 };
    const numbers = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)';
    const run = (query: string) => convert(chunkedSource('a.db', shop(), [1000]), { bounds, query });
    await expect(run(`${numbers} SELECT count(*) FROM c`)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: 'The query took longer than 0.2 s',
    });
    await expect(run("SELECT length(replace(hex(zeroblob(8000000)), '0', '0000000000000000'))")).rejects.toMatchObject({
      code: expect.stringMatching(/FILE_TOO_LARGE|INVALID_REQUEST/),
    });
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

describe('a database that a program has open', () => {
  const log = gunzipSync(readFileSync(new URL('fixtures/open.db-wal.gz', import.meta.url)));
  const FRAME = 24 + 512;
  const rowsWith = async (bytes: Buffer | undefined, size = 100) => {
    const source = { ...chunkedSource('a.db', database('open'), [size]), log: bytes && new Uint8Array(bytes) };
    const conversion = await convert(source, { bounds: testBounds });
    expect(conversion.report.warnings).toEqual([]);
    return JSON.parse(await jsonText(conversion)) as { id: number; v: string }[];
  };

  it('is read with the changes that wait beside it', async () => {
    const rows = await rowsWith(log);
    expect(rows).toHaveLength(59);
    expect(rows.slice(0, 2)).toEqual([
      { id: 1, v: 'new' },
      { id: 2, v: 'second' },
    ]);
    expect(await rowsWith(undefined)).toEqual([{ id: 1, v: 'old' }]);
  });

  it('is as it was at the last change that is whole', async () => {
    for (let frames = 0; 32 + frames * FRAME <= log.length; frames += 7) {
      const cut = await rowsWith(log.subarray(0, 32 + frames * FRAME + 100));
      expect(cut.length).toBeGreaterThanOrEqual(1);
      expect(cut).toEqual(
        (await rowsWith(log)).slice(0, cut.length).map((row, i) => (i === 0 && frames === 0 ? { id: 1, v: 'old' } : row)),
      );
    }
    const flipped = Buffer.from(log);
    flipped[log.length - 5] = (flipped[log.length - 5] as number) ^ 1;
    expect(await rowsWith(flipped)).toHaveLength(58);
    for (const at of [0, 8, 17, 25]) {
      const broken = Buffer.from(log);
      broken[at] = (broken[at] as number) ^ 0x55;
      expect(await rowsWith(broken)).toEqual([{ id: 1, v: 'old' }]);
    }
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
    expect(await recordsOf(database('view-only'))).toBeDefined();
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

describe('an odd database', () => {
  const odd = () => database('odd');

  it('has views with texts in double quotes, and no tables of an old text search', async () => {
    expect(await recordsOf(odd(), { table: 'quoted' })).toEqual([{ name: 'n-1' }]);
    const { report } = await convertBytes('a.db', odd());
    expect(report.sheets?.map(({ name }) => name)).toEqual(['t', 'found', 'mixed', 'quoted', 'broken']);
    for (const other of [{ table: 't' }, { sheet: 't' }])
      expect((await failureOf('a.db', odd(), { query: 'SELECT 1', ...other })).code).toBe('INVALID_REQUEST');
    await expect(recordsOf(odd(), { query: 'SELECT "nme" FROM t' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('names a table that needs what is not there, and reads all the others', async () => {
    const error = await failureOf('a.db', odd(), { table: 'found' });
    expect(error.message).toContain('the table needs fts4');
    expect(error.hint).toContain('_content');
    expect(await recordsOf(odd(), { query: 'SELECT c0body AS body FROM found_content' })).toEqual([{ body: 'one two' }]);
    const all = (await recordsOf(odd(), { table: '*' })) as object;
    expect(Object.keys(all)).toEqual(['t', 'mixed', 'quoted']);
    expect((await warningsOf(odd(), { table: '*' })).join('\n')).toMatch(
      /'found' could not be read[\s\S]*'broken' could not be read.*main\.gone/,
    );
  });

  it('gives a text that is no UTF-8 as its bytes, and says so', async () => {
    expect(await recordsOf(odd(), { table: 'mixed' })).toEqual([{ text: 'fine' }, { text: 'VP8=' }]);
    expect(await warningsOf(odd(), { table: 'mixed' })).toEqual([expect.stringMatching(/1 binary value/)]);
  });

  it('is refused while a change to it is not finished', async () => {
    const source = { ...chunkedSource('a.db', shop(), [4096]), isUnfinished: true };
    await expect(convert(source, { bounds: testBounds })).rejects.toMatchObject({
      code: 'PARSE_FAILED',
      message: expect.stringContaining('a change to it is not finished'),
    });
    await expect(convert(source, { bounds: testBounds, sealed: true })).rejects.toMatchObject({ code: 'PARSE_FAILED' });
  });
});
