import { describe, expect, it } from 'vitest';
import type { PayloadKind } from '../../shared/model/conversion.ts';
import { inAgentsWords } from '../../shared/model/messages/message.ts';
import type { JsonObject } from '../engine/core/json-object.ts';
import { type CheckRequest, checkArguments, type MemberFit, memberFit, problemText, schemaMismatch } from './check.ts';

const row = {
  type: 'object',
  properties: { age: { type: 'number' }, name: { type: ['string', 'null'] } },
  required: ['age'],
  additionalProperties: false,
};
const inputSchema: JsonObject = {
  type: 'object',
  properties: { table: { type: 'string' }, records: { type: 'array', items: row, maxItems: 3 } },
  required: ['table'],
};

/** Without the schema's own names. */
function fitOf(...args: Parameters<typeof memberFit>): Omit<MemberFit, 'wanted'> {
  const { wanted: _, ...fit } = memberFit(...args);
  return fit;
}

/** Checks arguments of which `records` came from a CSV file whose first record is on line 2. */
async function check(records: unknown, more: Partial<CheckRequest> & { count?: number; cut?: boolean; kind?: PayloadKind } = {}) {
  const problems = await checkArguments({
    inputSchema: more.inputSchema ?? inputSchema,
    sample: more.sample ?? { value: { table: 't', records }, truncated: [more.cut ?? false] },
    at: more.at ?? [['records']],
    payloads: [
      {
        kind: more.kind ?? 'array',
        records: more.count ?? (Array.isArray(records) ? records.length : 1),
        locate: async ([index, column]) =>
          typeof index === 'number'
            ? { line: index + 2, ...(typeof column === 'string' ? { columnName: column } : {}) }
            : undefined,
      },
    ],
  });
  return problems.map((problem) => ({ ...problem, message: inAgentsWords(problemText(problem)) }));
}

describe('arguments that fit', () => {
  it('give no problems', async () => {
    expect(await check([{ age: 1 }, { age: 2, name: null }])).toEqual([]);
    expect(await check([], { inputSchema: {} })).toEqual([]);
  });
});

describe('arguments that do not fit', () => {
  it('name place, rule, line and column, in the documented wording', async () => {
    const problems = await check([...Array.from({ length: 13 }, () => ({ age: 1 })), { age: 'x' }], { count: 3 });
    expect(problems).toEqual([
      {
        pointer: ['records', 13, 'age'],
        rule: 'type',
        types: ['number'],
        what: { code: 'schema.type', params: { types: ['number'], given: '"x"' } },
        message: 'records[13].age must be number, not "x"',
        line: 15,
        columnName: 'age',
      },
    ]);
    const error = schemaMismatch(problems);
    expect(error.code).toBe('SCHEMA_MISMATCH');
    expect(error.message).toBe(
      "Arguments do not fit the tool's schema: records[13].age must be number, not \"x\" (rule: type) at line 15, column 'age'",
    );
    expect(error.details.line).toBe(15);
  });

  it('name what is missing or not allowed', async () => {
    const [missing] = await check([{ name: 'x' }]);
    expect(missing).toMatchObject({ message: "records[0] must have 'age'", rule: 'required', line: 2, columnName: 'age' });
    const [shoe] = await check([{ age: 1, shoe: 44 }]);
    expect(shoe).toMatchObject({ message: "records[0] must not have 'shoe'", rule: 'additionalProperties', columnName: 'shoe' });
    const [table] = await check([], { sample: { value: { records: [] }, truncated: [false] } });
    expect(table).toMatchObject({ message: "the arguments must have 'table'", rule: 'required' });
    expect(table).not.toHaveProperty('line');
  });

  it('name what was allowed', async () => {
    const schema: JsonObject = {
      properties: {
        records: {
          items: {
            properties: {
              a: { enum: ['x', 'y'] },
              b: { type: ['string', 'null'] },
              c: { pattern: '^[a-z]+$' },
              d: { minimum: 1 },
            },
          },
        },
      },
    };
    const problems = await check([{ a: 'z', b: 1, c: 'Z', d: 0 }], { inputSchema: schema });
    expect(problems.map(({ message }) => message)).toEqual([
      'records[0].a must be one of "x", "y"',
      'records[0].b must be string or null, not 1',
      'records[0].c must match pattern "^[a-z]+$"',
      'records[0].d must be >= 1',
    ]);
  });

  it('report a choice of types as one problem, and a choice of objects by the intended one', async () => {
    const choice = (anyOf: unknown[]): JsonObject => ({
      properties: { records: { items: { anyOf } } },
      $defs: { text: { type: 'string' } },
    });
    expect(await check([1], { inputSchema: choice([{ $ref: '#/$defs/text' }, { type: 'null' }]) })).toMatchObject([
      { message: 'records[0] must be string or null, not 1', rule: 'type' },
    ]);
    const forms = choice([{ type: 'string' }, { type: 'object', properties: { age: { type: 'number' } } }]);
    expect(await check([{ age: 'x' }], { inputSchema: forms })).toMatchObject([
      { message: 'records[0].age must be number, not "x"' },
    ]);
  });

  it('are listed up to five, covering different rules, and counted', async () => {
    const problems = await check(
      Array.from({ length: 20 }, (_, i) => (i < 19 ? { age: 'x' } : { age: 1, shoe: 1 })),
      { count: 1 },
    );
    const { message } = schemaMismatch(problems);
    expect(message.match(/rule:/g)).toHaveLength(5);
    expect(message).toContain("'shoe'");
    expect(message).toContain('and 15 more');
  });

  it('are listed in file order with their lines, even if a rule is first violated late', async () => {
    const problems = await check(
      Array.from({ length: 50 }, (_, i) => (i < 49 ? { age: 'x' } : { age: 1, shoe: 1 })),
      { count: 1 },
    );
    const { message, details } = schemaMismatch(problems);
    expect(message.match(/records\[\d+\]|at line \d+/g)).toEqual(
      [0, 1, 2, 3, 49].flatMap((record) => [`records[${record}]`, `at line ${record + 2}`]),
    );
    expect(details.line).toBe(2);
  });

  it('are found at pointers that need escapes', async () => {
    const schema: JsonObject = { properties: { records: { items: { properties: { 'a/b~c.d': { type: 'number' } } } } } };
    expect(await check([{ 'a/b~c.d': 'x' }], { inputSchema: schema })).toMatchObject([
      { pointer: ['records', 0, 'a/b~c.d'], columnName: 'a/b~c.d' },
    ]);
  });
});

