import { describe, expect, it } from 'vitest';
import { fitsHeap, idOfUnparsed } from './parse-guard.ts';

const MB = 1024 * 1024;
const fits = (text: string, freeMb: number) => fitsHeap([Buffer.from(text)], text.length, () => freeMb * MB);

describe('JSON', () => {
  it('is parsed where its values fit the heap', () => {
    const objects = `[${'{},'.repeat(1_000_000)}{}]`;
    expect(fits(objects, 4_000)).toBe(true);
    expect(fits(objects, 200)).toBe(true);
    expect(fits(objects, 60)).toBe(false);
  });

  it('of one long text needs little', () => {
    expect(fits(`"${'x'.repeat(10 * MB)}"`, 40)).toBe(true);
    expect(fits(`"${'x'.repeat(10 * MB)}"`, 20)).toBe(false);
  });

  it('that is short is always parsed', () => {
    expect(fits('[{},{}]', 0)).toBe(true);
  });
});

it.each([
  ['{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"id":8}}', 7],
  ['{"id":"a-1","jsonrpc":"2.0","method":"tools/call","params":{}}', 'a-1'],
  ['{"method":"tools/call","params":{"a":[{}]},"jsonrpc":"2.0","id":9}', 9],
  ['{"method":"tools/call","params":{"a":"},\\"id\\":5}"}}', undefined],
  ['{"method":"notifications/x","params":{"a":{"id":3}}}', undefined],
  ['junk', undefined],
])('finds the id of %s', (text, id) => {
  expect(idOfUnparsed([Buffer.from(text)])).toBe(id);
});
