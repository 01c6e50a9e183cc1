/** CSV and TSV: dialects, headers, ragged rows, quoting, errors. */
import { describe, expect, it } from 'vitest';
import { convertBytes, failureOf, jsonOf, jsonText, type TestOptions } from '../fixtures/conversion-fixture.ts';

describe('records by header', () => {
  it.each([
    ['commas', 'id,name\n1,Ann\n2,Bob\n', '[{"id":1,"name":"Ann"},{"id":2,"name":"Bob"}]'],
    ['no line end at the end', 'id,name\n1,Ann', '[{"id":1,"name":"Ann"}]'],
    ['CRLF', 'id,name\r\n1,Ann\r\n', '[{"id":1,"name":"Ann"}]'],
    ['CR', 'id,name\r1,Ann\r', '[{"id":1,"name":"Ann"}]'],
    ['a byte-order mark', '\ufeffid,name\n1,Ann\n', '[{"id":1,"name":"Ann"}]'],
    ['blank lines are skipped', '\n\nid,name\n\n1,Ann\r\n\r\n2,Bob\n\n', '[{"id":1,"name":"Ann"},{"id":2,"name":"Bob"}]'],
    ['a delimiter in quotes', 'a,b\n"x, y",2\n', '[{"a":"x, y","b":2}]'],
    ['line breaks in quotes', 'a,b\n"x\ny","p\r\nq"\n', '[{"a":"x\\ny","b":"p\\r\\nq"}]'],
    ['doubled quotes', 'a,b\n"say ""hi""",""""\n', '[{"a":"say \\"hi\\"","b":"\\""}]'],
    ['a quote inside an unquoted cell is text', 'a,b\n5" pipe,x"y"\n', '[{"a":"5\\" pipe","b":"x\\"y\\""}]'],
    ['white space is text', 'a,b\n x ,\ty\n', '[{"a":" x ","b":"\\ty"}]'],
    ['blanks after a closing quote are dropped', 'a,b\n"x"  ,"y" \t\n', '[{"a":"x","b":"y"}]'],
    ['backslashes and control characters', 'a\nC:\\x\u0001\n', '[{"a":"C:\\\\x\\u0001"}]'],
    ['quoted header cells', '"a ""1""","b\n2"\n1,2\n', '[{"a \\"1\\"":1,"b\\n2":2}]'],
    ['one column', 'name\nAnn\n\nBob\n', '[{"name":"Ann"},{"name":"Bob"}]'],
    ['an empty cell of one column is written in quotes', 'name\nAnn\n""\n', '[{"name":"Ann"},{"name":""}]'],
    ['header only', 'id,name\n', '[]'],
    ['a last empty cell at the end of the file', 'a,b\n1,', '[{"a":1,"b":null}]'],
  ])('%s', async (_, file, json) => {
    expect(await jsonOf('a.csv', file)).toBe(json);
  });

  it('an empty file is an empty array, with a warning', async () => {
    for (const file of ['', '\n', '\ufeff']) {
      const conversion = await convertBytes('a.csv', file);
      expect(await jsonText(conversion)).toBe('[]');
      expect(conversion.report).toMatchObject({ records: 0, columns: [], warnings: [{ code: 'EMPTY_FILE' }] });
    }
  });

  it('a header alone is an empty array, with a warning', async () => {
    for (const file of ['id,name\n', 'id,name', 'id,name\r\n\r\n']) {
      const { report } = await convertBytes('a.csv', file);
      const warnings = [{ code: 'EMPTY_FILE', message: 'The file holds a header only, so there are no records' }];
      expect(report).toMatchObject({ records: 0, warnings });
    }
    expect((await convertBytes('a.csv', 'id,name\n', { header: false })).report).toMatchObject({ records: 1, warnings: [] });
  });

  it('reports columns, their types and their empty cells', async () => {
    const { report } = await convertBytes('a.csv', 'id,name,on\n1,,true\n2,"",false\n3\n', {});
    expect(report).toMatchObject({ format: 'csv', delimiter: ',', kind: 'array', records: 3 });
    expect(report.columns).toEqual([
      { name: 'id', type: 'number', decidedBy: 'data', empty: 0 },
      { name: 'name', type: 'string', decidedBy: 'data', empty: 3 },
      { name: 'on', type: 'boolean', decidedBy: 'data', empty: 1 },
    ]);
  });
});

