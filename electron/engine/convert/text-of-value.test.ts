/** Tables and values as text, for parameters that take text. */

import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../shared/lib/fixtures/property-runs.ts';
import { convertBytes, failureOf, parsedOf } from '../fixtures/conversion-fixture.ts';
import { rowOf, workbookOf } from '../tables/workbook-fixture.ts';

const textOf = (name: string, content: string | Uint8Array, options: Parameters<typeof parsedOf>[2]) =>
  parsedOf(name, content, options) as Promise<string>;
const people = 'name;zip;amount\nMüller, "Bo";01067;1.234,50\nCy;;-2,00\n';
const text = { inputSchema: { type: 'object', properties: { content: { type: 'string' } } }, segments: ['content'] };

describe('records as text', () => {
  it('are CSV with what was read, whatever the file looked like', async () => {
    expect(await textOf('a.csv', people, { as: 'csv', decimal: ',' })).toBe(
      'name,zip,amount\n"Müller, ""Bo""",01067,1234.50\nCy,,-2.00\n',
    );
    const book = workbookOf({ sheets: [{ name: 'S', data: rowOf('id', 'note') + rowOf(1, 'two\nlines') }] });
    expect(await textOf('a.xlsx', book, { as: 'csv' })).toBe('id,note\n1,"two\nlines"\n');
    expect(await textOf('a.json', '[{"a":1.50,"b":[1,{"c":2}]},{"b":null,"d":" x"}]', { as: 'csv' })).toBe(
      'a,b,d\n1.50,"[1,{""c"":2}]",\n,," x"\n',
    );
  });

  it('of all sheets of a workbook are refused, with ways that work', async () => {
    const book = workbookOf({ sheets: [{ name: 'S', data: rowOf('id') + rowOf(1) }] });
    const error = await failureOf('a.xlsx', book, { as: 'csv', sheet: '*' });
    expect(error.hint).toBe('Name one sheet, as with sheet: 1, or ask for as: "json" to pass the value as JSON text');
    expect(await textOf('a.xlsx', book, { as: 'csv', sheet: 1 })).toBe('id\n1\n');
    expect(await parsedOf('a.xlsx', book, { as: 'json', sheet: '*' })).toEqual({ S: [{ id: 1 }] });
    expect((await failureOf('a.json', '{"a":1}', { as: 'csv' })).hint).toContain('as: "text" for the file as it is');
  });

  it('are a Markdown table', async () => {
    expect(await textOf('a.csv', 'a,b\n1|2,"x\ny"\n,\\\n', { as: 'markdown' })).toBe(
      '| a | b |\n| --- | --- |\n| 1\\|2 | x<br>y |\n|  | \\\\ |\n',
    );
    expect(await textOf('a.csv', '1,2\n3,4\n', { as: 'markdown', header: false })).toBe(
      '|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n',
    );
  });

  it('have a header without records too, and no lines where there is nothing', async () => {
    expect(await textOf('a.csv', 'a,b\n', { as: 'csv' })).toBe('a,b\n');
    expect(await textOf('a.json', '[]', { as: 'markdown' })).toBe('');
    expect(await textOf('a.json', '[1,"x,y",[2,"z"],{"a":1}]', { as: 'csv' })).toBe('1\n"x,y"\n2,z\n"{""a"":1}"\n');
    expect(await textOf('a.json', '[{"a":""},{"a":null},{}]', { as: 'csv' })).toBe('a\n""\n""\n""\n');
  });

  it('are their JSON where the parameter takes text, and themselves elsewhere', async () => {
    const json = '[{"id":7,"zip":"007"}]';
    expect(await textOf('a.csv', 'id,zip\n7,007\n', { as: 'json', place: text })).toBe(json);
    expect(await textOf('a.yaml', 'a: [1, "x"]\n', { as: 'json', place: text })).toBe('{"a":[1,"x"]}');
    expect(await parsedOf('a.csv', 'id,zip\n7,007\n', { as: 'json' })).toEqual(JSON.parse(json));
    expect(await parsedOf('a.csv', 'id,zip\n7,007\n', { place: text })).toEqual(JSON.parse(json));
  });

  it('come after the transform, and are counted as one text', async () => {
    const { report, kind } = await convertBytes('a.csv', 'a,b\n1,2\n3,4\n', {
      as: 'csv',
      transform: { select: ['b'], rename: { b: 'x' }, where: [{ column: 'a', op: '=', value: 3 }] },
    });
    expect({ kind, as: report.as, records: report.records }).toEqual({ kind: 'string', as: 'csv', records: 1 });
    expect(await textOf('a.csv', 'a,b\n1,2\n', { as: 'csv', transform: { expression: '$' } })).toBe('a,b\n1,2\n');
  });

  it('are refused for what has none', async () => {
    const object = await failureOf('a.yaml', 'a: 1\n', { as: 'csv' });
    expect(object).toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringContaining('the file holds an object') });
    expect(object.hint).toContain('as: "json"');
    expect((await failureOf('a.txt', 'words', { as: 'csv' })).message).toContain('the file holds a text');
    expect((await failureOf('a.txt', 'words', { as: 'csv' })).hint).toContain('Leave as out');
    const strange = JSON.stringify(Array.from({ length: 9_000 }, (_, i) => ({ [`k${i}`]: i })));
    expect((await failureOf('a.json', strange, { as: 'csv' })).message).toContain('share too few');
    expect(await textOf('a.txt', 'words', { as: 'markdown' })).toBe('words');
    const wide = JSON.stringify(Array.from({ length: 17_000 }, (_, i) => ({ [`c${i}`]: i })));
    expect((await failureOf('a.json', wide, { as: 'csv' })).message).toContain('at most 16384 columns');
  });

  it('are the same cells when they are read again', async () => {
    const cell = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', ' ', '"', ',', '\n', '\r\n', 'x"y', '=1', '007'));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ a: cell, b: cell }), { minLength: 1, maxLength: 8 }), async (records) => {
        const csv = await textOf('a.json', JSON.stringify(records), { as: 'csv' });
        const again = Papa.parse<Record<string, string>>(csv.replace(/\n$/, ''), { header: true, delimiter: ',', newline: '\n' });
        expect(again.data).toEqual(JSON.parse(JSON.stringify(records)));
      }),
      { numRuns: runs(200) },
    );
  });
});
