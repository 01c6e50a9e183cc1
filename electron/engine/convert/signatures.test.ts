/** Files that are something else than their name says, with the way out. */
import { describe, expect, it } from 'vitest';
import { failureOf, jsonOf, parsedOf } from '../fixtures/conversion-fixture.ts';

const bytes = (latin1: string) => Buffer.from(latin1, 'latin1');

describe('a file under another name', () => {
  it.each([
    ['a.rtf', '{\\rtf1\\ansi Hello}', /rich text/, /\.docx/],
    ['a.txt', '{\\rtf1\\ansi Hello}', /rich text/, /\.docx/],
    ['a.doc', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0', /old Office/, /\.docx/],
    ['a.feather', 'ARROW1\0\0', /Arrow/, /Parquet/],
    ['a.avro', 'Obj\x01\x04', /Avro/, /Parquet/],
    ['a.tar.bz2', 'BZh91AY&SY', /bzip2/, /Unpack it first/],
    ['a.csv.xz', '\xfd7zXZ\0', /xz/, /Unpack it first/],
    ['a.7z', "7z\xbc\xaf'\x1c", /7z/, /Unpack it first/],
    ['a.csv', '<!DOCTYPE html>\n<title>Sign in</title>', /web page/, /as: "text"/],
    ['a.xls', '<html><body><table>', /web page/, /\.xlsx/],
    ['a.json', '\xef\xbb\xbf <html>', /web page/, /as: "text"/],
    ['a.csv', '[{"a":1},\n{"a":2}]', /JSON/, /format: "json"/],
    ['a.tsv', '{"a":1}\n', /JSON/, /jsonl/],
  ])('%s that begins with %j is refused by what it is', async (name, content, what, advice) => {
    const { code, message, hint } = await failureOf(name, bytes(content));
    expect(code).toBe('FORMAT_UNKNOWN');
    expect(message).toMatch(what);
    expect(hint).toMatch(advice);
  });

  it.each([
    ['a.txt', '<html>', {}],
    ['a.csv', '<html>', { as: 'text' as const }],
    ['a.rtf', '{\\rtf1', { format: 'text' as const }],
  ])('%s that begins with %j is text for who asks for text', async (name, content, options) => {
    expect(JSON.parse(await jsonOf(name, content, options))).toBe(content);
  });

  it.each(['[1] Name,age\nAnn,3\n', '{x},y\n1,2\n', '<b>,c\n1,2\n'])('a table may begin with %j', async (content) => {
    expect(JSON.parse(await jsonOf('a.csv', content))).toHaveLength(1);
  });
});

it('a text in ISO-2022-JP is not taken for ASCII', async () => {
  const text = Buffer.from('1b24424c3e41301b28422c61670a', 'hex');
  const error = await failureOf('a.csv', text);
  expect(error).toMatchObject({ code: 'ENCODING_INVALID', hint: expect.stringContaining('iso-2022-jp') });
  expect(await parsedOf('a.txt', text, { encoding: 'iso-2022-jp' })).toBe('名前,ag\n');
});