describe('names of columns', () => {
  it.each([
    ['a,a,a', 'a,a_2,a_3'],
    ['a,,c', 'a,column_2,c'],
    [',,', 'column_1,column_2,column_3'],
    ['a,a,a_2', 'a,a_3,a_2'],
    ['a_2,a,a', 'a_2,a,a_3'],
    ['a,,column_2', 'a,column_2_2,column_2'],
    ['column,,column', 'column,column_2,column_3'],
    ['column,column,,column_2', 'column,column_4,column_3,column_2'],
    ['__proto__,constructor,toString', '__proto__,constructor,toString'],
    ['__proto__,__proto__', '__proto__,__proto___2'],
  ])('%s becomes %s', async (header, names) => {
    const width = header.split(',').length;
    const expected = names.split(',').map((name) => `"${name}":1`);
    expect(await jsonOf('a.csv', `${header}\n${Array(width).fill('1').join(',')}`)).toBe(`[{${expected.join(',')}}]`);
  });

  it('completed names come with a warning', async () => {
    const { report } = await convertBytes('a.csv', 'a,a,\n1,2,3');
    expect(report.warnings).toMatchObject([
      { code: 'HEADER_COMPLETED', message: 'Empty or repeated column names were completed: a_2, column_3' },
    ]);
  });
});

describe('lines without content are no records', () => {
  it.each([
    ['spaces', 'a,b\n1,2\n   \n3,4\n'],
    ['blanks before the header', ' \t\na,b\n1,2\n3,4\n'],
    ['Ctrl-Z at the end', 'a,b\r\n1,2\r\n3,4\r\n\u001a'],
    ['Ctrl-Z and NULs at the end', 'a,b\n1,2\n3,4\n\u001a\0\0\0'],
    ['NULs at the end', 'a,b\n1,2\n3,4\n\0\0\0\0'],
    ['tabs among quoted cells', 'a,b\n"1","2"\n\t\t\r\n"3","4"\n'],
  ])('%s', async (_, text) => {
    expect(await jsonOf('a.csv', text)).toBe('[{"a":1,"b":2},{"a":3,"b":4}]');
  });

  it('but quoted blanks are a cell, and delimiters make records', async () => {
    expect(await jsonOf('a.csv', 'a\n" "\nx\n')).toBe('[{"a":" "},{"a":"x"}]');
    expect(await jsonOf('a.csv', 'a,b\n , \n')).toBe('[{"a":" ","b":" "}]');
    expect(await jsonOf('a.tsv', 'a\tb\n\t\n')).toBe('[{"a":null,"b":null}]');
  });

  it('and keep their place in line numbers and text', async () => {
    const error = await failureOf('a.csv', 'a,b\n \t\n"x\ty",1\n\u001a\n1,2,3\n');
    expect(error.details).toMatchObject({ line: 5 });
    expect(await jsonOf('a.csv', 'a,b\n\t\n"x\ty",1\n')).toBe('[{"a":"x\\ty","b":1}]');
  });
});

describe('header: false', () => {
  it('gives arrays, typed by column', async () => {
    const conversion = await convertBytes('a.csv', '1,x,true\n2,,false\n', { header: false });
    expect(await jsonText(conversion)).toBe('[[1,"x",true],[2,null,false]]');
    expect(conversion.report.columns?.map(({ name }) => name)).toEqual(['column_1', 'column_2', 'column_3']);
    expect(conversion.report.warnings).toEqual([]);
  });

  it('takes the width of the first row', async () => {
    expect(await jsonOf('a.csv', '1,2\n3\n', { header: false })).toBe('[[1,2],[3,null]]');
    expect((await failureOf('a.csv', '1,2\n3,4,5\n', { header: false })).message).toBe(
      'Failed to parse CSV file: 3 cells in a row of a table with 2 columns at line 2, column 3',
    );
    expect(await jsonOf('a.csv', '1,2\n3,4,5,"6"\n', { header: false, ragged: 'keep' })).toBe('[[1,2],[3,4,"5","6"]]');
  });
});

async function warned(text: string, options?: TestOptions) {
  const conversion = await convertBytes('a.csv', text, options);
  return { rows: JSON.parse(await jsonText(conversion)) as unknown[], warnings: conversion.report.warnings };
}

