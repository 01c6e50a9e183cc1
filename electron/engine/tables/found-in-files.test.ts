/** What workbooks of other programs hold, found by comparing a thousand of them with LibreOffice. */
import { describe, expect, it } from 'vitest';
import { convertBytes, parsedOf } from '../fixtures/conversion-fixture.ts';
import { zipOf } from '../input/zip-fixture.ts';
import { flatOds, odsRow } from './ods-fixture.ts';
import { rowOf, workbookOf, workbookParts } from './workbook-fixture.ts';

const warningsOf = async (name: string, bytes: Uint8Array | string, options = {}) =>
  (await convertBytes(name, bytes, options)).report.warnings.map(({ message }) => message);
const sheetOf = (data: string, more: { texts?: string; formats?: string[]; after?: string } = {}) =>
  workbookOf({ sheets: [{ name: 'S', data, ...(more.after ? { after: more.after } : {}) }], ...more });
const cell = (value: string, style: number, type = '') => `<c s="${style}"${type}><v>${value}</v></c>`;

describe('an Excel workbook', () => {
  it('keeps its calendar, whatever extensions say after it', async () => {
    const parts = workbookParts({
      sheets: [{ name: 'S', data: `${rowOf('d')}<row>${cell('41331', 1)}</row>` }],
      formats: ['yyyy-mm-dd'],
      date1904: true,
    });
    const extended = parts.map((part) =>
      part.name === 'xl/workbook.xml'
        ? {
            ...part,
            content: String(part.content).replace(
              '</workbook>',
              '<extLst><x14:workbookPr defaultImageDpi="1"/></extLst></workbook>',
            ),
          }
        : part,
    );
    expect(await parsedOf('a.xlsx', zipOf(extended))).toEqual([{ d: '2017-02-27' }]);
  });

  it.each([
    ['#\\ ???/???', '12', 12],
    ['# ?/?', '1234', 1234],
    ['+0;-0', '5', 5],
    ['"R$ "0', '5', 5],
    ['"kr "0', '5', 5],
    ['"+"0', '5', '+5'],
    ['00000', '501', '00501'],
    ['[=0]?;[<4.16666666666667][hh]:mm:ss;[hh]:mm', '1.7361111111111112E-3', '00:02:30'],
  ])('shows a number as its format does: %s', async (format, value, shown) => {
    expect(
      await parsedOf(
        'a.xlsx',
        sheetOf(`${rowOf('n')}<row>${cell(value, 1)}</row>`, {
          formats: [format.replaceAll('"', '&quot;').replaceAll('<', '&lt;')],
        }),
      ),
    ).toEqual([{ n: shown }]);
  });

  it('has no text where the number of one is missing', async () => {
    const data = `${rowOf('a', 'b')}<row><c r="A2"><v>1</v></c><c r="B2" t="s"><v></v></c></row><row><c r="A3"><v>2</v></c><c r="B3" t="s"><v/></c></row>`;
    expect(await parsedOf('a.xlsx', sheetOf(data, { texts: '<si><t>wrong</t></si>' }))).toEqual([
      { a: 1, b: null },
      { a: 2, b: null },
    ]);
  });

  it('has line feeds for line ends, an inline text alone, and times without a zone', async () => {
    const data =
      `${rowOf('a', 'b', 'c')}<row><c r="A2" t="inlineStr"><is><t>x_x000D_\r\ny\rz</t></is></c>` +
      '<c r="B2" t="inlineStr"><v>1.0</v><is><t>1.</t></is></c><c r="C2" t="d"><v>2014-02-14T08:27:48.765Z</v></c></row>' +
      '<row><c r="B3" t="inlineStr"><v>alone</v></c></row>';
    expect(await parsedOf('a.xlsx', sheetOf(data))).toEqual([
      { a: 'x\r\ny\nz', b: '1.', c: '2014-02-14T08:27:48.765' },
      { a: null, b: 'alone', c: null },
    ]);
  });

  it('names rows and columns that are hidden by a word', async () => {
    const data = `${rowOf('a', 'b')}<row r="2" hidden="true"><c r="A2"><v>1</v></c><c r="B2"><v>2</v></c></row>`;
    const parts = workbookParts({ sheets: [{ name: 'S', data }] }).map((part) =>
      part.name === 'xl/worksheets/sheet1.xml'
        ? {
            ...part,
            content: String(part.content).replace('<sheetData>', '<cols><col min="2" max="2" hidden="true"/></cols><sheetData>'),
          }
        : part,
    );
    const warnings = await warningsOf('a.xlsx', zipOf(parts));
    expect(warnings.join('\n')).toMatch(/1 row is hidden/);
    expect(warnings.join('\n')).toMatch(/columns are hidden .*: b/);
  });

  it('is read as a template too, and lists have no invented names', async () => {
    const data = rowOf('a', 'b', null) + rowOf(1, 2, 3);
    expect(await parsedOf('a.xltx', sheetOf(data))).toEqual([{ a: 1, b: 2, column_3: 3 }]);
    expect(await warningsOf('a.xltm', sheetOf(data), { header: false })).toEqual([]);
  });

  it('has its cells where they belong, in whatever order they are written', async () => {
    const c = (place: string, value: number) => `<c r="${place}"><v>${value}</v></c>`;
    const head = rowOf('a', 'b', 'c');
    const mixed = `<row r="2">${c('C2', 3)}${c('A2', 1)}${c('B2', 2)}</row><row r="3">${c('A3', 4)}${c('B3', 5)}${c('C3', 6)}</row>`;
    expect(await parsedOf('a.xlsx', sheetOf(head + mixed))).toEqual([
      { a: 1, b: 2, c: 3 },
      { a: 4, b: 5, c: 6 },
    ]);
    const twice = `<row r="2">${c('A2', 1)}${c('A2', 10)}${c('B2', 2)}</row>`;
    expect(await parsedOf('a.xlsx', sheetOf(head + twice))).toEqual([{ a: 10, b: 2, c: null }]);
    const back = `<row r="200">${c('A200', 2)}</row><row r="100">${c('A100', 1)}</row><row r="100">${c('B100', 3)}</row>`;
    expect(await parsedOf('a.xlsx', sheetOf(head + back))).toEqual([
      { a: 2, b: null, c: null },
      { a: 1, b: null, c: null },
      { a: null, b: 3, c: null },
    ]);
  });

  it('prefers the part of the exact name', async () => {
    const parts = workbookParts({ sheets: [{ name: 'S', data: rowOf('a') + rowOf(1) }] });
    const other = workbookParts({ sheets: [{ name: 'S', data: rowOf('a') + rowOf(2) }] }).find(
      ({ name }) => name === 'xl/worksheets/sheet1.xml',
    );
    expect(
      await parsedOf('a.xlsx', zipOf([...parts, { name: 'xl/worksheets/SHEET1.xml', content: other?.content ?? '' }])),
    ).toEqual([{ a: 1 }]);
  });
});

