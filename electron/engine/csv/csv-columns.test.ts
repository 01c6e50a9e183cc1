/** Tests the type of a CSV column and what decides it. */
import { describe, expect, it } from 'vitest';
import type { SchemaPlace } from '../core/convert-types.ts';
import { convertBytes, failureOf, jsonOf, type TestOptions } from '../fixtures/conversion-fixture.ts';

/** The values of a column `c` with these cells, as JSON. */
async function column(cells: readonly string[], options: TestOptions = {}): Promise<string> {
  // A second column keeps rows with an empty cell from being blank lines.
  const json = await jsonOf('a.csv', `c,x\n${cells.map((cell) => `${cell},x\n`).join('')}`, options);
  return `[${json.slice(1, -1).replaceAll('{"c":', '').replaceAll(',"x":"x"}', '')}]`;
}

describe('types: "auto" looks at the whole column', () => {
  it.each([
    ['plain decimals are numbers', ['1', '-2', '0', '3.25', '-0.5'], '[1,-2,0,3.25,-0.5]'],
    ['their digits stay as they are', ['1.10', '0.10', '1.0', '-0', '0.000'], '[1.10,0.10,1.0,-0,0.000]'],
    ['one leading zero makes strings of all', ['1', '007'], '["1","007"]'],
    ['a zip code column stays a string', ['01234', '98765'], '["01234","98765"]'],
    ['a plus sign', ['+44', '1'], '["+44","1"]'],
    ['an exponent', ['1e5', '1'], '["1e5","1"]'],
    ['a bare point is a number', ['.5'], '[0.5]'],
    ['a point at the end is a number', ['5.'], '[5]'],
    ['a bare point beside a product code is text', ['.5', 'A5'], '[".5","A5"]'],
    ['a lone minus', ['-'], '["-"]'],
    ['thousands and comma decimals', ['"1,000"', '2'], '["1,000","2"]'],
    ['hex, NaN and Infinity', ['0x1F', 'NaN', 'Infinity'], '["0x1F","NaN","Infinity"]'],
    ['padded numbers are numbers', ['1', ' 2'], '[1,2]'],
    ['spaces around text stay', [' a', '2'], '[" a","2"]'],
    ['15 digits are exact', ['123456789012345', '0.00000123456789012345'], '[123456789012345,0.00000123456789012345]'],
    [
      '16 and 17 digits of a shortest form',
      ['0.30000000000000004', '1234567890123456'],
      '[0.30000000000000004,1234567890123456]',
    ],
    ['17 digits that no double prints', ['0.30000000000000002', '1'], '["0.30000000000000002","1"]'],
    ['17 digits that are longer than the shortest form', ['0.10000000000000001'], '["0.10000000000000001"]'],
    ['zeros that make 16 digits', ['0.1000000000000000'], '["0.1000000000000000"]'],
    ['16-digit integers beyond 2^53', ['9007199254740993', '1'], '["9007199254740993","1"]'],
    ['a tiny shortest form', ['-0.000000033333333333333334'], '[-0.000000033333333333333334]'],
    ['identifiers of 20 digits', ['12345678901234567890'], '["12345678901234567890"]'],
    ['round identifiers of 20 digits', ['10000000000000000000'], '["10000000000000000000"]'],
    ['signed exponents', ['1e+05', '1E-3', '12'], '[1e+05,1E-3,12]'],
    ['exponents after a point', ['1.5e10', '-2.0E3', '0.0e0'], '[1.5e10,-2.0E3,0.0e0]'],
    ['exponents with 17 digits', ['3.3333333333333334e-8', '5e-324'], '[3.3333333333333334e-8,5e-324]'],
    ['exponents out of range', ['1e+400'], '["1e+400"]'],
    ['exponents that underflow', ['1e-400', '1'], '["1e-400","1"]'],
    ['exponents without digits', ['1.5e', '1.5e+', '1e+'], '["1.5e","1.5e+","1e+"]'],
    ['one bare exponent among signed ones', ['1e+05', '1e5'], '["1e+05","1e5"]'],
    ['what would underflow to zero', [`0.${'0'.repeat(400)}1`], `["0.${'0'.repeat(400)}1"]`],
    ['quoted numbers are numbers', ['"1"', '2'], '[1,2]'],
    ['booleans in one letter case', ['true', 'false'], '[true,false]'],
    ['title case', ['True', 'False'], '[true,false]'],
    ['upper case', ['TRUE', 'FALSE', 'TRUE'], '[true,false,true]'],
    ['mixed letter cases are text', ['true', 'False'], '["true","False"]'],
    ['an odd letter case', ['tRUE'], '["tRUE"]'],
    ['numbers and booleans together', ['1', 'true'], '["1","true"]'],
    ['0 and 1 are numbers', ['0', '1'], '[0,1]'],
    ['empty cells are null in any column', ['1', '', '2'], '[1,null,2]'],
    ['and among strings', ['a', ''], '["a",null]'],
    ['a column without text', ['', ''], '[null,null]'],
    ['an empty cell in quotes is an empty string', ['a', '""'], '["a",""]'],
    ['but null in a column of numbers', ['1', '""', ''], '[1,null,null]'],
    ['even when it comes first', ['""', '1'], '[null,1]'],
    ['and no boolean', ['""', 'true'], '["","true"]'],
    ['alone it stays text', ['""', '""'], '["",""]'],
  ])('%s', async (_, cells, values) => {
    expect(await column(cells)).toBe(values);
  });

  it('a late cell changes the type of earlier ones', async () => {
    const json = await jsonOf('a.csv', `n\n${'1\n'.repeat(50_000)}x\n`);
    expect(json.startsWith('[{"n":"1"},{"n":"1"}')).toBe(true);
    expect(json.endsWith('{"n":"x"}]')).toBe(true);
  });
});

