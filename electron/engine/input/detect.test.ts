/** Tests the detection of formats by name, and of text and binary by content. */
import { describe, expect, it } from 'vitest';
import { convertBytes, failureOf, jsonOf } from '../fixtures/conversion-fixture.ts';
import { detectFormat } from './detect.ts';

describe('format and compression by name', () => {
  it.each([
    ['a.json', 'json', null],
    ['a.jsonl', 'jsonl', null],
    ['a.ndjson', 'jsonl', null],
    ['a.CSV', 'csv', null],
    ['a.tsv', 'tsv', null],
    ['a.yaml', 'yaml', null],
    ['a.yml', 'yaml', null],
    ['a.xml', 'xml', null],
    ['a.geojson', 'json', null],
    ['a.topojson.gz', 'json', 'gzip'],
    ['a.ipynb', 'json', null],
    ['a.gpx', 'xml', null],
    ['a.KML', 'xml', null],
    ['a.txt', 'text', null],
    ['README.md', 'text', null],
    ['a.b.csv.gz', 'csv', 'gzip'],
    ['a.json.br', 'json', 'brotli'],
    ['a.xml.zst', 'xml', 'zstd'],
    ['a.gz', null, 'gzip'],
    ['a.log', null, null],
    ['Makefile', null, null],
    ['.json', null, null],
    ['.hidden.json', 'json', null],
    ['csv', null, null],
    ['', null, null],
  ] as const)('%s', (name, format, compression) => {
    expect(detectFormat(name)).toEqual({ format, compression });
  });

  it('a requested format overrides the name, but not its compression', () => {
    expect(detectFormat('a.txt.gz', 'csv')).toEqual({ format: 'csv', compression: 'gzip' });
  });
});

describe('unknown extensions', () => {
  it('are text if their content is text', async () => {
    expect(await jsonOf('a.log', 'one\ttwo\r\n\u001b[31mred\n')).toBe('"one\\ttwo\\r\\n\\u001b[31mred\\n"');
    expect(await jsonOf('LICENSE', '')).toBe('""');
    expect((await convertBytes('a.sql', Uint8Array.of(0x63, 0x61, 0x66, 0xe9))).report).toMatchObject({
      format: 'text',
      encoding: 'windows-1252',
    });
  });

  it.each([
    ['a NUL', [0x61, 0x00]],
    ['a control character', [0x61, 0x02]],
    ['bytes that are no letters in any encoding', [0x61, 0xff, 0xfe, 0xff, 0x81]],
    ['the start of a PNG', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00]],
  ])('are refused for %s, and base64 is named', async (_, bytes) => {
    for (const as of ['auto', 'text'] as const) {
      const error = await failureOf('logo.xyz', Uint8Array.from(bytes), { as });
      expect(error.code).toBe('FORMAT_UNKNOWN');
      expect(error.message).toContain("'logo.xyz'");
      expect(error.hint).toContain('as: "base64"');
    }
  });

  it('are no base64 where the caller names an encoding, as of a text', async () => {
    const text = 'a\u0001b\n';
    const error = await failureOf('a.dat', text, { encoding: 'utf-8' });
    expect(error.hint).toBe('Check the encoding. If it is utf-8 text all the same, ask for format: "text".');
    expect(await jsonOf('a.dat', text, { encoding: 'utf-8', format: 'text' })).toBe('"a\\u0001b\\n"');
  });

  it.each(['Umsatz.xls', 'a.XLSB', 'a.numbers'])('of a spreadsheet say how it is to be saved: %s', async (name) => {
    for (const as of ['auto', 'json'] as const) {
      const error = await failureOf(name, Uint8Array.from([0x50, 0x4b, 0x03, 0x04]), { as });
      expect(error.code).toBe('FORMAT_UNKNOWN');
      expect(error.message).toBe(`'${name}' is a spreadsheet of a kind that is not read: save it as .xlsx or CSV`);
      expect(error.hint).toMatch(/^Name that file.*as: "base64"\.$/);
    }
  });

  it('of a binary property list say how to convert it', async () => {
    const bytes = Uint8Array.from([...Buffer.from('bplist00'), 0xd1, 0x01, 0x02, 0x00, 0x00]);
    const error = await failureOf('Info.plist', bytes);
    expect(error.code).toBe('FORMAT_UNKNOWN');
    expect(error.message).toBe("'Info.plist' is a binary property list, which is not read");
    expect(error.hint).toContain('plutil -convert xml1');
    expect(error.hint).toContain('as: "base64"');
  });

  it('are taken at their word with a format', async () => {
    expect(await jsonOf('a.bin', 'a\u0000', { format: 'text' })).toBe('"a\\u0000"');
    expect(await jsonOf('export', 'a,b\n1,2\n', { format: 'csv' })).toBe('[{"a":1,"b":2}]');
  });
});
