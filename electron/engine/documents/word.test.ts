import { describe, expect, it } from 'vitest';
import { chunkedSource, convertBytes, failureOf, jsonText, parsedOf, testBounds } from '../fixtures/conversion-fixture.ts';
import { item, paragraph, picture, table, wordOf } from './word-fixture.ts';

const textOf = (bytes: Uint8Array, options = {}) => parsedOf('a.docx', bytes, options);
const bodyOf = (body: string, options = {}) => textOf(wordOf({ body }), options);

const report = wordOf({
  body: [
    paragraph('Report', 'Title'),
    paragraph('Overview', 'heading1'),
    '<w:p><w:r><w:t xml:space="preserve">Plain </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>bold</w:t></w:r><w:r><w:t xml:space="preserve"> and </w:t></w:r><w:r><w:rPr><w:i/></w:rPr><w:t>italic</w:t></w:r><w:r><w:footnoteReference w:id="1"/></w:r></w:p>',
    item('one', 1),
    item('below', 1, 1),
    item('two', 1),
    item('first', 2),
    item('second', 2),
    '<w:p><w:hyperlink r:id="l"><w:r><w:t>a link</w:t></w:r></w:hyperlink></w:p>',
    table(['Name', 'Age'], ['Ann | B', `${paragraph('36')}${paragraph('years')}`], ['Carl', '5', 'x']),
    paragraph('1 * 2 &lt; 3 &amp; a_b'),
  ].join(''),
  notes: [paragraph('The note')],
  links: { l: 'https://example.com/a?b=1' },
});

it('parts in UTF-16 are read', async () => {
  const part = { name: 'word/document.xml' };
  const xml = `\ufeff<?xml version="1.0" encoding="UTF-16"?><w:document><w:body>${paragraph('Grüße')}</w:body></w:document>`;
  const little = Buffer.from(xml, 'utf16le');
  for (const content of [little, Buffer.from(little).swap16()])
    expect(await parsedOf('a.docx', wordOf({ body: '', parts: [{ ...part, content }] }))).toBe('Grüße');
});

describe('a Word document', () => {
  it('becomes Markdown', async () => {
    const conversion = await convertBytes('a.docx', report);
    expect(JSON.parse(await jsonText(conversion))).toBe(
      `
# Report

# Overview

Plain **bold** and *italic*[^1]

- one
  - below
- two

1. first
2. second

[a link](https://example.com/a?b=1)

| Name | Age |  |
| --- | --- | --- |
| Ann \\| B | 36<br>years |  |
| Carl | 5 | x |

1 \\* 2 < 3 & a_b

[^1]: The note
`.trim(),
    );
    expect(conversion.report).toMatchObject({
      format: 'docx',
      kind: 'string',
      records: 1,
      warnings: [],
      inputBytes: report.length,
    });
    expect(conversion.report.sha256).toMatch(/^[\da-f]{64}$/);
  });

  it('becomes plain text, with a line per paragraph and row', async () => {
    expect(await textOf(report, { as: 'text' })).toBe(
      `
Report
Overview
Plain bold and italic[1]
- one
  - below
- two
1. first
2. second
a link
Name\tAge
Ann | B\t36 years
Carl\t5\tx
1 * 2 < 3 & a_b
[1] The note
`.trim(),
    );
  });

  it('becomes HTML', async () => {
    expect(await bodyOf(paragraph('a &lt; b', 'heading2') + table(['x']), { as: 'html' })).toBe(
      '<h2>a &lt; b</h2><table><tr><td>x</td></tr></table>',
    );
  });

  it('goes as bytes where they are asked for', async () => {
    expect(await textOf(report, { as: 'base64' })).toBe(report.toString('base64'));
  });

  it('says how many pictures it leaves out, and keeps what describes them', async () => {
    const conversion = await convertBytes('a.docm', wordOf({ body: picture('A cat') + picture('') }));
    expect(JSON.parse(await jsonText(conversion))).toBe('![A cat]');
    expect(conversion.report.warnings.map(({ code, message }) => [code, message])).toEqual([
      ['DOCUMENT_IMAGES', 'The document has 2 images, which are left out'],
    ]);
  });

  it('has a warning when it has no text', async () => {
    const conversion = await convertBytes('a.docx', wordOf({ body: '' }));
    expect(await jsonText(conversion)).toBe('""');
    expect(conversion.report.warnings.map(({ code }) => code)).toContain('DOCUMENT_EMPTY');
  });

  it('gives the text that is inserted, and not what is deleted', async () => {
    const changes =
      '<w:p><w:r><w:t xml:space="preserve">The </w:t></w:r><w:del w:id="1"><w:r><w:delText>old</w:delText></w:r></w:del><w:ins w:id="2"><w:r><w:t>new</w:t></w:r></w:ins></w:p>';
    expect(await bodyOf(changes)).toBe('The new');
  });
});

