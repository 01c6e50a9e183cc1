/** Text as a string, bytes as base64 and data URIs; as the kernel writes them and without it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../shared/lib/fixtures/property-runs.ts';
import { convert } from '../convert/convert.ts';
import { chunkedSource, convertBytes, jsonOf, jsonText, parsedOf, testBounds } from '../fixtures/conversion-fixture.ts';
import { answerOf, Chance, caseOf, sourceOf, textOf } from '../fixtures/fuzz-fixture.ts';
import { base64Json, readText, readTextSlowly } from './text-reader.ts';

describe('text', () => {
  it('is one string, line ends and all', async () => {
    const text = 'a "quoted" \\ line\r\nand\tanother\n\u2028\u0001😀';
    const conversion = await convertBytes('a.txt', text);
    expect(await jsonText(conversion)).toBe(JSON.stringify(text));
    expect(conversion.report).toMatchObject({ kind: 'string', records: 1, format: 'text', columns: null });
  });

  it('an empty file is an empty string, with a warning', async () => {
    const { report, bytes } = await convertBytes('a.md', '');
    expect(bytes).toBe(2);
    expect(report.warnings).toMatchObject([{ code: 'EMPTY_FILE', message: 'The file is empty' }]);
  });

  it('as: "text" takes any format as it stands', async () => {
    expect(await parsedOf('a.json', '{ not json', { as: 'text' })).toBe('{ not json');
    expect(await parsedOf('a.csv', 'a,b\n', { as: 'text' })).toBe('a,b\n');
  });

  it('as: "json" reads a text file as JSON, and any other by its format', async () => {
    expect(await jsonOf('a.txt', '{"a": 1.0}', { as: 'json' })).toBe('{"a":1.0}');
    expect(await jsonOf('a.conf', '[1]', { as: 'json' })).toBe('[1]');
    expect(await jsonOf('a.csv', 'a\n1\n', { as: 'json' })).toBe('[{"a":1}]');
  });

  it('any text comes back, at any chunking', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 40 }), fc.integer({ min: 1, max: 5 }), async (text, size) => {
        const conversion = await convert(chunkedSource('a.txt', text, [size]), { bounds: testBounds });
        expect(await jsonText(conversion)).toBe(JSON.stringify(text.replace(/^\ufeff/, '')));
      }),
      { numRuns: runs(200) },
    );
  });
});

describe('base64 and data URIs', () => {
  it('any bytes come back, at any chunking', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 40 }),
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 4 }),
        async (bytes, sizes) => {
          const conversion = await convert(chunkedSource('a.png', bytes, sizes), { bounds: testBounds, as: 'base64' });
          const text = await jsonText(conversion);
          expect(text).toBe(JSON.stringify(Buffer.from(bytes).toString('base64')));
          expect(conversion).toMatchObject({ kind: 'string', records: 1, bytes: text.length });
        },
      ),
      { numRuns: runs(200) },
    );
  });

  it.each([
    ['logo.png', 'data:image/png;base64,AAE='],
    ['users.csv', 'data:text/csv;base64,AAE='],
    ['users.csv.gz', 'data:application/gzip;base64,AAE='],
    ['what.isit', 'data:application/octet-stream;base64,AAE='],
  ])('%s as a data URI', async (name, uri) => {
    expect(await parsedOf(name, Uint8Array.of(0, 1), { as: 'data_uri' })).toBe(uri);
  });

  it('the report says binary where the name says nothing', async () => {
    expect((await convertBytes('logo.png', Uint8Array.of(0), { as: 'base64' })).report).toMatchObject({
      format: 'binary',
      encoding: null,
      as: 'base64',
    });
  });
});

// The kernel writes what the slow writers write.

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

describe('text from the kernel', () => {
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

describe('base64 from the kernel', () => {
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
