import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../shared/lib/fixtures/property-runs.ts';
import { AppError } from '../../shared/model/errors.ts';
import type { JsonObject } from '../engine/core/json-object.ts';
import { jsonStreamOf } from '../engine/core/payload.ts';
import { type BindRequest, type BoundArguments, bindArguments } from './bind.ts';
import { formatDataKey } from './data-key.ts';
import { payloadOf, textOf } from './payload-fixture.ts';

/** Binds JSON texts by their data keys; the key `null` means no data key. */
function bind(
  files: [string | null, string][],
  toolArgs: JsonObject = {},
  more: Partial<BindRequest> = {},
): Promise<BoundArguments> {
  return bindArguments({
    toolArgs,
    placements: files.map(([dataKey, text]) => ({ dataKey: dataKey ?? undefined, payload: payloadOf(text) })),
    onConflict: 'error',
    inputSchema: {},
    ...more,
  });
}

/** The text of the arguments, whose length must match the announced one each time. */
async function textIn(bound: BoundArguments): Promise<string> {
  const text = await textOf(bound.json());
  expect(Buffer.byteLength(text)).toBe(bound.bytes);
  expect(await textOf(bound.json())).toBe(text);
  return text;
}

async function refusal(bound: Promise<BoundArguments>): Promise<AppError> {
  const error = await bound.then(
    (done) => expect.fail(`was bound at ${JSON.stringify(done.at)}`),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(AppError);
  return error as AppError;
}

const overwrite = { onConflict: 'overwrite' } as const;

describe('at a data key', () => {
  it.each<[string, string, JsonObject, string]>([
    ['records', '[1,2]', { table: 't' }, '{"table":"t","records":[1,2]}'],
    ['config.database.users', '[]', {}, '{"config":{"database":{"users":[]}}}'],
    ['config.users', '[]', { config: { debug: true }, n: 1 }, '{"config":{"debug":true,"users":[]},"n":1}'],
    ['files[0].content', '"x"', {}, '{"files":[{"content":"x"}]}'],
    ['files[0].content', '"x"', { files: [{ path: 'p' }, { path: 'q' }] }, '{"files":[{"path":"p","content":"x"},{"path":"q"}]}'],
    ['files[1]', '"x"', { files: ['a'] }, '{"files":["a","x"]}'],
    ['a\\.b', 'null', {}, '{"a.b":null}'],
    ['n', '12345678901234567890', {}, '{"n":12345678901234567890}'],
    ['o', '{"b":1}', { o2: {} }, '{"o2":{},"o":{"b":1}}'],
    ['list.0', '1', { list: {} }, '{"list":{"0":1}}'],
  ])('%s', async (key, payload, toolArgs, json) => {
    const before = JSON.stringify(toolArgs);
    expect(await textIn(await bind([[key, payload]], toolArgs))).toBe(json);
    expect(JSON.stringify(toolArgs)).toBe(before);
  });

  it('places several files in any order', async () => {
    const bound = await bind([
      ['files[1]', '"b"'],
      ['files[0].x', '"a"'],
      ['files[0].y', '1'],
    ]);
    expect(await textIn(bound)).toBe('{"files":[{"x":"a","y":1},"b"]}');
    expect(bound.at).toEqual([
      ['files', 1],
      ['files', 0, 'x'],
      ['files', 0, 'y'],
    ]);
  });

  it('refuses gaps in lists', async () => {
    const gap = await refusal(bind([['files[2]', '1']], { files: ['a'] }));
    expect(gap).toMatchObject({ code: 'DATA_KEY_INVALID', message: expect.stringContaining("'files[2]'") });
    expect(gap.hint).toContain('files[1]');
    expect((await refusal(bind([['files[1].x', '1']]))).code).toBe('DATA_KEY_INVALID');
    expect((await refusal(bind([['files[10000]', '1']]))).code).toBe('DATA_KEY_INVALID');
  });

  it.each<[string, JsonObject, RegExp]>([
    ['a.b', { a: 'text' }, /'a' in tool_args is a string/],
    ['a.b', { a: null }, /'a' in tool_args is null/],
    ['a.b.c', { a: { b: [] } }, /'a.b' in tool_args is a list/],
    ['a[0]', { a: {} }, /'a' in tool_args is an object/],
    ['[0]', {}, /the arguments are an object/],
    ['a.0', { a: [] }, /a\[0\]/],
  ])('%s does not fit into %j', async (key, toolArgs, says) => {
    const error = await refusal(bind([[key, '1']], toolArgs, overwrite));
    expect(error.code).toBe('DATA_KEY_INVALID');
    expect(error.text).toMatch(says);
  });
});

describe('a conflict with tool_args', () => {
  it.each<[string, JsonObject]>([
    ['records', { records: [] }],
    ['records', { records: null }],
    ['a.b', { a: { b: 0 } }],
    ['a[0]', { a: [1] }],
  ])('%s in %j is a conflict, or is replaced with a warning', async (key, toolArgs) => {
    const error = await refusal(bind([[key, '7']], toolArgs));
    expect(error).toMatchObject({ code: 'BINDING_CONFLICT', message: `Both the file and tool_args give '${key}'` });
    expect(error.hint).toContain('on_conflict');
    const bound = await bind([[key, '7']], toolArgs, overwrite);
    expect(await textIn(bound)).toContain('7');
    expect(bound.warnings).toMatchObject([{ code: 'ARGUMENT_REPLACED', message: expect.stringContaining(`'${key}'`) }]);
  });

  it.each([[['a', 'a']], [['a', 'a.b']], [['a.b', 'a']], [['a[0].x', 'a[0]']], [['a[0]', 'a[0].x']]])(
    'two files at %j are a conflict whatever on_conflict says',
    async (keys) => {
      const error = await refusal(
        bind(
          keys.map((key) => [key, '1']),
          { z: 1 },
          overwrite,
        ),
      );
      expect(error.code).toBe('BINDING_CONFLICT');
    },
  );
});

describe('an object without a data key', () => {
  it('is merged into the arguments, unchanged', async () => {
    const bound = await bind([[null, ' { "id" : 12345678901234567890 , "x":{"y":[1, 2]} } ']], { mode: 'm', __x: 1 });
    expect(await textIn(bound)).toBe('{"mode":"m","__x":1, "id" : 12345678901234567890 , "x":{"y":[1, 2]} }');
    expect(bound.at).toEqual([[]]);
    expect(bound.warnings).toEqual([]);
  });

  it.each<[string, JsonObject, string]>([
    ['{}', {}, '{}'],
    ['{}', { a: 1 }, '{"a":1}'],
    ['{"a":1}', {}, '{"a":1}'],
    ['{"__proto__":1}', { constructor: 2 }, '{"constructor":2,"__proto__":1}'],
    ['{"a":"}","b\\"{":"{,:"}', { c: 1 }, '{"c":1,"a":"}","b\\"{":"{,:"}'],
  ])('%s over %j', async (payload, toolArgs, json) => {
    expect(await textIn(await bind([[null, payload]], toolArgs))).toBe(json);
  });

  it('conflicts by top-level name', async () => {
    const toolArgs = { table: { x: 1 }, n: 1 };
    const error = await refusal(bind([[null, '{"t\\u0061ble":{"y":2}}']], toolArgs));
    expect(error).toMatchObject({ code: 'BINDING_CONFLICT', message: expect.stringContaining("'table'") });
    const bound = await bind([[null, '{"t\\u0061ble":{"y":2}}']], toolArgs, overwrite);
    expect(JSON.parse(await textIn(bound))).toEqual({ n: 1, table: { y: 2 } });
    expect(bound.warnings).toMatchObject([{ message: expect.stringContaining("'table'") }]);
  });

  it('is merged beside files with data keys, unless they conflict', async () => {
    expect(
      JSON.parse(
        await textIn(
          await bind([
            ['rows', '[1]'],
            [null, '{"a":1}'],
            [null, '{"b":2}'],
          ]),
        ),
      ),
    ).toEqual({ rows: [1], a: 1, b: 2 });
    expect(
      (
        await refusal(
          bind(
            [
              ['a.b', '[1]'],
              [null, '{"a":1}'],
            ],
            {},
            overwrite,
          ),
        )
      ).code,
    ).toBe('BINDING_CONFLICT');
    expect(
      (
        await refusal(
          bind(
            [
              [null, '{"a":1}'],
              [null, '{"a":1}'],
            ],
            {},
            overwrite,
          ),
        )
      ).code,
    ).toBe('BINDING_CONFLICT');
  });
});

describe('any other payload without a data key', () => {
  const inputSchema: JsonObject = {
    type: 'object',
    properties: {
      table: { type: 'string' },
      mode: { enum: ['insert', 'upsert'] },
      rows: { $ref: '#/$defs/rows' },
      size: { type: 'integer' },
    },
    $defs: { rows: { type: ['array', 'null'] } },
  };

  it.each<[string, JsonObject, string]>([
    ['[1]', { table: 't' }, 'rows'],
    ['7', {}, 'size'],
    ['"text"', {}, 'table'],
    ['null', {}, 'rows'],
  ])('%s beside %j goes to %s, the only one that takes it, and says so', async (payload, toolArgs, name) => {
    const bound = await bind([[null, payload]], toolArgs, { inputSchema });
    expect(JSON.parse(await textIn(bound))).toEqual({ ...toolArgs, [name]: JSON.parse(payload) });
    expect(bound.at).toEqual([[name]]);
    expect(bound.warnings).toMatchObject([{ code: 'DATA_KEY_INFERRED', message: expect.stringContaining(`'${name}'`) }]);
  });

  it.each<[string, JsonObject, JsonObject, RegExp]>([
    [
      'several candidates',
      {},
      { properties: { a: { type: 'array' }, b: {}, c: { type: 'string' } } },
      /several.*a \(array\), b \(any type\).*data_key/,
    ],
    [
      'none that fits',
      {},
      { properties: { c: { type: 'string' }, d: { type: ['number', 'null'] } } },
      /no free argument.*c \(string\), d \(number or null\).*data_key/,
    ],
    ['none that is free', { rows: [] }, inputSchema, /no free argument.*table \(string\)/],
    ['no names at all', {}, { type: 'object' }, /names no argument.*data_key/],
  ])('%s: the error lists what there is', async (_name, toolArgs, schema, says) => {
    const error = await refusal(bind([[null, '[1]']], toolArgs, { inputSchema: schema }));
    expect(error.code).toBe('BINDING_AMBIGUOUS');
    expect(error.text).toMatch(says);
  });

  it('ignores arguments that other files fill', async () => {
    const two: JsonObject = { properties: { a: { type: 'array' }, b: { type: 'array' } } };
    expect(
      (
        await bind(
          [
            ['a[0]', '1'],
            [null, '[2]'],
          ],
          {},
          { inputSchema: two },
        )
      ).at,
    ).toEqual([['a', 0], ['b']]);
    expect(
      (
        await bind(
          [
            [null, '{"a":1}'],
            [null, '[2]'],
          ],
          {},
          { inputSchema: two },
        )
      ).at,
    ).toEqual([[], ['b']]);
  });
});

describe('the arguments', () => {
  it('can be streamed with another payload at a place', async () => {
    const bound = await bind(
      [
        ['rows', '[1,2,3]'],
        ['name', '"x"'],
      ],
      { t: 1 },
    );
    const batch = bound.withPayload(0, jsonStreamOf(Buffer.from('[2]')));
    const text = await textOf(batch.json());
    expect(text).toBe('{"t":1,"rows":[2],"name":"x"}');
    expect(batch.bytes).toBe(text.length);
    expect(await textIn(bound)).toBe('{"t":1,"rows":[1,2,3],"name":"x"}');
  });

  it('read a payload only to look for names that may clash', async () => {
    const payload = payloadOf('[1,2,3]');
    const bound = await bindArguments({
      toolArgs: {},
      placements: [{ dataKey: 'a', payload }],
      onConflict: 'error',
      inputSchema: {},
    });
    expect(payload.opened).toBe(0);
    await textOf(bound.json());
    expect(payload.opened).toBe(1);
  });

  it('stop when the caller cancels', async () => {
    const bound = await bind([['a', '1']]);
    await expect(textOf(bound.json(AbortSignal.abort()))).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});

describe('a sample', () => {
  it('has the first records, and lists what was cut', async () => {
    const bound = await bind(
      [
        ['a.rows', '[1,2,3,4,5]'],
        ['short', '[1]'],
        [null, '{"__proto__":{"x":1}}'],
      ],
      { t: { u: 1 } },
    );
    const { value, truncated } = await bound.sample(2);
    expect(truncated).toEqual([true, false, false]);
    expect(JSON.stringify(value)).toBe('{"t":{"u":1},"a":{"rows":[1,2]},"short":[1],"__proto__":{"x":1}}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect((await bound.sample(0)).value).toMatchObject({ a: { rows: [] } });
    expect((await bound.sample(100)).truncated).toEqual([false, false, false]);
  });

  it('cuts long strings between characters, at any length', async () => {
    for (const unit of ['a', 'ä', '😀', '\\n', '\\u00e9', '\\ud83d\\ude00', '\\\\', '\\"']) {
      for (const shift of ['', 'x', 'xy', 'xyz', 'wxyz']) {
        const text = `"${shift}${unit.repeat(Math.ceil(70_000 / Buffer.byteLength(unit)))}"`;
        const { value, truncated } = await (await bind([['s', text]])).sample(1);
        const cut = (value as { s: string }).s;
        expect(truncated).toEqual([true]);
        expect(cut.length).toBeGreaterThan(5_000);
        expect((JSON.parse(text) as string).startsWith(cut)).toBe(true);
        expect(cut).not.toMatch(/[\ud800-\udbff]$/);
      }
    }
  });

  it('of a long list or object has as much as fits', async () => {
    const rows = JSON.stringify(Array.from({ length: 100 }, () => 'x'.repeat(100_000)));
    const list = await (await bind([['rows', rows]])).sample(100);
    expect(list.truncated).toEqual([true]);
    expect((list.value as { rows: string[] }).rows.length).toBeGreaterThan(10);
    const object = JSON.stringify({ first: 1, big: 'x'.repeat(5_000_000), last: { a: [1] } });
    const payload = payloadOf(object, 65_536);
    const merged = await bindArguments({
      toolArgs: {},
      placements: [{ dataKey: undefined, payload }],
      onConflict: 'error',
      inputSchema: {},
    });
    expect(await merged.sample(1)).toEqual({ value: { first: 1, last: { a: [1] } }, truncated: [true] });
  });
});

describe('compared with setting a value in a copy', () => {
  /** The reference result on parsed values; undefined if binding must refuse. */
  function set(root: JsonObject, path: readonly (string | number)[], value: unknown): JsonObject | undefined {
    const copy = structuredClone(root);
    let at: unknown = copy;
    for (const [depth, segment] of path.entries()) {
      if (
        typeof segment === 'number'
          ? !Array.isArray(at) || segment > at.length
          : typeof at !== 'object' || at === null || Array.isArray(at)
      )
        return undefined;
      const here = at as Record<string | number, unknown>;
      if (depth === path.length - 1) {
        if (Object.hasOwn(here, segment)) return undefined;
        here[segment] = value;
      } else if (!Object.hasOwn(here, segment)) {
        here[segment] = typeof path[depth + 1] === 'number' ? [] : {};
      }
      at = here[segment];
    }
    return copy;
  }

  it('gives the same arguments, or a refusal', async () => {
    const name = fc.constantFrom('a', 'b', 'c.d', 'ä"');
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 3 },
        fc.integer(),
        fc.string(),
        fc.constant(null),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(name, tie('any'), { noNullPrototype: true }),
      ),
    })).any;
    const args = fc.dictionary(name, value, { noNullPrototype: true }) as fc.Arbitrary<JsonObject>;
    const path = fc
      .tuple(name, fc.array(fc.oneof(name, fc.nat({ max: 2 })), { maxLength: 3 }))
      .map(([first, rest]) => [first, ...rest]);
    await fc.assert(
      fc.asyncProperty(args, path, value, async (toolArgs, segments, payload) => {
        const expected = set(toolArgs, segments, payload);
        const bound = bind([[formatDataKey(segments), JSON.stringify(payload)]], toolArgs);
        if (expected === undefined) {
          expect(['BINDING_CONFLICT', 'DATA_KEY_INVALID']).toContain((await refusal(bound)).code);
          return;
        }
        expect(JSON.parse(await textIn(await bound))).toEqual(expected);
        expect(await (await bound).sample(1000)).toEqual({ value: expected, truncated: [false] });
      }),
      { numRuns: runs(500) },
    );
  });

  it('merges like Object.assign without conflicts, and otherwise refuses', async () => {
    const object = fc.dictionary(
      fc.constantFrom('a', 'b', 'c', 'd', '\\', '"', '{', '😀'),
      fc.json().map((text) => JSON.parse(text) as unknown),
      { noNullPrototype: true },
    );
    await fc.assert(
      fc.asyncProperty(
        object,
        object,
        fc.nat({ max: 2 }),
        fc.integer({ min: 1, max: 9 }),
        async (toolArgs, payload, indent, chunkBytes) => {
          const request = (onConflict: 'error' | 'overwrite') =>
            bindArguments({
              toolArgs,
              placements: [{ dataKey: undefined, payload: payloadOf(JSON.stringify(payload, null, indent), chunkBytes) }],
              onConflict,
              inputSchema: {},
            });
          const expected = JSON.parse(JSON.stringify({ ...toolArgs, ...payload }));
          expect(JSON.parse(await textIn(await request('overwrite')))).toEqual(expected);
          if (Object.keys(payload).some((key) => Object.hasOwn(toolArgs, key))) {
            expect((await refusal(request('error'))).code).toBe('BINDING_CONFLICT');
          } else {
            expect(JSON.parse(await textIn(await request('error')))).toEqual(expected);
          }
        },
      ),
      { numRuns: runs(300) },
    );
  });
});

