import fc from 'fast-check';
import { readXlsx, writeXlsx } from 'hucre';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../shared/lib/fixtures/property-runs.ts';
import { convert } from '../convert/convert.ts';
import { chunkedSource, convertBytes, failureOf, jsonText, parsedOf, testBounds } from '../fixtures/conversion-fixture.ts';
import { zipOf } from '../input/zip-fixture.ts';
import { rowOf, type SheetFixture, type WorkbookFixture, workbookOf, workbookParts } from './workbook-fixture.ts';

const sheet = (data: string, more: Partial<SheetFixture> = {}): SheetFixture => ({ name: 'Data', data, ...more });
const book = (data: string, more: Partial<WorkbookFixture> = {}) => workbookOf({ sheets: [sheet(data)], ...more });
const recordsOf = (bytes: Uint8Array, options = {}) => parsedOf('a.xlsx', bytes, options);
const warningsOf = async (bytes: Uint8Array, options = {}) =>
  (await convertBytes('a.xlsx', bytes, options)).report.warnings.map(({ message }) => message);

describe('a workbook', () => {
  it('becomes the records of its first sheet, with a type for each column', async () => {
    const data =
      rowOf('id', 'zip', 'member', 'mixed', 'none') + rowOf(1, '01067', true, 7) + rowOf(2.5, '80331', false, 'x', null);
    const conversion = await convertBytes('a.xlsx', book(data));
    expect(JSON.parse(await jsonText(conversion))).toEqual([
      { id: 1, zip: '01067', member: true, mixed: '7', none: null },
      { id: 2.5, zip: '80331', member: false, mixed: 'x', none: null },
    ]);
    expect(conversion.report).toMatchObject({ format: 'xlsx', kind: 'array', records: 2, warnings: [] });
    expect(conversion.report.columns?.map(({ type, empty }) => [type, empty])).toEqual([
      ['number', 0],
      ['string', 0],
      ['boolean', 0],
      ['string', 0],
      ['string', 2],
    ]);
    expect(conversion.report.sha256).toMatch(/^[\da-f]{64}$/);
  });

  it('gives the same whether its cells have references or not, and leaves empty rows out', async () => {
    const data =
      '<row r="3"><c r="B3" t="str"><v>a</v></c><c r="D3" t="str"><v>b</v></c></row><row r="4"/>' +
      '<row r="9"><c r="D9"><f>1+1</f><v>2</v></c></row><row r="12"><c r="B12"><v>1e3</v></c><c r="C12"><f>X()</f></c></row>';
    expect(await recordsOf(book(data))).toEqual([
      { a: null, b: 2 },
      { a: 1000, b: null },
    ]);
  });

  it('joins the runs of a text, leaves phonetic guides out, and decodes what XML cannot hold', async () => {
    const texts =
      '<si><t>name</t></si><si><r><t>a </t></r><r><rPr><b/></rPr><t xml:space="preserve">b&amp;&#x20AC; </t></r><rPh><t>x</t></rPh></si><si><t>1_x000D_2_x005F_3</t></si>';
    const data = ['0', '1', '2'].map((i) => `<row><c t="s"><v>${i}</v></c></row>`).join('');
    expect(await recordsOf(book(data, { texts }))).toEqual([{ name: 'a b&€ ' }, { name: '1\r2_3' }]);
  });

  it.each([
    ['yyyy-mm-dd', 45353, '2024-03-02'],
    ['yyyy-mm-dd', 45353.5, '2024-03-02T12:00:00'],
    ['dd.mm.yyyy hh:mm', 45353.520833333336, '2024-03-02T12:30:00'],
    ['mmm yy', 1, '1900-01-01'],
    ['d/m/yy', 59, '1900-02-28'],
    ['d/m/yy', 61, '1900-03-01'],
    ['hh:mm:ss', 0.75, '18:00:00'],
    ['[h]:mm', 1.25, '30:00:00'],
    ['[Red]yyyy', 45353, '2024-03-02'],
    ['mm:ss.0', 0.5000115740740741, '12:00:01'],
    ['0.00 &quot;days&quot;', 45353, 45353],
    ['0%', 0.25, 0.25],
    ['General', 45353, 45353],
    ['#,##0.00 [$€-407]', 12.5, 12.5],
    ['yyyy', -1, -1],
    ['yyyy', 3e6, 3_000_000],
  ])('reads a number with the format %s, %d, as %s', async (format, number, expected) => {
    const data = `${rowOf('d')}<row><c s="1"><v>${number}</v></c></row>`;
    expect(await recordsOf(book(data, { formats: [format] }))).toEqual([{ d: expected }]);
  });

  it('counts days from 1904 where it says so', async () => {
    const data = `${rowOf('d')}<row><c s="1"><v>0</v></c></row>`;
    expect(await recordsOf(book(data, { formats: ['yyyy-mm-dd'], date1904: true }))).toEqual([{ d: '1904-01-01' }]);
  });

  it('says which cells hold errors, and that cells are merged and rows hidden', async () => {
    const data = `${rowOf('a', 'b')}<row r="2" hidden="1"><c r="A2" t="e"><v>#DIV/0!</v></c><c r="B2"><v>1</v></c></row>`;
    const bytes = workbookOf({ sheets: [sheet(data, { after: '<mergeCells count="1"><mergeCell ref="A1:A2"/></mergeCells>' })] });
    expect(await recordsOf(bytes)).toEqual([{ a: null, b: 1 }]);
    expect(await warningsOf(bytes)).toEqual([
      "Sheet 'Data': 1 cell holds an error and became null; the first is A2 (#DIV/0!)",
      "Sheet 'Data': 1 range is merged; the value stands in the first cell, the others are null",
      "Sheet 'Data': 1 row is hidden in the workbook, and read all the same",
    ]);
  });

  it('counts merged cells only where it reads', async () => {
    const merges = '<mergeCells count="3"><mergeCell ref="A1:B1"/><mergeCell ref="A3:A4"/><mergeCell ref="D1:D4"/></mergeCells>';
    const rows = ['t', 'a', 1, 2].map((cell) => rowOf(cell, 5, 6, 7)).join('');
    const bytes = workbookOf({ sheets: [sheet(rows, { after: merges })] });
    const merged = async (options = {}) => (await warningsOf(bytes, options)).filter((each) => each.includes('merged'));
    expect(await merged()).toEqual([expect.stringContaining('3 ranges are merged')]);
    expect(await merged({ range: 'A2:C' })).toEqual([expect.stringContaining('1 range is merged')]);
    expect(await merged({ range: 'C1:C' })).toEqual([]);
  });

  it('names columns without a header, and those that have a value right of it', async () => {
    const bytes = book(rowOf('a', null, 'a') + rowOf(1, 2, 3, 4));
    expect(await recordsOf(bytes)).toEqual([{ a: 1, column_2: 2, a_2: 3, column_4: 4 }]);
    expect(await warningsOf(bytes)).toEqual([expect.stringContaining('column_2, a_2, column_4')]);
  });

  it('keeps names that JavaScript treats as special', async () => {
    const text = await jsonText(await convertBytes('a.xlsx', book(rowOf('__proto__', 'constructor') + rowOf(1, 2))));
    expect(text).toBe('[{"__proto__":1,"constructor":2}]');
  });

  it('is read in any of its chunks and again', async () => {
    const data = rowOf('id', 'ü') + Array.from({ length: 50 }, (_, i) => rowOf(i, `ä${i}`)).join('');
    for (const sizes of [[1], [7, 64], [100_000]]) {
      const conversion = await convert(chunkedSource('a.xlsm', book(data), sizes), { bounds: testBounds });
      const first = JSON.parse(await jsonText(conversion));
      expect(first[49]).toEqual({ id: 49, ü: 'ä49' });
      expect(JSON.parse(await jsonText(conversion))).toEqual(first);
      expect(await conversion.locate([49, 'ü'])).toEqual({ line: 51, column: 2, columnName: 'ü' });
    }
  });
});

