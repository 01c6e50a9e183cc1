import { expect, it } from 'vitest';
import { argumentRows } from './argument-rows.ts';

/** `name: value` with two spaces for each depth. */
const shown = (...parts: (string | number)[]) =>
  argumentRows(parts)?.map(({ depth, name, value }) => {
    const text = typeof value === 'string' ? `(${value})` : 'payload' in value ? `content ${value.payload + 1}` : value.text;
    return `${'  '.repeat(depth)}${name}: ${text}`;
  });

it('gives each value by its name, in order, and what is inside below', () => {
  expect(shown('{"table":"users","where":{"id":[7,8]},"dry":false,"rows":', 0, '}')).toEqual([
    'table: users',
    'where: (group)',
    '  id: (group)',
    '    1: 7',
    '    2: 8',
    'dry: false',
    'rows: content 1',
  ]);
});

it('counts the elements of each list anew', () => {
  expect(shown('{"a":[["x"],["y","z"]],"b":["w"]}')).toEqual([
    'a: (group)',
    '  1: (group)',
    '    1: x',
    '  2: (group)',
    '    1: y',
    '    2: z',
    'b: (group)',
    '  1: w',
  ]);
});

it('keeps long numbers digit for digit, and both members of one name', () => {
  expect(shown('{"id":12345678901234567890,"sql":"DROP","sql":"SELECT"}')).toEqual([
    'id: 12345678901234567890',
    'sql: DROP',
    'sql: SELECT',
  ]);
});

it('is not misled by what looks like JSON inside of texts and names', () => {
  expect(shown(JSON.stringify({ 'a": "b': '},\n"c": {', d: '[', e: 'comma,' }))).toEqual([
    'a": "b: },\n"c": {',
    'd: [',
    'e: comma,',
  ]);
});

it('says what is empty', () => {
  expect(shown('{"a":"","b":null,"c":{},"d":[]}')).toEqual(['a: (empty)', 'b: (empty)', 'c: (empty)', 'd: (empty)']);
  expect(shown('{}')).toEqual([]);
});

it('has a row for content whose fields become arguments', () => {
  expect(shown('{"table":"users",', 0, ',', 1, '}')).toEqual(['table: users', 'null: content 1', 'null: content 2']);
  expect(shown(0)).toEqual(['null: content 1']);
});

it('leaves what is no object, or too long for rows, to be shown as it is', () => {
  expect(shown('[1]')).toBeUndefined();
  expect(argumentRows(['{"a":[1,2,3]}'], 6)).toHaveLength(4);
  expect(argumentRows(['{"a":[1,2,3]}'], 5)).toBeUndefined();
});