describe('types given by the caller', () => {
  it('"string" keeps every cell as its text', async () => {
    expect(await column(['1', '', '""', 'true', '"x"'], { types: 'string' })).toBe('["1","","","true","x"]');
    expect(await jsonOf('a.csv', 'a,b\n1\n', { types: 'string' })).toBe('[{"a":"1","b":null}]');
  });

  it('a record decides per column, the data for the others', async () => {
    const { report } = await convertBytes('a.csv', 'zip,age,n\n01234,30,1\n', { types: { zip: 'string', age: 'number' } });
    expect(report.columns).toEqual([
      { name: 'zip', type: 'string', decidedBy: 'caller', empty: 0 },
      { name: 'age', type: 'number', decidedBy: 'caller', empty: 0 },
      { name: 'n', type: 'number', decidedBy: 'data', empty: 0 },
    ]);
    expect(await column(['12', '', '""'], { types: { c: 'string' } })).toBe('["12","",""]');
  });

  it('number takes any number of JSON, digit by digit', async () => {
    expect(await column(['1e5', '-2.50E-3', '12345678901234567890', ''], { types: { c: 'number' } })).toBe(
      '[1e5,-2.50E-3,12345678901234567890,null]',
    );
  });

  it('boolean takes every letter case of true and false', async () => {
    expect(await column(['true', 'False', 'TRUE', '', '""'], { types: { c: 'boolean' } })).toBe('[true,false,true,null,null]');
  });

  it.each([
    ['abc', 'number', 'column \'age\' is not a number ("abc")'],
    ['007', 'number', 'column \'age\' is not a number ("007")'],
    ['1 2', 'number', 'column \'age\' is not a number ("1 2")'],
    ['1e', 'number', 'column \'age\' is not a number ("1e")'],
    ['+1', 'number', 'column \'age\' is not a number ("+1")'],
    ['yes', 'boolean', 'column \'age\' is not true or false ("yes")'],
    ['"a ""b"""', 'number', 'column \'age\' is not a number ("a \\"b\\"")'],
  ] as const)('%s in a column of type %s is an error with line and column', async (cell, type, reason) => {
    const error = await failureOf('a.csv', `name,age\n${'"x\ny",1\n'.repeat(6)}x,${cell}\n`.replaceAll(',1\n', ',\n'), {
      types: { age: type },
    });
    expect(error.message).toBe(`Failed to parse CSV file: ${reason} at line 14, column 2`);
    expect(error.code).toBe('PARSE_FAILED');
    expect(error.details).toMatchObject({ line: 14, column: 2 });
  });

  it('a decimal comma in a number column is an error whose hint names the option', async () => {
    const options = { types: { p: 'number' } } as const;
    for (const cell of ['"1,50"', '"-1.234,50"'])
      expect((await failureOf('a.csv', `n,p\na,${cell}\n`, options)).hint).toContain('ask for decimal: ","');
    expect(await jsonOf('a.csv', 'n,p\na,"1,50"\n', { ...options, decimal: ',' })).toBe('[{"n":"a","p":1.50}]');
    expect((await failureOf('a.csv', 'n,p\na,x\n', options)).hint).not.toContain('decimal');
  });

  it('an unknown column is an error that lists the columns', async () => {
    const error = await failureOf('a.csv', 'id,zip\n1,2\n', { types: { zipp: 'string' } });
    expect(error.code).toBe('INVALID_REQUEST');
    expect(error.message).toContain("'zipp'");
    expect(error.hint).toContain('id, zip');
  });

  it('__proto__ and constructor are columns like any other', async () => {
    const types = JSON.parse('{"__proto__":"string","constructor":"number"}') as Record<string, 'string' | 'number'>;
    expect(await jsonOf('a.csv', '__proto__,constructor\n1,2\n', { types })).toBe('[{"__proto__":"1","constructor":2}]');
    expect(await jsonOf('a.csv', 'constructor,toString\n1,2\n', { types: { toString: 'string' } as never })).toBe(
      '[{"constructor":1,"toString":"2"}]',
    );
  });
});

