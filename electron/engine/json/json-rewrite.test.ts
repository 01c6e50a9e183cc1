import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../shared/lib/fixtures/property-runs.ts';
import { type JsonStyle, NeedsWhole, rewrittenJson } from './json-rewrite.ts';

async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  const piece = Buffer.alloc(size);
  for (let at = 0; at < bytes.length; at += size) {
    const end = Math.min(bytes.length, at + size);
    bytes.copy(piece, 0, at, end);
    yield piece.subarray(0, end - at);
  }
}

async function rewritten(text: string, style: JsonStyle, size = 4096): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of rewrittenJson(inPieces(text, size), style)) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString();
}

/** What a number is: an integer and the power of ten it is to be multiplied with. */
function decimalOf(number: string): { integer: bigint; exponent: number } {
  const [mantissa = '', exponent = '0'] = number.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { integer: BigInt(whole.replace('-', '') + fraction), exponent: Number(exponent) - fraction.length };
}

function isSameValue(one: string, other: string): boolean {
  const [a, b] = [decimalOf(one), decimalOf(other)];
  const least = Math.min(a.exponent, b.exponent);
  return a.integer * 10n ** BigInt(a.exponent - least) === b.integer * 10n ** BigInt(b.exponent - least);
}

/** As JSON's own reader and writer have it, unless that is another number. */
function expectedNumber(number: string): string {
  const printed = JSON.stringify(Number(number));
  return printed !== 'null' && isSameValue(printed, number) ? printed : number;
}

const TAG = '\u{f0000}';

/** What it must be, by JSON's own reader and writer for all but numbers. */
function expected(text: string, style: JsonStyle): string {
  const tagged = text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gs, (token) =>
    token.startsWith('"') ? token : `"${TAG}${expectedNumber(token)}"`,
  );
  const value = JSON.parse(tagged);
  const written =
    style === 'lines'
      ? `${(Array.isArray(value) ? value : [value]).map((each) => JSON.stringify(each)).join('\n')}\n`
      : JSON.stringify(value, null, style === 'pretty' ? 2 : 0);
  return written.replaceAll(new RegExp(`"${TAG}([^"]*)"`, 'gu'), '$1');
}

const styles = ['pretty', 'compact', 'lines'] as const;
const records = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    id: i,
    'näme"': `Grüße \u0001\ud800 ${i}`,
    list: [1.0, 1e21, [], {}, null],
    n: { a: [i] },
  }));

