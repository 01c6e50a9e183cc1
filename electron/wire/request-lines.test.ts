import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { runs } from '../../shared/lib/fixtures/property-runs.ts';
import { pause } from '../../shared/lib/fixtures/waiting.ts';
import { type ReadLine, type ReadRequest, RequestLines } from './request-lines.ts';

/** Feeds text in pieces of the given sizes, over and over. */
function read(text: string | Buffer, sizes: readonly number[] = [1 << 20], maxBytes = 1 << 20): ReadLine[] {
  const bytes = Buffer.from(text);
  const lines = new RequestLines(maxBytes);
  const found: ReadLine[] = [];
  for (let at = 0, i = 0; at < bytes.length; i += 1) {
    const size = sizes[i % sizes.length] ?? 1;
    found.push(...lines.push(bytes.subarray(at, at + size)));
    at += size;
  }
  return found;
}

function readOne(text: string | Buffer, sizes?: readonly number[]): ReadRequest {
  const [line, ...more] = read(Buffer.concat([Buffer.from(text), Buffer.from('\n')]), sizes);
  expect(more).toEqual([]);
  if (!line || 'error' in line) return expect.fail(`no message: ${line?.error}`);
  return line;
}

const call = (args: string, name = 'call_tool') =>
  `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;

describe('arguments that are handed on', () => {
  it.each([
    ['digits that no double holds', '{"id":12345678901234567890,"x":1.00000000000000000001,"e":1E400}'],
    ['names that objects have anyway', '{"__proto__":{"a":1},"constructor":null,"hasOwnProperty":[]}'],
    ['escapes, kept as they are spelled', '{"\\u0061\\/b":"\\ud83d\\ude00 \\" \\\\ \\n"}'],
    ['white space', '{ "a" : [ 1 ,\t2 ] }'],
    ['all of Unicode', '{"ü":"日本 😀"}'],
    ['a name twice', '{"a":1,"a":2}'],
    ['the path once more inside', '{"params":{"arguments":{"tool_args":{}}},"tool_args":{"tool_args":1}}'],
    ['nothing', '{}'],
  ])('%s', (_, text) => {
    const line = call(`{"server":"db","tool_args":${text},"tool_name":"insert"}`);
    for (const sizes of [[1], [3, 7], [1000]]) {
      const { message, toolArgs } = readOne(line, sizes);
      expect(toolArgs && Buffer.concat(toolArgs).toString()).toBe(text);
      expect(message).toEqual({
        jsonrpc: '2.0',
        id: 7,
        method: 'tools/call',
        params: { name: 'call_tool', arguments: { server: 'db', tool_args: {}, tool_name: 'insert' } },
      });
    }
  });

  it.each([
    ['of another tool', call('{"tool_args":{"a":1}}', 'other')],
    [
      'of another method',
      '{"jsonrpc":"2.0","method":"notifications/x","params":{"name":"call_tool","arguments":{"tool_args":{"a":1}}}}',
    ],
    ['that are no object', call('{"tool_args":[1,2]}')],
    ['that are text', call('{"tool_args":"{}"}')],
    ['elsewhere', call('{"more":{"tool_args":{"a":1}}}')],
    ['in a list', call('[{"tool_args":{"a":1}}]')],
    ['given twice', call('{"tool_args":{"a":1},"tool_args":{"a":2}}')],
    ['given twice, once by escapes', call('{"tool_args":{"a":1},"tool\\u005fargs":{"a":2}}')],
    ['in arguments given twice', call('{"tool_args":{"a":1}},"arguments":{}')],
    ['that are nested deeply', call(`{"tool_args":{"a":${'['.repeat(600)}${']'.repeat(600)}}}`)],
  ])('are read with the rest: %s', (_, line) => {
    expect(readOne(line, [5])).toEqual({ message: JSON.parse(line) });
  });

  it('are read with the rest where they are no UTF-8, which nobody else would understand', () => {
    const line = Buffer.from(call('{"tool_args":{"a":"?"}}').replace('?', 'ÿ'), 'latin1');
    expect(readOne(line)).toEqual({ message: JSON.parse(line.toString()) });
  });

  it('are the same, whatever the message is and however it comes in', () => {
    const arbitraryName = fc.constantFrom('params', 'arguments', 'tool_args', 'name', '__proto__', 'x"y', 'tool_arg', '\\');
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.jsonValue({ maxDepth: 1 }),
        fc.string({ unit: 'grapheme' }),
        tie('object'),
        tie('list'),
      ),
      object: fc.dictionary(arbitraryName, tie('value'), { maxKeys: 4 }),
      list: fc.array(tie('value'), { maxLength: 3 }),
    }));
    const params = fc.record(
      { name: fc.constantFrom('call_tool', 'call_tool_and_store', 'other'), arguments: value.value, _meta: value.object },
      { requiredKeys: ['name'] },
    );
    const wellFormed = fc.record({ params, extra: value.value }, { requiredKeys: ['params'] });
    fc.assert(
      fc.property(
        fc.oneof(wellFormed, value.object),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 0, max: 2 }),
        (fields, sizes, indent) => {
          const line = JSON.stringify(
            { ...(fields as object), jsonrpc: '2.0', id: 1, method: 'tools/call' },
            null,
            indent,
          ).replaceAll('\n', ' ');
          const { message, toolArgs } = readOne(line, sizes);
          const whole = JSON.parse(line);
          if (toolArgs === undefined) {
            expect(message).toEqual(whole);
            return;
          }
          expect(JSON.parse(Buffer.concat(toolArgs).toString())).toEqual(whole.params.arguments.tool_args);
          whole.params.arguments.tool_args = {};
          expect(message).toEqual(whole);
        },
      ),
      { numRuns: runs(1000) },
    );
  });
});

describe('long arguments', () => {
  const long = (value: unknown) =>
    call(`{"server":"db","tool_args":${typeof value === 'string' ? value : JSON.stringify(value)},"tool_name":"x"}`);
  const rows = Array.from({ length: 3000 }, (_, i) => ({
    id: i,
    'tool_args"': `n\\u00fc\\ "${i}" } ] ü 😀`,
    deep: { a: [[{ b: null }]] },
    x: 1.5e-7,
  }));
  const sizes = [[65_536], [65_536, 3, 40_000, 900, 1], [1024, 1023], [7001]];
  const passes = (line: string, bytes: string) => {
    for (const size of sizes) {
      const { toolArgs, message } = read(`${line}\n`, size, 1 << 24)[0] as ReadRequest;
      expect(toolArgs && Buffer.concat(toolArgs).toString() === bytes).toBe(true);
      expect(message).toMatchObject({ id: 7, params: { name: 'call_tool', arguments: { tool_args: {}, tool_name: 'x' } } });
    }
  };

  it('pass by, also when the first have had the kernel loaded', async () => {
    const bytes = JSON.stringify({ rows, text: 'y'.repeat(300_000) });
    passes(long(bytes), bytes);
    const { LongArguments } = await import('./long-arguments.ts');
    await pause(50, 'the kernel is loaded in the background');
    const taken = vi.spyOn(LongArguments.prototype, 'endsWith');
    passes(long(bytes), bytes);
    expect(taken.mock.results.map(({ value }) => value)).toEqual(sizes.map(() => true));
    taken.mockRestore();
    passes(long(bytes), bytes);
    const spaced = JSON.stringify({ rows }, null, 1).replaceAll('\n', '\t');
    passes(long(spaced), spaced);
  });

  it('of a companion pass by whole, those of tools of ours and short ones never', () => {
    const bytes = `{"n":12345678901234567890,"tool_args":{"a":1},"rows":${JSON.stringify(rows)}}`;
    for (const size of sizes) {
      const [found] = read(`${call(bytes, 'db__insert')}\n`, size, 1 << 24) as ReadRequest[];
      expect(found?.toolArgs && Buffer.concat(found.toolArgs).toString() === bytes).toBe(true);
      expect(found?.message).toMatchObject({ id: 7, params: { name: 'db__insert', arguments: {} } });
      for (const line of [call(bytes, 'write_file'), call('{"a":1}', 'db__insert')]) {
        expect(JSON.stringify(read(`${line}\n`, size, 1 << 24)[0])).toBe(JSON.stringify({ message: JSON.parse(line) }));
      }
      const broken = call(bytes.replace('"rows":[', '"rows":[01,'), 'db__insert');
      expect(read(`${broken}\n`, size, 1 << 24)).toEqual([{ error: expect.any(Error) }]);
    }
  });

  it('are read with the rest, or refused, by the same rules as short ones', () => {
    const bytes = JSON.stringify({ rows });
    const head = bytes.slice(0, -1);
    for (const size of sizes) {
      const only = (line: string | Buffer) => read(Buffer.concat([Buffer.from(line), Buffer.from('\n')]), size, 1 << 24)[0];
      for (const broken of [`${head},"a":01}`, `${head},"a":"\t"}`, `${head},}`, `${head}]`, `${head}}}`]) {
        expect(only(long(broken))).toEqual({ error: expect.any(Error) });
      }
      const twice = call(`{"tool_args":${bytes},"tool_args":{"a":1}}`);
      expect(JSON.stringify(only(twice))).toBe(JSON.stringify({ message: JSON.parse(twice) }));
      const latin = Buffer.from(call(`{"tool_args":${bytes.replaceAll(/[ü😀]/gu, '?')}}`).replaceAll('?', 'ÿ'), 'latin1');
      expect(JSON.stringify(only(latin))).toBe(JSON.stringify({ message: JSON.parse(latin.toString()) }));
      const followed = call(`{"tool_args":${bytes},"more":"${'z'.repeat(100_000)}"}`);
      const found = only(followed) as ReadRequest;
      // Whether or not they pass by, nothing is lost.
      const args = found.toolArgs ? JSON.parse(Buffer.concat(found.toolArgs).toString()) : undefined;
      const { params } = found.message as unknown as { params: { arguments: object } };
      const whole = args === undefined ? params.arguments : { ...params.arguments, tool_args: args };
      expect(JSON.stringify(whole) === JSON.stringify(JSON.parse(followed).params.arguments)).toBe(true);
      const other = call(`{"tool_args":${bytes}}`, 'other');
      expect(JSON.stringify(only(other))).toBe(JSON.stringify({ message: JSON.parse(other) }));
    }
  });
});

describe('lines', () => {
  it('are messages, each by itself, blank ones aside', () => {
    const one = '{"jsonrpc":"2.0","method":"a"}';
    const two = call('{"tool_args":{"b":"ä"}}');
    const found = read(`${one}\n\r\n\n${two}\r\n${one}\nnot yet`, [4]);
    expect(found).toHaveLength(3);
    expect(found.map((line) => 'error' in line || ((line.message as { method?: string }).method ?? ''))).toEqual([
      'a',
      'tools/call',
      'a',
    ]);
  });

  it.each([
    '{',
    '[]',
    '7',
    'null',
    'hello',
    '{"jsonrpc":"1.0","id":1}',
    `\uFEFF${call('{}')}`,
    call('{"tool_args":{"a":01}}'),
    call('{"tool_args":{"a":"\t"}}'),
  ])('that are no message are told, and the next is read: %s', (text) => {
    const found = read(`${text}\n{"jsonrpc":"2.0","method":"a"}\n`, [6]);
    expect(found).toEqual([{ error: expect.any(Error) }, { message: { jsonrpc: '2.0', method: 'a' } }]);
  });

  it('may be as long as the bound, each by itself', () => {
    const line = `{"jsonrpc":"2.0","method":"${'a'.repeat(970)}"}`;
    expect(read(`${line}\n${line}\n`, [64], 1000)).toHaveLength(2);
    expect(() => read('x'.repeat(1001), [64], 1000)).toThrow(/longer than 1000 bytes/);
  });
});
