import fc from 'fast-check';
import { readOds, writeOds } from 'hucre';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../shared/lib/fixtures/property-runs.ts';
import { convert } from '../convert/convert.ts';
import { chunkedSource, convertBytes, failureOf, jsonText, parsedOf, testBounds } from '../fixtures/conversion-fixture.ts';
import { flatOds, type OdsSheet, odsOf, odsRow, typed } from './ods-fixture.ts';

const sheet = (rows: string, name = 'Data'): OdsSheet => ({ name, rows });
const recordsOf = (bytes: Uint8Array | string, options = {}, name = 'a.ods') => parsedOf(name, bytes, options);
const warningsOf = async (bytes: Uint8Array, options = {}) =>
  (await convertBytes('a.ods', bytes, options)).report.warnings.map(({ message }) => message);
const one = (rows: string) => odsOf([sheet(rows)]);
const cells = (...xml: string[]) => `<table:table-row>${xml.join('')}</table:table-row>`;

describe('an OpenDocument spreadsheet', () => {
  const people =
    odsRow('id', 'zip', 'member', 'none') + odsRow(1, '01067', true, null) + odsRow(2.5, '80331', false, null) + odsRow(null);

  it('becomes the records of its first sheet, with a type for each column', async () => {
    const conversion = await convertBytes('a.ods', one(people));
    expect(JSON.parse(await jsonText(conversion))).toEqual([
      { id: 1, zip: '01067', member: true, none: null },
      { id: 2.5, zip: '80331', member: false, none: null },
    ]);
    expect(conversion.report).toMatchObject({ format: 'ods', kind: 'array', records: 2, warnings: [] });
    expect(conversion.report.sheets).toEqual([{ name: 'Data', hidden: false }]);
    expect(await conversion.locate([1, 'zip'])).toEqual({ line: 3, column: 2, columnName: 'zip' });
  });

  it('gives the same in one XML file, and in any chunks', async () => {
    expect(await recordsOf(flatOds([sheet(people)]), {}, 'a.fods')).toEqual(await recordsOf(one(people)));
    expect(await recordsOf(one(people), { format: 'ods' }, 'a.bin')).toEqual(await recordsOf(one(people)));
    for (const sizes of [[1], [7, 64]]) {
      const conversion = await convert(chunkedSource('a.ots', one(people), sizes), { bounds: testBounds });
      expect(JSON.parse(await jsonText(conversion))).toEqual(await recordsOf(one(people)));
    }
  });

  it.each([
    [typed('date', 'office:date-value="2024-03-02"', '02.03.24'), '2024-03-02'],
    [typed('date', 'office:date-value="2024-03-02T12:30:00"', '02.03.24'), '2024-03-02T12:30:00'],
    [typed('date', 'office:date-value="2024-03-02T00:00:00"', '02.03.24'), '2024-03-02'],
    [typed('time', 'office:time-value="PT18H00M00S"', '18:00'), '18:00:00'],
    [typed('time', 'office:time-value="PT30H05M01.500000000S"', '30:05'), '30:05:01.5'],
    [typed('percentage', 'office:value="0.25"', '25%'), 0.25],
    [typed('currency', 'office:currency="EUR" office:value="12.5"', '12,50 €'), 12.5],
    [typed('float', 'office:value="1E-7"', '0'), 1e-7],
    [typed('string', 'office:string-value="whole"', 'shown'), 'whole'],
    [typed('string', '', 'a<text:s text:c="3"/>b<text:tab/>c<text:line-break/>d <text:span>e</text:span>'), 'a   b\tc\nd e'],
    [typed('string', '', 'one</text:p><text:p>two'), 'one\ntwo'],
    [
      '<table:table-cell office:value-type="string"><office:annotation><text:p>note</text:p></office:annotation><text:p>x</text:p></table:table-cell>',
      'x',
    ],
    [typed('string', '', '&amp;&#x20AC;'), '&€'],
  ])('reads the value of %s', async (cell, expected) => {
    expect(await recordsOf(one(odsRow('v') + cells(cell)))).toEqual([{ v: expected }]);
  });

  it('repeats rows and columns as they say, within what a sheet can hold', async () => {
    const repeated =
      odsRow('a', 'b', 'c') +
      cells(
        '<table:table-cell office:value-type="float" office:value="1" table:number-columns-repeated="2"/>',
        typed('string', '', 'x'),
      ) +
      '<table:table-row table:number-rows-repeated="3"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>' +
      `<table:table-row table:number-rows-repeated="2">${typed('float', 'office:value="7"', '7')}</table:table-row>` +
      '<table:table-row table:number-rows-repeated="1048569"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>';
    expect(await recordsOf(one(repeated))).toEqual([
      { a: 1, b: 1, c: 'x' },
      { a: 7, b: null, c: null },
      { a: 7, b: null, c: null },
    ]);
    expect(await recordsOf(one(repeated), { range: 'A6:B7', header: false })).toEqual([[7], [7]]);
  });

  it('says which cells hold errors, and that cells are merged and rows hidden', async () => {
    const data =
      odsRow('a', 'b') +
      cells(
        typed('string', '', '#DIV/0!', 'calcext:value-type="error"'),
        typed('float', 'office:value="1"', '1', 'table:number-columns-spanned="2" table:number-rows-spanned="1"'),
        '<table:covered-table-cell office:value-type="float" office:value="9"/>',
      ).replace('<table:table-row>', '<table:table-row table:visibility="filter">');
    expect(await recordsOf(one(data))).toEqual([{ a: null, b: 1 }]);
    expect(await warningsOf(one(data))).toEqual([
      "Sheet 'Data': 1 cell holds an error and became null; the first is A2 (#DIV/0!)",
      "Sheet 'Data': 1 range is merged; the value stands in the first cell, the others are null",
      "Sheet 'Data': 1 row is hidden in the workbook, and read all the same",
    ]);
  });

  it('counts merged cells only where it reads', async () => {
    const span = 'table:number-columns-spanned="2" table:number-rows-spanned="1"';
    const title = cells(typed('string', '', 'Title', span), '<table:covered-table-cell/>');
    const bytes = one(title + odsRow('a', 'b') + odsRow(1, 2));
    const merged = async (range: string) => (await warningsOf(bytes, { range })).filter((each) => each.includes('merged'));
    expect(await merged('A1:B')).toEqual([expect.stringContaining('1 range is merged')]);
    expect(await merged('B1:B')).toEqual([expect.stringContaining('1 range is merged')]);
    expect(await merged('A2:B')).toEqual([]);
  });

  const three = odsOf([
    { name: 'Old', rows: odsRow('x') + odsRow(0), hidden: true },
    { name: 'Sales', rows: odsRow('a') + odsRow(1) },
    { name: '2024', rows: odsRow('b') + odsRow(2) },
  ]);

  it('reads the sheet that is asked for, and all of them by name', async () => {
    expect(await recordsOf(three)).toEqual([{ a: 1 }]);
    expect(await recordsOf(three, { sheet: '2024' })).toEqual([{ b: 2 }]);
    expect(await recordsOf(three, { sheet: 1 })).toEqual([{ x: 0 }]);
    expect(await recordsOf(three, { sheet: '*' })).toEqual({ Old: [{ x: 0 }], Sales: [{ a: 1 }], 2024: [{ b: 2 }] });
    expect(await warningsOf(three)).toEqual(["Sheet 'Sales' was read. The workbook has 2 other sheets: 'Old' (hidden), '2024'"]);
    expect((await failureOf('a.ods', three, { sheet: 'None' })).text).toContain("Its sheets are 1 'Old', 2 'Sales', 3 '2024'");
  });

  it('leaves out earlier versions of cells and tables within cells', async () => {
    const tracked =
      '<table:tracked-changes><table:cell-content-change><table:previous><table:change-track-table-cell><text:p>old</text:p></table:change-track-table-cell></table:previous></table:cell-content-change></table:tracked-changes>';
    const nested = `<table:table-cell><table:table>${odsRow('inner')}</table:table></table:table-cell>`;
    expect(
      await recordsOf(flatOds([sheet(odsRow('a', 'b') + cells(typed('string', '', 'x'), nested))], tracked), {}, 'a.fods'),
    ).toEqual([{ a: 'x', b: null }]);
  });

  it('gives the types that are asked for, and names the cell that does not fit', async () => {
    const data = odsRow('zip') + odsRow('01067') + odsRow('x');
    expect((await failureOf('a.ods', one(data), { types: { zip: 'number' } })).text).toContain(
      `Failed to parse ODS file: column 'zip' is not a number ("01067") at cell A2 of sheet 'Data'`,
    );
  });

  it('agrees with another writer and reader', async () => {
    const value = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => `t${text.replace(/[^\p{L}\p{N} ]/gu, '')}`),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(value, value, value), { minLength: 1, maxLength: 8 }), async (rows) => {
        const bytes = await writeOds({ sheets: [{ name: 'S', rows: [['first', 'second', 'third'], ...rows] }] });
        const theirs = (await readOds(bytes)).sheets[0]?.rows.slice(1) ?? [];
        const ours = (await recordsOf(bytes, { types: 'string' })) as Record<string, string | null>[];
        const filled = theirs.filter((row) => row.some((cell) => cell !== null && cell !== ''));
        expect(ours.map((record) => Object.values(record).map((cell) => cell ?? ''))).toEqual(
          filled.map((row) => [0, 1, 2].map((i) => String(row[i] ?? ''))),
        );
      }),
      { numRuns: runs(60) },
    );
  });
});

