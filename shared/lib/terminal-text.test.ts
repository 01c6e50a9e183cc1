import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from './fixtures/property-runs.ts';
import { terminalJson, terminalLine, terminalText } from './terminal-text.ts';

/** Of any code points, halves of pairs among them. */
const anyText = fc.array(fc.nat(0x10ffff)).map((codes) => String.fromCodePoint(...codes));

describe('text for a terminal', () => {
  it('names what a terminal would obey or hide', () => {
    expect(terminalText('a\u001B[2J\u009B1mb\u202Ec\u200B\n\td')).toBe('a⟨U+001B⟩[2J⟨U+009B⟩1mb⟨U+202E⟩c⟨U+200B⟩\n\td');
  });

  it('holds lines of others apart from messages of ours', () => {
    expect(terminalLine('failed\nfilebridge: all is well')).toBe('failed\n  filebridge: all is well');
  });

  it('keeps the value of JSON and shows all of it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), anyText, (value, text) => {
        const json = terminalJson({ value, text });
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify({ value, text })));
        expect(json).not.toMatch(/[\p{C}\u2028\u2029]/u);
      }),
      { numRuns: runs(100) },
    );
  });
});
