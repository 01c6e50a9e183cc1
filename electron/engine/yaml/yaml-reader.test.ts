import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { stringify } from 'yaml';
import { runs } from '../../../shared/lib/fixtures/property-runs.ts';
import { readerTests } from '../fixtures/reader-fixture.ts';
import { readYaml } from './yaml-reader.ts';

/** The heap, as the budget for values sees it: as it is, or with so much room. */
const heap = vi.hoisted(() => ({ room: undefined as number | undefined }));
vi.mock('node:v8', async (original) => {
  const real = await original<typeof import('node:v8')>();
  const getHeapStatistics = () => {
    const { room = 4 * 1024 ** 3 } = heap;
    return { ...real.getHeapStatistics(), heap_size_limit: room, used_heap_size: 0 };
  };
  return { ...real, default: { ...real, getHeapStatistics }, getHeapStatistics };
});

const { scanOf, jsonOf, refusalOf } = readerTests(readYaml, { maxFileBytes: 1024 * 1024 });

describe('YAML as JSON', () => {
  it.each([
    ['scalars', 'a: x\nb: 1\nc: 0.5\nd: true\ne: ~\nf:\n', '{"a":"x","b":1,"c":0.5,"d":true,"e":null,"f":null}'],
    [
      'words and dates of YAML 1.1 are strings',
      'a: yes\nb: 2001-12-14\nc: 12:30\nd: 1_000\n',
      '{"a":"yes","b":"2001-12-14","c":"12:30","d":"1_000"}',
    ],
    ['even where a directive asks for it', '%YAML 1.1\n---\na: yes\n', '{"a":"yes"}'],
    ['hexadecimal and octal', '[0x1F, 0o17, +12, -0]', '[31,15,12,0]'],
    [
      'integers beyond 2^53 are strings',
      '[9007199254740991, 9007199254740992, -9007199254740993, 0xFFFFFFFFFFFFFFFF]',
      '[9007199254740991,"9007199254740992","-9007199254740993","18446744073709551615"]',
    ],
    ['decimals keep their digits', '[1.10, 3.14159265358979323846, 1e3, .5, 5.]', '[1.10,3.14159265358979323846,1e3,0.5,5]'],
    ['block scalars', 'a: |\n  one\n  two\nb: >-\n  one\n  two\n', '{"a":"one\\ntwo\\n","b":"one two"}'],
    ['several documents', '---\na: 1\n---\n- 2\n---\nthree\n', '[{"a":1},[2],"three"]'],
    ['one document with markers', '---\na: 1\n...\n', '{"a":1}'],
    ['anchors', 'a: &x [1, {b: 2}]\nb: *x\n', '{"a":[1,{"b":2}],"b":[1,{"b":2}]}'],
    ['an anchor that is set again', '[&x 1, *x, &x 2, *x]', '[1,1,2,2]'],
    ['an anchor set again inside what an alias stands for', '- &a [&x 1, *x]\n- &x 2\n- *a\n- *x\n', '[[1,1],2,[1,1],2]'],
    [
      'merge keys: own keys win, wherever they stand',
      'b: &b {x: 1, y: 2}\nc:\n  <<: *b\n  y: 3\nd:\n  y: 4\n  <<: *b\n',
      '{"b":{"x":1,"y":2},"c":{"x":1,"y":3},"d":{"y":4,"x":1}}',
    ],
    ['merge keys: of several the first wins', 'c:\n  <<: [{x: 1}, {x: 2, z: 3}]\n', '{"c":{"x":1,"z":3}}'],
    ['a quoted << is a key', '{"<<": {x: 1}}', '{"<<":{"x":1}}'],
    [
      'keys as they are written',
      '1: a\n1.0: b\ntrue: c\n2001-01-01: d\n0x10: e\n',
      '{"1":"a","1.0":"b","true":"c","2001-01-01":"d","0x10":"e"}',
    ],
    ['a pair in a flow list', '[a: 1, b]', '[{"a":1},"b"]'],
    [
      'keys that JavaScript finds special',
      '__proto__: {x: 1}\nconstructor: 2\n2: b\n1: a\n',
      '{"__proto__":{"x":1},"constructor":2,"2":"b","1":"a"}',
    ],
    ['a merge of __proto__', 'a: &a {__proto__: 1}\nb: {<<: *a}\n', '{"a":{"__proto__":1},"b":{"__proto__":1}}'],
    ['empty collections', 'a: []\nb: {}\n', '{"a":[],"b":{}}'],
    ['an empty list', '[]', '[]'],
    ['a lone scalar', 'text', '"text"'],
    ['a lone number', '7', '7'],
    ['nothing', '', 'null'],
    ['only a comment', '# nothing\n', 'null'],
    ['CRLF', 'a: 1\r\nb:\r\n  - x\r\n', '{"a":1,"b":["x"]}'],
  ])('%s', async (_name, yaml, json) => {
    expect(await jsonOf(yaml)).toBe(json);
  });

  it.each([
    ['a: 1', 'object'],
    ['[1]', 'array'],
    ['"a"', 'string'],
    ['1', 'number'],
    ['true', 'boolean'],
    ['', 'null'],
  ])('%j is of kind %s', async (yaml, kind) => {
    expect((await scanOf(yaml)).kind).toBe(kind);
  });

  it('warns of an empty file, and of tags it ignores', async () => {
    expect((await scanOf('')).warnings).toMatchObject([{ code: 'EMPTY_FILE' }]);
    const tagged = await scanOf('a: !color red\nb: !!timestamp 2001-12-14\n');
    expect(tagged.warnings).toMatchObject([{ code: 'YAML_TAGS_IGNORED' }]);
    expect(await jsonOf('a: !color red\nb: !!timestamp 2001-12-14\n')).toBe('{"a":"red","b":"2001-12-14"}');
  });

  it('streams a list by elements with their lines', async () => {
    const scan = await scanOf('# people\n- a: 1\n  b: 2\n\n- c\n-\n- [d]\n');
    const lines: number[] = [];
    for await (const chunk of scan.elements()) lines.push(...(chunk.lines ?? []));
    expect(lines.slice(0, 2)).toEqual([2, 5]);
    expect(lines[3]).toBe(7);
  });

  it('reads back what a YAML writer writes', async () => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom('1', 'true', '~', '<<', ' x', '- a', '2001-01-01', '0x1F', '1e3', '#', 'a: b', '*x', '&y', '!z'),
        fc.maxSafeInteger(),
        fc
          .double({ noNaN: true, noDefaultInfinity: true })
          .filter((number) => !Number.isInteger(number) || Number.isSafeInteger(number))
          .map((number) => (number === 0 ? 0 : number)),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('any'), { maxLength: 4 }),
        fc.dictionary(fc.string(), tie('any'), { maxKeys: 4 }),
      ),
    })).any;
    await fc.assert(
      fc.asyncProperty(value, async (written) => {
        expect(JSON.parse(await jsonOf(stringify(written)))).toEqual(JSON.parse(JSON.stringify(written)));
      }),
      { numRuns: runs(300) },
    );
  });

  it('reads the same whatever the chunks', async () => {
    const yaml = 'ä: &x "é😀"\r\nb: |\r\n  ü\r\n  two\r\nc: [*x, 1]\r\n---\r\n- z\r\n';
    const whole = await jsonOf(yaml);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { maxLength: 20 }), async (cuts) => {
        expect(await jsonOf(yaml, cuts)).toBe(whole);
      }),
      { numRuns: runs(100) },
    );
  });

  it('reads the same where a file is longer than what is parsed at once', async () => {
    const records = Array.from({ length: 1500 }, (_, id) => ({ id, text: `line one\nline two of ${id}\n`, tags: ['a', 'b: c'] }));
    expect(JSON.parse(await jsonOf(stringify(records)))).toEqual(records);
    const long = { text: 'a line of a long text\n'.repeat(5_000), after: 1 };
    expect(JSON.parse(await jsonOf(stringify(long)))).toEqual(long);
  });
});