describe("types by the tool's schema", () => {
  const table = (known: Record<string, string | string[]>): SchemaPlace => {
    const types = Object.entries(known).map(([name, type]) => [name, { type }]);
    const rows = {
      type: 'array',
      items: { type: 'object', properties: Object.fromEntries(types), required: Object.keys(known) },
    };
    return { inputSchema: { type: 'object', properties: { rows } }, segments: ['rows'] };
  };

  it('a string column never loses its zero, and needs no zero to stay a string', async () => {
    const place = table({ c: 'string' });
    expect(await column(['123', '', '""'], { place })).toBe('["123",null,""]');
  });

  it('an empty cell is null whatever is wanted, so that it never passes for a text; one in quotes is one', async () => {
    expect(await column(['123', '', '""'], { place: table({ c: ['string', 'null'] }) })).toBe('["123",null,""]');
    expect(await column(['1e3', ''], { place: table({ c: 'number' }) })).toBe('[1e3,null]');
  });

  it('a missing cell is converted like an empty one', async () => {
    const place = table({ b: 'string', c: ['string', 'null'] });
    expect(await jsonOf('a.csv', 'a,b,c\n1\n', { place })).toBe('[{"a":1,"b":null,"c":null}]');
  });

  it('who decided is recorded, and the caller wins', async () => {
    const place = table({ a: 'string', b: 'string' });
    const { report } = await convertBytes('a.csv', 'a,b,c\n1,2,3\n', { place, types: { b: 'number' } });
    expect(report.columns?.map(({ name, type, decidedBy }) => [name, type, decidedBy])).toEqual([
      ['a', 'string', 'schema'],
      ['b', 'number', 'caller'],
      ['c', 'number', 'data'],
    ]);
  });

  it('is asked by the name after rename, and only for columns that are sent', async () => {
    const place = table({ zip: 'string', junk: 'number' });
    const transform = { select: ['PLZ'], rename: { PLZ: 'zip' } };
    expect(await jsonOf('a.csv', 'PLZ,junk\n1,x\n', { place, transform })).toBe('[{"zip":"1"}]');
  });

  it('a cell that does not fit is an error with line and column', async () => {
    const error = await failureOf('a.csv', 'a,age\n1,2\n1,abc\n', {
      place: table({ age: ['number', 'null'] }),
    });
    expect(error.message).toBe('Failed to parse CSV file: column \'age\' is not a number ("abc") at line 3, column 2');
  });
});
