/** JSON is validated strictly and passed through whole; JSON Lines become an array, and an error names its line. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../shared/lib/fixtures/property-runs.ts';
import { convert } from '../convert/convert.ts';
import {
  chunkedSource,
  convertBytes,
  failureOf,
  jsonOf,
  jsonText,
  parsedOf,
  testBounds,
} from '../fixtures/conversion-fixture.ts';

describe('what a JSON file becomes', () => {
  it.each([
    ['a number, digit by digit', '12345678901234567890123.4500e+07', '12345678901234567890123.4500e+07'],
    ['escapes as they were written', '"\\u00e9 \\/ é \\ud800"', '"\\u00e9 \\/ é \\ud800"'],
    ['duplicate keys, in order', '{"b": 1, "a": 2, "b": 3}', '{"b":1,"a":2,"b":3}'],
    ['__proto__ like any key', '{ "__proto__" : { } }', '{"__proto__":{}}'],
    ['spaces inside strings', '[ "a b" , "  " ]', '["a b","  "]'],
    [
      'an array of everything',
      '\t[1 , -0,\r\n"x",null,true ,false,{ },[ ],[ [ 1 ] ]]\n',
      '[1,-0,"x",null,true,false,{},[],[[1]]]',
    ],
    ['an empty array', '[ ]', '[]'],
    ['a lone scalar', ' false ', 'false'],
    ['a byte-order mark is dropped', '\ufeff{"a":1}', '{"a":1}'],
  ])('%s', async (_, file, json) => {
    expect(await jsonOf('a.json', file)).toBe(json);
  });

  it.each([
    ['[1]', 'array', 1],
    ['[]', 'array', 0],
    ['{"a":[1,2]}', 'object', 1],
    ['"x"', 'string', 1],
    ['1e5', 'number', 1],
    ['true', 'boolean', 1],
    ['null', 'null', 1],
  ])('%s is of kind %s with %i records', async (file, kind, records) => {
    expect(await convertBytes('a.json', file)).toMatchObject({ kind, records, bytes: file.length });
  });

  it('gives elements with the lines on which they start', async () => {
    const { elements } = await convertBytes('a.json', '[\n  1,\n\n  {"a":\n2}, 3\r\n,4\r,5]');
    const lines: number[] = [];
    for await (const chunk of elements()) lines.push(...(chunk.lines ?? []));
    expect(lines).toEqual([2, 4, 5, 6, 7]);
  });
});

describe('errors say what and where', () => {
  it.each([
    ['', 'the file is empty at line 1, column 1'],
    [' \n ', 'the file is empty at line 2, column 2'],
    ['{"a" 1}', 'unexpected "1"; ":" was expected at line 1, column 6'],
    ['{"a":1,x}', 'unexpected "x"; a key in double quotes was expected at line 1, column 8'],
    ['[1,x]', 'unexpected "x"; a value was expected at line 1, column 4'],
    ['[1\n 2]', 'unexpected "2"; "," or "]" was expected at line 2, column 2'],
    ["{'a':1}", 'unexpected "\'"; a key in double quotes or "}" was expected at line 1, column 2'],
    ['[01]', 'unexpected "1" in a number at line 1, column 3'],
    ['[1.]', 'unexpected "]" in a number at line 1, column 4'],
    ['[+1]', 'unexpected "+"; a value or "]" was expected at line 1, column 2'],
    ['[NaN]', 'unexpected "N"; a value or "]" was expected at line 1, column 2'],
    ['[nul]', 'unexpected "]"; only true, false and null are words at line 1, column 5'],
    ['"a\tb"', 'a tab inside a string (it must be escaped) at line 1, column 3'],
    ['"\\x"', '\\ followed by "x" is not an escape at line 1, column 3'],
    ['"\\u12g4"', '"g" in a \\u escape, which takes four hex digits at line 1, column 6'],
    ['[1] 2', 'unexpected "2" after the end of the value at line 1, column 5'],
    ['[1}', '"}" where "]" was expected at line 1, column 3'],
    ['["äöü" x]', 'unexpected "x"; "," or "]" was expected at line 1, column 8'],
    ['/ no\n1', 'unexpected "/"; a value was expected at line 1, column 1'],
  ])('%j', async (file, reason) => {
    const error = await failureOf('a.json', file);
    expect(error.code).toBe('PARSE_FAILED');
    expect(error.message).toBe(`Failed to parse JSON file: ${reason}`);
  });

  it.each([
    ['[1\n 2]', 'Write "," or "]" at line 2, column 2'],
    ['{"a" 1}', 'Write ":" at line 1, column 6'],
    ['{"a":1,x}', 'Write a key in double quotes at line 1, column 8'],
    ['[1}', 'Write "]" at line 1, column 3'],
    ['[{"a":\n["x', 'It may be cut off in line 2: get the whole file, or complete it so that it ends with "]}]'],
    ['tru', 'It may be cut off in line 1: get the whole file'],
  ])('the hint for %j says what was expected, and where', async (file, hint) => {
    expect((await failureOf('a.json', file)).hint).toBe(hint);
  });

  it('a line of JSON Lines that is not whole is named in the hint', async () => {
    const { hint } = await failureOf('a.jsonl', '{"a":1}\n{"a":[1\n');
    expect(hint).toBe('Each line holds one whole value: complete line 2 so that it ends with ]}');
  });

  it('every truncation of a file is an error with line and column', async () => {
    const file = '{\n "ab": [1.5e+3, true, "x\\u00e9ä"],\n "c": {"d": null}\n}';
    const bytes = new TextEncoder().encode(file);
    for (let length = 0; length < bytes.length; length++) {
      const error = await failureOf('a.json', bytes.slice(0, length), { encoding: 'windows-1252' });
      expect(error.message).toMatch(/^Failed to parse JSON file: .+ at line \d+, column \d+$/);
      expect(error.details.line).toBe(1 + bytes.slice(0, length).filter((byte) => byte === 0x0a).length);
    }
  });

  it('nesting is bounded by a setting, which the error names', async () => {
    expect(await jsonOf('a.json', '['.repeat(512) + ']'.repeat(512))).toHaveLength(1024);
    const error = await failureOf('a.json', '['.repeat(513) + ']'.repeat(513));
    expect(error.message).toBe('Failed to parse JSON file: values are nested more than 512 levels deep at line 1, column 513');
    expect(error.hint).toContain('limits.maxNesting');
    await failureOf('a.json', '{"a":'.repeat(1_000_000));
  });
});

describe('laws', () => {
  const formatted = fc
    .tuple(fc.jsonValue(), fc.constantFrom('', ' ', '\t', 3))
    .map(([value, indent]) => JSON.stringify(value, null, indent));

  it('minifies as JSON.parse and JSON.stringify would, at any chunking', async () => {
    await fc.assert(
      fc.asyncProperty(
        formatted,
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
        async (file, sizes) => {
          const conversion = await convert(chunkedSource('a.json', file, sizes), { bounds: testBounds });
          const text = await jsonText(conversion);
          expect(text).toBe(JSON.stringify(JSON.parse(file)));
          expect(conversion.bytes).toBe(new TextEncoder().encode(text).length);
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it('accepts what JSON.parse does, and anything else with a warning only', async () => {
    const junk = fc.constantFrom(...'{}[]",:\\ \n\t\r0123456789.eE+-truefalsn/u\u00e4\u0001');
    const mutated = fc
      .tuple(formatted, fc.array(fc.tuple(fc.nat(), fc.nat(2), junk), { minLength: 1, maxLength: 3 }))
      .map(([file, edits]) =>
        edits.reduce((text, [at, remove, insert]) => {
          const place = at % (text.length + 1);
          return text.slice(0, place) + insert + text.slice(place + remove);
        }, file),
      );
    await fc.assert(
      fc.asyncProperty(mutated, async (file) => {
        let value: unknown;
        try {
          value = JSON.parse(file);
        } catch {
          // Or it is read as people write JSON, and says so.
          const said = await convertBytes('a.json', Buffer.from(file), { format: 'json' }).then(
            ({ report }) => report.warnings.map(({ code }) => code),
            ({ code }: { code: string }) => code,
          );
          expect(said === 'PARSE_FAILED' || said.includes('JSON_RELAXED')).toBe(true);
          return;
        }
        expect(await parsedOf('a.json', file)).toEqual(value);
      }),
      { numRuns: runs(1500) },
    );
  });
});

describe('locate', () => {
  it('reads no further than the element of a list it looks for', async () => {
    const source = chunkedSource('a.json', `[1,\n{"a": 2, "a": 3},${'4,'.repeat(2_000_000)}5]`, [1024]);
    const conversion = await convert(source, { bounds: testBounds });
    const { read } = source;
    let bytes = 0;
    source.read = async function* (signal) {
      for await (const chunk of read(signal)) {
        bytes += chunk.length;
        yield chunk;
      }
    };
    expect(await conversion.locate([1, 'a'])).toEqual({ line: 2, column: 15 });
    expect(bytes).toBe(1024);
  });

  const file = '[\n  {"id": 1,\n   "tags": ["a",\n     "b"]},\n  {"k\\u0065y": 2, "key": {"x": null}}\n]';

  it.each([
    [[], { line: 1, column: 1 }],
    [[0], { line: 2, column: 3 }],
    [[0, 'id'], { line: 2, column: 10 }],
    [[0, 'tags', 1], { line: 4, column: 6 }],
    [[1, 'key', 'x'], { line: 5, column: 32 }],
    [[1, 'nope'], undefined],
    [[7], undefined],
  ])('%j', async (pointer, place) => {
    const conversion = await convertBytes('a.json', file);
    expect(await conversion.locate(pointer)).toEqual(place);
  });

  it('gives the last of duplicate keys', async () => {
    const conversion = await convertBytes('a.json', '{"a":1,\n"a":2}');
    expect(await conversion.locate(['a'])).toEqual({ line: 2, column: 5 });
  });
});

// JSON Lines.

describe('what a JSONL file becomes', () => {
  it.each([
    ['one value a line', '{"a": 1}\n[2, 3]\n"x"\n', '[{"a":1},[2,3],"x"]'],
    ['CRLF, and no line end at the end', '1\r\n2\r\n3', '[1,2,3]'],
    ['blank lines are skipped', '\n1\n\n  \t\r\n2\n\n', '[1,2]'],
    ['big integers keep their digits', '12345678901234567890\n', '[12345678901234567890]'],
    ['a number alone at the end', '1\n-0.5e3', '[1,-0.5e3]'],
  ])('%s', async (_, file, json) => {
    expect(await jsonOf('a.jsonl', file)).toBe(json);
    expect(await jsonOf('a.ndjson', file)).toBe(json);
  });

  it('an empty file is an empty array, with a warning', async () => {
    const conversion = await convertBytes('a.jsonl', '\n');
    expect(await jsonText(conversion)).toBe('[]');
    expect(conversion.report.warnings).toMatchObject([{ code: 'EMPTY_FILE', message: 'The file holds no records' }]);
  });
});

describe('errors name line and column', () => {
  it.each([
    ['1\n\n{"a":}\n', 'unexpected "}"; a value was expected at line 3, column 6'],
    ['1\n{"a":\n1}', 'the line ends inside an object at line 2, column 6'],
    ['1\r\n"abc\r\n', 'a line break inside a string (it must be escaped) at line 2, column 5'],
    ['1 2\n', 'unexpected "2" after the end of the value at line 1, column 3'],
    ['\n  tru\n', 'the line ends inside a word at line 2, column 6'],
    ['1\n-\n', 'the line ends inside a number at line 2, column 2'],
  ])('%j', async (file, reason) => {
    const error = await failureOf('a.jsonl', file);
    expect(error.message).toBe(`Failed to parse JSONL file: ${reason}`);
    expect(error.code).toBe('PARSE_FAILED');
  });
});

it('locates an element by its line', async () => {
  const conversion = await convertBytes('a.jsonl', '\n1\n\n2\n');
  expect(await conversion.locate([1])).toEqual({ line: 4 });
  expect(await conversion.locate([2])).toBeUndefined();
});

it('any values written line by line come back, at any chunking', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.jsonValue(), { maxLength: 8 }),
      fc.constantFrom('\n', '\r\n', '\n\n'),
      fc.integer({ min: 1, max: 7 }),
      async (values, lineEnd, size) => {
        const file = values.map((value) => JSON.stringify(value) + lineEnd).join('');
        const conversion = await convert(chunkedSource('a.jsonl', file, [size]), { bounds: testBounds });
        expect(await jsonText(conversion)).toBe(JSON.stringify(values));
        expect(conversion.records).toBe(values.length);
      },
    ),
    { numRuns: runs(200) },
  );
});