describe('ragged rows', () => {
  it('missing cells are null, with a warning', async () => {
    const conversion = await convertBytes('a.csv', 'a,b,c\n1\n2,x\n3,y,z\n', {});
    expect(await jsonText(conversion)).toBe('[{"a":1,"b":null,"c":null},{"a":2,"b":"x","c":null},{"a":3,"b":"y","c":"z"}]');
    expect(conversion.report.warnings).toMatchObject([
      { code: 'ROWS_SHORT', message: '2 rows have fewer cells than there are columns (first at line 2); missing cells are null' },
    ]);
  });

  it('extra cells are an error that names the line', async () => {
    const error = await failureOf('a.csv', 'a,b\n1,2\n"x\ny",3\n1,2,3\n');
    expect(error.message).toBe('Failed to parse CSV file: 3 cells in a row of a table with 2 columns at line 5, column 3');
    expect(error.details).toMatchObject({ line: 5 });
    expect(error.hint).toContain('ragged: "keep"');
  });

  it('ragged: "keep" keeps them as strings', async () => {
    expect(await jsonOf('a.csv', 'a,b\n1,2\n1,2,3,"x"\n1,2,\n', { ragged: 'keep' })).toBe(
      '[{"a":1,"b":2},{"a":1,"b":2,"_extra":["3","x"]},{"a":1,"b":2,"_extra":[""]}]',
    );
    expect(await jsonOf('a.csv', '_extra,b\n1,2,3\n', { ragged: 'keep' })).toBe('[{"_extra":1,"b":2,"_extra_2":["3"]}]');
  });

  it('ragged: "cut" drops them, with a warning', async () => {
    const conversion = await convertBytes('a.csv', 'a,b\n1,"x ""y"" z"\n2,y,"3\n""q",\\\n3,z\n', { ragged: 'cut' });
    expect(JSON.parse(await jsonText(conversion))).toEqual([
      { a: 1, b: 'x "y" z' },
      { a: 2, b: 'y' },
      { a: 3, b: 'z' },
    ]);
    expect(conversion.report.warnings).toMatchObject([
      {
        code: 'ROWS_LONG',
        message: '1 row has more cells than there are columns (first at line 3); the extra cells are dropped',
      },
    ]);
  });

  it('the error says how many rows have extra cells, and where', async () => {
    const error = await failureOf('a.csv', `a,b\n${'1,2\n1,2,3\n'.repeat(7)}`);
    expect(error.message).toMatch(/at line 3, column 3$/);
    expect(error.hint).toMatch(/^7 rows have extra cells \(lines 3, 5, 7, 9, 11, …\)\. .*ragged: "keep".*ragged: "cut"/);
    expect(error.details).toMatchObject({ line: 3, rows: 7 });
  });

  it('an empty cell after the last column, on every row, is no cell', async () => {
    for (const options of [{}, { ragged: 'error' }, { skip: 0 }] as const)
      for (const text of ['a,b\n1,x,\n2,y,\n', 'a,b\r\n1,x,\r\n2,y,'])
        expect(await warned(text, options)).toEqual({
          rows: [
            { a: 1, b: 'x' },
            { a: 2, b: 'y' },
          ],
          warnings: [],
        });
    expect((await warned('a,b\n1,x,\n2\n3,z,\n')).rows).toHaveLength(3);
    expect((await failureOf('a.csv', 'a,b\n1,x,\n2,y,z\n')).details).toMatchObject({ line: 2 });
    const many = '1,x,\n'.repeat(100);
    expect((await warned(`a,b\n${many}2,y\n`)).rows).toHaveLength(101);
    for (const last of ['2,y,,', '2,y,""', '2,y,z'])
      expect((await failureOf('a.csv', `a,b\n${many}${last}\n`)).details).toMatchObject({ line: 102 });
  });
});

