import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from './fixtures/property-runs.ts';
import { pageText, terminalJson, terminalLine, terminalText, visibleJson, visibleName, visibleText } from './visible-text.ts';

/** Of any code points, halves of pairs among them. */
const anyText = fc.array(fc.nat(0x10ffff)).map((codes) => String.fromCodePoint(...codes));

describe('visible text', () => {
  it.each([
    ['a right-to-left override', 'invoice\u202Efdp.exe', 'invoice⟨U+202E⟩fdp.exe'],
    ['isolates and marks', '\u2066a\u2069\u200F\u061C', '⟨U+2066⟩a⟨U+2069⟩⟨U+200F⟩⟨U+061C⟩'],
    ['zero-width characters', 'a\u200Bb\u200Dc\u2060d\uFEFF', 'a⟨U+200B⟩b⟨U+200D⟩c⟨U+2060⟩d⟨U+FEFF⟩'],
    ['controls', 'a\u0000\u001B[2J\u0085\u007F', 'a⟨U+0000⟩⟨U+001B⟩[2J⟨U+0085⟩⟨U+007F⟩'],
    ['line breaks', 'a\nb\r\u2028c\u2029', 'a⟨U+000A⟩b⟨U+000D⟩⟨U+2028⟩c⟨U+2029⟩'],
    ['tags, which spell words nobody sees', 'ok\u{E0064}\u{E0065}', 'ok⟨U+E0064⟩⟨U+E0065⟩'],
    ['selectors of variants', 'a\uFE0F\u{E0101}', 'a⟨U+FE0F⟩⟨U+E0101⟩'],
    ['letters and spaces that look like nothing', '\u3164\u115F\uFFA0\u2800\u00A0\u3000\u00AD', ''],
    ['half a character', 'a\uD800b', 'a⟨U+D800⟩b'],
    ['private characters', '\uE000', '⟨U+E000⟩'],
  ])('names %s', (_, text, shown) => {
    const expected =
      shown === '' ? [...text].map((c) => `⟨U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`).join('') : shown;
    expect(visibleText(text)).toBe(expected);
  });

  it('leaves what can be seen as it is', () => {
    for (const text of [
      'plain text, 1 & <2>',
      'Grüße, naïve café',
      'e\u0301',
      'שלום עולם',
      '日本語 中文 한국어',
      'हिन्दी',
      '😀👍',
      '“quoted” – x',
    ]) {
      expect(visibleText(text)).toBe(text);
    }
    expect(visibleText('a\nb\tc', { keepLines: true })).toBe('a\nb⟨U+0009⟩c');
  });

  it('leaves nothing invisible in any text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(visibleText(text)).not.toMatch(/[^\P{C}]|[^\P{Z} ]|\p{Default_Ignorable_Code_Point}/u);
      }),
      { numRuns: runs(100) },
    );
  });

  it('shortens a name by characters', () => {
    expect(visibleName('insert\u202E')).toBe('insert⟨U+202E⟩');
    expect(visibleName('x'.repeat(80))).toBe('x'.repeat(80));
    for (const name of ['x'.repeat(81), 'x'.repeat(100_000), '\u200B'.repeat(300), '😀'.repeat(200)]) {
      expect([...visibleName(name)]).toHaveLength(80);
      expect(visibleName(name)).toMatch(/…$/);
    }
  });
});

describe('visible JSON', () => {
  it('spells strings as they are read, and numbers as they are sent', () => {
    const json = String.raw`{"\u0073ql":"\u0044ROP \u202e\/ \"t\"\n","id":12345678901234567890, "x":1.50}`;
    expect(visibleJson(json)).toBe(String.raw`{"sql":"DROP ⟨U+202E⟩/ \"t\"\n","id":12345678901234567890, "x":1.50}`);
  });

  it('reads a text that was cut', () => {
    expect(visibleJson(String.raw`{"a":"b\u00`)).toBe(String.raw`{"a":"b\u00`);
    expect(visibleJson(String.raw`["a\"`)).toBe(String.raw`["a\"`);
  });

  it('holds the same value, whatever the strings are', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.stringify(value);
        // As a writer that escapes everything that is not ASCII.
        const escaped = json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
        expect(visibleJson(escaped)).toBe(visibleText(json));
      }),
      { numRuns: runs(100) },
    );
  });

  it('takes a text of a megabyte', () => {
    const long = `{"sql":"${'\\n'.repeat(250_000)}${'x'.repeat(500_000)}DROP"}`;
    expect(visibleJson(long)).toBe(long);
  });
});

describe('pageText', () => {
  it('leaves texts as they are written, with their line breaks, spaces of formats and emoji', () => {
    for (const text of [
      'plain',
      'Zürich – “x” …',
      '7:50:02\u202FAM',
      '12,00\u00A0$',
      'a\n\tb',
      '❤\uFE0F',
      '👩🏽\u200D🚀',
      '漢字',
      'שלום',
    ]) {
      expect(pageText(text)).toBe(text);
    }
  });

  it('shows what hides or reorders by its number', () => {
    expect(pageText('x\u202Etxt.csv')).toBe('x⟨U+202E⟩txt.csv');
    expect(pageText('a\u200Bb\u200Dc\uFE0F\u001B[2J\u0007')).toBe('a⟨U+200B⟩b⟨U+200D⟩c⟨U+FE0F⟩⟨U+001B⟩[2J⟨U+0007⟩');
    expect(pageText('line\r\nover\rwritten\u2028\u00AD')).toBe('line\nover⟨U+000D⟩written⟨U+2028⟩⟨U+00AD⟩');
    expect(pageText('\uD83D')).toBe('⟨U+D83D⟩');
  });
});

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
