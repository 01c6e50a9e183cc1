import { describe, expect, it } from 'vitest';
import { convertBytes, parsedOf } from '../fixtures/conversion-fixture.ts';
import { formatOfSamples, numberIn } from './number-formats.ts';
import { line, presentationOf, shape } from './presentation-fixture.ts';
import { item, paragraph, wordOf } from './word-fixture.ts';

it.each([
  ['lowerLetter', [1, 26, 27, 53], ['a', 'z', 'aa', 'aaa']],
  ['upperRoman', [4, 1999, 4000], ['IV', 'MCMXCIX', undefined]],
  ['ordinal', [1, 2, 3, 11, 22, 113], ['1st', '2nd', '3rd', '11th', '22nd', '113th']],
  ['decimalZero', [7, 12], ['07', '12']],
  ['russianLower', [1, 10, 29, 30], ['а', 'к', 'я', 'аа']],
  ['hebrew1', [1, 11, 15, 16, 115], ['א', 'יא', 'טו', 'טז', 'קטו']],
  ['chicago', [1, 4, 5], ['*', '§', '**']],
  ['decimalEnclosedCircle', [1, 20, 51], ['①', '⑳', undefined]],
  ['thaiNumbers', [10], ['๑๐']],
  ['japaneseCounting', [10, 11, 20, 101], ['十', '十一', '二十', '百一']],
  ['chineseCountingThousand', [10, 11, 101, 110], ['十', '十一', '一百零一', '一百一十']],
  ['none', [3], ['']],
  ['cardinalText', [3], [undefined]],
  ['constructor', [3], [undefined]],
])('numbers are written as %s', (format, numbers, texts) => {
  expect(numbers.map((number) => numberIn(number, format))).toEqual(texts);
});

it.each([
  ['1', 'decimal'],
  ['i', 'lowerRoman'],
  ['A', 'upperLetter'],
  ['А, Б, .. Аа, Бб, ...', 'russianUpper'],
  ['①, ②, ③, ...', 'decimalEnclosedCircle'],
  ['Α, Β, Γ, ...', 'greekUpper'],
  ['', undefined],
  ['One', undefined],
])('samples name the format: %s', (samples, format) => {
  expect(formatOfSamples(samples)).toBe(format);
});

describe('a format in words of a language', () => {
  const clause = item('Scope', 1);
  const numbering = (format: string) =>
    `<w:numbering><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="Article %1"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`;
  const document = (format: string) =>
    wordOf({
      body: paragraph('Terms', 'heading1') + clause + clause,
      parts: [{ name: 'word/numbering.xml', content: numbering(format) }],
    });

  it('is given in digits, and told with its place', async () => {
    expect(await parsedOf('a.docx', document('hebrew2'))).toContain('Article ב Scope');
    expect(await parsedOf('a.docx', document('cardinalText'))).toContain('Article 2 Scope');
    const { report } = await convertBytes('a.docx', document('cardinalText'), {});
    expect(report.warnings.map(({ message }) => message)).toEqual([
      "2 numbers of lists are in digits, and written otherwise on the page (as cardinalText) (at 'Terms')",
    ]);
  });

  it('is told of slides, too', async () => {
    const slide = (type: string) =>
      presentationOf([{ shapes: shape([line('first', `<a:pPr lvl="0"><a:buAutoNum type="${type}"/></a:pPr>`)], '') }]);
    expect(await parsedOf('a.pptx', slide('circleNumDbPlain'))).toContain('① first');
    const { report } = await convertBytes('a.pptx', slide('ea1ChsPeriodX'.replace('ea1Chs', 'new')), {});
    expect(report.warnings.map(({ code }) => code)).toEqual(['DOCUMENT_NUMBERS']);
  });
});
