import { describe, expect, it } from 'vitest';
import { convertBytes, jsonOf } from '../fixtures/conversion-fixture.ts';

const warningsOf = async (text: string, name = 'a.json') =>
  (await convertBytes(name, text)).report.warnings.map(({ message }) => message);

describe('a key that an object has twice', () => {
  it.each([
    ['{"a":1,"a":2}', "1 object has a key twice (first 'a', line 1)"],
    ['[\n{"b":1},\r\n{"ü":1,"b":{"c":2},"\\u00fc":3}]', "1 object has a key twice (first 'ü', line 3)"],
    ['[{"x":1,"y":{"z":1,"z":2,"z":3}},{"x":1,"x":1}]', "2 objects have a key twice (first 'z', line 1)"],
    ['{"":1,"":"\\""}', "1 object has a key twice (first '', line 1)"],
  ])('is named: %s', async (text, says) => {
    expect(await warningsOf(text)).toEqual([expect.stringContaining(says)]);
    expect(await warningsOf(text.replaceAll(/[\r\n]/g, ''), 'a.jsonl')).toEqual([expect.stringContaining('a key twice')]);
  });

  it('is passed on with both values', async () => {
    expect(await jsonOf('a.json', '{"a": 1, "a": 2}')).toBe('{"a":1,"a":2}');
  });

  it.each([
    '{"a":{"a":1},"b":["a","a",{"a":1}],"c":"a"}',
    '[{"a":1},{"a":2},{"a":"a","A":"a"}]',
    '{"a\\"b":1,"a":2,"b":"\\"a\\":"}',
    '[{},[],"a","a",1]',
    '{"__proto__":1,"constructor":2}',
  ])('is not seen in %s', async (text) => {
    expect(await warningsOf(text)).toEqual([]);
    expect(await warningsOf(`${text}\n${text}\n`, 'a.jsonl')).toEqual([]);
  });

  it('is searched in the beginning of a long text', async () => {
    const long = JSON.stringify('x'.repeat(1024 * 1024));
    expect(await warningsOf(`[{"a":1,"a":2},${long}]`)).toHaveLength(1);
    expect(await warningsOf(`[{"a":1},${long},{"a":1,"a":2}]`)).toEqual([]);
    expect(await warningsOf(`{"ä":1,"${'ä'.repeat(1024 * 1024)}":2}`)).toEqual([]);
  });
});