describe('an idempotency key', () => {
  const keyed = (path: string[], replace = false) => ({ key: { path, value: 'k1', replace } });

  it.each<[string | null, string, JsonObject, string[], boolean, string]>([
    ['rows', '[1]', { table: 't' }, ['key'], false, '{"table":"t","rows":[1],"key":"k1"}'],
    ['rows', '[1]', { options: { a: 1 } }, ['options', 'key'], false, '{"options":{"a":1,"key":"k1"},"rows":[1]}'],
    ['rows', '[1]', {}, ['options', 'key'], false, '{"rows":[1],"options":{"key":"k1"}}'],
    ['rows', '[1]', { key: 'own' }, ['key'], false, '{"key":"own","rows":[1]}'],
    ['rows', '[1]', { key: 'own' }, ['key'], true, '{"key":"k1","rows":[1]}'],
    ['rows', '[1]', { options: 'text' }, ['options', 'key'], true, '{"options":"text","rows":[1]}'],
    ['key', '"file"', {}, ['key'], true, '{"key":"file"}'],
    [null, '{"key":"file","a":1}', {}, ['key'], false, '{"key":"file","a":1}'],
    [null, '{"a":1}', {}, ['key'], false, '{"key":"k1","a":1}'],
  ])('%s %s beside %j at %j (replaced: %s)', async (dataKey, payload, toolArgs, path, replace, json) => {
    const bound = await bind([[dataKey, payload]], toolArgs, keyed(path, replace));
    expect(await textIn(bound)).toBe(json);
    expect(JSON.parse(json)).toEqual((await bound.sample(10)).value);
    expect(bound.keyAt).toBe(json.includes('k1') ? path.join('.') : undefined);
    expect(bound.outline.every((piece, index) => typeof piece !== typeof bound.outline[index + 1])).toBe(true);
  });

  it('is replaced batch by batch', async () => {
    const bound = await bind([['rows', '[1,2]']], {}, keyed(['key']));
    const batch = bound.withPayload(0, jsonStreamOf(Buffer.from('[2]')), 'longer "key"');
    const text = await textOf(batch.json());
    expect(text).toBe('{"rows":[2],"key":"longer \\"key\\""}');
    expect(Buffer.byteLength(text)).toBe(batch.bytes);
    expect(await textOf(bound.withPayload(0, jsonStreamOf(Buffer.from('[2]'))).json())).toBe('{"rows":[2],"key":"k1"}');
  });

  it('is no argument that a file could go to', async () => {
    const inputSchema = { properties: { text: { type: 'string' }, key: { type: 'string' } } };
    expect(await textIn(await bind([[null, '"x"']], {}, { inputSchema, ...keyed(['key']) }))).toBe('{"key":"k1","text":"x"}');
  });
});
