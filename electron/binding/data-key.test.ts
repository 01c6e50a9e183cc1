import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../shared/lib/fixtures/property-runs.ts';
import { formatDataKey, parseDataKey } from './data-key.ts';

describe('data keys', () => {
  it.each([
    ['records', ['records']],
    ['config.database.users', ['config', 'database', 'users']],
    ['files[0].content', ['files', 0, 'content']],
    ['matrix[1][10000]', ['matrix', 1, 10_000]],
    ['[0]', [0]],
    ['a\\.b.c', ['a.b', 'c']],
    ['a\\[0\\]', ['a[0]']],
    ['a\\\\b', ['a\\b']],
    ['two words.größe', ['two words', 'größe']],
    ['list.0', ['list', '0']],
    ['__proto', ['__proto']],
  ])('%j', (key, segments) => {
    expect(parseDataKey(key)).toEqual(segments);
    expect(formatDataKey(segments)).toBe(key);
  });

  it.each([
    ['', 1],
    ['.a', 1],
    ['a..b', 3],
    ['a.', 3],
    ['a]', 2],
    ['a[', 2],
    ['a[1', 2],
    ['a[]', 3],
    ['a[x]', 3],
    ['a[-1]', 3],
    ['a[1.5]', 3],
    ['a[01]', 3],
    ['a[10001]', 3],
    ['a[99999999999999999999]', 3],
    ['a[0]b', 5],
    ['a.[0]', 3],
    ['a\\b', 2],
    ['a\\', 2],
    ['__proto__', 1],
    ['a.__proto__.b', 3],
    ['a[0].constructor', 6],
    ['a.prototype', 3],
    ['\\__proto__', 1],
  ])('%j is none, and the error points at character %i', (key, character) => {
    expect(() => parseDataKey(key)).toThrowError(
      expect.objectContaining({ code: 'DATA_KEY_INVALID', message: expect.stringContaining(`at character ${character}`) }),
    );
  });

  it('survive a round trip', () => {
    const name = fc.string({ minLength: 1 }).filter((text) => !['__proto__', 'constructor', 'prototype'].includes(text));
    const segments = fc.array(fc.oneof(name, fc.nat({ max: 10_000 })), { minLength: 1 });
    fc.assert(
      fc.property(segments, (path) => {
        expect(parseDataKey(formatDataKey(path))).toEqual(path);
      }),
      { numRuns: runs(100) },
    );
  });
});
