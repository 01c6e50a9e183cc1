/** What clients see of a companion, and what its arguments become. */
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../shared/lib/fixtures/property-runs.ts';
import { parseDataKey } from '../binding/data-key.ts';
import type { JsonObject } from '../engine/core/json-object.ts';
import { byFile } from './by-file-fixture.ts';
import { companionArguments } from './companion-arguments.ts';
import { companionNames, companionToolName } from './companion-names.ts';
import { companionSchema } from './companion-schema.ts';
import { longParameters } from './payload-parameters.ts';
import { inputSchemas, valuesOf } from './schema-fixture.ts';

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
    expect(propertiesOf(schema)).toEqual([
      'title',
      'kind',
      'files',
      'files_path',
      'image_base64',
      'image_base64_path',
      '_file',
      '_save_as',
    ]);
    expect(schema.required).toEqual(['title']);
    const { items } = (schema.properties as { files: { items: JsonObject } }).files;
    expect(propertiesOf(items)).toEqual(['path', 'content', 'content_path']);
    expect(items.required).toEqual(['path']);
  });

  it('keeps references, recursion included', () => {
    const tree = {
      type: 'object',
      properties: { root: { $ref: '#/$defs/node' } },
      $defs: { node: { type: 'object', properties: { text: { type: 'string' }, next: { $ref: '#/$defs/node' } } } },
    };
    const schema = companionSchema(tree) as unknown as typeof tree;
    expect(propertiesOf(schema.$defs.node)).toEqual(['text', 'text_path', 'next', 'next_path']);
    const check = new Ajv2020({ strict: false }).compile(schema);
    expect(check({ root: { next: { next: { text_path: '/a' } } } })).toBe(true);
    expect(check({ root: { next: { text_path: 1 } } })).toBe(false);
    expect(longParameters(tree).map(({ parameter }) => parameter)).toContain('root.text');
  });

  it('offers no file for selectors, colours, owners and other short values, but for content and for lists of them', () => {
    const text = { type: 'string' };
    const short = { selector: text, backgroundColor: text, palette: text, repo: text, owner: text, namespace: text };
    const device = { device: text, createdDate: text, host: text };
    const content = { status: text, html: text, colors: { type: 'array' }, repository: { type: ['string', 'object'] } };
    const schema = { type: 'object', properties: { ...short, ...device, ...content } };
    expect(propertiesOf(companionSchema(schema)).filter((name) => name.endsWith('_path'))).toEqual([
      'status_path',
      'html_path',
      'colors_path',
      'repository_path',
    ]);
  });

  it('offers no file for what says where or which, as a source does beside a destination', () => {
    const text = { type: 'string' };
    const listed = (...names: string[]) => {
      const properties = Object.fromEntries(names.map((name) => [name, text]));
      return propertiesOf(companionSchema({ type: 'object', properties })).filter((name) => name.endsWith('_path'));
    };
    expect(listed('source', 'destination')).toEqual([]);
    expect(listed('source', 'pattern', 'from', 'to', 'repo_path')).toEqual(['source_path', 'repo_path']);
  });

  it('lists a composed root flat', () => {
    const schema = companionSchema({
      type: 'object',
      oneOf: [
        { properties: { text: { type: 'string' }, n: { type: 'number' } }, required: ['text', 'n'] },
        { properties: { data: { type: 'object' }, n: { type: 'number' } }, required: ['data', 'n'] },
      ],
    });
    expect(schema).not.toHaveProperty('oneOf');
    expect(propertiesOf(schema)).toEqual(['text', 'text_path', 'n', 'data', 'data_path', '_file', '_save_as']);
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
    const schema = { type: 'object', properties: { top: { $ref: '#/$defs/n12' } }, $defs };
    expect(propertiesOf(companionSchema(schema))).toContain('top_path');
    expect(longParameters(schema).map(({ parameter }) => parameter)).toContain('top.p0');
    expect(companionArguments(schema, { top_path: '/a.json' }).files).toHaveLength(1);
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
      expect(propertiesOf(published)).toContain('_save_as');
      expect(companionArguments(odd as JsonObject, { x: 1 }).toolArgs).toEqual({ x: 1 });
    }
  });

  it('have parameters under patterns, read as their schemas say', () => {
    const page = {
      type: 'object',
      properties: { markdown: { type: 'string' }, image_base64: { type: 'string' }, rows: { type: 'array' } },
    };
    const schema = { type: 'object', properties: { pages: { type: 'object', patternProperties: { '^/': page } } } };
    const args = { pages: { '/a': { markdown_path: '/a.csv', image_base64_path: '/b', rows_path: '/c' } } };
    expect(companionArguments(schema, args).files.map(({ reading }) => reading)).toEqual(['text', 'base64', 'json']);
  });

  it('know short texts by their names, whether or not null will do', () => {
    const text = (type: unknown) => ({ type });
    const properties = {
      repoPath: text('string'),
      base_url: text(['string', 'null']),
      entityType: text('string'),
      body: text(['string', 'null']),
    };
    expect(propertiesOf(companionSchema({ type: 'object', properties })).filter((name) => name.endsWith('_path'))).toEqual([
      'body_path',
    ]);
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

  it('is audited in outer parameters before inner ones, where there are more than anybody reads', () => {
    const names = Array.from({ length: 12 }, (_, index) => `part${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]));
    const $defs = Object.fromEntries(names.map((name) => [name, { type: 'object', properties: structuredClone(properties) }]));
    const schema = { type: 'object', properties: { document: { $ref: '#/$defs/part0' }, last: { type: 'string' } }, $defs };
    const audited = longParameters(schema).map(({ parameter }) => parameter);
    expect(audited).toEqual(expect.arrayContaining(['document', 'document.part11', 'last']));
    expect(audited.indexOf('document.part11')).toBeLessThan(audited.indexOf('last'));
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

  it('tells every pair of server and tool apart', () => {
    expect(companionToolName('db', 'bulk_insert')).toBe('db__bulk_insert');
    const part = fc.string({ unit: fc.constantFrom('a', '_', '.', ' '), minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(part, part, part, part, (server, tool, server2, tool2) => {
        const [one, two] = [companionToolName(server, tool), companionToolName(server2, tool2)];
        expect(one).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        expect(one === two).toBe(server === server2 && tool === tool2);
      }),
      { numRuns: runs(100) },
    );
  });
});

describe('companionArguments', () => {
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
      properties: { to_path: { anyOf: [{ type: 'string' }, small] }, any: { anyOf: [small, {}] } },
    };
    expect(propertiesOf(companionSchema(schema))).toEqual(['to_path', 'any', 'any_path', '_file', '_save_as']);
    expect(companionArguments(schema, { any_path: '/a.json' }).files).toEqual([
      { path: '/a.json', dataKey: 'any', reading: 'auto' },
    ]);
  });

  it('takes null for nothing, and says which parameter takes no file', () => {
    const { toolArgs, files, options, saveAs } = companionArguments(pack, {
      title: 't',
      image_base64: null,
      image_base64_path: '/i.png',
      files: [],
      files_path: null,
      _file: null,
      _save_as: null,
    });
    expect(toolArgs).toEqual({ title: 't', files: [] });
    expect(files.map(({ dataKey }) => dataKey)).toEqual(['image_base64']);
    expect([options, saveAs]).toEqual([undefined, undefined]);
    expect(() => companionArguments(pack, { title: 't', files_path: null })).toThrow('give files or files_path');
    expect(() => companionArguments(pack, { title_path: '/t.txt', files: [] })).toThrow(
      'title takes no file, so there is no title_path',
    );
  });

  it('says where each file goes and how it is read', () => {
    const { toolArgs, files } = companionArguments(pack, {
      title: 't',
      image_base64_path: '/i.png',
      files: [{ path: 'b', content_path: '/b.csv' }],
    });
    expect(toolArgs).toEqual({ title: 't', files: [{ path: 'b' }] });
    expect(files).toEqual([
      { path: '/i.png', dataKey: 'image_base64', reading: 'base64' },
      { path: '/b.csv', dataKey: 'files[0].content', reading: 'text' },
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
        const { args } = byFile(schema, value, () => choices.next().value);
        expect(accepts(args), JSON.stringify(accepts.errors)).toBe(true);
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
        const { args, held } = byFile(schema, value, () => choices.next().value);
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