describe('a long JSON text written anew', () => {
  const long = 'ä"\\\n\u0007😀\ud83d'.repeat(20_000);
  const texts: Record<string, string> = {
    'a list of records': JSON.stringify(records(3000)),
    'a list with much white space': JSON.stringify(records(3000), null, 8),
    'a list in an object': JSON.stringify({ before: 1, result: records(3000), after: { x: [] } }),
    'lists in lists': JSON.stringify([[records(2000), [records(2000)]], [], 7]),
    'a long string': JSON.stringify({ text: long }),
    'long strings in a list': JSON.stringify([long, 'short', long]),
    'escapes that need none': `["\\u0041\\/\\u00e9\\ud83d\\ude00\\u001f${'\\u0042'.repeat(40_000)}"]`,
    'numbers of every form': `[${'1.0,-0,1E2,12345678901234567890,0.1000000000000000055,'.repeat(9000)}0]`,
    'an empty list': ' [ \n ] ',
    'an empty object': '{ }',
    'a name of a prototype': `{"__proto__":${JSON.stringify(records(3000))},"constructor":1}`,
    'names that are numbers, in order': `{"7":${JSON.stringify(records(3000))},"12":1,"b":${JSON.stringify(records(3000))}}`,
    'records with names twice and numbers among them': `[${Array.from({ length: 3000 }, (_, i) => `{"b":${i},"2024":[{"z":1,"1":2}],"b":"${i}","7":{}}`).join()}]`,
    'an object of many names': JSON.stringify(Object.fromEntries(Array.from({ length: 9000 }, (_, i) => [`n${i}`, { i }]))),
    'records of many names': JSON.stringify(
      Array.from({ length: 40 }, () => Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`n${i}`, i]))),
    ),
    'deep nesting': `${'[{"a":'.repeat(250)}[${'1,'.repeat(9000)}1]${'}]'.repeat(250)}`,
  };
  const cases = Object.keys(texts).flatMap((name) => styles.map((style) => [name, style] as const));
  it.each(cases)('%s, %s', async (name, style) => {
    const text = texts[name] as string;
    const wanted = expected(text, style);
    for (const size of [4096, 100_003]) expect((await rewritten(text, style, size)) === wanted).toBe(true);
  });

  it.each([
    ['a member twice', `{"a":${JSON.stringify(records(3000))},"a":1}`],
    ['names that are numbers', `{"b":${JSON.stringify(records(3000))},"7":1}`],
    ['a number of many digits', `[0.${'0'.repeat(1_000_000)}]`],
    ['a long name', JSON.stringify({ ['n'.repeat(1_000_000)]: 1 })],
  ])('is refused where its members must be known first: %s', async (_, text) => {
    await expect(rewritten(text, 'pretty')).rejects.toThrow(NeedsWhole);
  });

  it.each([
    ['12345678901234567890', '12345678901234567890'],
    ['-0.30000000000000001110', '-0.30000000000000001110'],
    ['1e400', '1e400'],
    ['1e-400', '1e-400'],
    ['-0', '0'],
    ['0e5', '0'],
    ['1E5', '100000'],
    ['1.50', '1.5'],
    ['123456789012.000', '123456789012'],
    ['100000000000000000000000', '1e+23'],
    ['0.0000001', '1e-7'],
  ])('the number %s becomes %s', async (number, written) => {
    expect(await rewritten(`[${number}]`, 'compact')).toBe(`[${written}]`);
  });

  it('is the same whatever is in it, and however its bytes are cut', async () => {
    const layout = fc.constantFrom('', '', '', ' ', '\n', '\r\n\t ', ' '.repeat(70));
    const character = fc.oneof(
      fc.constantFrom(
        '\\"',
        '\\\\',
        '\\/',
        '\\b',
        '\\u0041',
        '\\u00E9',
        '\\u001F',
        '\\u0009',
        '\\u005c',
        '\\ud83d',
        '\\uDE00',
        '\\uD83D\\ude00',
      ),
      fc.constantFrom('€', '😀', '\u007f', '\u2028', 'plain words', ' ', '{', ']', ',', ':'),
    );
    const string = fc.array(character, { maxLength: 8 }).map((parts) => `"${parts.join('')}"`);
    const name = fc.oneof(
      fc.constantFrom(
        '"a"',
        '"\\u0061"',
        '"b"',
        '"0"',
        '"7"',
        '"12"',
        '"07"',
        '"-1"',
        '"4294967294"',
        '"4294967295"',
        '""',
        '"__proto__"',
      ),
      string,
    );
    const digits = fc.stringMatching(/^\d{1,24}$/);
    const number = fc
      .tuple(
        fc.constantFrom('', '-'),
        fc.oneof(
          fc.constant('0'),
          digits.map((each) => each.replace(/^0+(?=.)/, '')),
        ),
        fc.oneof(
          fc.constant(''),
          digits.map((each) => `.${each}`),
          fc.constantFrom('.0', '.00000001', '.50'),
        ),
        fc.oneof(
          { weight: 3, arbitrary: fc.constant('') },
          fc.tuple(fc.constantFrom('e', 'E-', 'e+'), fc.stringMatching(/^\d{1,3}$/)).map((each) => each.join('')),
        ),
      )
      .map((parts) => parts.join(''));
    const { list, map } = fc.letrec<Record<'any' | 'leaf' | 'list' | 'map', string>>((tie) => ({
      any: fc.oneof({ maxDepth: 5, withCrossShrink: true }, tie('leaf'), tie('list'), tie('map')),
      leaf: fc.oneof(string, number, fc.constantFrom('true', 'false', 'null')),
      list: fc
        .array(fc.tuple(layout, tie('any'), layout), { maxLength: 6 })
        .map((members) => `[${members.map((each) => each.join('')).join()}]`),
      map: fc
        .array(fc.tuple(layout, name, layout, tie('any'), layout), { maxLength: 6 })
        .map((members) => `{${members.map(([a, key, b, value, c]) => `${a}${key}${b}:${c}${value}${a}`).join()}}`),
    }));
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(list, map),
        layout,
        fc.integer({ min: 1, max: 60 }),
        fc.constantFrom(...styles),
        async (json, around, size, style) => {
          const text = around + json + around;
          expect(await rewritten(text, style, size)).toBe(expected(text, style));
        },
      ),
      { numRuns: runs(500) },
    );
  });
});
