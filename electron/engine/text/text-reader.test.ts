/** Text and base64 as the kernel writes them are what the slow writers write. */
import { describe, expect, it } from 'vitest';
import { testBounds } from '../fixtures/conversion-fixture.ts';
import { answerOf, Chance, caseOf, sourceOf, textOf } from '../fixtures/fuzz-fixture.ts';
import { base64Json, readText } from './text-reader.ts';
import { readText as readTextSlowly } from './text-reference.ts';

const parts = [
  'plain text of some length, ',
  'a',
  '"',
  '\\',
  '\n',
  '\r\n',
  '\t',
  '\b\f\v\0',
  '\u001f\u007f',
  'ü',
  '€',
  '😀',
  '\u2028',
  '  ',
];

function textBy(chance: Chance): string {
  let text = '';
  for (let left = chance.below(chance.once(4) ? 60 : 8); left > 0; left -= 1) text += chance.of(parts);
  return text;
}

describe('text', () => {
  it('is escaped as JSON.stringify and the slow reader do', async () => {
    const chance = new Chance(3);
    for (let i = 0; i < 3000; i += 1) {
      const given = caseOf(textBy(chance), chance);
      const answer = await answerOf(readText, given);
      expect(answer).toEqual(await answerOf(readTextSlowly, given));
      expect(answer).toMatchObject({ content: { text: JSON.stringify(given.text) } });
    }
  });

  it('of nothing but control characters, longer than any buffer', async () => {
    const text = '\u0001\n"'.repeat(300_000);
    const scan = await readText(sourceOf({ text, sizes: [1_000_000], seekable: true, bounds: testBounds }), {
      options: {},
      bounds: testBounds,
    });
    expect((await textOf(scan.json())) === JSON.stringify(text)).toBe(true);
    expect(scan.measured).toMatchObject({ bytes: 300_000 * 10 + 2, records: 1 });
  });
});

describe('base64', () => {
  it('of any bytes in chunks of any size', async () => {
    const chance = new Chance(4);
    for (let i = 0; i < 1000; i += 1) {
      const bytes = Buffer.from(Array.from({ length: chance.below(200) }, () => chance.below(256)));
      const size = 1 + chance.below(50);
      const chunks = async function* () {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
      };
      expect(await textOf(base64Json(chunks(), 'data:,'))).toBe(`"data:,${bytes.toString('base64')}"`);
    }
  });

  it('of bytes that are more than any buffer', async () => {
    const bytes = Buffer.from(Array.from({ length: 1_000_003 }, (_, i) => (i * 31) >> 3));
    const chunks = async function* () {
      yield bytes;
    };
    expect((await textOf(base64Json(chunks()))) === `"${bytes.toString('base64')}"`).toBe(true);
  });
});
