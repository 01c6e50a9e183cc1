/** Tests where a table starts in a file with other text around it. */
import { describe, expect, it } from 'vitest';
import { convertBytes, failureOf, jsonOf, type TestOptions } from '../fixtures/conversion-fixture.ts';

const rowsOf = async (text: string, options?: TestOptions) => JSON.parse(await jsonOf('a.csv', text, options)) as unknown;

async function warningsOf(text: string, options?: TestOptions): Promise<string[]> {
  const { report } = await convertBytes('a.csv', text, options);
  return report.warnings.map(({ code, message }) => `${code}: ${message}`);
}

describe('a first line sep=', () => {
  it.each([
    ['sep=;\na;b\n1;x,y\n', [{ a: 1, b: 'x,y' }]],
    ['sep=;\r\na;b\r\n1;x\r\n', [{ a: 1, b: 'x' }]],
    ['SEP=|\na|b\n1|x\n', [{ a: 1, b: 'x' }]],
    ['"sep=,"\na,b\n1,x\n', [{ a: 1, b: 'x' }]],
    ['sep=\t\na\tb\n1\tx\n', [{ a: 1, b: 'x' }]],
    ['sep=:\na:b\n1:x\n', [{ a: 1, b: 'x' }]],
    ['\ufeffsep=;\na;b\n1;x\n', [{ a: 1, b: 'x' }]],
  ])('%j', async (text, rows) => {
    expect(await rowsOf(text)).toEqual(rows);
    expect(await warningsOf(text)).toEqual([]);
  });

  it('is overridden by a requested delimiter', async () => {
    expect(await rowsOf('sep=;\na,b\n1,x\n', { delimiter: ',' })).toEqual([{ a: 1, b: 'x' }]);
  });

  it('is skipped without a header too', async () => {
    expect(await rowsOf('sep=;\n1;x\n', { header: false })).toEqual([[1, 'x']]);
  });

  it('keeps the lines of the file in errors', async () => {
    await expect(jsonOf('a.csv', 'sep=;\na;b\n1;2;3\n')).rejects.toThrow(/line 3/);
  });
});

describe('lines above the header', () => {
  it.each([
    ['a title and a blank line', 'Kontoauszug 2024\n\nDatum;Betrag;Text\n01.01.2024;-5,00;Miete, warm\n', 'Lines 1 to 2'],
    ['a title alone', 'Sales report\nDatum;Betrag;Text\n1;2;Miete, warm\n2;3;x\n', 'Line 1'],
    ['comments', '# made by x, on a day\n# again\nDatum;Betrag;Text\n1;2;x\n', 'Lines 1 to 2'],
    ['keys and values', 'Konto;123\nInhaber;Ann\n\nDatum;Betrag;Text\n1;2;x\n', 'Lines 1 to 3'],
    ['a title with commas', 'Report, monthly\n\nDatum;Betrag;Text\n1;2;x\n3;4;y\n', 'Lines 1 to 2'],
    ['after sep=', 'sep=;\nKontoauszug\n\nDatum;Betrag;Text\n1;2;x\n', 'Lines 2 to 3'],
    ['a title filled up with delimiters', 'Sales report;;\nDatum;Betrag;Text\n1;2;x\n3;4;y\n', 'Line 1'],
    ['a filled title and a filled blank line', 'Sales report;;\n;;\nDatum;Betrag;Text\n1;2;x\n', 'Lines 1 to 2'],
    ['two filled titles', 'Sales;;\nof 2024;;\nDatum;Betrag;Text\n1;2;x\n3;4;y\n', 'Lines 1 to 2'],
  ])('%s', async (_, text, lines) => {
    const { report } = await convertBytes('a.csv', text);
    expect(report.columns?.map(({ name }) => name)).toEqual(['Datum', 'Betrag', 'Text']);
    expect(report.delimiter).toBe(';');
    const [warning, ...others] = await warningsOf(text, { decimal: '.', dates: 'iso' });
    expect(others).toEqual([]);
    expect(warning).toMatch(new RegExp(`^LINES_SKIPPED: ${lines} above the header w(as|ere) skipped .*skip: 0`));
  });

  it('are left out of a long table, whose lines keep their numbers', async () => {
    const text = `Report 2024\n\nid;name\n${Array.from({ length: 30_000 }, (_, i) => `${i};name ${i}\n`).join('')}`;
    const rows = (await rowsOf(text)) as { id: number; name: string }[];
    expect(rows).toHaveLength(30_000);
    expect(rows.at(-1)).toEqual({ id: 29_999, name: 'name 29999' });
    await expect(jsonOf('a.csv', `${text}1;2;3\n`)).rejects.toThrow(/line 30004/);
  });

  it.each([
    ['a header of one cell over one column', 'name\nAnn\nBob\n'],
    ['text with commas in a file of one column', 'address\n1 Main St, Springfield\n2 Oak Ave, Shelbyville\n'],
    ['numbers with a decimal comma in one column', 'price\n1,50\n2,70\n3,10\n'],
    ['words with commas in one column', 'note\nwell, then\nso, what\nno, thanks\n'],
    ['a header that is shorter than the rows', 'a,b\n1,2,3\n4,5,6\n7,8,9\n'],
    ['rows that are shorter than the header', 'a,b,c\n1\n2\n3,4,5\n'],
    ['a blank line before the header', '\n\na,b\n1,2\n'],
    ['a header that starts with #', '#id,name\n1,x\n'],
    ['a header of one name, with text below', 'name,,\nAnn,x,y\nBob,z,w\n'],
  ])('are not guessed from %s', async (_, text) => {
    const codes = await warningsOf(text).catch(() => []);
    expect(codes.filter((code) => code.startsWith('LINES_SKIPPED'))).toEqual([]);
  });
});

