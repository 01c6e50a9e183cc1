/** JSON without its layout, against JSON.stringify and against the reader that checks every byte. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../shared/lib/fixtures/property-runs.ts';
import { chunkedSource } from '../fixtures/conversion-fixture.ts';
import { minified } from './json-reader.ts';

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
