/** Sheets as people see them: what number formats show, and what stands around a table. */
import { describe, expect, it } from 'vitest';
import { convertBytes, failureOf, parsedOf } from '../fixtures/conversion-fixture.ts';
import { numberFormat, shownText } from './number-format.ts';
import { rowOf, workbookOf } from './workbook-fixture.ts';

const book = (data: string, formats: string[] = [], after = '') =>
  workbookOf({
    sheets: [{ name: 'Data', data, after }],
    formats: formats.map((code) => code.replaceAll('"', '&quot;').replaceAll('<', '&lt;')),
  });
const recordsOf = (bytes: Uint8Array, options = {}) => parsedOf('a.xlsx', bytes, options);
const warningsOf = async (bytes: Uint8Array, options = {}) =>
  (await convertBytes('a.xlsx', bytes, options)).report.warnings.map(({ message }) => message);
const styled = (style: number, value: number | string) => `<c s="${style}"><v>${value}</v></c>`;
const text = (value: string) => `<c t="str"><v>${value}</v></c>`;
const row = (...cells: string[]) => `<row>${cells.join('')}</row>`;

describe('the text that a number format shows', () => {
  it.each([
    ['00000', 1067, '01067'],
    ['00000', 123456, '123456'],
    ['"+"0', 15551234567, '+15551234567'],
    ['"E-"0000', 42, 'E-0042'],
    ['\\N\\r\\.\\ 0', 7, 'Nr. 7'],
    ['000\\-00\\-0000', 12345678, '012-34-5678'],
    ['00000\\-0000', 104512345, '10451-2345'],
    ['[<=9999999]###\\-####;\\(###\\)\\ ###\\-####', 5551234, '555-1234'],
    ['[<=9999999]###\\-####;\\(###\\)\\ ###\\-####', 2125551234, '(212) 555-1234'],
    ['[Red]000', 5, '005'],
    ['000;"E-"0', 5, '005'],
    ['00', 0, '00'],
  ])('%s shows %d as %s', (code, value, shown) => {
    expect(shownText(numberFormat(200, code), value)).toBe(shown);
  });

  it.each([
    ['0', 7],
    ['0.00', 7],
    ['#,##0', 7],
    ['0%', 7],
    ['"€ "0', 7],
    ['[$€-407] 0', 7],
    ['0" kg"', 7],
    ['0.00E+00', 7],
    ['General', 7],
    ['00000', -7],
    ['00000', 7.5],
    ['#,##0;00000', 7],
    ['[<100]0;"E-"0000', 7],
  ])('%s leaves %d a number', (code, value) => {
    expect(shownText(numberFormat(200, code), value)).toBeUndefined();
  });

  it.each([
    ['[$€-407] #,##0.00', '€'],
    ['"$"#,##0', '$'],
    ['0" kg"', 'kg'],
    ['0.00', ''],
  ])('%s has the unit %j', (code, unit) => {
    expect(numberFormat(200, code).unit).toBe(unit);
  });
});

describe('a column', () => {
  const zips = book(rowOf('zip', 'n') + row(styled(1, 1067), styled(0, 1)) + row(styled(1, 99084), styled(0, 2)), ['00000']);

  it('of numbers with zeros is one of texts', async () => {
    expect(await recordsOf(zips)).toEqual([
      { zip: '01067', n: 1 },
      { zip: '99084', n: 2 },
    ]);
  });

  it('is one of numbers for who asks for these', async () => {
    expect(await recordsOf(zips, { types: { zip: 'number' } })).toMatchObject([{ zip: 1067 }, { zip: 99084 }]);
  });

  it('of dates with times has a time everywhere, midnight too', async () => {
    const dates = book(rowOf('t') + row(styled(1, 45322.4375)) + row(styled(1, 45323)), ['yyyy-mm-dd hh:mm']);
    expect(await recordsOf(dates)).toEqual([{ t: '2024-01-31T10:30:00' }, { t: '2024-02-01T00:00:00' }]);
  });

  it('of amounts in two currencies is named', async () => {
    const amounts = book(rowOf('amt') + row(styled(1, 5)) + row(styled(2, 5)), ['[$€-407] 0.00', '"$"0.00']);
    expect(await warningsOf(amounts)).toEqual([expect.stringMatching(/column 'amt'.*different currencies.*€, \$/)]);
  });

  it('with formulas that have no result is named, with the first of them', async () => {
    const formulas = rowOf('a', 'b') + row(styled(0, 1), '<c><f>A2*2</f></c>') + row(styled(0, 2), '<c><f>A3*2</f><v></v></c>');
    expect(await recordsOf(book(formulas))).toEqual([
      { a: 1, b: null },
      { a: 2, b: null },
    ]);
    expect(await warningsOf(book(formulas))).toEqual([expect.stringMatching(/2 formulas have no stored result.*B2/)]);
  });

  it('of numbers is not made text by empty results', async () => {
    const blanks = book(rowOf('a') + row(styled(0, 1)) + row('<c t="str"><f>IF(1,"")</f><v></v></c>') + row(text('')));
    expect(await recordsOf(blanks)).toEqual([{ a: 1 }]);
    expect(await warningsOf(blanks)).toEqual([expect.stringMatching(/2 rows of nothing but empty cells were left out/)]);
  });

  it('with links is named, and one that is hidden', async () => {
    const sheet = book(
      rowOf('site', 'cost') + rowOf('our site', 1),
      [],
      '<hyperlinks><hyperlink ref="A2" r:id="h1" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"/><hyperlink ref="A3" location="Data!A1"/></hyperlinks>',
    );
    expect(await warningsOf(sheet)).toEqual([expect.stringMatching(/1 cell has a link.*A2/)]);
  });
});

