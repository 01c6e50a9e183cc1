import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../shared/lib/fixtures/property-runs.ts';
import { convertBytes, failureOf, jsonOf } from '../fixtures/conversion-fixture.ts';
import { strictText } from './relaxed-json.ts';

const warningsOf = async (name: string, text: string) =>
  (await convertBytes(name, Buffer.from(text))).report.warnings.map(({ message }) => message);

describe('JSON as people write it', () => {
  it.each([
    ['{\n  // a comment\n  "a": 1 /* x */\n}', '{"a":1}', /2 comments/],
    ['[1, 2,]', '[1,2]', /1 comma/],
    ['{"a": [1,], /* , */ "b": 2 , }', '{"a":[1],"b":2}', /1 comment.*2 commas/],
    ['{"a":1}{"a":2} {"a":3}', '[{"a":1},{"a":2},{"a":3}]', /3 values one after the other/],
    ['{"url": "http://x/*y*/", "c": ",]"} // end', '{"url":"http://x/*y*/","c":",]"}', /1 comment/],
    ['{\n  "a": 1, // last\n}', '{"a":1}', /1 comment.*1 comma\b/],
    ['[1, /* x */ // y\n /* z */ ]', '[1]', /3 comments.*1 comma\b/],
    ['[1, // one\n 2 // two\n]', '[1,2]', /2 comments\D*$/],
    ['{"id": 12345678901234567890,}', '{"id":12345678901234567890}', /1 comma/],
  ])('%j is read, with a warning', async (text, json, says) => {
    expect(await jsonOf('a.json', text)).toBe(json);
    expect(await warningsOf('a.json', text)).toEqual([expect.stringMatching(says)]);
  });

  it.each(['[,]', '[1,,2]', '[1,,]', '[1,/**/,]', '[/**/,]', '{,}', '1 2', '{"a":1} x', '"a" "b"', '{"a":1}}'])(
    '%j is refused',
    async (text) => {
      expect((await failureOf('a.json', text)).code).toBe('PARSE_FAILED');
    },
  );

  it.each([
    ['[{"a": NaN, "b": -Infinity}]', /JSON has no NaN/],
    ["{'a': True, 'b': None}", /Python.*json\.dumps/],
    ['[{"a": True}]', /Python/],
  ])('%j is refused with the way out', async (text, says) => {
    expect((await failureOf('a.json', text)).text).toMatch(says);
  });

  it('names the line of another fault', async () => {
    expect((await failureOf('a.json', '{ // one\n "a": x }')).details.line).toBe(2);
  });
});

describe('JSON Lines', () => {
  it.each([
    ['{\n "a": 1\n}\n{\n "a": 2\n}\n', '[{"a":1},{"a":2}]'],
    ['[\n {"a": 1},\n {"a": 2}\n]\n', '[{"a":1},{"a":2}]'],
    ['{\n "a": 1\n}\n', '[{"a":1}]'],
  ])('over several lines are read, with a warning: %j', async (text, json) => {
    expect(await jsonOf('a.jsonl', text)).toBe(json);
    expect(await warningsOf('a.jsonl', text)).toEqual([expect.stringMatching(/not one value per line/)]);
  });
});

it('has the values of what a program wrote, with commas and comments put in', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom('/* , */', '// ]\n'), (json, comment) => {
      const loose = `${comment}${json.replace(/^([[{])(.+)([\]}])$/s, '$1$2,$3')}${comment}`;
      expect(JSON.parse(strictText(loose)?.text ?? '')).toEqual(JSON.parse(json));
    }),
    { numRuns: runs(500) },
  );
});