describe('an OpenDocument spreadsheet', () => {
  const typed = (attributes: string, text: string) =>
    `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`;
  const rowWith = (...cells: string[]) => `<table:table-row>${cells.join('')}</table:table-row>`;
  const odsWith = (rows: string, name = 'S') => flatOds([{ name, rows }]);

  it('has values beside formulas and names with an apostrophe', async () => {
    const rows =
      odsRow('n', 'total') +
      rowWith(
        typed('office:value-type="float" office:value="5"', '5'),
        typed(`office:value-type="float" office:value="7" table:formula="of:=['My data'.A1]+2"`, '7'),
      );
    expect(await parsedOf('a.fods', odsWith(rows, "Bob's"), { sheet: "Bob's" })).toEqual([{ n: 5, total: 7 }]);
  });

  it('has no number where a formula failed, as Excel writes it', async () => {
    const rows =
      odsRow('n') + rowWith(typed('office:value-type="float" office:value="0" table:formula="of:=0/0"', '#DIV/0!')) + odsRow(1);
    expect(await parsedOf('a.fods', odsWith(rows))).toEqual([{ n: 1 }]);
    expect((await warningsOf('a.fods', odsWith(rows))).join('\n')).toContain('#DIV/0!');
  });

  it.each([
    ['1234', '01234', '01234'],
    ['12', 'E-0012', 'E-0012'],
    ['1234567', '123-4567', '123-4567'],
    ['1234', '1,234', 1234],
    ['1234', '1234.00', 1234],
    ['5', '€ 5', 5],
    ['0.5', '00.5', 0.5],
  ])('shows %s as %s', async (value, shown, is) => {
    const rows = odsRow('n') + rowWith(typed(`office:value-type="float" office:value="${value}"`, shown));
    expect(await parsedOf('a.fods', odsWith(rows))).toEqual([{ n: is }]);
  });

  it('names links, hidden columns and formulas without a result, and has one form of dates in a column', async () => {
    const rows =
      '<table:table-column table:number-columns-repeated="1"/><table:table-column table:visibility="collapse"/>' +
      odsRow('a', 'b', 'c') +
      rowWith(
        typed('office:value-type="string"', '<text:a xlink:href="https://example.org/">x</text:a>'),
        typed('office:value-type="date" office:date-value="2024-01-31"', ''),
        '<table:table-cell table:formula="of:=1+1"/>',
      ) +
      rowWith(
        typed('office:value-type="string"', 'y'),
        typed('office:value-type="date" office:date-value="2024-01-31T12:00:00"', ''),
        '<table:table-cell office:value-type="void"/>',
      );
    expect(await parsedOf('a.fods', odsWith(rows).replaceAll('16384', '0'))).toEqual([
      { a: 'x', b: '2024-01-31T00:00:00', c: null },
      { a: 'y', b: '2024-01-31T12:00:00', c: null },
    ]);
    const warnings = (await warningsOf('a.fods', odsWith(rows))).join('\n');
    expect(warnings).toMatch(/link/);
    expect(warnings).toMatch(/formula/);
  });

  it('has only sheets of its own', async () => {
    const book = flatOds([
      { name: 'S', rows: odsRow('a') + odsRow(1) },
      { name: '&apos;file:///x.ods&apos;#Sheet1', rows: odsRow('a') + odsRow(2) },
    ]);
    expect(Object.keys((await parsedOf('a.fods', book, { sheet: '*' })) as object)).toEqual(['S']);
  });
});
