import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../shared/lib/fixtures/property-runs.ts';
import { formatDataKey, parametersOf, parseDataKey, payloadPlaces } from './data-key.ts';

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

const object = (properties: Record<string, unknown>, more = {}) => ({ type: 'object', properties, ...more });

describe('payloadPlaces', () => {
  it('finds lists, objects and texts, at any depth and inside lists', () => {
    const schema = object({
      records: { type: 'array', items: object({ id: { type: 'integer' }, note: { type: 'string' } }) },
      config: object({ users: { type: 'array' }, verbose: { type: 'boolean' } }),
      files: { type: 'array', items: object({ path: { type: 'string', format: 'uri' }, content: { type: 'string' } }) },
      anything: {},
      count: { type: 'integer' },
    });
    expect(payloadPlaces(schema)).toEqual([
      'records',
      'records[0].note',
      'config',
      'config.users',
      'files',
      'files[0].content',
      'anything',
    ]);
  });

  it('skips values: enumerations, dates, addresses, codes', () => {
    const schema = object({
      mode: { enum: ['fast', 'safe'] },
      kind: { const: 'table' },
      day: { type: 'string', format: 'date' },
      country: { type: 'string', maxLength: 2 },
      code: { type: 'string', pattern: '^[A-Z]+$' },
      title: { type: ['string', 'null'] },
      either: { anyOf: [{ enum: ['none'] }, { type: 'array', items: { type: 'string' } }] },
    });
    expect(payloadPlaces(schema)).toEqual(['title', 'either']);
  });

  it('follows references and compositions, and stops at cycles', () => {
    const schema = {
      ...object({ tree: { $ref: '#/$defs/node' } }),
      allOf: [object({ extra: { type: 'array' } })],
      $defs: { node: object({ text: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } }) },
    };
    const places = payloadPlaces(schema);
    expect(places.slice(0, 4)).toEqual(['tree', 'tree.text', 'tree.children', 'tree.children[0].text']);
    expect(places).toContain('extra');
    expect(places.length).toBeLessThanOrEqual(100);
  });

  it('returns keys that can be parsed', () => {
    const schema = object({
      'a.b[c]': object({ 'd\\e': { type: 'array' }, __proto__x: { type: 'string' } }),
      constructor: { type: 'array' },
    });
    const places = payloadPlaces(schema);
    expect(places.map(parseDataKey)).toEqual([['a.b[c]'], ['a.b[c]', 'd\\e'], ['a.b[c]', '__proto__x']]);
  });

  it('finds none where the schema names none', () => {
    expect(payloadPlaces({ type: 'object' })).toEqual([]);
    expect(payloadPlaces({})).toEqual([]);
  });
});

describe('parametersOf', () => {
  it('returns names, types and which are required', () => {
    const schema = object(
      {
        rows: { type: 'array', items: object({}) },
        names: { type: 'array', items: { type: 'string' } },
        list: { type: 'array' },
        note: { type: ['string', 'null'] },
        open: {},
      },
      { required: ['rows', 'open'] },
    );
    expect(parametersOf(schema)).toEqual([
      { name: 'rows', type: 'array of object', required: true },
      { name: 'names', type: 'array of string', required: false },
      { name: 'list', type: 'array', required: false },
      { name: 'note', type: 'string or null', required: false },
      { name: 'open', type: 'any', required: true },
    ]);
  });
});
