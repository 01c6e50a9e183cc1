/** Tests encodings: detected, named, wrong; at every chunk boundary. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../shared/lib/fixtures/property-runs.ts';
import { convert } from '../convert/convert.ts';
import { chunkedSource, convertBytes, failureOf, jsonText, parsedOf, testBounds } from '../fixtures/conversion-fixture.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const utf16 = (text: string, littleEndian: boolean) => {
  const bytes = new Uint8Array(text.length * 2);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < text.length; i++) view.setUint16(i * 2, text.charCodeAt(i), littleEndian);
  return bytes;
};
const join = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));

describe('encoding: auto', () => {
  it.each([
    ['UTF-8', utf8('Zoë €😀'), 'utf-8'],
    ['UTF-8 with a byte-order mark', utf8('\ufeffZoë €😀'), 'utf-8'],
    ['UTF-16LE by its mark', utf16('\ufeffZoë €😀', true), 'utf-16le'],
    ['UTF-16BE by its mark', utf16('\ufeffZoë €😀', false), 'utf-16be'],
  ])('%s', async (_, bytes, encoding) => {
    const conversion = await convertBytes('a.txt', bytes);
    expect(JSON.parse(await jsonText(conversion))).toBe('Zoë €😀');
    expect(conversion.report).toMatchObject({ encoding, warnings: [] });
  });

  it('uses the encoding declared in an XML file, unless it has a byte-order mark or the caller names one', async () => {
    const xml = (label: string) => utf8(`<?xml version='1.0' encoding="${label}"?><a>`);
    const file = (label: string) => join(xml(label), Uint8Array.of(0xb1), utf8('</a>'));
    const declared = await convertBytes('a.xml', file('ISO-8859-2'));
    expect(await jsonText(declared)).toBe('{"a":"ą"}');
    expect(declared.report).toMatchObject({ encoding: 'iso-8859-2', warnings: [] });
    expect(await jsonText(await convertBytes('a.xml', file('ISO-8859-2'), { encoding: 'windows-1252' }))).toBe('{"a":"±"}');
    expect(await failureOf('a.xml', file('x-unheard-of'))).toMatchObject({
      code: 'ENCODING_INVALID',
      message: "The file declares the encoding 'x-unheard-of', which is unknown",
    });
    expect(await jsonText(await convertBytes('a.xml', file('x-unheard-of'), { encoding: 'iso-8859-2' }))).toBe('{"a":"ą"}');
    await expect(convertBytes('a.txt', file('ISO-8859-2'))).rejects.toMatchObject({ code: 'ENCODING_INVALID' });
  });

  it('goes by the words if the bytes are not UTF-8, and reports the first such byte', async () => {
    const conversion = await convertBytes(
      'a.txt',
      join(utf8('price: '), Uint8Array.of(0x80, 0x20), utf8('caf'), Uint8Array.of(0xe9)),
    );
    expect(JSON.parse(await jsonText(conversion))).toBe('price: € café');
    expect(conversion.report.encoding).toBe('windows-1252');
    expect(conversion.report.warnings).toMatchObject([
      {
        code: 'ENCODING_GUESSED',
        message:
          "Not valid UTF-8 (first bad byte at offset 7), read as windows-1252 by its words ('€'); if letters look wrong, name the encoding",
      },
    ]);
  });

  it.each([
    ['a lone continuation byte', [0x61, 0x80], 1],
    ['an overlong form', [0x61, 0x62, 0xc0, 0x80], 2],
    ['a surrogate', [0xed, 0xa0, 0x80], 0],
    ['beyond U+10FFFF', [0x61, 0xf4, 0x90, 0x80, 0x80], 1],
    ['a character cut off by the end', [0x61, 0xe2, 0x82], 1],
    ['a character cut off by another', [0xe2, 0x82, 0xc3, 0xa4], 0],
  ])('finds the first bad byte: %s', async (_, bytes, offset) => {
    for (const size of [1, 2, 3, 100]) {
      const source = chunkedSource('a.txt', Uint8Array.from(bytes), [size]);
      const said = await convert(source, { bounds: testBounds }).then(
        ({ report }) => report.warnings[0]?.message,
        (error: Error) => error.message,
      );
      expect(said).toContain(`first bad byte at offset ${offset})`);
    }
  });
});

describe('a named encoding', () => {
  it.each([
    ['windows-1251', [0xcf, 0xf0, 0xe8], 'При'],
    ['shift_jis', [0x93, 0xfa, 0x96, 0x7b], '日本'],
    ['gb18030', [0xc4, 0xe3, 0x81, 0x30, 0x89, 0x38], '你ß'],
    ['euc-kr', [0xc7, 0xd1], '한'],
    ['iso-8859-2', [0xb1], 'ą'],
    ['latin1', [0x92, 0xe9], '’é'],
    ['UTF-16BE', [0x00, 0x41, 0xd8, 0x3d, 0xde, 0x00], 'A😀'],
    ['utf-8', [0xc3, 0xa4], 'ä'],
  ])('%s', async (encoding, bytes, text) => {
    for (const size of [1, 2, 3, 100]) {
      const conversion = await convert(chunkedSource('a.txt', Uint8Array.from(bytes), [size]), { bounds: testBounds, encoding });
      expect(JSON.parse(await jsonText(conversion))).toBe(text);
    }
  });

  it('utf-8 with a bad byte is an error that names its offset', async () => {
    const error = await failureOf('a.csv', Uint8Array.of(0x61, 0x0a, 0xe9, 0x0a), { encoding: 'utf-8' });
    expect(error.code).toBe('ENCODING_INVALID');
    expect(error.message).toBe('The file is not valid UTF-8: bad byte at offset 2');
  });

  it.each([
    ['shift_jis', [0x61, 0xff, 0x61]],
    ['utf-16le', [0x61, 0x00, 0x00, 0xd8, 0x61, 0x00]],
    ['utf-16le', [0x61, 0x00, 0x61]],
    ['euc-kr', [0xc7]],
  ])('%s with bytes that do not fit is an error', async (encoding, bytes) => {
    for (const size of [1, 100]) {
      const source = chunkedSource('a.txt', Uint8Array.from(bytes), [size]);
      await expect(convert(source, { bounds: testBounds, encoding })).rejects.toMatchObject({ code: 'ENCODING_INVALID' });
    }
  });

  it('an unknown one is an error with examples', async () => {
    const error = await failureOf('a.txt', 'x', { encoding: 'klingon' });
    expect(error.code).toBe('INVALID_REQUEST');
    expect(error.message).toBe("Unknown encoding 'klingon'");
    expect(error.hint).toContain('windows-1252');
  });

  it('is overridden by a byte-order mark, with a warning', async () => {
    const conversion = await convertBytes('a.txt', utf16('\ufeffä', true), { encoding: 'windows-1252' });
    expect(JSON.parse(await jsonText(conversion))).toBe('ä');
    expect(conversion.report.warnings).toMatchObject([{ code: 'ENCODING_MARK' }]);
    expect((await convertBytes('a.txt', '\ufeffä', { encoding: 'UTF8' })).report.warnings).toEqual([]);
  });

  it('UTF-32 is refused by name', async () => {
    expect((await failureOf('a.txt', Uint8Array.of(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0))).message).toContain('UTF-32');
  });
});

describe('at any chunking the text is the same', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 30 });
  const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 5 });

  it.each([
    ['utf-8', utf8],
    ['utf-16le', (s: string) => utf16(s, true)],
    ['utf-16be', (s: string) => utf16(s, false)],
  ])('%s', async (encoding, encode) => {
    await fc.assert(
      fc.asyncProperty(text, sizes, async (content, chunks) => {
        const conversion = await convert(chunkedSource('a.txt', encode(content), chunks), { bounds: testBounds, encoding });
        expect(JSON.parse(await jsonText(conversion))).toBe(content.replace(/^\ufeff/, ''));
      }),
      { numRuns: runs(150) },
    );
  });

  it.each(['auto', 'windows-1252', 'gb18030', 'big5'])('any bytes as %s', async (encoding) => {
    const bytes = fc.uint8Array({ maxLength: 20 });
    const result = async (content: Uint8Array, chunks: number[]) => {
      try {
        const conversion = await convert(chunkedSource('a.txt', content, chunks), { bounds: testBounds, encoding });
        return JSON.parse(await jsonText(conversion)) as string;
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    await fc.assert(
      fc.asyncProperty(bytes, sizes, async (content, chunks) => {
        expect(await result(content, chunks)).toBe(await result(content, [1000]));
      }),
      { numRuns: runs(300) },
    );
  });
});

it('CSV in UTF-16 is read like any other', async () => {
  expect(await parsedOf('a.csv', utf16('\ufeffname;n\r\nZoë;1\r\n', true))).toEqual([{ name: 'Zoë', n: 1 }]);
});

describe('UTF-16 without a mark', () => {
  const table = `id,name\n${Array.from({ length: 40 }, (_, i) => `${i},Zoë Müller\n`).join('')}`;

  it.each([
    ['utf-16le', true],
    ['utf-16be', false],
  ])('is read, with a warning: %s', async (encoding, littleEndian) => {
    for (const text of [table.slice(0, 16), table, 'имя,город\nАнна,Москва\n', '名前,都市\n田中,東京\n']) {
      const bytes = utf16(text, littleEndian);
      for (const size of [1, 7, 1000]) {
        const { report } = await convert(chunkedSource('a.csv', bytes, [size]), { bounds: testBounds });
        expect(report).toMatchObject({
          encoding,
          warnings: [{ code: 'ENCODING_GUESSED', message: expect.stringContaining(encoding) }],
        });
      }
      expect(await parsedOf('a.txt', bytes)).toBe(text);
    }
    const named = await convertBytes('a.csv', utf16(table, littleEndian), { encoding });
    expect(named.report).toMatchObject({ records: 40, encoding, warnings: [] });
    const insisted = await convertBytes('a.txt', utf16('abc'.repeat(40), littleEndian), { encoding: 'utf-8' });
    expect(insisted.report).toMatchObject({ encoding: 'utf-8' });
  });

  it.each([
    ['NULs between words', 'some\0words\0in\0a\0text\0that\0is\0plain\0UTF-8\0'],
    ['nothing but NULs', '\0'.repeat(100)],
    ['plain text', 'a text without any of them, long enough to tell'],
  ])('is not seen in %s', async (_, text) => {
    expect(JSON.parse(await jsonText(await convertBytes('a.txt', text)))).toBe(text);
  });
});

it('reports NULs in UTF-8, because UTF-16 without a mark looks like that', async () => {
  const guessed = await convert(chunkedSource('a.txt', utf16('ab', true), [1]), { bounds: testBounds });
  expect(guessed.report.warnings).toMatchObject([
    { code: 'NUL_CHARACTERS', message: expect.stringMatching(/offset 1\).*utf-16le/) },
  ]);
  const named = await convert(chunkedSource('a.txt', utf16('ab', true), [1]), { bounds: testBounds, encoding: 'utf-16le' });
  expect(named.report.warnings).toEqual([]);
});
