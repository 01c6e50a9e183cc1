/** What clients see of a companion, and what its arguments become. */
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../shared/lib/fixtures/property-runs.ts';
import type { AppError } from '../../shared/model/errors.ts';
import { parseDataKey } from '../binding/data-key.ts';
import type { JsonObject } from '../engine/core/json-object.ts';
import { hostFaults } from '../server/fixtures/host-rules.ts';
import { byFile } from './by-file-fixture.ts';
import { companionNames, companionToolName } from './companion-names.ts';
import { companionArguments as argumentsOf, companionRequest } from './companion-request.ts';
import { companionSchema as schemaOf } from './companion-tool.ts';
import { fileParameters } from './file-parameters.ts';
import { inputSchemas, valuesOf } from './schema-fixture.ts';

/** A tool that writes, so that what its parameters hold decides which take a file. */
const toolOf = (inputSchema: JsonObject) => ({ name: 'write', inputSchema });
const companionSchema = (schema: JsonObject) => schemaOf(toolOf(schema));
const companionArguments = (schema: JsonObject, args: JsonObject) => argumentsOf(toolOf(schema), args);
const taking = (schema: JsonObject) => fileParameters(toolOf(schema)).map(({ parameter }) => parameter);

const pack = {
  type: 'object',
  properties: {
    title: { type: 'string', maxLength: 80 },
    kind: { enum: ['a', 'b'] },
    files: {
      type: 'array',
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, content: { type: 'string' } },
        required: ['path', 'content'],
        additionalProperties: false,
      },
    },
    image_base64: { type: 'string' },
  },
  required: ['title', 'files'],
};

const propertiesOf = (schema: unknown) => Object.keys((schema as { properties: object }).properties);

describe('companionSchema', () => {
  it('puts a path beside every parameter that can carry a payload, in items too', () => {
    const schema = companionSchema(pack);
    expect(propertiesOf(schema)).toEqual(['title', 'kind', 'files', 'files_path', 'image_base64', 'image_base64_path', '_file']);
    expect(schema.required).toEqual(['title']);
    const { items } = (schema.properties as { files: { items: JsonObject } }).files;
    expect(propertiesOf(items)).toEqual(['path', 'content', 'content_path']);
    expect(items.required).toEqual(['path']);
  });

  it('keeps references, recursion included', () => {
    const tree = {
      type: 'object',
      properties: { root: { $ref: '#/$defs/node' } },
      $defs: { node: { type: 'object', properties: { content: { type: 'string' }, next: { $ref: '#/$defs/node' } } } },
    };
    const schema = companionSchema(tree) as unknown as typeof tree;
    expect(propertiesOf(schema.$defs.node)).toEqual(['content', 'content_path', 'next']);
    const check = new Ajv2020({ strict: false }).compile(schema);
    expect(check({ root: { next: { next: { content_path: '/a' } } } })).toBe(true);
    expect(check({ root: { next: { content_path: 1 } } })).toBe(false);
    expect(taking(tree)).toContain('root.content');
  });

  it('lists a composed root flat', () => {
    const schema = companionSchema({
      type: 'object',
      oneOf: [
        { properties: { content: { type: 'string' }, n: { type: 'number' } }, required: ['content', 'n'] },
        { properties: { data: { type: 'object' }, n: { type: 'number' } }, required: ['data', 'n'] },
      ],
    });
    expect(schema).not.toHaveProperty('oneOf');
    expect(propertiesOf(schema)).toEqual(['content', 'content_path', 'n', 'data', 'data_path', '_file']);
    expect(schema.required).toEqual(['n']);
  });
});