describe('a spreadsheet that cannot be read', () => {
  const encrypted = {
    name: 'META-INF/manifest.xml',
    content: '<manifest><file-entry><encryption-data/></file-entry></manifest>',
  };
  it.each([
    ['an empty file', Buffer.alloc(0), 'it is empty'],
    ['an old one', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'it is protected with a password, or an old workbook'],
    ['one with a password', odsOf([sheet('')], [encrypted]), 'it is protected with a password'],
    [
      'a text document',
      odsOf([], [{ name: 'content.xml', content: '<office:body><office:text/></office:body>' }]),
      'it is no OpenDocument spreadsheet',
    ],
    ['another archive', odsOf([], [{ name: 'content.xml', content: '' }]), "'content.xml' is broken"],
    ['broken XML', Buffer.from('<office:document><x></office:document>'), "'content.xml' is broken: </document> closes <x>"],
    ['a DOCTYPE', Buffer.from('<!DOCTYPE x [<!ENTITY a "b">]><x/>'), 'a document type or another declaration is not allowed'],
    ['text', Buffer.from('hello'), 'text stands outside of the root element'],
    [
      'a number that is none',
      one(odsRow('a') + cells(typed('float', 'office:value="x"', 'x'))),
      "cell A2 holds 'x', which is no number",
    ],
  ])('is refused: %s', async (_, bytes, says) => {
    const error = await failureOf('a.ods', bytes);
    expect(error.code).toBe('PARSE_FAILED');
    expect(error.text).toContain('Failed to parse ODS file: ');
    expect(error.text).toContain(says);
  });

  it('is bounded in cells that repeat, sheets that are read at once, and unpacked size', async () => {
    const wide = '<table:table-cell office:value-type="float" office:value="1" table:number-columns-repeated="16384"/>';
    const bomb = one(`${odsRow('a')}<table:table-row table:number-rows-repeated="1048575">${wide}</table:table-row>`);
    expect((await failureOf('a.ods', bomb)).code).toBe('FILE_TOO_LARGE');
    const many = flatOds(Array.from({ length: 300 }, (_, i) => ({ name: `s${i}`, rows: odsRow('a') + odsRow(i) })));
    expect((await failureOf('a.fods', many, { sheet: '*' })).text).toContain(
      'more sheets than can be read at once. Name one sheet',
    );
    expect(await recordsOf(many, { sheet: 300 }, 'a.fods')).toEqual([{ a: 299 }]);
    const bounds = { ...testBounds, maxStreamedFileBytes: 50_000 };
    const large = one(odsRow('a'.repeat(100_000)));
    expect((await failureOf('a.ods', large, { bounds })).code).toBe('FILE_TOO_LARGE');
  });
});
