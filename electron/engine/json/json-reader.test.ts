/** The kernel's reader of JSON says what the slow one says, byte for byte and word for word; JSON is minified as JSON.stringify does it. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../shared/lib/fixtures/property-runs.ts';
import { chunkedSource, testBounds } from '../fixtures/conversion-fixture.ts';
import { answerOf, Chance, elementsOf, sourceOf, type TextCase } from '../fixtures/fuzz-fixture.ts';
import { jsonBy, jsonDifference } from './json-fuzz-fixture.ts';
import { minified, readJson, readJsonl } from './json-reader.ts';
import { readJson as readJsonSlowly } from './json-reference.ts';

function given(text: string, rest: Partial<TextCase> = {}): TextCase {
  return { text, sizes: [256 * 1024], seekable: true, bounds: testBounds, ...rest };
}

describe.each([
  ['JSON', false],
  ['JSON Lines', true],
] as const)('%s', (_, asLines) => {
  it('by chance, right and damaged, in chunks of any size', async () => {
    const chance = new Chance(asLines ? 2 : 1);
    for (let i = 0; i < runs(1500); i += 1) expect(await jsonDifference(jsonBy(chance, asLines), asLines)).toBeUndefined();
  });

  it('every truncation of a text', async () => {
    const line = '{"ab": [1.5e+3, -0, true, "x\\u00e9ä€\\n"],\t"c": {"d": null, "e": [[], {}]}}';
    const text = asLines ? `${line}\r\n\n ${line}\n` : line.replaceAll(',', ',\r\n  ');
    for (let length = 0; length <= text.length; length += 1)
      for (const sizes of [[1], [7, 3], [1000]])
        for (const seekable of [true, false])
          expect(await jsonDifference(given(text.slice(0, length), { sizes, seekable }), asLines)).toBeUndefined();
  });
});

describe('a list', () => {
  const list = (elements: readonly string[]) => given(`[${elements.join(',')}]`);

  it('of elements that are bigger than any buffer', async () => {
    const big = JSON.stringify('x'.repeat(700_000));
    const texts = ['1', big, '{"a":1}', big, big, '2'];
    const scan = await readJson(sourceOf(list(texts)), { options: {}, bounds: testBounds });
    expect((await elementsOf(scan.elements())).map(([text]) => text)).toEqual(texts);
    expect(scan.measured).toMatchObject({ bytes: list(texts).text.length, records: 6 });
  });

  it('of elements that are as small as can be', async () => {
    const texts = Array.from({ length: 200_000 }, (_, i) => String(i % 10));
    const scan = await readJson(sourceOf(list(texts)), { options: {}, bounds: testBounds });
    const sizes: number[] = [];
    let elements = 0;
    for await (const { data, ends } of scan.elements()) {
      sizes.push(data.length);
      elements += ends.length;
    }
    expect(elements).toBe(200_000);
    expect(Math.max(...sizes)).toBeLessThan(512 * 1024);
  });

  it('can be taken up at each of its resume points', async () => {
    const texts = Array.from({ length: 30_000 }, (_, i) => `{"id": ${i},\n "name": "number ${i}"}`);
    const scan = await readJson(sourceOf(list(texts)), { options: {}, bounds: testBounds });
    const all = await elementsOf(scan.elements());
    const records = [0, 1, 9_999, 20_000, 29_999];
    for (const record of records) {
      const point = scan.measured?.resumePoints.before(record);
      const [first] = await elementsOf(scan.elements(undefined, point));
      expect(first).toEqual(all[point?.record ?? -1]);
      expect(record - (point?.record ?? 0)).toBeLessThan(6_000);
    }
  });

  it('is wrong at a place far behind its start, on a line of all of it', async () => {
    const texts = Array.from({ length: 20_000 }, (_, i) => `{"ä€": ${i}}`);
    const text = given(`\n${JSON.stringify('ö'.repeat(1000))},`.replace(/^/, '[') + texts.join(',').slice(0, -8));
    expect(await answerOf(readJson, text)).toEqual(await answerOf(readJsonSlowly, text));
  });
});

describe('files made to hurt', () => {
  it.each([
    ['nesting that never ends', '['.repeat(200_000)],
    ['objects in objects', '{"a":'.repeat(50_000)],
    ['a list of brackets', `[${'[],'.repeat(10_000)}[]]`],
    ['10,000 keys', `{${Array.from({ length: 10_000 }, (_, i) => `"key ${i}":${i}`).join(',')}}`],
    ['a string that never ends', `["${'x'.repeat(300_000)}`],
    ['escapes only', `"${'\\\\'.repeat(150_000)}"`],
    ['commas', ','.repeat(100_000)],
    ['digits', '9'.repeat(200_000)],
    ['line ends', '\n'.repeat(200_000)],
  ])('%s', async (_, text) => {
    expect(await answerOf(readJson, given(text))).toEqual(await answerOf(readJsonSlowly, given(text)));
  });

  it('lines of 500 KB that are blank', async () => {
    const scan = await readJsonl(sourceOf(given(' \r\n'.repeat(170_000))), { options: {}, bounds: testBounds });
    expect(scan.measured).toMatchObject({ records: 0, bytes: 2 });
    expect(scan.warnings).toMatchObject([{ code: 'EMPTY_FILE' }]);
  });
});

// Minified JSON, against JSON.stringify and against the reader that checks every byte.

async function minifiedText(text: string, asLines: boolean, size: number): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of minified(chunkedSource('a', text, [size]), asLines, undefined, { reuse: true })) {
    parts.push(new Uint8Array(part));
  }
  return Buffer.concat(parts).toString();
}

const chunkSize = fc.constantFrom(1, 3, 63, 64, 65, 127, 1000, 300_000);
const nasty = fc.constantFrom(
  '\\',
  '"',
  '\\"',
  '\\\\',
  ' \n\t\r',
  '[1, 2]',
  'é€😀',
  '\\\\\\"',
  ' '.repeat(70),
  '\\'.repeat(64),
  '"'.repeat(64),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 4, withCrossShrink: true }, tie('leaf'), tie('list'), tie('map')),
  leaf: fc.oneof(
    nasty,
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  ),
  list: fc.array(tie('any'), { maxLength: 5 }),
  map: fc.dictionary(fc.oneof(nasty, fc.string()), tie('any'), { maxKeys: 5, noNullPrototype: true }),
})).any;
const layout = fc.constantFrom('', ' ', '\n', '\r\n', '\t', '  \n\n ', ' '.repeat(64), '\n'.repeat(65));
const options = { numRuns: runs(2_000), seed: 7 };

describe('JSON without layout', () => {
  it('is what JSON.stringify writes, however it was indented and comes in', async () => {
    await fc.assert(
      fc.asyncProperty(value, fc.constantFrom(0, 1, 2, '\t', 9), layout, chunkSize, async (any, indent, around, size) => {
        const text = around + JSON.stringify(any, null, indent) + around;
        expect(await minifiedText(text, false, size)).toBe(JSON.stringify(any));
      }),
      options,
    );
  });

  it('is a list where every line has a value, whatever stands between them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(value, fc.constantFrom('\n', '\r\n', '\n\n', ' \n\t\n', `\n${' '.repeat(130)}\n`)), { maxLength: 12 }),
        fc.constantFrom('', '\n', ' \n \n'),
        fc.boolean(),
        chunkSize,
        async (lines, before, endsLast, size) => {
          let text = before;
          for (const [i, [any, end]] of lines.entries()) {
            text += JSON.stringify(any).replaceAll(',"', ' , "') + (i < lines.length - 1 || endsLast ? end : '');
          }
          // What was spread above stands in strings, too.
          const expected = lines.map(([any]) => JSON.stringify(JSON.parse(JSON.stringify(any).replaceAll(',"', ' , "'))));
          expect(await minifiedText(text, true, size)).toBe(`[${expected.join(',')}]`);
        },
      ),
      options,
    );
  });

  it.each([
    ['', false, ''],
    ['', true, '[]'],
    ['\n \n', true, '[]'],
    ['1\n', true, '[1]'],
    ['  "a\\\\"  ', false, '"a\\\\"'],
  ])('of %j, as lines %s, is %j', async (text, asLines, expected) => {
    expect(await minifiedText(text, asLines, 5)).toBe(expected);
  });
});