describe('a first row that looks like data', () => {
  const warned = async (text: string, options?: TestOptions) =>
    (await warningsOf(text, options)).filter((each) => each.startsWith('HEADER_LOOKS_LIKE_DATA'));

  it.each([
    ['a number above numbers', 'Ann,31\nBob,25\n', 1],
    ['a date above dates', '2024-01-02;x\n2024-01-03;y\n', 1],
    ['a German date', '02.01.2024;x\n03.01.2024;y\n', 1],
    ['a decimal', 'a,2.5,1\nb,1.5,7\n', 1],
    ['empty cells below', 'Ann,31\nBob,\nCid,9\n', 1],
    ['one column', '12\n15\n9\n', 1],
    ['after sep=', 'sep=;\nAnn;31\nBob;25\n', 2],
  ])('is warned about: %s', async (_, text, line) => {
    expect(await warned(text)).toEqual([expect.stringMatching(new RegExp(`Line ${line} .*header: false`))]);
    expect(await warned(text, { header: true })).toEqual([]);
    expect(await warned(text, { header: false })).toEqual([]);
    expect(await warned(text, { header_row: line })).toEqual([]);
  });

  it.each([
    ['names', 'id,name\n1,x\n'],
    ['a number above text', 'Ann,31\nBob,x\n'],
    ['years', 'country,2019,2020\nde,1,2\n'],
    ['one year', 'country,2019\nde,1\n'],
    ['numbered columns', '1,2,3\n7,8,9\n'],
    ['dates above numbers', 'item,2024-01-01,2024-02-01\nx,1,2\n'],
    ['no rows below', 'Ann,31\n'],
  ])('is not assumed: %s', async (_, text) => {
    expect(await warned(text)).toEqual([]);
  });
});

it('a first row with one name is taken for the header, with a warning that names the row below', async () => {
  expect(await warningsOf('name,,\nAnn,x,y\nBob,z,w\n')).toContainEqual(
    expect.stringMatching(/^HEADER_LOOKS_LIKE_TITLE: Line 1 .*header_row: 2$/),
  );
  expect(await warningsOf('name,,\nAnn,x,y\nBob,z,w\n', { header_row: 1 })).not.toContainEqual(
    expect.stringMatching(/^HEADER_LOOKS/),
  );
});

it.each(['Group A,,Group B,', 'Group A,Group A,Group B,Group B'])(
  'groups above the names are taken for the header, with a warning that names the row below: %s',
  async (groups) => {
    const text = `${groups}\nid,name,x,y\n1,a,2,3\n4,b,5,6\n`;
    expect(await warningsOf(text)).toContain(
      'HEADER_LOOKS_LIKE_TITLE: Line 1 became the header, but line 2 looks like it; ask for header_row: 2 if it is',
    );
    expect(await warningsOf(text, { header_row: 2 })).toEqual([]);
  },
);

it('a column without a name is no group', async () => {
  for (const text of [',name,x\nr1,a,2\nr2,b,3\nr3,c,4\n', 'a,,c\nx,y,z\nx,y,z\nu,v,w\n'])
    expect((await warningsOf(text)).filter((each) => each.startsWith('HEADER_LOOKS'))).toEqual([]);
});

it('a delimiter that is in no line is named, with the one that separates columns', async () => {
  expect(await warningsOf('a,b\n1,2\n3,4\n', { delimiter: ';' })).toContain(
    'DELIMITER_UNUSED: No line has the delimiter ";" that was asked for; "," separates columns',
  );
  for (const [text, delimiter] of [
    ['a;b\n1;2\n', ';'],
    ['a\n1\n', ';'],
    ['a|b\n1,2|3\n', '|'],
  ] as const)
    expect((await warningsOf(text, { delimiter })).filter((each) => each.startsWith('DELIMITER'))).toEqual([]);
});