describe('around a table', () => {
  const titled = book(rowOf('PROGRESS') + rowOf('of 2024') + rowOf('Task', 'Owner') + rowOf('Design', 'Ana'));

  it('titles are skipped, and named with the option that reads them', async () => {
    expect(await recordsOf(titled)).toEqual([{ Task: 'Design', Owner: 'Ana' }]);
    expect(await warningsOf(titled)).toEqual([
      expect.stringMatching(/rows 1 to 2 above the header were skipped \(PROGRESS\).*skip: 0/),
    ]);
    expect(await recordsOf(titled, { skip: 0 })).toMatchObject([
      { PROGRESS: 'of 2024' },
      { PROGRESS: 'Task' },
      { PROGRESS: 'Design' },
    ]);
  });

  const gap = '<row/>';
  const people = rowOf('id', 'name', 'city', 'born', 'n') + rowOf(1, 'Ann', 'Oslo', 1990, 5) + rowOf(2, 'Bob', null, 1991, 6);

  it.each([
    ['a title, keys and values', rowOf('Report') + rowOf('Created', '2024-06-01', 'by', 'Ada') + gap + people, 3, 'Report'],
    ['keys and values', rowOf('Account', 123) + rowOf('Holder', 'Ann') + gap + people, 3, 'Account'],
  ])('%s above an empty row and a wider header are skipped', async (_, data, last, title) => {
    const found = await recordsOf(book(data));
    expect(found).toEqual([
      { id: 1, name: 'Ann', city: 'Oslo', born: 1990, n: 5 },
      { id: 2, name: 'Bob', city: null, born: 1991, n: 6 },
    ]);
    expect(await warningsOf(book(data))).toEqual([
      expect.stringContaining(`rows 1 to ${last - 1} above the header were skipped (${title})`),
    ]);
  });

  it.each([
    ['a number among names', rowOf('Report') + rowOf('Year', 2024, 'Month', 'May'), 3],
    ['a year among names, as text', rowOf('Report') + rowOf('Year', '2024', 'Month', 'May'), 3],
    ['fewer names', rowOf('Month', 'May') + rowOf('By', 'Ada'), 3],
    ['as many names after an empty row', rowOf('Year', 2024, 'Month', 'May', 'x') + gap, 3],
  ])('a header below %s is named', async (_, above, row) => {
    expect(await warningsOf(book(above + people))).toContainEqual(
      expect.stringMatching(new RegExp(`row \\d became the header, but row ${row} looks like it; ask for header_row: ${row}`)),
    );
    expect(await recordsOf(book(above + people), { header_row: row })).toMatchObject([{ id: 1 }, { id: 2 }]);
  });

  it.each([
    [
      'a header of years',
      rowOf('Region', 2023, 2024) +
        rowOf('North', 1, 2) +
        rowOf('South', 'n/a', 'none') +
        rowOf('East', 3, 4) +
        rowOf('West', 5, 6),
    ],
    ['a row of units', rowOf('Region', '2023', 2024) + rowOf(null, 'EUR', 'USD') + rowOf('North', 1, 2) + rowOf('South', 3, 4)],
    ['a record of texts', rowOf('id', 'name', 'note') + rowOf('none', 'Ann', 'x') + rowOf(1, 'Bob', 'y') + rowOf(2, 'Cid', 'z')],
    ['an empty row between records', rowOf('id', 'name') + rowOf(1, 'Ann') + gap + rowOf(2, 'Bob') + rowOf(3, 'Cid')],
    ['keys and values alone', rowOf('Year', 2024) + rowOf('Month', 'May') + rowOf('By', 'Ada')],
  ])('no other header is seen in %s', async (_, data) => {
    expect(await warningsOf(book(data))).toEqual([]);
  });

  it('a table above a wider one is read, and the other is named', async () => {
    const two = rowOf('Region', 'Total') + rowOf('North', 5) + rowOf('South', 6) + gap + people;
    expect(await recordsOf(book(two))).toMatchObject([{ Region: 'North' }, { Region: 'South' }, {}, {}, {}]);
    expect(await warningsOf(book(two))).toContainEqual(expect.stringMatching(/row 5 stands below an empty row/));
    expect((await warningsOf(book(two))).join()).not.toMatch(/header_row|above the header/);
  });

  it('one column has no titles', async () => {
    expect(await recordsOf(book(rowOf('name') + rowOf('Ann') + rowOf('Bob')))).toEqual([{ name: 'Ann' }, { name: 'Bob' }]);
  });

  it('totals and notes are named', async () => {
    const sheet = `${rowOf('item', 'n') + rowOf('a', 1) + rowOf('Total', 1)}<row/>${rowOf('* preliminary')}`;
    expect(await warningsOf(book(sheet))).toEqual([
      expect.stringMatching(/row 3 looks like a total/),
      expect.stringMatching(/row 5 stands below an empty row/),
    ]);
  });

  it.each(['Gesamtsumme', 'Sub total', 'Итого:', 'Общий итог', 'Всего', '合計', '总计 2024', 'Somme'])(
    'a total is known in other words: %s',
    async (text) => {
      expect(await warningsOf(book(rowOf('item', 'n') + rowOf('a', 1) + rowOf(text, 1)))).toEqual([
        expect.stringMatching(/row 3 looks like a total/),
      ]);
    },
  );

  it.each(['Totally Fresh', 'Summer', 'Общество', 'Sumatra'])('another word is none: %s', async (text) => {
    expect(await warningsOf(book(rowOf('item', 'n') + rowOf('a', 1) + rowOf(text, 1)))).toEqual([]);
  });

  it('a table beside it is named', async () => {
    const sheet = rowOf('item', 'n', null, 'city', 'pop') + rowOf('a', 1, null, 'Rome', 3);
    expect(await warningsOf(book(sheet))).toEqual([expect.stringMatching(/between A:B and D:E.*range: "A:B"/)]);
    expect(await recordsOf(book(sheet), { range: 'D:E' })).toEqual([{ city: 'Rome', pop: 3 }]);
  });
});

