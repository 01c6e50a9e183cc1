/** JSON Lines become an array; an error names its line. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../shared/lib/fixtures/property-runs.ts';
import { convert } from '../convert/convert.ts';
import { chunkedSource, convertBytes, failureOf, jsonOf, jsonText, testBounds } from '../fixtures/conversion-fixture.ts';

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