describe('sheet and range', () => {
  const three = workbookOf({
    sheets: [
      { name: 'Old', data: rowOf('x') + rowOf(0), state: 'hidden' },
      { name: 'Sales', data: rowOf('a') + rowOf(1) },
      { name: '2024', data: rowOf('b') + rowOf(2) },
    ],
  });

  it('takes the first that is visible, and says what else there is', async () => {
    expect(await recordsOf(three)).toEqual([{ a: 1 }]);
    expect(await warningsOf(three)).toEqual(["Sheet 'Sales' was read. The workbook has 2 other sheets: 'Old' (hidden), '2024'"]);
  });

  it.each([
    ['Sales', [{ a: 1 }]],
    ['sales', [{ a: 1 }]],
    ['2024', [{ b: 2 }]],
    [3, [{ b: 2 }]],
    ['1', [{ x: 0 }]],
    ['*', { Old: [{ x: 0 }], Sales: [{ a: 1 }], 2024: [{ b: 2 }] }],
  ])('takes sheet %s', async (wanted, expected) => {
    expect(await recordsOf(three, { sheet: wanted })).toEqual(expected);
  });

  it('names the sheets where there is none of that name', async () => {
    const failure = await failureOf('a.xlsx', three, { sheet: 'Summary' });
    expect(failure).toMatchObject({ code: 'INVALID_REQUEST', message: "The workbook has no sheet 'Summary'" });
    expect(failure.hint).toContain("1 'Old', 2 'Sales', 3 '2024'");
  });

  const grid = book(Array.from({ length: 6 }, (_, row) => rowOf(`a${row}`, row, `c${row}`)).join(''));

  it.each([
    ['A5:Z', [{ a4: 'a5', 4: 5, c4: 'c5' }]],
    ['B5', []],
    ['B5:C', [{ 4: 5, c4: 'c5' }]],
    ['$A$5:$B$6', [{ a4: 'a5', 4: 5 }]],
    ['5:6', [{ a4: 'a5', 4: 5, c4: 'c5' }]],
  ])('takes the range %s', async (range, expected) => {
    expect(await recordsOf(grid, { range })).toEqual(expected);
  });

  it.each(['', 'A5:Z:9', 'Z9:A1', 'A0:B2', 'AAAA1:B2', 'Sales!A1'])("says that '%s' is no range", async (range) => {
    const failure = await failureOf('a.xlsx', grid, { range });
    expect(failure).toMatchObject({ code: 'INVALID_REQUEST', message: `'${range}' is no range of cells` });
  });

  it.each([{ range: 'A100:B200' }, { range: 'F1:G9' }, { skip: 50 }])(
    'says where the data is if none is in %j',
    async (options) => {
      const { report } = await convertBytes('a.xlsx', grid, options);
      expect(report.warnings.map(({ message }) => message)).toEqual([
        "Sheet 'Data': nothing is in the range asked for; the data is in A1:C6",
      ]);
    },
  );

  it('gives lists without a header', async () => {
    expect(await recordsOf(book(rowOf(1, 'x') + rowOf(2, null)), { header: false })).toEqual([
      [1, 'x'],
      [2, null],
    ]);
  });
});

