/** CSV in other dialects, with other marks for values, with lines below the table; tables in which a person would see something else. */
import { describe, expect, it } from 'vitest';
import { convert } from '../convert/convert.ts';
import {
  chunkedSource,
  convertBytes,
  failureOf,
  jsonText,
  type TestOptions,
  testBounds,
} from '../fixtures/conversion-fixture.ts';
import { Chance } from '../fixtures/fuzz-fixture.ts';
import { csvBy } from './csv-fuzz-fixture.ts';

async function read(text: string, options: TestOptions = {}, name = 'a.csv') {
  const conversion = await convertBytes(name, text, options);
  const json = await jsonText(conversion);
  expect(conversion.bytes).toBe(Buffer.byteLength(json));
  const { warnings, columns } = conversion.report;
  return {
    rows: JSON.parse(json) as unknown,
    types: columns?.map(({ type }) => type),
    warnings: warnings.map(({ code, message }) => `${code}: ${message}`),
  };
}

const rowsOf = async (text: string, options?: TestOptions) => (await read(text, options)).rows;

describe('options of the dialect', () => {
  it.each<[string, string, TestOptions, unknown]>([
    [
      'another quote',
      "a,b\n'x, y',it''s\n'''q''',\"z\n",
      { quote: "'" },
      [
        { a: 'x, y', b: "it''s" },
        { a: "'q'", b: '"z' },
      ],
    ],
    ['no quote', 'a,b\n"x,y"\n', { quote: '' }, [{ a: '"x', b: 'y"' }]],
    [
      'a backslash, as MySQL writes it',
      'a,b\n"x \\"y\\", \\\\",\\N\none\\ttwo\\nthree,\\,\n',
      { escape: '\\' },
      [
        { a: 'x "y", \\', b: null },
        { a: 'one\ttwo\nthree', b: ',' },
      ],
    ],
    ['another escape', 'a,b\n"x ~"y~~",2\n', { escape: '~' }, [{ a: 'x "y~', b: 2 }]],
    [
      'comments',
      '# a, title\nid,b\n# note\n1,#x\n#2,y\n3,"\n#z"\n',
      { comment: '#' },
      [
        { id: 1, b: '#x' },
        { id: 3, b: '\n#z' },
      ],
    ],
    [
      'blanks around cells',
      ' a , b\n 1 ,\t"x, y" \n2, \n',
      { trim: true },
      [
        { a: 1, b: 'x, y' },
        { a: 2, b: null },
      ],
    ],
    ['with a delimiter of its own', 'a;b\n1;x~;y\n', { escape: '~', delimiter: ';' }, [{ a: 1, b: 'x;y' }]],
    ['with sep=', 'sep=;\na;b\n1;x # y\n#\n', { comment: '#' }, [{ a: 1, b: 'x # y' }]],
  ])('%s', async (_, text, options, rows) => {
    expect(await rowsOf(text, options)).toEqual(rows);
    expect(await rowsOf(text.replaceAll('\n', '\r\n').replaceAll('"\r\n#z', '"\n#z'), options)).toEqual(rows);
    for (const size of [1, 3, 1000]) {
      const conversion = await convert(chunkedSource('a.csv', Buffer.from(text), [size]), { bounds: testBounds, ...options });
      expect(JSON.parse(await jsonText(conversion))).toEqual(rows);
    }
  });

  it('keep the lines of the file in errors', async () => {
    const error = await failureOf('a.csv', "# x\na,b\n'1\n2',x\n# y\n1,2,3\n", { quote: "'", comment: '#' });
    expect(error.details).toMatchObject({ line: 6 });
    expect((await failureOf('a.csv', "a,b\n1,'x\n2,y\n", { quote: "'" })).details).toMatchObject({ line: 2 });
    expect((await failureOf('a.csv', "a,b\n1,2\n'x'y,2\n", { quote: "'" })).details).toMatchObject({ line: 3 });
  });

  it('refuse a quote that is the delimiter', async () => {
    expect(await failureOf('a.csv', 'a;b\n', { quote: ';', delimiter: ';' })).toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('are found where every row fits one of them and not the usual dialect, with a warning', async () => {
    const escaped = 'id,note\n1,"a \\"b\\", c"\n2,x\n';
    expect(await read(escaped)).toMatchObject({
      rows: [
        { id: 1, note: 'a "b", c' },
        { id: 2, note: 'x' },
      ],
      warnings: [
        'CSV_DIALECT: The file was read with escape: "\\\\", because all rows fit that only; ask for quote: "\\"" to read it as usual',
      ],
    });
    expect((await read('id,note\n1,"8\\\'9\\" \\n, c"\n2,x\n')).rows).toMatchObject([{ note: '8\\\'9" \\n, c' }, {}]);
    expect((await read("id,note\n1,'a, b'\n2,'c, d'\n")).rows).toEqual([
      { id: 1, note: 'a, b' },
      { id: 2, note: 'c, d' },
    ]);
    expect((await read('id,note\n# all, of, this\n2,c\n')).warnings).toMatchObject([expect.stringMatching(/comment: "#"/)]);
    expect((await read('id, note\n1, "a, b"\n')).rows).toEqual([{ id: 1, note: 'a, b' }]);
    expect((await read('id,note\n# all, of, this\n2,c\n', { quote: '"', ragged: 'cut' })).warnings).toHaveLength(1);
    expect((await read('path,n\n"C:\\",1\n"D:\\",2\n')).warnings).toEqual([]);
  });
});

describe('values', () => {
  it('nulls become null, and columns numbers', async () => {
    const text = 'NA,b,c\nNA,1.5,"-"\nx,-,y\n"NA",2,\n';
    expect(await read(text, { nulls: ['NA', '-'] })).toMatchObject({
      rows: [
        { NA: null, b: 1.5, c: null },
        { NA: 'x', b: null, c: 'y' },
        { NA: null, b: 2, c: null },
      ],
      types: ['string', 'number', 'string'],
    });
    expect(await rowsOf('a\nNA\n1\n', { nulls: ['NA'] })).toEqual([{ a: null }, { a: 1 }]);
    expect(await rowsOf('NA;1\n2;ü\n', { nulls: ['NA', 'ü'], header: false })).toEqual([
      [null, 1],
      [2, null],
    ]);
  });

  it('decimal: "," reads German numbers in columns that hold nothing else', async () => {
    const text = 'a;b;id;v\n1.234,56;1;007,5;1,5\n-0,5;1.234.567;1;1,5,0\n+3,10;;2;\n';
    expect(await read(text, { decimal: ',' })).toMatchObject({
      rows: [
        { a: 1234.56, b: 1, id: '007,5', v: '1,5' },
        { a: -0.5, b: 1234567, id: '1', v: '1,5,0' },
        { a: 3.1, b: null, id: '2', v: null },
      ],
      types: ['number', 'number', 'string', 'string'],
      warnings: [],
    });
    expect(await rowsOf(text, { decimal: ',', types: { a: 'string' } })).toMatchObject([{ a: '1.234,56' }, {}, {}]);
    expect(await failureOf('a.csv', 'a;b\n1,5;x\ny;x\n', { decimal: ',', types: { a: 'number' } })).toMatchObject({
      details: { line: 3 },
    });
  });

  it('dates: "iso" turns columns whose order is certain', async () => {
    const text =
      'd;t;us;open;bad\n31.12.2024;1.2.2024 9:05;12/31/2024;1/2/2024;30.02.2024\n01.02.2024;;1/2/2024;3/4/2024;1.1.2024\n';
    expect(await rowsOf(text, { dates: 'iso' })).toEqual([
      { d: '2024-12-31', t: '2024-02-01T09:05:00', us: '2024-12-31', open: '1/2/2024', bad: '30.02.2024' },
      { d: '2024-02-01', t: null, us: '2024-01-02', open: '3/4/2024', bad: '1.1.2024' },
    ]);
  });

  it('German numbers and dates that stay text are named with the options that turn them', async () => {
    const { rows, warnings } = await read('Datum;Betrag;Text\n31.12.2024;1.234,56;a, b\n');
    expect(rows).toEqual([{ Datum: '31.12.2024', Betrag: '1.234,56', Text: 'a, b' }]);
    expect(warnings).toEqual([
      'DECIMAL_COMMA: Numbers with a decimal comma stay text (Betrag); ask for decimal: "," to get numbers',
      'DATES_AS_TEXT: Dates stay text as written (Datum); ask for dates: "iso" to get 2024-12-31',
    ]);
  });

  it.each<[string, string, string, string, TestOptions?]>([
    ['a semicolon', 'id;preis\n1;1.234\n2;2.500\n', '1.234 may be thousands (preis): here it is 1.234', '1234'],
    ['German dates', 'tag,preis\n31.12.2024,980\n01.01.2025,2.500\n', '2.500 may be thousands (preis): here it is 2.5', '2500'],
    ['millions', 'id;preis\n1;-1.234\n2;2.500.000\n', '-1.234 may be thousands (preis): here it stays text', '-1234'],
    [
      'a column of numbers beside one of text',
      'a;b\n1.234.567;1.200\n1.000;3\n',
      '1.200 may be thousands (a, b): here it is 1.2',
      '1200',
    ],
    ['a null mark', 'id;preis\n1;1.234\n2;NA\n', '1.234 may be thousands (preis): here it is 1.234', '1234', { nulls: ['NA'] }],
  ])('numbers that may be thousands are named where %s shows a German file', async (_, text, said, meant, options = {}) => {
    const { warnings, rows } = await read(text, options);
    expect(warnings).toContainEqual(`MAYBE_THOUSANDS: Numbers like ${said}; ask for decimal: "," if ${meant} is meant`);
    expect(await rowsOf(text, { ...options, types: 'string' })).not.toEqual(rows);
    expect((await read(text, { ...options, decimal: '.' })).warnings.join()).not.toContain('THOUSANDS');
  });

  it.each([
    ['commas and no German dates', 'id,price\n1,1.234\n2,2.500\n'],
    ['another number of decimals', 'id;v\n1;1.234\n2;2.5\n'],
    ['a zero before the point', 'id;v\n1;1.234\n2;0.500\n'],
    ['four digits', 'id;v\n1;1.234\n2;1234\n'],
    ['a decimal point in another column', 'id;v;w\n1;1.234;0.5\n2;2.500;7\n'],
    ['addresses', 'ip;v\n192.168.100.200;1\n192.168.100.201;2\n'],
    ['a column of text', 'v;w\n1.234;x\ny;z\n'],
  ])('thousands are not seen in %s', async (_, text) => {
    expect((await read(text)).warnings.join()).not.toContain('THOUSANDS');
  });

  it.each([
    ['31.05.2024', '2024-05-01'],
    ['2024-05-01 12:00', '1.6.2024'],
    ['31/12/2024', '12/31/2024'],
  ])('a column that mixes %s and %s is named', async (first, other) => {
    const text = `d,n\n${first},1\n${other},2\n`;
    for (const options of [{}, { dates: 'iso' as const }])
      expect((await read(text, options)).warnings).toEqual([
        `MIXED_DATES: Dates are written in two forms and stay text (d: ${first}, ${other}); write one form in the file`,
      ]);
  });

  it.each([
    ['one form', 'd,n\n2024-05-01,1\n2024/06/01,2\n'],
    ['days and months that are not certain', 'd,n\n01/02/2024,1\n31/12/2024,2\n'],
    ['dates and texts', 'd,n\n31.05.2024,1\n2024-05-01,2\nsoon,3\n'],
  ])('no second form is seen in %s', async (_, text) => {
    expect((await read(text)).warnings.join()).not.toContain('MIXED');
  });

  it('thousands between commas and columns of nothing but null marks get no hint', async () => {
    expect((await read('a\tb\n1,000\tx\n', {}, 'a.tsv')).warnings).toEqual([]);
    expect((await read('a;b\nNA;1\n', { nulls: ['NA'] })).warnings).toEqual([]);
  });

  it('numbers written .5, 1. or with blanks around are numbers, identifiers are not', async () => {
    expect(await read('a,b,c,d\n.5, 12,007,1.\n-.25,3 ,.5,+44\n')).toMatchObject({
      rows: [
        { a: 0.5, b: 12, c: '007', d: '1.' },
        { a: -0.25, b: 3, c: '.5', d: '+44' },
      ],
      types: ['number', 'number', 'string', 'string'],
    });
  });
});

describe('lines below the table', () => {
  it.each([
    ['after a blank line', 'id,n\n1,2\n3,4\n\nTotal: 6\n', 'Line 5'],
    ['a comment', 'id,n\n1,2\n3,4\n// made by x\n', 'Line 4'],
    ['without a break', 'id,n\n1,2\n3,4\nSource: y\nLicence: z\n', 'Lines 4 to 5'],
  ])('are skipped: %s', async (_, text, lines) => {
    expect(await read(text)).toMatchObject({
      rows: [
        { id: 1, n: 2 },
        { id: 3, n: 4 },
      ],
      warnings: [expect.stringMatching(new RegExp(`^FOOTER_SKIPPED: ${lines} below the table w(as|ere) skipped`))],
    });
    expect((await read(text, { ragged: 'error' })).warnings).toEqual([expect.stringMatching(/^ROWS_SHORT/)]);
  });

  it.each([
    ['a short row', 'id,n\n1,2\n3,4\n5\n'],
    ['a short row of text', 'name,n\nx,2\ny,4\nz\n'],
    ['short rows elsewhere', 'id,n\n1,2\n3\n\n5\n'],
    ['full rows after a blank line', 'id,n\n1,2\n3,4\n\n5,6\n'],
  ])('are not seen in %s', async (_, text) => {
    expect((await read(text)).warnings.join()).not.toContain('FOOTER');
  });
});

describe('a total in the last rows', () => {
  const totals = async (text: string, options?: TestOptions) =>
    (await read(text, options)).warnings.filter((each) => /^(TOTAL|FOOTER)/.test(each));

  it.each([
    ['below numbers', 'id;n\n1;2\n3;4\nTotal;6\n', 4],
    ['with empty cells', 'name;city;n\nAnn;Oslo;2\nBob;Rome;4\nSumme;;6\n', 4],
    ['before a record', 'id;n\n1;2\n3;4\nTotal;6\n5;6\n', 4],
  ])('is named and stays a record: %s', async (_, text, line) => {
    expect(await totals(text)).toEqual([
      expect.stringMatching(new RegExp(`^TOTAL_ROW: Line ${line} looks like a total \\((Total|Summe)\\)`)),
    ]);
  });

  it.each([
    ['an empty line', 'id;n\n1;2\n3;4\n\nTotal;6\n', 'Line 5'],
    ['an empty line, with empty cells', 'id;n;v\n1;2;0\n3;4;1\n\nTotal;;6\n', 'Line 5'],
    ['a row of delimiters', 'id;n\n1;2\n3;4\n;\nSubtotal;6\nTotal;6\n', 'Lines 4 to 6'],
    ['an empty line and above a note', 'id;n\n1;2\n3;4\n\nTotal;6\n\nmade by x\n', 'Lines 5 to 7'],
  ])('is skipped below %s, unless every line is asked for', async (_, text, lines) => {
    const { rows, warnings } = await read(text);
    expect(rows).toMatchObject([
      { id: 1, n: 2 },
      { id: 3, n: 4 },
    ]);
    expect(warnings).toEqual([
      expect.stringMatching(
        new RegExp(`^FOOTER_SKIPPED: ${lines} below the table w(as|ere) skipped \\(".*otal;.*ragged: "error"`),
      ),
    ]);
    expect(await totals(text, { ragged: 'error' })).toEqual([expect.stringMatching(/^TOTAL_ROW: Line 5/)]);
  });

  it.each([
    ['a category', 'sex;n\nfemale;2\nmale;4\nTotal;6\n'],
    ['a category below an empty line', 'sex;n\nfemale;2\nmale;4\n\nTotal;6\n'],
    ['another word', 'id;n\n1;2\n3;4\n\nTotally Fresh;6\n'],
    ['empty cells elsewhere too', 'name;city;n\nAnn;;2\nBob;Rome;4\nTotal;;6\n'],
    ['far above the end', `id;n\n1;2\nTotal;2\n${'3;4\n'.repeat(9)}`],
  ])('is not seen in %s', async (_, text) => {
    expect(await totals(text)).toEqual([]);
  });
});

it('rewriting changes nothing in a text of the usual dialect, damaged or not', async () => {
  const chance = new Chance(5);
  for (let i = 0; i < 300; i += 1) {
    const { text, options, sizes } = csvBy(chance);
    const result = async (rest: TestOptions) => {
      const source = chunkedSource('a.csv', Buffer.from(text), sizes);
      try {
        const conversion = await convert(source, { bounds: testBounds, ...options, delimiter: ';', ...rest });
        return { json: await jsonText(conversion), warnings: conversion.report.warnings };
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(await result({ comment: '@never@' }), JSON.stringify(text)).toEqual(await result({ quote: '"' }));
  }
});

describe('tables in which a person would see something else', () => {
  const warningsOf = async (text: string, options = {}) =>
    (await convertBytes('a.csv', Buffer.from(text), options)).report.warnings.map(({ message }) => message);

  it.each([
    ['numbers but for NA', 't,v\na,1.5\nb,NA\nc,2.5\n', /stay text only.*\(v\); ask for nulls: \["NA"\]/],
    ['cells for Excel', 'sku,n\n="00123",1\n="00456",2\n', /formulas.*\(sku\)/],
    ['rows of delimiters', 'a,b,c\n1,2,3\n,,\n,,\n', /2 rows have only empty cells/],
    ['two files joined', 'id,name\n1,x\n\ufeffid,name\n2,y\n', /Record 2 repeats the header/],
    ['a Markdown table', '| id | name |\n|----|------|\n| 1 | Ann |\n', /rule of a Markdown table/],
    ['blank lines in one column', 'name\nAnn\n\n\nBob\n\n', /2 blank lines were skipped.*first at line 3/],
    ['another delimiter', 'CODE^AREA\n600^S. Is\n601^N. Is\n', /delimiter: "\^"/],
  ])('%s are named', async (_, text, says) => {
    expect(await warningsOf(text)).toEqual(expect.arrayContaining([expect.stringMatching(says)]));
  });

  it.each([
    ['NA where it is said to be null', 't,v\na,1\nb,NA\n', { nulls: ['NA'] }],
    ['words beside NA', 't\nx\nNA\ny\n', {}],
    ['a blank line at the end', 'name\nAnn\n\n', {}],
    ['blank lines between rows of several columns', 'a,b\n1,2\n\n3,4\n', {}],
    ['one column of texts', 'note\nsee a/b\nnothing\n', {}],
    ['a row that is like the header in part', 'id,name\nid,x\n', {}],
  ])('%s is not', async (_, text, options) => {
    expect(await warningsOf(text, options)).toEqual([]);
  });

  describe('a table of fixed width', () => {
    const codes = async (text: string) => (await convertBytes('a.csv', text)).report.warnings.map(({ code }) => code);

    it('is named', async () => {
      expect(await codes('id   name      amount\n1    Ann       12.50\n2    Bob        3.20\n3    Charlie    4.10\n')).toEqual([
        'FIXED_WIDTH',
      ]);
    });

    it.each([
      'note\nsome  words\nother words here\nand  more\n',
      'a\nb\nc\nd\n',
      'a  b\nc  d\n',
      'name\nAnn Lee\nBob Ray\nCid Fox\n',
    ])('is not seen in %j', async (text) => {
      expect(await codes(text)).toEqual([]);
    });
  });
});