describe('schemas of any kind', () => {
  it('are read in no time, however often their parts are shared', () => {
    const $defs: JsonObject = { n0: { type: 'string', maxLength: 5 } };
    for (let level = 1; level <= 12; level += 1) {
      const below = { $ref: `#/$defs/n${level - 1}` };
      const properties = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`p${index}`, below]));
      $defs[`n${level}`] = { type: 'object', properties, additionalProperties: false };
    }
    const schema = { type: 'object', properties: { top: { $ref: '#/$defs/n12' }, data: { type: 'object' } }, $defs };
    expect(propertiesOf(companionSchema(schema))).toContain('data_path');
    expect(taking(schema)).toEqual(['data']);
    expect(companionArguments(schema, { data_path: '/a.json' }).files).toHaveLength(1);
  });

  it('are broken, empty, or odd, and stay what they are', () => {
    for (const odd of [
      {},
      { properties: null },
      { type: 'object', properties: { a: 1, b: [], c: null } },
      { $ref: '#/nowhere' },
    ]) {
      const published = companionSchema(odd as JsonObject);
      expect(published.type).toBe('object');
      expect(hostFaults([{ name: 't', inputSchema: published }])).toEqual([]);
      expect(companionArguments(odd as JsonObject, { x: 1 }).toolArgs).toEqual({ x: 1 });
    }
  });

  it('have parameters under patterns, read as their schemas say', () => {
    const page = {
      type: 'object',
      properties: { markdown: { type: 'string' }, image_base64: { type: 'string' }, rows: { type: 'array' } },
    };
    const pages = { type: 'object', patternProperties: { '^/': page }, additionalProperties: false };
    const schema = { type: 'object', properties: { pages } };
    const args = { pages: { '/a': { markdown_path: '/a.csv', image_base64_path: '/b', rows_path: '/c' } } };
    const made = companionRequest('s', toolOf(schema), args);
    expect(made.kind === 'files' && made.request.files?.map(({ as }) => as)).toEqual(['markdown', 'base64', 'json']);
  });
});

describe('what is published', () => {
  it('lets pass parameters that only a condition names', () => {
    const schema = {
      type: 'object',
      properties: { kind: { type: 'string' } },
      if: { properties: { kind: { const: 'a' } } },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
      then: { properties: { size: { type: 'number' } } },
      unevaluatedProperties: false,
    };
    const ajv = new Ajv2020({ strict: false });
    const call = { kind: 'a', size: 1 };
    expect(ajv.validate(schema, call)).toBe(true);
    expect(ajv.validate(companionSchema(schema), call)).toBe(true);
  });

  it('is listed in outer parameters before inner ones, where there are more than anybody reads', () => {
    const names = Array.from({ length: 12 }, (_, index) => `part${index}`);
    const parts = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]));
    const properties = { ...parts, content: { type: 'string' } };
    const $defs = Object.fromEntries(names.map((name) => [name, { type: 'object', properties: structuredClone(properties) }]));
    const schema = { type: 'object', properties: { first: { $ref: '#/$defs/part0' }, html: { type: 'string' } }, $defs };
    const listed = taking(schema);
    expect(listed).toEqual(expect.arrayContaining(['first.content', 'first.part11.content', 'html']));
    expect(listed.indexOf('first.part11.content')).toBeLessThan(listed.indexOf('html'));
  });
});