describe('a first row that is counted on', () => {
  const text = '1,Ann,12.50\n2,Bob,3.20\n';

  it('is no header: the file is refused, with both ways to read it', async () => {
    const error = await failureOf('a.csv', text);
    expect(error).toMatchObject({ code: 'INVALID_REQUEST', details: { line: 1 } });
    expect(error.message).toContain('line 1 (1,Ann,12.50) is counted on');
    expect(await rowsOf(text, { header: false })).toEqual([
      [1, 'Ann', 12.5],
      [2, 'Bob', 3.2],
    ]);
    expect(await rowsOf(text, { header: true })).toEqual([{ '1': 2, Ann: 'Bob', '12.50': 3.2 }]);
  });

  it.each(['id,name\n1,a\n2,b\n', '1,2,3\n2,5,6\n', '0,1,2\n1,5,6\n2,7,8\n', '1,a\n3,b\n', '2019,x\n2020,5\n2022,6\n', '1,a\n'])(
    'is not seen in %j',
    async (table) => {
      expect((await warningsOf(table)).filter((each) => each.includes('counted on'))).toEqual([]);
    },
  );
});

describe('skip and header_row', () => {
  const text = 'A title, long\na,b\n1,2\n3,4\n';

  it('say where the header is', async () => {
    const rows = [
      { a: 1, b: 2 },
      { a: 3, b: 4 },
    ];
    expect(await rowsOf(text, { skip: 1 })).toEqual(rows);
    expect(await rowsOf(text, { header_row: 2 })).toEqual(rows);
    expect(await rowsOf(text.replaceAll('\n', '\r\n'), { skip: 1 })).toEqual(rows);
    expect(await rowsOf(text.replaceAll('\n', '\r'), { header_row: 2 })).toEqual(rows);
    expect(await warningsOf(text, { skip: 1 })).toEqual([]);
    expect(await rowsOf(text, { header_row: 3 })).toEqual([{ '1': 3, '2': 4 }]);
  });

  it('name a line with text: an empty one is refused, with the next that has some', async () => {
    expect(await failureOf('a.csv', 'a,b\n\n\n1,2\n', { header_row: 2 })).toMatchObject({
      code: 'INVALID_REQUEST',
      hint: expect.stringContaining('header_row: 4'),
      details: { line: 2 },
    });
    expect(await rowsOf('\na,b\n1,2\n', { skip: 1 })).toEqual([{ a: 1, b: 2 }]);
  });

  it('detect the delimiter from the remaining lines', async () => {
    expect(await rowsOf('x,y\na;b\n1;2\n', { skip: 1 })).toEqual([{ a: 1, b: 2 }]);
  });

  it('skip lines before rows without a header too', async () => {
    expect(await rowsOf(text, { skip: 2, header: false })).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it('skip: 0 disables the detection', async () => {
    expect(await rowsOf('Title\n\na;b\n1;2\n', { skip: 0 })).toEqual([{ Title: 'a;b' }, { Title: '1;2' }]);
  });

  it.each<[TestOptions, number]>([
    [{ skip: 100 }, 101],
    [{ skip: 4, header: false }, 5],
    [{ header_row: 101 }, 101],
  ])('past the end are refused, with the last line that has text: %j', async (options, line) => {
    expect(await failureOf('a.csv', `${text}\n \n`, options)).toMatchObject({
      code: 'INVALID_REQUEST',
      message: `The table cannot begin at line ${line}: the last line with text is line 4`,
      hint: expect.stringContaining('skip is the number of lines'),
      details: { line },
    });
    expect(await failureOf('a.tsv', text.replaceAll('\n', '\r\n'), options)).toMatchObject({ details: { line } });
    expect((await warningsOf('\n', options))[0]).toMatch(/^EMPTY_FILE/);
  });
});

describe('the delimiter', () => {
  it.each([
    ['a unit in the name, decimal commas', 'Umsatz, EUR;Datum\n1,50;2024\n2,25;2025\n', ';', 2],
    ['the same with tabs', 'Umsatz, EUR\tDatum\n1,50\t2024\n', '\t', 2],
    ['words with semicolons in some rows', 'id,note\n1,a;b\n2,c\n', ',', 2],
    ['more cells by the comma', 'a,b,c;d\n1,2,3;4\n', ',', 3],
  ])('of %s', async (_, text, delimiter, width) => {
    const { report } = await convertBytes('a.csv', text);
    expect([report.delimiter, report.columns?.length]).toEqual([delimiter, width]);
  });
});