describe('YAML that is refused', () => {
  it.each([
    ['an indentation that fits nowhere', 'a:\n  b: 1\n c: 2\n', 3],
    ['a key twice', 'a: 1\nb: 2\na: 3\n', 3],
    ['a key twice by its text', '1: a\n"1": b\n', 2],
    ['an alias of nothing', 'ok: 1\na: *gone\n', 2],
    ['an alias of a later anchor', 'a: *x\nb: &x 1\n', 1],
    ['an anchor inside itself', 'a: &a\n  b: *a\n', 2],
    ['a merge of itself', 'a: &a\n  <<: *a\n', 2],
    ['a merge of no map', 'a:\n  <<: 1\n', 2],
    ['a flow list that never closes', 'a: [1, 2\n', 2],
    ['a brace that closes nothing', 'a: 1\nb: [1,\nc: }\n', 3],
    ['a string that never closes', 'a: 1\nb: "x\n', 3],
    ['infinity', 'a: 1\nb: .inf\n', 2],
    ['not a number', '- 1\n- 2\n- .NaN\n', 3],
    ['a number past the range of numbers', 'a: 1e999\n', 1],
    ['a map as a key', 'a: 1\n? {b: 1}\n: 2\n', 2],
    ['a tab as indentation', 'a:\n\tb: 1\n', 2],
    ['an error in a later document', 'a: 1\n---\nb: 1\nb: 2\n', 4],
  ])('%s', async (_name, yaml, line) => {
    const error = await refusalOf(yaml);
    expect(error.code).toBe('PARSE_FAILED');
    expect(error.message).toMatch(/^Failed to parse YAML file: .+ at line \d+, column \d+$/);
    expect(error.details.line).toBe(line);
  });

  it.each([
    ['[1,2', '] is missing (it closes the [ of line 1) at line 1, column 5', 'Close the [ of line 1 with ]'],
    ['a: 1\nb: [1,2\nc: 3\n', '] is missing (it closes the [ of line 2) at line 3, column 1', 'Close the [ of line 2 with ]'],
    ['a: [\n  {b: [1],\n  c: 2\n]\n', '} is missing (it closes the { of line 2) at line 4, column 1', 'Close the { of line 2'],
    ['a: "x\nb: 2\n', '" is missing (it closes the " of line 1) at line 3, column 1', 'Close the " of line 1 with "'],
    ['a: ["x"y]\n', ', is missing at line 1, column 8', 'Write , in line 1'],
    ['a: 1\nb\n', ': is missing at line 2, column 1', 'Write : in line 2'],
  ])('names what is missing, and where: %j', async (yaml, reason, hint) => {
    const error = await refusalOf(yaml);
    expect(error.message).toBe(`Failed to parse YAML file: ${reason}`);
    expect(error.hint).toContain(hint);
  });

  const bombs = {
    lists: `a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n${Array.from({ length: 12 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(10).fill(`*a${i}`).join(',')}]`).join('\n')}\n`,
    merges: `a0: &a0 {k0: v}\n${Array.from({ length: 40 }, (_, i) => `a${i + 1}: &a${i + 1} {x: *a${i}, y: *a${i}, <<: *a${i}}`).join('\n')}\n`,
    'empty lists': `a0: &a0 []\n${Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i},*a${i},*a${i}]`).join('\n')}\n`,
  };
  it.each(Object.entries(bombs))('an alias bomb of %s', async (_name, yaml) => {
    const error = await refusalOf(yaml, { maxFileBytes: 100 * 1024 });
    expect(error.text).toMatch(
      /^Failed to parse YAML file: its aliases expand to more than 100 KB at line \d+, column \d+.*maxFileBytes/,
    );
  });

  it('but not many aliases that expand to little', async () => {
    const yaml = `- &a {x: 1}\n${'- *a\n'.repeat(2000)}`;
    expect(JSON.parse(await jsonOf(yaml))).toHaveLength(2001);
  });

  it('deeper than allowed, by brackets, dashes, keys or aliases', async () => {
    const flow = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}\n`;
    expect(await jsonOf(flow(512))).toHaveLength(1024);
    for (const yaml of [flow(513), flow(5_000), `${'- '.repeat(513)}x\n`, `${'? '.repeat(513)}x\n`]) {
      expect((await refusalOf(yaml)).text).toMatch(/512 levels deep at line 1.*maxNesting/);
    }
    const chain = `a0: &a0 [x]\n${Array.from({ length: 5 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}]`).join('\n')}\n`;
    expect((await refusalOf(chain, { maxNesting: 6 })).text).toMatch(/6 levels deep.*maxNesting/);
    expect(await jsonOf(chain, [], { maxNesting: 7 })).toContain('"a5":[[[[[["x"]]]]]]');
  });

  it('past the bound on its size, which it names', async () => {
    const error = await refusalOf(`a: ${'x'.repeat(2000)}\n`, { maxFileBytes: 1000 });
    expect(error.code).toBe('FILE_TOO_LARGE');
    expect(error.text).toMatch(/exceeds maximum allowed size of 1000 bytes.*maxFileBytes/);
  });

  it('with more values than there is memory for', async () => {
    heap.room = 10 * 1024 * 1024;
    const error = await refusalOf(`[\n${'1,'.repeat(5_000)}]`);
    heap.room = undefined;
    expect(error.code).toBe('PARSE_FAILED');
    expect(error.text).toMatch(/more values than there is memory for at line 2, column \d+.*JSON/);
  });

  it('when a control character stands there bare, as in any binary file', async () => {
    const error = await refusalOf('a: 1\nb: "x\u0000y"\n');
    expect(error.message).toBe(
      'Failed to parse YAML file: the character U+0000 has to be written as an escape in quotes at line 2, column 6',
    );
    expect((await refusalOf('a: \u001b[0m\n')).message).toContain('U+001B');
  });

  it('when the caller cancels', async () => {
    const signal = AbortSignal.abort();
    await expect(scanOf('a: 1\n', [], {}, signal)).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});

describe('places', () => {
  it.each([
    ['a map in a list', '- a: 1\n- a: x\n  b: ä\n', [1, 'b'], 3, 6],
    ['a key below keys', 'a:\n  b:\n    - 1\n    - 2\n', ['a', 'b', 1], 4, 7],
    ['a later document', 'a: 1\n---\nb: {c: 2}\n', [1, 'b', 'c'], 3, 8],
    ['an alias, where it stands', 'a: &x {k: 1}\nb: *x\n', ['b'], 2, 4],
    ['inside an alias, where the anchor is', 'a: &x {k: 1}\nb: *x\n', ['b', 'k'], 1, 11],
    ['a merged key, where it comes from', 'a: &x {k: 1}\nb:\n  <<: *x\n', ['b', 'k'], 1, 11],
  ])('%s', async (_name, yaml, pointer, line, column) => {
    expect(await (await scanOf(yaml)).locate(pointer)).toEqual({ line, column });
  });

  it('are unknown for what is not there', async () => {
    const scan = await scanOf('a: [1]\n');
    expect(await scan.locate(['b'])).toBeUndefined();
    expect(await scan.locate(['a', 3])).toBeUndefined();
    expect(await scan.locate(['a', 0, 'x'])).toBeUndefined();
  });
});
