/** Token counts, against those of a library that is used widely. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, it } from 'vitest';
import { runs } from '../../../shared/lib/fixtures/property-runs.ts';
import { TokenCounter } from './o200k.ts';

const counter = new TokenCounter();
const tokens = { count: (text: string) => counter.count(new TextEncoder().encode(text)) };
const library = (text: string) => countTokens(text, { disallowedSpecial: new Set<string>() });

it.each([
  '',
  ' ',
  'hello world',
  "I'm sure WE'LL see it's don'T",
  '<|endoftext|> is text',
  '{"id":1,"name":"Zoë","tags":["a","b"],"n":12345.678}\n',
  '日本語のテキスト、中文，한국어 и русский',
  '😀👩‍👩‍👧‍👦 \u0301\u0301',
  `${' '.repeat(300)}\n\n\t\r\n  x`,
  '\ud800 lone',
  'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  '=============================================================',
])("of %j are the library's", (text) => {
  expect(tokens.count(text)).toBe(library(text));
});

it("of the sources and pages of this project are the library's", () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const files = ['README.md', 'package-lock.json', 'electron/engine/tokens/tokens.ts'].map((name) => path.join(root, name));
  for (const name of readdirSync(path.join(root, 'docs/decisions'))) files.push(path.join(root, 'docs/decisions', name));
  for (const file of files) {
    const text = readFileSync(file, 'utf8').slice(0, 200_000);
    expect(tokens.count(text)).toBe(library(text));
  }
});

it("of any text are the library's", () => {
  const texts = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc
      .array(
        fc.constantFrom(' ', '\n', '\r\n', "'s", 'word', 'WORD', 'Word', '123', '.', '/', '"', 'é', '汉', '_', '\t', '://'),
        { maxLength: 100 },
      )
      .map((parts) => parts.join('')),
    // All that the pattern tells apart, in any order.
    fc
      .array(
        fc.constantFrom(
          ...' \n\r\t\u00a0\u3000\u2028aZǅʰª汉\u03011½٣/\'\u2019."',
          "'S",
          "'Ll",
          "'vE",
          '😀',
          '𐐀',
          '𐐨',
          '𝟘',
          '\ud800',
        ),
        {
          maxLength: 40,
        },
      )
      .map((parts) => parts.join('')),
    fc.json(),
  );
  fc.assert(
    fc.property(texts, (text) => {
      expect(tokens.count(text)).toBe(library(text));
    }),
    { numRuns: runs(3_000), seed: 3 },
  );
});
