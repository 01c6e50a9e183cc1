import { expect, it } from 'vitest';
import { listsInside } from './lists-inside.ts';

const SEARCHED = 1024 * 1024;

const listsOf = (value: unknown, at = Number.POSITIVE_INFINITY) => {
  const json = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
  async function* chunks() {
    yield json.subarray(0, at);
    yield json.subarray(at);
  }
  return listsInside(chunks(), SEARCHED);
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
  ['lists of lists once', { a: [], b: { x: [], y: 1, z: [[1]] } }, ['b.z', 'a', 'b.x']],
  ['none in lists or in texts', { a: [{ b: [1] }], c: '{"d":[]}' }, ['a']],
  ['none', { a: 1 }, []],
  ['none beyond what is told', { a: { b: { c: { d: { e: [] } } } } }, []],
  ['those of a broken text up to there', '{"a":[1,2],"b":{"c":[', ['a', 'b.c']],
])('%s', async (_, value, expected) => {
  const pathsOf = async (at?: number) => (await listsOf(value, at)).map(({ path }) => path);
  expect(await pathsOf()).toEqual(expected);
  expect(await pathsOf(4)).toEqual(expected);
});

it('counts the items of a list, and tells where it goes on', async () => {
  const value = { none: [], one: [{ a: [1, 2] }], two: ['a', [1, 2, 3]], texts: ['x', 'y', '['] };
  expect(await listsOf(value)).toEqual([
    { path: 'texts', items: 3, goesOn: false },
    { path: 'two', items: 2, goesOn: false },
    { path: 'one', items: 1, goesOn: false },
    { path: 'none', items: 0, goesOn: false },
  ]);
  expect(await listsOf('{"a":[1,2],"b":[1,2,3')).toEqual([
    { path: 'b', items: 3, goesOn: true },
    { path: 'a', items: 2, goesOn: false },
  ]);
});
