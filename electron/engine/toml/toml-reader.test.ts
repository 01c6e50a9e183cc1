import { describe, expect, it } from 'vitest';
import { convertBytes, failureOf, jsonText, parsedOf } from '../fixtures/conversion-fixture.ts';

const failure = (text: string) => failureOf('a.toml', Buffer.from(text));

describe('TOML', () => {
  it('becomes an object with tables, lists of tables and values of every type', async () => {
    const text = [
      'title = "Ä \\u00e9"',
      'big = 9007199254740993',
      'hex = 0xff',
      'float = 1e3',
      'on = true',
      'at = 1979-05-27T07:32:00Z',
      'day = 1979-05-27',
      'dotted.key = 1',
      '[owner]',
      "path = 'C:\\x'",
      '[[dogs]]',
      'name = "Ada"',
      '[[dogs]]',
      'tags = ["a", ["b"]]',
    ].join('\n');
    expect(await parsedOf('a.toml', Buffer.from(text))).toEqual({
      title: 'Ä é',
      big: '9007199254740993',
      hex: 255,
      float: 1000,
      on: true,
      at: '1979-05-27T07:32:00.000Z',
      day: '1979-05-27',
      dotted: { key: 1 },
      owner: { path: 'C:\\x' },
      dogs: [{ name: 'Ada' }, { tags: ['a', ['b']] }],
    });
  });

  it('keeps all digits of times', async () => {
    const text = [
      'a = 2024-01-31T10:00:00.123456Z',
      'b = [10:00:00.123456, 2024-01-31 10:00:00.1234+02:00]',
      'c = "at 10:00:00.123456" # 10:00:00.123456',
      "d = '''10:00:00.123456'''",
      'e = 10:00:00.12',
    ].join('\n');
    expect(await parsedOf('a.toml', Buffer.from(text))).toEqual({
      a: '2024-01-31T10:00:00.123456Z',
      b: ['10:00:00.123456', '2024-01-31T10:00:00.1234+02:00'],
      c: 'at 10:00:00.123456',
      d: '10:00:00.123456',
      e: '10:00:00.120',
    });
    expect((await failure('a = 2024-13-31T10:00:00.123456Z')).code).toBe('PARSE_FAILED');
  });

  it('is its source as text', async () => {
    expect(await parsedOf('a.toml', Buffer.from('a = 1 # b'), { as: 'text' })).toBe('a = 1 # b');
  });

  it('keeps __proto__ and constructor as names', async () => {
    expect(await jsonText(await convertBytes('a.toml', Buffer.from('[__proto__]\nx = 1\n[constructor]\ny = 2')))).toBe(
      '{"__proto__":{"x":1},"constructor":{"y":2}}',
    );
  });

  it('is an empty object where it has only comments', async () => {
    expect(await parsedOf('a.toml', Buffer.from('# nothing\n'))).toEqual({});
  });

  it.each([
    ['a = 1\nb = = 2\n', 'Failed to parse TOML file: this is no value: a text needs quotes at line 2'],
    ['a = 1\na = 2\n', 'this is defined a second time at line 2'],
    ['[t]\na = 1\n[t]\nb = 2\n', 'this is defined a second time at line 3'],
    ['zip = 01067\n', 'a number begins with 0: a code needs quotes at line 1'],
    ['a = "x\n', 'a string is not closed'],
    ['a = 1 b = 2\n', 'something follows a value on its line at line 1'],
    ['a = [1\nb = 2', 'a comma or a closing bracket is missing at line 2'],
    ['x', 'line 1'],
    ['a = { b = [inf] }', "'a.b.0' is infinite or not a number, which JSON cannot say"],
  ])('%j is refused', async (text, message) => {
    expect(await failure(text)).toMatchObject({ code: 'PARSE_FAILED', message: expect.stringContaining(message) });
  });

  it('nested too deep is refused', async () => {
    expect(await failure(`a = ${'['.repeat(900)}${']'.repeat(900)}`)).toMatchObject({
      code: 'PARSE_FAILED',
      message: expect.stringContaining('nested more than'),
    });
    expect(await failure(`a = ${'['.repeat(100_000)}`)).toMatchObject({ code: 'PARSE_FAILED' });
    expect(await failure(`${Array.from({ length: 20_000 }, () => 'a').join('.')} = 1`)).toMatchObject({ code: 'PARSE_FAILED' });
  });
});
