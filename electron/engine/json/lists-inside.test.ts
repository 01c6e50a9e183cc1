import { expect, it } from 'vitest';
import { listsInside } from './lists-inside.ts';

const pathsOf = (value: unknown, at = Number.POSITIVE_INFINITY) => {
  const json = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
  async function* chunks() {
    yield json.subarray(0, at);
    yield json.subarray(at);
  }
  return listsInside(chunks());
};

it.each([
  ['one', { meta: 1, result: { rows: [{ a: 1 }] } }, ['result.rows']],
  ['names that need quotes', { 'my rows': [1], 'a"b': { 'c-d': [] } }, ['`my rows`', '`a"b`.`c-d`']],
  [
    'the longest first',
    {
      columns: ['a', 'b'],
      rows: [
        [1, 2],
        [3, 4],
        [5, 6],
      ],
      deep: { x: [{ y: [1, 2, 3, 4, 5] }] },
    },
    ['rows', 'columns', 'deep.x'],
  ],
  ['the first three', { a: [], b: { x: [], y: 1, z: [[1]] }, c: [] }, ['a', 'b.x', 'b.z']],
  ['none in lists or in texts', { a: [{ b: [1] }], c: '{"d":[]}' }, ['a']],
  ['none', { a: 1 }, []],
  ['none beyond what is told', { a: { b: { c: { d: { e: [] } } } } }, []],
  ['those of a broken text up to there', '{"a":[1,2],"b":{"c":[', ['a', 'b.c']],
])('%s', async (_, value, expected) => {
  expect(await pathsOf(value)).toEqual(expected);
  expect(await pathsOf(value, 4)).toEqual(expected);
});
