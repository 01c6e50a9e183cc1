import { describe, expect, it } from 'vitest';
import { parseDataKey } from './data-key.ts';
import { parametersOf, payloadPlaces } from './payload-places.ts';

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