describe('names', () => {
  it('gives way to names the tool has, and is never longer than 64', () => {
    const long = 'x'.repeat(64);
    const names = companionNames({ properties: { a: {}, a_path: {}, _file: {}, [long]: {} } });
    expect(names.pathOf('a')).toBe('a_path_2');
    expect(names.ownerOf('a_path')).toBeUndefined();
    expect(names.options).toBe('_file_2');
    expect(names.pathOf(long)).toHaveLength(64);
    expect(names.ownerOf(names.pathOf(long))).toBe(long);
  });

  it.each([
    ['Internet Search (Tavily)', 'Internet_Search_Tavily__run'],
    ['Café', 'Cafe__run'],
    ['@scope/server.v2', 'scope_server_v2__run'],
    ['3d', '_3d__run'],
  ])('of the server %s are in plain characters, without a hash', (server, name) => {
    expect(companionToolName(server, 'run', [server, 'other'])).toBe(name);
  });

  it('have a short hash where two servers would look alike, or nothing of the name is left', () => {
    const servers = ['数据库', 'a b', 'a (b)', 'a_b', 'c d'];
    const names = servers.map((server) => companionToolName(server, 'run', servers));
    expect(names[0]).toMatch(/^server_[0-9a-f]{4}__run$/);
    for (const name of names.slice(1, 3)) expect(name).toMatch(/^a_b_[0-9a-f]{4}__run$/);
    expect(names.slice(3)).toEqual(['a_b__run', 'c_d__run']);
    expect(new Set(names).size).toBe(5);
  });

  it('tells every pair of server and tool apart', () => {
    expect(companionToolName('db', 'bulk_insert')).toBe('db__bulk_insert');
    const alike = [companionToolName('a', 'b__run'), companionToolName('a__b', 'run')];
    for (const name of alike) expect(name).toMatch(/^a__b__run_[0-9a-f]{8}$/);
    const part = fc.string({ unit: fc.constantFrom('a', '_', '.', ' '), minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(part, part, part, part, (server, tool, server2, tool2) => {
        const servers = [server, server2];
        const [one, two] = [companionToolName(server, tool, servers), companionToolName(server2, tool2, servers)];
        expect(one).toMatch(/^[A-Za-z_][A-Za-z0-9_-]{0,46}$/);
        expect(one === two).toBe(server === server2 && tool === tool2);
      }),
      { numRuns: runs(100) },
    );
  });
});

describe('companionArguments', () => {
  it('name the parameter that a misspelt one stands for, where one is missing', () => {
    const schema = {
      type: 'object',
      properties: { records: { type: 'array', items: { type: 'object' }, description: 'The records to insert' } },
      required: ['records'],
    };
    const hintFor = (args: JsonObject) => {
      try {
        companionArguments(schema, args);
      } catch (error) {
        return (error as AppError).hint;
      }
      return undefined;
    };
    expect(hintFor({ record_path: '/a.csv' })).toContain("Did you mean 'records_path'");
    expect(hintFor({ quite_else: 1 })).not.toContain('Did you mean');
  });

  it('names the parameter and the item given twice or not at all', () => {
    const files = [
      { path: 'a', content: '' },
      { path: 'b', content_path: '/b' },
    ];
    const call = (item: object) => () => companionArguments(pack, { title: 't', files: [...files, item] });
    expect(call({ path: 'pdd.md', content: '', content_path: '/c' })).toThrow(
      "files[2] 'pdd.md': give content or content_path, not both",
    );
    expect(call({ path: 'pdd.md' })).toThrow("files[2] 'pdd.md': give content or content_path");
    expect(() => companionArguments(pack, { title: 't' })).toThrow('give files or files_path');
  });

  it('takes what is offered where a parameter may be one of several kinds', () => {
    const small = { type: 'object', properties: { n: { type: 'number' } }, additionalProperties: false };
    const schema = {
      type: 'object',
      properties: { to_path: { anyOf: [{ type: 'string' }, small] }, data: { anyOf: [small, { type: 'object' }] } },
    };
    expect(propertiesOf(companionSchema(schema))).toEqual(['to_path', 'data', 'data_path', '_file']);
    expect(companionArguments(schema, { data_path: '/a.json' }).files).toMatchObject([{ path: '/a.json', dataKey: 'data' }]);
  });

  it('takes null for nothing, and says which parameter takes no file', () => {
    const { toolArgs, files, options } = companionArguments(pack, {
      title: 't',
      image_base64: null,
      image_base64_path: '/i.png',
      files: [],
      files_path: null,
      _file: null,
    });
    expect(toolArgs).toEqual({ title: 't', files: [] });
    expect(files.map(({ dataKey }) => dataKey)).toEqual(['image_base64']);
    expect(options).toBeUndefined();
    expect(() => companionArguments(pack, { title: 't', files_path: null })).toThrow('give files or files_path');
    expect(() => companionArguments(pack, { title_path: '/t.txt', files: [] })).toThrow(
      'title takes no file, so there is no title_path',
    );
  });

  it('refuses the address of a file in place of its content, unless the tool takes addresses', () => {
    const address = { files: [{ path: 'a', content: 'file:///data/a.md' }], title: 't' };
    expect(() => companionArguments(pack, address)).toThrow(
      "files[0] 'a': content is the address of a file, not its content: give content_path",
    );
    const text = { files: [{ path: 'a', content: 'file:///data/a.md\n' }], title: 't' };
    expect(companionArguments(pack, text).toolArgs).toEqual(text);
    const image = { type: 'object', properties: { image: { type: 'string', description: 'Base64 or URL of the image' } } };
    expect(companionArguments(image, { image: 'file:///a.png' }).toolArgs).toEqual({ image: 'file:///a.png' });
    const page = { type: 'object', properties: { url: { type: 'string' } } };
    expect(companionArguments(page, { url: 'file:///a.html' }).toolArgs).toEqual({ url: 'file:///a.html' });
  });

  it.each([
    { batch: 'auto' },
    { batch: { each: true } },
    { batch: { resume: '3f2a91c0', resend_unknown: true } },
    { batch: { ranges: [[2, 6]] } },
    { as: 'csv', types: { zip: 'string' }, sheet: 2, nulls: ['NA'], background: true },
  ])('publishes options that %j fits', (options) => {
    const accepts = newest.compile(companionSchema(pack));
    expect(accepts({ title: 't', files_path: '/a.json', _file: options }), JSON.stringify(accepts.errors)).toBe(true);
  });

  it('says where each file goes', () => {
    const { toolArgs, files } = companionArguments(pack, {
      title: 't',
      image_base64_path: '/i.png',
      files: [{ path: 'b', content_path: '/b.csv' }],
    });
    expect(toolArgs).toEqual({ title: 't', files: [{ path: 'b' }] });
    expect(files).toMatchObject([
      { path: '/i.png', dataKey: 'image_base64' },
      { path: '/b.csv', dataKey: 'files[0].content' },
    ]);
  });
});

const newest = new Ajv2020({ strict: false });
const draft7 = new Ajv({ strict: false });

const fits = (schema: JsonObject, value: unknown): boolean => newest.compile(schema)(value) as boolean;

/** Every call of a schema: a value that fits it. */
const calls = inputSchemas
  .chain((schema) => fc.record({ schema: fc.constant(schema), value: valuesOf(schema, schema) }))
  .filter(({ schema, value }) => fits(schema, value)) as fc.Arbitrary<{
  schema: JsonObject;
  value: JsonObject;
}>;

describe('for any schema and any call that fits it', () => {
  it('is valid by both meta-schemas, composed of nothing at the top, and takes the call by value and by file', () => {
    fc.assert(
      fc.property(calls, fc.infiniteStream(fc.boolean()), ({ schema, value }, choices) => {
        const published = companionSchema(schema);
        expect(newest.validateSchema(published)).toBe(true);
        expect(draft7.validateSchema(published)).toBe(true);
        for (const keyword of ['oneOf', 'anyOf', 'allOf', 'not', 'enum', '$ref']) expect(published).not.toHaveProperty(keyword);
        const accepts = newest.compile(published);
        expect(accepts(value), JSON.stringify(accepts.errors)).toBe(true);
        const { args } = byFile(toolOf(schema), value, () => choices.next().value);
        expect(accepts(args), JSON.stringify(accepts.errors)).toBe(true);
        expect(hostFaults([{ name: 't', inputSchema: published }])).toEqual([]);
      }),
      { numRuns: runs(60), endOnFailure: true },
    );
  });

  it('takes a file where one of several that speak of a parameter requires it and knows it as short', () => {
    const entry = {
      allOf: [
        { type: 'object', properties: { content: {} } },
        { type: 'object', properties: { content: { enum: ['a', 'b'] } }, required: ['content'] },
      ],
    };
    const published = companionSchema({ type: 'object', properties: { entry } });
    const accepts = newest.compile(published);
    for (const call of [{ content: 'a' }, { content_path: '/a.txt' }]) expect(accepts({ entry: call })).toBe(true);
    const alone = { type: 'object', properties: { kind: { enum: ['a'] } }, required: ['kind'] };
    const other = companionSchema({ type: 'object', properties: { alone, entry: { type: 'object', properties: { kind: {} } } } });
    expect(newest.compile(other)({ alone: {} })).toBe(false);
  });

  it('takes a file where one of several schemas restricts all names that it does not list', () => {
    for (const restriction of ['additionalProperties', 'unevaluatedProperties']) {
      const entry = {
        allOf: [
          { type: 'object', properties: { content: {} } },
          { type: 'object', [restriction]: { type: 'number' } },
        ],
      };
      const published = companionSchema({ type: 'object', properties: { entry } });
      const accepts = newest.compile(published);
      for (const call of [{ content: 1 }, { content_path: '/a.json' }]) expect(accepts({ entry: call })).toBe(true);
    }
  });

  it('gives the tool by file what it would get by value', () => {
    fc.assert(
      fc.property(calls, fc.infiniteStream(fc.boolean()), ({ schema, value }, choices) => {
        expect(companionArguments(schema, value).toolArgs).toEqual(value);
        const { args, held } = byFile(toolOf(schema), value, () => choices.next().value);
        const { toolArgs, files } = companionArguments(schema, args);
        expect(files.map(({ path }) => path).sort()).toEqual([...held.keys()].sort());
        for (const { path, dataKey } of files) putAt(toolArgs, parseDataKey(dataKey), held.get(path));
        expect(toolArgs).toEqual(value);
      }),
      { numRuns: runs(60), endOnFailure: true },
    );
  });
});

function putAt(root: JsonObject, segments: readonly (string | number)[], value: unknown): void {
  const last = segments.at(-1) as string;
  const parent = segments.slice(0, -1).reduce<unknown>((at, segment) => (at as JsonObject)[segment], root);
  (parent as JsonObject)[last] = value;
}