describe('options of tables', () => {
  const sheet = book(rowOf('Number', 'Town') + rowOf('id', 'city') + rowOf(1, ' Oslo ') + rowOf(2, 'NA'));

  it('name the row of the header, or rows to skip', async () => {
    const found = [
      { id: 1, city: ' Oslo ' },
      { id: 2, city: 'NA' },
    ];
    expect(await recordsOf(sheet, { header_row: 2 })).toEqual(found);
    expect(await recordsOf(sheet, { skip: 1 })).toEqual(found);
    expect((await failureOf('a.xlsx', sheet, { header_row: 9 })).message).toMatch(/Row 9 of sheet 'Data' is empty/);
  });

  it('trim texts, and say which are no values', async () => {
    expect(await recordsOf(sheet, { header_row: 2, trim: true, nulls: ['NA'] })).toEqual([
      { id: 1, city: 'Oslo' },
      { id: 2, city: null },
    ]);
  });

  it.each([
    ['a.xlsx', { decimal: ',' as const }, /'decimal' does not apply to XLSX files/],
    ['a.json', { header_row: 2 }, /'header_row' does not apply to JSON files/],
    ['a.csv', { sheet: 'Data', range: 'A1' }, /'sheet', 'range' do not apply to CSV files/],
    ['a.csv', { as: 'base64' as const, delimiter: ';' }, /'delimiter' does not apply to bytes/],
    ['a.docx', { pages: '2' }, /'pages' does not apply to DOCX files/],
    ['a.yaml', { trim: true }, /'trim' does not apply to YAML files/],
  ])('that do not apply to %s are refused: %j', async (name, options, says) => {
    const error = await failureOf(name, sheet, options);
    expect(error.code).toBe('INVALID_REQUEST');
    expect(error.message).toMatch(says);
  });
});
