/** What hosts accept of a list of tools: our own tools as they are, any server's after the rewriting. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { runs } from '../../shared/lib/fixtures/property-runs.ts';
import type { JsonObject } from '../engine/core/json-object.ts';
import { Chance } from '../engine/fixtures/fuzz-fixture.ts';
import { strangeValue } from '../engine/fixtures/stranger-fixture.ts';
import { fileTools } from './file-tool-table.ts';
import { hostFaults } from './fixtures/host-rules.ts';
import { hostSchema } from './host-schema.ts';
import { publishedSchema } from './published-schema.ts';
import { ownTools } from './tool-table.ts';

const properties = (schema: JsonObject) => hostSchema(schema, 'arguments').properties as Record<string, JsonObject>;
const rewritten = (value: unknown) => properties({ type: 'object', properties: { value } }).value;

describe('our own tools', () => {
  const own = [
    ...ownTools.map(
      (tool) => ({ ...tool, options: tool.name === 'call_tool_with_file_content' ? 'in full' : 'by reference' }) as const,
    ),
    ...fileTools.map((tool) => ({ ...tool, options: 'by reference' }) as const),
  ].map(({ name, description, inputSchema, options }) => ({
    name,
    description,
    inputSchema: publishedSchema(inputSchema, options),
  }));

  it('are accepted by every host', () => {
    expect(own).toHaveLength(24);
    expect(hostFaults(own)).toEqual([]);
  });

  it('have schemas of at most 5,000 bytes, beyond which Codex drops all descriptions', () => {
    for (const { name, inputSchema } of own) expect(JSON.stringify(inputSchema).length, name).toBeLessThanOrEqual(5_000);
  });
});

describe('a schema is published in a form that every host accepts', () => {
  it.each<[string, unknown, unknown]>([
    ['a list without items', { type: 'array' }, { type: 'array', items: {} }],
    [
      'several types',
      { type: ['string', 'array'], items: { type: 'number' }, description: 'd' },
      {
        description: 'd',
        anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'number' } }],
      },
    ],
    ['null besides', { type: ['string', 'null'], maxLength: 9 }, { anyOf: [{ type: 'string', maxLength: 9 }, { type: 'null' }] }],
    ['null of OpenAPI', { type: 'string', nullable: true }, { anyOf: [{ type: 'string' }, { type: 'null' }] }],
    ['a constant text', { const: 'a' }, { type: 'string', enum: ['a'] }],
    ['a constant number', { const: 7, description: 'Version' }, { type: 'integer', description: 'Version. Always 7' }],
    ['numbers to choose from', { enum: [1, 2] }, { type: 'integer', description: 'One of 1, 2' }],
    ['an empty text to choose', { type: 'string', enum: ['', 'a'] }, { type: 'string', description: 'One of "", "a"' }],
    [
      'a tuple',
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false },
      {
        type: 'array',
        maxItems: 2,
        items: { anyOf: [{ type: 'string' }, { type: 'number' }] },
      },
    ],
    [
      'a tuple of draft 7',
      { type: 'array', items: [{ type: 'number' }, { type: 'number' }], additionalItems: false },
      { type: 'array', maxItems: 2, items: { type: 'number' } },
    ],
    ['a tuple that may go on', { type: 'array', prefixItems: [{ type: 'string' }] }, { type: 'array', items: {} }],
    [
      'items beside alternatives',
      { anyOf: [{ type: 'string' }, { type: 'array', items: {} }], items: { type: 'string' } },
      {
        anyOf: [{ type: 'string' }, { type: 'array', items: {} }],
      },
    ],
    ['an unknown type among others', { type: ['string', 'any'] }, {}],
    [
      'a name that hosts refuse beside others',
      { type: 'object', properties: { 'a b': {}, c: {} }, additionalProperties: { type: 'number' } },
      {
        type: 'object',
        properties: { c: {} },
      },
    ],
    ['an object of any form', { type: 'object' }, { type: 'object', additionalProperties: true }],
    [
      'patterns of names',
      { type: 'object', patternProperties: { '^x': { type: 'number' } }, additionalProperties: false },
      {
        type: 'object',
        additionalProperties: { type: 'number' },
      },
    ],
    ['true', true, {}],
    ['an unknown type word', { type: 'str' }, { type: 'string' }],
    ['an unknown type', { type: 'colour' }, {}],
    ['an invalid pattern', { type: 'string', pattern: '(' }, { type: 'string' }],
    ['bounds of draft 4', { type: 'number', minimum: 1, exclusiveMinimum: true }, { minimum: 1, type: 'number' }],
    ['required as a flag', { type: 'string', required: true }, { type: 'string' }],
    [
      'what is required and unknown',
      { type: 'object', properties: { a: {} }, required: ['a', 'b'] },
      {
        type: 'object',
        properties: { a: {} },
        required: ['a'],
      },
    ],
    ['a reference to nowhere', { $ref: '#/$defs/none', description: 'd' }, { description: 'd' }],
    [
      'a condition',
      { type: 'object', properties: { a: {} }, not: { required: ['a'] } },
      { type: 'object', properties: { a: {} } },
    ],
  ])('%s', (_, given, published) => {
    expect(rewritten(given)).toEqual(published);
  });

  it('a reference into what is rewritten leads to what was there', () => {
    const pair = { type: 'array', prefixItems: [{ type: 'object', properties: { x: { type: 'number' } } }, { type: 'string' }] };
    const schema = { type: 'object', properties: { pair, again: { $ref: '#/properties/pair/prefixItems/0' } } };
    expect(properties(schema).again).toEqual({ type: 'object', properties: { x: { type: 'number' } } });
  });

  it('a broken reference below a parameter that is called like a keyword is replaced', () => {
    const odd = { examples: { type: 'array', items: { $ref: 'https://x/y' } }, default: { $ref: '#/nope' } };
    expect(properties({ properties: odd })).toEqual({ examples: { type: 'array', items: {} }, default: {} });
    const many = Object.fromEntries(
      Array.from({ length: 4_000 }, (_, i) => [`parameter${i}`, { type: 'string', description: 'x'.repeat(50) }]),
    );
    expect(JSON.stringify(hostSchema({ properties: many }, 'arguments')).length).toBeLessThan(100_000);
  });

  it('names that hosts refuse are left out, and deep or huge values are of any form', () => {
    expect(Object.keys(properties({ properties: { 'filter[name]': {}, $top: {}, 'a.b-c_1': {} } }))).toEqual(['a.b-c_1']);
    let deep: JsonObject = { type: 'string' };
    for (let level = 0; level < 40; level += 1) deep = { type: 'object', properties: { inner: deep } };
    expect(hostFaults([{ name: 't', inputSchema: hostSchema(deep, 'arguments') }])).toEqual([]);
    const wide = Object.fromEntries(
      Array.from({ length: 200 }, (_, i) => [`p${i}`, { type: 'string', description: 'x'.repeat(90) }]),
    );
    const huge = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`o${i}`, { type: 'object', properties: wide }]));
    const published = hostSchema({ properties: huge }, 'arguments');
    expect(JSON.stringify(published).length).toBeLessThan(100_000);
    expect(Object.keys(published.properties as object)).toHaveLength(50);
  });

  it('random junk becomes valid schemas that compile', () => {
    const ajv = () => new Ajv2020({ strict: false });
    const chance = new Chance(1);
    for (let round = 0; round < runs(500); round += 1) {
      const schema = {
        properties: { a: strangeValue(chance, 5), b: { type: strangeValue(chance), items: strangeValue(chance, 4) } },
      };
      const published = hostSchema(schema as JsonObject, 'arguments');
      expect(hostFaults([{ name: 't', inputSchema: published }]), JSON.stringify(schema)).toEqual([]);
      ajv().compile(published);
    }
  });
});