describe('types that are asked for', () => {
  const bytes = book(rowOf('zip', 'n') + rowOf(1067, '12') + rowOf(null, 'x'));

  it('make texts of numbers, and texts of blank cells', async () => {
    expect(await recordsOf(bytes, { types: 'string' })).toEqual([
      { zip: '1067', n: '12' },
      { zip: '', n: 'x' },
    ]);
  });

  it('come from the schema of the tool', async () => {
    const item = { type: 'object', properties: { zip: { type: ['string', 'null'] } } };
    const place = { inputSchema: { type: 'object', properties: { rows: { type: 'array', items: item } } }, segments: ['rows'] };
    expect(await recordsOf(bytes, { place })).toEqual([
      { zip: '1067', n: '12' },
      { zip: null, n: 'x' },
    ]);
  });

  it('name the cell that does not fit', async () => {
    const failure = await failureOf('a.xlsx', bytes, { types: { n: 'number' } });
    expect(failure.message).toBe(`Failed to parse XLSX file: column 'n' is not a number ("x") at cell B3 of sheet 'Data'`);
  });
});

describe('what is no workbook, or a hostile one', () => {
  const parts = workbookParts({ sheets: [sheet(rowOf('a') + rowOf(1))] });
  const changed = (name: string, content: string | Uint8Array, more = {}) =>
    zipOf(parts.map((part) => (part.name === name ? { ...part, content, ...more } : part)));

  it.each<[string, Uint8Array, string]>([
    ['an empty file', new Uint8Array(), 'it is empty'],
    ['a text', Buffer.from('id,name\n'), 'it is not a ZIP archive'],
    ['an old or encrypted one', Buffer.from('d0cf11e0a1b11ae1000000', 'hex'), 'protected with a password, or an old workbook'],
    ['another archive', zipOf([{ name: 'a.txt', content: 'x' }]), 'a ZIP archive without a workbook'],
    ['a binary one', zipOf([{ name: 'xl/workbook.bin', content: 'x' }]), 'a binary workbook (.xlsb)'],
    ['one that is cut off', zipOf(parts).subarray(0, 900), 'it is not a ZIP archive, or its end is missing'],
    [
      'one with a part cut off',
      changed('xl/worksheets/sheet1.xml', '<worksheet><sheetData>'),
      'ends before <sheetData> is closed',
    ],
    ['crossed tags', changed('xl/worksheets/sheet1.xml', '<a><b></a></b>'), '</a> closes <b>'],
    ['a document type', changed('xl/worksheets/sheet1.xml', '<!DOCTYPE a [<!ENTITY b "c">]><a/>'), 'document type'],
    ['an unknown entity', changed('xl/workbook.xml', '<workbook>&b;</workbook>'), "the entity '&b;' is not known"],
    ['a lie about a size', changed('xl/worksheets/sheet1.xml', '<a/>', { size: 9 }), 'is not 9 bytes long'],
    ['an encrypted part', changed('xl/worksheets/sheet1.xml', '<a/>', { encrypted: true }), 'is encrypted'],
    ['broken UTF-8', changed('xl/worksheets/sheet1.xml', Uint8Array.of(0x3c, 0x61, 0x3e, 0xff)), 'it is not utf-8'],
    ['a text that is not there', book('<row><c t="s"><v>5</v></c></row>'), 'cell A1 names a text'],
    ['no number at all', book('<row><c><v>NaN</v></c></row>'), "cell A1 holds 'NaN'"],
    ['a number that is none', book('<row><c><v>0x10</v></c></row>'), "cell A1 holds '0x10'"],
    ['deep nesting', changed('xl/worksheets/sheet1.xml', '<a>'.repeat(600)), 'nested over 512 levels'],
  ])('is refused with what is wrong: %s', async (_, bytes, message) => {
    const failure = await failureOf('a.xlsx', bytes);
    expect(failure.code).toBe('PARSE_FAILED');
    expect(failure.message).toContain('Failed to parse XLSX file');
    expect(failure.message).toContain(message);
  });

  it('makes no columns of the empty ones before the last cell there can be', async () => {
    const data = `${rowOf('a')}<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`;
    expect(await recordsOf(book(data))).toEqual([{ a: null, column_2: 1 }]);
  });

  it('is bounded after unpacking', async () => {
    const bomb = book(rowOf('a') + rowOf(' '.repeat(3_000_000)));
    expect(bomb.length).toBeLessThan(20_000);
    const bounds = { ...testBounds, maxStreamedFileBytes: 1_000_000 };
    expect((await failureOf('a.xlsx', bomb, { bounds })).code).toBe('FILE_TOO_LARGE');
    const lie = changed('xl/worksheets/sheet1.xml', ' '.repeat(3_000_000), { size: 10 });
    expect((await failureOf('a.xlsx', lie, { bounds })).message).toContain('is not 10 bytes long');
  });

  it('holds texts up to a bound', async () => {
    const texts = `<si><t>${'x'.repeat(1000)}</t></si>`.repeat(2000);
    const failure = await failureOf('a.xlsx', book(rowOf('a'), { texts }), { bounds: { ...testBounds, maxFileBytes: 100_000 } });
    expect(failure).toMatchObject({ code: 'FILE_TOO_LARGE', details: { setting: 'maxFileBytes' } });
  });

  it('is no text, but bytes for who asks for these', async () => {
    const bytes = zipOf(parts);
    expect((await failureOf('a.xlsx', bytes, { as: 'text' })).hint).toContain('as: "base64"');
    expect(await parsedOf('a.xlsx', bytes, { as: 'base64' })).toBe(bytes.toString('base64'));
  });

  it('says that a sheet is empty', async () => {
    expect(await recordsOf(book(''))).toEqual([]);
    expect(await warningsOf(book(''))).toEqual(["Sheet 'Data': it is empty"]);
  });
});

it('agrees with another reader on workbooks that another program wrote', async () => {
  const value = fc.oneof(
    fc.constant(null),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
    fc.integer(),
    fc.boolean(),
    fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/\p{Cc}|\p{Cn}|_x/iu.test(text)),
  );
  const rows = fc.array(fc.array(value, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(rows, async (cells) => {
      const bytes = await writeXlsx({ sheets: [{ name: 'S', rows: [['a', 'b', 'c'], ...cells] }] });
      const theirs = (await readXlsx(bytes)).sheets[0]?.rows.slice(1).filter((row) => row.some((cell) => cell !== null)) ?? [];
      const types = [0, 1, 2].map((i) => new Set(theirs.flatMap((row) => ((row[i] ?? null) === null ? [] : [typeof row[i]]))));
      const expected = theirs.map((row) =>
        Object.fromEntries(
          ['a', 'b', 'c'].map((name, i) => {
            const cell = row[i] ?? null;
            return [name, cell === null || types[i]?.size === 1 ? cell : String(cell)];
          }),
        ),
      );
      expect(await recordsOf(Buffer.from(bytes))).toEqual(expected);
    }),
    { numRuns: runs(60) },
  );
});
