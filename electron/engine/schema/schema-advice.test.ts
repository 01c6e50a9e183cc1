import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../core/json-object.ts';
import { columnAdvice, maxItems, propertyNames, schemaAt } from './schema-advice.ts';

const table = (items: unknown, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties: { table: { type: 'string' }, records: { type: 'array', items, ...more } },
});
const row = (properties: JsonObject) => ({ type: 'object', properties, required: Object.keys(properties) });

describe('what a schema says of a column', () => {
  it.each<[string, unknown, ReturnType<ReturnType<typeof columnAdvice>>]>([
    ['a string', { type: 'string' }, 'string'],
    ['an integer', { type: 'integer' }, 'number'],
    ['a number or an integer', { type: ['number', 'integer'] }, 'number'],
    ['a boolean or null', { type: ['boolean', 'null'] }, 'boolean'],
    ['a string or null, as alternatives', { anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string'],
    ['a nullable of OpenAPI', { type: 'string', nullable: true }, 'string'],
    ['one of some strings', { enum: ['a', 'b'] }, 'string'],
    ['one of some strings or null', { enum: ['a', null] }, 'string'],
    ['a constant', { const: 'a' }, 'string'],
    ['a part that narrows another', { allOf: [{ type: ['string', 'number'] }, { type: 'string' }] }, 'string'],
    ['an integer among numbers', { allOf: [{ type: 'number' }, { type: 'integer' }] }, 'number'],
    ['a string or a number', { type: ['string', 'number'] }, undefined],
    ['a string or a number, as alternatives', { oneOf: [{ type: 'string' }, { type: 'number' }] }, undefined],
    ['an object', { type: 'object' }, undefined],
    ['a string or an object', { type: ['string', 'object'] }, undefined],
    ['mixed constants', { enum: ['a', 1] }, undefined],
    ['anything', {}, undefined],
    ['anything, said shortly', true, undefined],
    ['nothing', false, undefined],
    ['null', { type: 'null' }, undefined],
    ['a string or anything', { anyOf: [{ type: 'string' }, {}] }, undefined],
  ])('%s', (_name, column, advice) => {
    expect(columnAdvice(table(row({ c: column })), ['records'])('c')).toEqual(advice);
  });

  it('follows references, nested and shared', () => {
    const schema: JsonObject = {
      $ref: '#/$defs/arguments',
      $defs: {
        arguments: { properties: { records: { type: 'array', items: { $ref: '#/definitions/row~1one' } } } },
        zip: { type: 'string' },
      },
      definitions: {
        'row/one': { allOf: [{ properties: { zip: { $ref: '#/$defs/zip' } } }, { properties: { n: { type: 'integer' } } }] },
      },
    };
    const advice = columnAdvice(schema, ['records']);
    expect(advice('zip')).toBe('string');
    expect(advice('n')).toBe('number');
    expect(advice('other')).toBeUndefined();
  });

  it('takes references that go in circles, or nowhere, to say nothing', () => {
    const circle: JsonObject = {
      properties: {
        records: { type: 'array', items: { $ref: '#/$defs/a' } },
        gone: { type: 'array', items: { $ref: '#/$defs/none' } },
      },
      $defs: { a: { $ref: '#/$defs/b' }, b: { anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#' }] } },
    };
    expect(columnAdvice(circle, ['records'])('c')).toBeUndefined();
    expect(columnAdvice(circle, ['gone'])('c')).toBeUndefined();
    expect(columnAdvice({ $ref: '#' }, ['records'])('c')).toBeUndefined();
    expect(columnAdvice({ $ref: 'https://example.com/schema' }, ['records'])('c')).toBeUndefined();
  });

  it('ends soon where references multiply', () => {
    const levels = 60;
    const $defs = Object.fromEntries(
      Array.from({ length: levels }, (_, i) => [
        `d${i}`,
        { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
      ]),
    );
    const schema = table({ $ref: '#/$defs/d0' });
    Object.assign(schema, { $defs: { ...$defs, [`d${levels}`]: row({ c: { type: 'string' } }) } });
    expect(columnAdvice(schema, ['records'])('c')).toBe('string');
  });

  it('looks through nested places, tuples and maps', () => {
    const schema: JsonObject = {
      properties: {
        config: { properties: { users: { type: 'array', items: row({ zip: { type: 'string' } }) } } },
        pair: { type: 'array', prefixItems: [{ type: 'array', items: row({ a: { type: 'string' } }) }], items: { type: 'null' } },
        old: { type: 'array', items: [{ type: 'array', items: row({ a: { type: 'number' } }) }], additionalItems: {} },
        map: { type: 'array', items: { type: 'object', additionalProperties: { type: 'string' } } },
        rows: { type: 'array', items: { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'number' } } },
      },
    };
    expect(columnAdvice(schema, ['config', 'users'])('zip')).toBe('string');
    expect(columnAdvice(schema, ['pair', 0])('a')).toBe('string');
    expect(columnAdvice(schema, ['old', 0])('a')).toBe('number');
    expect(columnAdvice(schema, ['map'])('whatever')).toBe('string');
    expect(columnAdvice(schema, ['rows'])('0')).toBe('string');
    expect(columnAdvice(schema, ['rows'])('5')).toBe('number');
    expect(columnAdvice(schema, ['nowhere'])('a')).toBeUndefined();
    expect(columnAdvice(schema, [])('config')).toBeUndefined();
    expect(columnAdvice(schema, ['map'])('__proto__')).toBe('string');
    expect(columnAdvice(table(row({})), ['records'])('constructor')).toBeUndefined();
  });

  it('finds the list behind a choice of list or text', () => {
    const schema: JsonObject = {
      properties: { records: { anyOf: [{ type: 'string' }, { type: 'array', items: row({ zip: { type: 'string' } }) }] } },
    };
    expect(columnAdvice(schema, ['records'])('zip')).toBe('string');
  });
});

describe('how many items a list may have', () => {
  it.each<[string, JsonObject, number | undefined]>([
    ['a bound', table({}, { maxItems: 10 }), 10],
    ['none', table({}), undefined],
    ['two that both hold', table({}, { maxItems: 10, allOf: [{ maxItems: 5 }] }), 5],
    [
      'alternatives, of which the widest counts',
      {
        properties: { records: { oneOf: [{ type: 'array', maxItems: 1 }, { type: 'array', maxItems: 9 }, { type: 'string' }] } },
      },
      9,
    ],
    [
      'alternatives, one without a bound',
      { properties: { records: { oneOf: [{ type: 'array', maxItems: 1 }, { type: 'array' }] } } },
      undefined,
    ],
  ])('%s', (_name, schema, bound) => {
    expect(maxItems(schema, ['records'])).toBe(bound);
  });
});

describe('the schema at a place', () => {
  it('is found, composed where it must be', () => {
    expect(schemaAt(table({ type: 'number' }), ['records', 3])).toEqual({ type: 'number' });
    expect(schemaAt(table({}), ['table', 'x'])).toBeUndefined();
    expect(schemaAt({ properties: { a: { allOf: [{ type: 'string' }, { minLength: 1 }] } } }, ['a'])).toEqual({
      allOf: [{ type: 'string' }, { minLength: 1 }],
    });
    expect(schemaAt({ properties: { a: { anyOf: [{ type: 'string' }, { type: 'null' }] } } }, ['a'])).toEqual({
      anyOf: [{ type: 'string' }, { type: 'null' }],
    });
  });

  it('names its properties through compositions', () => {
    const schema: JsonObject = {
      properties: { a: {} },
      allOf: [{ properties: { b: {} } }],
      anyOf: [{ properties: { c: {} } }, { $ref: '#/$defs/d' }],
      $defs: { d: { properties: { d: {} } } },
    };
    expect(propertyNames(schema)).toEqual(['a', 'b', 'c', 'd']);
    expect(propertyNames({})).toEqual([]);
  });
});
