import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
  for await (const part of rewrittenJson(inPieces(text, size), style)) parts.push(part);
  return Buffer.concat(parts).toString();
}

/** What it must be, by JSON's own reader and writer. */
function expected(text: string, style: JsonStyle): string {
  const value = JSON.parse(text);
  if (style === 'lines') return `${(Array.isArray(value) ? value : [value]).map((each) => JSON.stringify(each)).join('\n')}\n`;
  return JSON.stringify(value, null, style === 'pretty' ? 2 : 0);
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
  const long = 'ä"\\\n\u0007😀\ud83d'.repeat(60_000);
  const texts: Record<string, string> = {
    'a list of records': JSON.stringify(records(5000)),
    'a list with much white space': JSON.stringify(records(3000), null, 8),
    'a list in an object': JSON.stringify({ before: 1, result: records(5000), after: { x: [] } }),
    'lists in lists': JSON.stringify([[records(2000), [records(2000)]], [], 7]),
    'a long string': JSON.stringify({ text: long }),
    'long strings in a list': JSON.stringify([long, 'short', long]),
    'escapes that need none': `["\\u0041\\/\\u00e9\\ud83d\\ude00\\u001f${'\\u0042'.repeat(40_000)}"]`,
    'numbers of every form': `[${'1.0,-0,1E2,12345678901234567890,'.repeat(9000)}0]`,
    'an empty list': ' [ \n ] ',
    'an empty object': '{ }',
    'a name of a prototype': `{"__proto__":${JSON.stringify(records(3000))},"constructor":1}`,
  };
  const cases = Object.keys(texts).flatMap((name) => styles.map((style) => [name, style] as const));
  it.each(cases)('%s, %s', async (name, style) => {
    const text = texts[name] as string;
    expect((await rewritten(text, style)) === expected(text, style)).toBe(true);
    expect((await rewritten(text, style, 100_003)) === expected(text, style)).toBe(true);
  });

  it.each([
    ['a member twice', `{"a":${JSON.stringify(records(3000))},"a":1}`],
    ['names that are numbers', JSON.stringify({ b: records(3000), 7: records(3000) })],
  ])('is refused where its members must be known first: %s', async (_, text) => {
    await expect(rewritten(text, 'pretty')).rejects.toThrow(NeedsWhole);
  });

  it('is the same however the bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue(),
        fc.integer({ min: 1, max: 50 }),
        fc.constantFrom(...styles),
        async (value, size, style) => {
          const text = JSON.stringify(
            Array.isArray(value) || (typeof value === 'object' && value) ? value : [value],
            null,
            size % 3,
          );
          expect(await rewritten(text, style, size)).toBe(expected(text, style));
        },
      ),
    );
  });
});