describe('what was cut for the sample', () => {
  it("is not reported for a list, but the list's real length is checked", async () => {
    const schema: JsonObject = {
      properties: { records: { type: 'array', minItems: 5, uniqueItems: true, contains: { const: 9 }, maxItems: 10 } },
    };
    expect(await check([1, 1], { inputSchema: schema, cut: true, count: 10 })).toEqual([]);
    expect(await check([1, 1], { inputSchema: schema, cut: true, count: 11 })).toMatchObject([
      { rule: 'maxItems', message: 'records must have at most 10 items, but the file gives 11' },
    ]);
    const whole = await check([1, 1], { inputSchema: schema });
    expect(whole.map(({ rule }) => rule).sort()).toEqual(['contains', 'minItems', 'uniqueItems']);
  });

  it("is counted with the caller's number, for batches", async () => {
    expect(await check([{ age: 1 }, { age: 1 }, { age: 1 }, { age: 1 }], { count: 1 })).toEqual([]);
    expect(await check([{ age: 1 }, { age: 1 }, { age: 1 }, { age: 1 }])).toMatchObject([{ rule: 'maxItems' }]);
  });

  it('is not reported for a string or an object either', async () => {
    const text: JsonObject = { properties: { records: { type: 'string', pattern: 'end$', maxLength: 3 } } };
    expect(await check('start', { inputSchema: text, cut: true, kind: 'string' })).toEqual([]);
    expect(await check('start', { inputSchema: text, kind: 'string' })).toHaveLength(2);
    const merged = { sample: { value: { a: 1 }, truncated: [true] }, at: [[]], kind: 'object' as const };
    const schema: JsonObject = { required: ['big'], properties: { a: { type: 'string' } } };
    expect(await check({}, { inputSchema: schema, ...merged })).toMatchObject([{ message: 'a must be string, not 1' }]);
  });
});

describe('schemas of any quality', () => {
  it.each<[string, JsonObject]>([
    ['a type nobody knows', { type: 'thing' }],
    ['a reference to nothing', { properties: { records: { $ref: '#/$defs/none' } } }],
    ['a reference to the network', { $ref: 'https://example.com/schema.json' }],
    ['a malformed rule', { properties: 7 }],
    ['an asynchronous one', { $async: true, required: ['x'] }],
  ])('%s gives one problem of its own, which says that nothing was checked', async (_name, broken) => {
    const problems = await check([1], { inputSchema: broken });
    expect(problems).toMatchObject([
      { rule: 'schema', message: expect.stringContaining("could not be checked against the tool's schema") },
    ]);
  });

  it.each<[string, JsonObject]>([
    [
      '2020-12',
      { $schema: 'https://json-schema.org/draft/2020-12/schema', properties: { records: { prefixItems: [{ type: 'number' }] } } },
    ],
    ['draft 7', { $schema: 'http://json-schema.org/draft-07/schema#', properties: { records: { items: [{ type: 'number' }] } } }],
    ['draft 7 unsaid', { properties: { records: { items: [{ type: 'number' }] } } }],
    [
      '2019-09',
      { $schema: 'https://json-schema.org/draft/2019-09/schema', properties: { records: { items: [{ type: 'number' }] } } },
    ],
    [
      'a meta-schema nobody knows',
      { $schema: 'https://example.com/mine', properties: { records: { items: { type: 'number' } } } },
    ],
    ['definitions', { properties: { records: { items: { $ref: '#/definitions/n' } } }, definitions: { n: { type: 'number' } } }],
    [
      'a circle',
      {
        properties: { records: { $ref: '#/$defs/tree' } },
        $defs: { tree: { items: { anyOf: [{ type: 'number' }, { type: 'array', items: { $ref: '#/$defs/tree' } }] } } },
      },
    ],
    [
      'keywords nobody knows',
      { 'x-mine': 1, properties: { records: { items: { type: 'number', format: 'int32', 'x-y': {} } } } },
    ],
    [
      'a pattern that is none under the u flag',
      { properties: { records: { items: { type: 'number', pattern: '^[\\w-.]+$' } } } },
    ],
    ['a pattern that is none at all', { properties: { records: { items: { type: 'number', pattern: '(' } } } }],
  ])('%s is understood', async (_name, schema) => {
    expect(await check([1], { inputSchema: schema })).toEqual([]);
    expect(await check(['x'], { inputSchema: schema })).toMatchObject([{ rule: 'type' }]);
  });

  it('formats are checked', async () => {
    const schema: JsonObject = { properties: { records: { items: { format: 'date' } } } };
    expect(await check(['2026-02-30'], { inputSchema: schema })).toMatchObject([{ rule: 'format' }]);
  });

  it('a pattern that never terminates is stopped, and the call continues', async () => {
    const schema: JsonObject = { properties: { records: { items: { pattern: '^(a+)+$' } } } };
    expect(await check([`${'a'.repeat(60)}!`], { inputSchema: schema })).toMatchObject([
      { rule: 'schema', message: expect.stringContaining('too long') },
    ]);
    expect(await check(['aaa'], { inputSchema: schema })).toMatchObject([{ rule: 'schema' }]);
  });
});