describe('delimiters', () => {
  it.each([
    [';', 'a;b\n1;2\n'],
    ['|', 'a|b\n1|2\n'],
    ['\t', 'a\tb\n1\t2\n'],
    [';', 'price;note\n1,50;"a,b,c"\n2,75;"d,e"\n'],
    [';', '"a,b";c\n"x,y,z";d\n'],
    [',', 'a,b\n"1;2;3",2\n"1;2;3",3\n'],
    ['|', 'a|b,c\n1|2\n3|4\n'],
    [',', 'name\nAnn\n'],
    [',', 'text\nx;y\nz;w\n'],
    [';', 'a;b\n"x"y;2\n'],
    [';', 'id;"last, first"\n1;"Doe, Ann"\n'],
    [';', 'id;last, first;city\n1;Doe, Ann;Rome\n'],
    [',', 'item,size\npipe,5" a\nrod,6" b\n'],
  ])('%j is found in %j', async (delimiter, file) => {
    const found = await convertBytes('a.csv', file).then(
      ({ report }) => report.delimiter,
      (error: Error) => (/after a closing quote/.test(error.message) ? ';' : error.message),
    );
    expect(found).toBe(delimiter);
  });

  it('a longer header than the sample is read by its own delimiter', async () => {
    const names = Array.from({ length: 20_000 }, (_, i) => `column with a name ${i}`);
    const { report } = await convertBytes('a.csv', `${names.join(';')}\n${names.map(() => '1').join(';')}`);
    expect(report.delimiter).toBe(';');
    expect(report.columns).toHaveLength(20_000);
  });

  it('a delimiter asked for is taken', async () => {
    expect(await jsonOf('a.csv', 'a:b\n1:2,3\n', { delimiter: ':' })).toBe('[{"a":1,"b":"2,3"}]');
    expect(await jsonOf('a.csv', 'a b\n"1 2" 3\n', { delimiter: ' ' })).toBe('[{"a":"1 2","b":3}]');
    for (const delimiter of ['"', '\n', 'é'])
      expect((await failureOf('a.csv', 'a,b\n', { delimiter })).code).toBe('INVALID_REQUEST');
  });

  it('TSV is cut by tabs alone', async () => {
    const conversion = await convertBytes('a.tsv', 'a\tb,c\n"1\t2"\t3\n');
    expect(await jsonText(conversion)).toBe('[{"a":"1\\t2","b,c":3}]');
    expect(conversion.report).toMatchObject({ format: 'tsv', delimiter: '\t' });
    expect((await failureOf('a.tsv', 'a\n1\t2\n')).message).toMatch(/^Failed to parse TSV file: .+ at line 2/);
  });
});

describe('errors name the line, and the number of the cell as column', () => {
  it.each([
    ['a,b\n1,2\n3,"x\ny\n', 'a quote is opened and never closed at line 3, column 2'],
    ['a,b\n"x\r\ny","z\n1,2\n', 'a quote is opened and never closed at line 3, column 2'],
    ['a,b\n1,"x"y\n', 'unexpected "y" after a closing quote at line 2, column 2'],
    ['a,b\n"p\nq","x" y\n', 'unexpected "y" after a closing quote at line 3, column 2'],
    ['a,b\n"x""y" "z",1\n', "unexpected '\"' after a closing quote at line 2, column 1"],
  ])('%j', async (file, reason) => {
    const error = await failureOf('a.csv', file);
    expect(error.code).toBe('PARSE_FAILED');
    expect(error.message).toBe(`Failed to parse CSV file: ${reason}`);
    expect(error.hint).toContain('written twice');
  });

  it('and where the quote that may be open was opened', async () => {
    const file = 'id,name\n1,"Ann\n2,Bob\n3,"Di"\n';
    const error = await failureOf('a.csv', file);
    expect(error.message).toContain('unexpected "D" after a closing quote at line 4, column 2');
    expect(error.hint).toMatch(/^The cell begins with a quote at line 2, .+ask for quote: ""\.$/);
    expect((await failureOf('a.csv', 'a,b\n1,"x"y\n')).hint).toMatch(/^A quote inside/);
    expect(await jsonOf('a.csv', file, { quote: '' })).toBe(
      '[{"id":1,"name":"\\"Ann"},{"id":2,"name":"Bob"},{"id":3,"name":"\\"Di\\""}]',
    );
  });
});

it('locates records and cells', async () => {
  const conversion = await convertBytes('a.csv', 'id,text\n1,"x\ny"\n\n2,"p\nq"\n');
  expect(await conversion.locate([1])).toEqual({ line: 5 });
  expect(await conversion.locate([1, 'text'])).toEqual({ line: 5, column: 2, columnName: 'text' });
  expect(await conversion.locate([0, 'nope'])).toEqual({ line: 2 });
  expect(await conversion.locate([2])).toBeUndefined();
  expect(await conversion.locate([])).toBeUndefined();
});