describe('a large document', () => {
  it('takes time in proportion to its items, rows and paragraphs', async () => {
    const many = (what: string) => what.repeat(2_000);
    const rows = table(...Array.from({ length: 2_000 }, (_, i) => [String(i), 'x']));
    const text = String(await bodyOf(many(item('i', 2)) + rows + many(paragraph('p'))));
    expect(text.split('\n').filter((line) => /^\d+\. i$/.test(line))).toHaveLength(2_000);
    expect(text).toContain('2000. i');
    expect(text).toContain('| 1999 | x |');
    expect(text.split('\n').filter((line) => line === 'p')).toHaveLength(2_000);
  });

  it('is refused beyond maxFileBytes, also when its archive understates it', async () => {
    const body = paragraph('a'.repeat(200_000));
    const bounds = { ...testBounds, maxFileBytes: 100_000 };
    expect(await failureOf('a.docx', wordOf({ body }), { bounds })).toMatchObject({
      code: 'FILE_TOO_LARGE',
      details: { setting: 'maxFileBytes' },
    });
    const parts = [{ name: 'word/document.xml', content: `<w:document>${body}</w:document>`, size: 10 }];
    expect(await failureOf('a.docx', wordOf({ body, parts }), { bounds })).toMatchObject({ code: 'FILE_TOO_LARGE' });
  });

  it('is refused when all of its parts together are too large', async () => {
    const bounds = { ...testBounds, maxFileBytes: 100_000 };
    const notes = [paragraph('n'.repeat(60_000))];
    expect(await failureOf('a.docx', wordOf({ body: paragraph('a'.repeat(60_000)), notes }), { bounds })).toMatchObject({
      code: 'FILE_TOO_LARGE',
    });
  });
});

describe('a document that cannot be read', () => {
  const nested = (levels: number) => {
    let inner = paragraph('x');
    for (let i = 0; i < levels; i += 1) inner = `<w:tbl><w:tr><w:tc>${inner}</w:tc></w:tr></w:tbl>`;
    return wordOf({ body: inner });
  };
  const cases: [string, Uint8Array, string][] = [
    ['empty', new Uint8Array(0), 'it is empty'],
    [
      'an old one',
      Buffer.from('d0cf11e0a1b11ae1'.padEnd(64, '0'), 'hex'),
      'protected with a password, or an old Office document',
    ],
    ['no archive', Buffer.from('hello'), 'it is not a ZIP archive'],
    ['cut off', report.subarray(0, report.length - 40), 'it is not a ZIP archive'],
    [
      'another archive',
      wordOf({ body: '', parts: [{ name: 'word/document.xml', content: '<a/>' }] }),
      'it is damaged, or not a .docx file',
    ],
    [
      'broken XML',
      wordOf({ body: '', parts: [{ name: 'word/document.xml', content: '<w:document><w:body>' }] }),
      'it is damaged',
    ],
    ['encrypted parts', wordOf({ body: '', parts: [{ name: 'word/document.xml', content: 'x', encrypted: true }] }), 'encrypted'],
    ['nested too deep for Markdown', nested(600), 'nested too deep'],
    ['nested too deep for the library', nested(5_000), 'nested too deep'],
  ];
  it.each(cases)('%s', async (_, bytes, reason) => {
    const failure = await failureOf('a.docx', bytes);
    expect(failure).toMatchObject({ code: 'PARSE_FAILED', message: expect.stringContaining('Failed to parse DOCX file: ') });
    expect(failure.message).toContain(reason);
  });

  it('entities are not expanded', async () => {
    const bomb = `<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "${'&a;'.repeat(10)}"><!ENTITY c "${'&b;'.repeat(10)}">]>`;
    const content = `${bomb}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${paragraph('&c;')}</w:body></w:document>`;
    const bytes = wordOf({ body: '', parts: [{ name: 'word/document.xml', content }] });
    const result = await textOf(bytes).then(String, (error: Error) => error.message);
    expect(result.length).toBeLessThan(500);
  });

  it.each([
    [{ as: 'json' as const }, 'a.docx', 'A document has text and no records'],
    [{}, 'a.docx.gz', 'A compressed document is not read'],
    [{ as: 'html' as const }, 'a.csv', 'Only documents are read as HTML'],
    [{ as: 'html' as const }, 'a.xlsx', 'A workbook has records and no text'],
  ])('%j of %s', async (options, name, message) => {
    expect(await failureOf(name, report, options)).toMatchObject({ code: 'INVALID_REQUEST', message });
  });

  it('is not read on once the call is cancelled', async () => {
    const cancel = new AbortController();
    cancel.abort();
    expect(await failureOf('a.docx', report, { signal: cancel.signal })).toMatchObject({ code: 'CANCELLED' });
  });

  it('whose link goes to a file of this computer reads nothing there', async () => {
    const linked = picture('x').replace('r:embed="i"', 'r:link="o"');
    const links = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="o" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="file:///etc/passwd" TargetMode="External"/></Relationships>`;
    const bytes = wordOf({ body: linked, parts: [{ name: 'word/_rels/document.xml.rels', content: links }] });
    expect(await textOf(bytes)).toBe('![x]');
  });
});

it('a source in small chunks gives the same', async () => {
  const { convert } = await import('../convert/convert.ts');
  const conversion = await convert(chunkedSource('a.docx', report, [1, 7, 100]), { bounds: testBounds });
  expect(JSON.parse(await jsonText(conversion))).toBe(await textOf(report));
});