const user = { type: 'object', properties: { id: {}, name: {}, zip: {} }, required: ['id', 'zip'] };
const list = (items: object, more: object = {}) => ({
  type: 'object',
  properties: { records: { type: 'array', items } },
  ...more,
});

describe('the members of records, beside those a schema knows', () => {
  it('are compared by name', () => {
    expect(fitOf(list(user), ['records'], 'array', ['id', 'name', 'Ort'])).toEqual({ unknown: ['Ort'], missing: ['zip'] });
    expect(fitOf(list(user), ['records'], 'array', ['zip', 'id'])).toEqual({ unknown: [], missing: [] });
  });

  it('are found through references and compositions', () => {
    const schema = {
      ...list({ allOf: [{ $ref: '#/$defs/user' }, { properties: { city: {} }, required: ['city'] }] }),
      $defs: { user },
    };
    expect(fitOf(schema, ['records'], 'array', ['id', 'zip', 'street'])).toEqual({ unknown: ['street'], missing: ['city'] });
    const either = list({ anyOf: [user, { properties: { key: {} }, required: ['key', 'id'] }] });
    expect(fitOf(either, ['records'], 'array', ['key', 'x'])).toEqual({ unknown: ['x'], missing: ['id'] });
  });

  it('are all known if the schema names none, or names patterns', () => {
    for (const items of [{}, { type: 'object' }, { ...user, patternProperties: { '^x-': {} }, required: [] }]) {
      expect(fitOf(list(items), ['records'], 'array', ['anything'])).toEqual({ unknown: [], missing: [] });
    }
    expect(fitOf(list(user), ['elsewhere'], 'array', ['id'])).toEqual({ unknown: [], missing: [] });
  });

  it('are not required under names that are no text', () => {
    const items = { ...user, required: ['id', { toString: 'x' }, 1] };
    expect(fitOf(list(items), ['records'], 'array', ['name'])).toEqual({ unknown: [], missing: ['id'] });
  });

  it('are those that the schema names, in its order, with what each alternative needs', () => {
    const { wanted: all } = memberFit(list(user), ['records'], 'array', []);
    expect(all.filter(({ required }) => required).map(({ name }) => name)).toEqual(user.required);
    const typed = {
      type: 'object',
      properties: { age: { type: ['integer', 'null'] }, tags: { type: 'array', items: { type: 'string' } } },
    };
    expect(memberFit(list(typed), ['records'], 'array', []).wanted.map(({ type }) => type)).toEqual([
      'integer or null',
      'array of string',
    ]);
    const either = list({ anyOf: [user, { properties: { key: {} }, required: ['key', 'id'] }] });
    const { wanted } = memberFit(either, ['records'], 'array', []);
    expect(wanted.filter(({ required }) => required).map(({ name }) => name)).toEqual(['id']);
    expect(wanted.map(({ name }) => name)).toEqual([...Object.keys(user.properties), 'key']);
  });

  it('can be those of one object, merged into the arguments or at a place', () => {
    const schema = { type: 'object', properties: { table: {}, user }, required: ['table'] };
    expect(fitOf(schema, ['user'], 'object', ['id', 'x'])).toEqual({ unknown: ['x'], missing: ['zip'] });
    expect(fitOf(schema, [], 'object', ['user', 'y'])).toEqual({ unknown: ['y'], missing: ['table'] });
    expect(fitOf(schema, ['user'], 'string', ['id'])).toEqual({ unknown: [], missing: [] });
  });
});
