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
    ['a = 1\nb = = 2\n', 'Failed to parse TOML file: this is not valid TOML at line 2'],
    ['a = 1\na = 2\n', 'line 2'],
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
