import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { convertBytes, failureOf, parsedOf, testBounds } from '../fixtures/conversion-fixture.ts';
import { type DrawnText, type PageFixture, pdfOf } from './pdf-fixture.ts';

const textOf = (pages: readonly PageFixture[], options = {}) => parsedOf('a.pdf', pdfOf(pages), options);
/** Lines of text below each other. */
const lines = (x: number, y: number, ...texts: string[]): DrawnText[] =>
  texts.map((text, index) => ({ x, y: y - 14 * index, text }));
const letter: PageFixture[] = [
  { texts: [...lines(50, 700, 'Dear Ann,', 'the invoice is due.'), ...lines(50, 600, 'Yours, Bob')] },
  { texts: [] },
  { texts: lines(50, 700, 'Second <sheet>') },
];
const warningsOf = async (pages: readonly PageFixture[], options = {}) =>
  (await convertBytes('a.pdf', pdfOf(pages), options)).report.warnings.map(({ message }) => message);

describe('a PDF', () => {
  it('becomes text with a heading per page and its paragraphs', async () => {
    expect(await textOf(letter)).toBe('## Page 1\n\nDear Ann,\nthe invoice is due.\n\nYours, Bob\n\n## Page 3\n\nSecond <sheet>');
  });

  it('becomes plain text with form feeds between pages, or HTML', async () => {
    expect(await textOf(letter, { as: 'text' })).toBe('Dear Ann,\nthe invoice is due.\n\nYours, Bob\fSecond <sheet>');
    expect(await textOf(letter, { as: 'html' })).toBe(
      '<section id="page-1"><p>Dear Ann,<br>the invoice is due.</p><p>Yours, Bob</p></section>\n\n<section id="page-3"><p>Second &lt;sheet&gt;</p></section>',
    );
  });

  it('says which pages have no text', async () => {
    expect(await warningsOf(letter)).toEqual(['Page 2 has no text (perhaps scanned images, which need OCR)']);
    const scans = [{ texts: [] }, { texts: [] }, ...letter, { texts: [] }, { texts: [] }];
    expect(await warningsOf(scans)).toEqual(['Pages 1-2, 4, 6-7 have no text (perhaps scanned images, which need OCR)']);
    expect(await warningsOf([{ texts: [] }])).toEqual(['The page has no text: it may be a scanned image, which needs OCR']);
    expect(await textOf([{ texts: [] }])).toBe('');
  });

  it.each([
    ['2', ['## Page 2']],
    ['2-3', ['## Page 2', '## Page 3']],
    ['4-', ['## Page 4', '## Page 5']],
    ['-2', ['## Page 1', '## Page 2']],
    ['5, 1-2', ['## Page 5', '## Page 1', '## Page 2']],
    ['4-99', ['## Page 4', '## Page 5']],
    ['2,2,1-2', ['## Page 2', '## Page 1']],
  ])('gives the chosen pages: %s', async (pages, headings) => {
    const five = [1, 2, 3, 4, 5].map((number) => ({ texts: lines(50, 700, `text ${number}`) }));
    expect(((await textOf(five, { pages })) as string).match(/^## .*/gm)).toEqual(headings);
  });

  it.each([
    ['', 'is no choice of pages'],
    ['one', 'is no choice of pages'],
    ['0', 'is no choice of pages'],
    ['3-2', 'is no choice of pages'],
    ['1-2-3', 'is no choice of pages'],
    ['-', 'is no choice of pages'],
    ['4', 'lies beyond the end: the document has 3 pages'],
    ['9-12', 'lies beyond the end: the document has 3 pages'],
  ])('refuses pages: %j', async (pages, says) => {
    const error = await failureOf('a.pdf', pdfOf(letter), { pages });
    expect(error.code).toBe('INVALID_REQUEST');
    expect(error.text).toContain(says);
    expect(error.text).toContain('such as "3", "3-5"');
  });

  it('keeps columns apart, and reads a row of a table as a line with tabs', async () => {
    const columns = [...lines(50, 700, 'left one', 'left two'), ...lines(320, 700, 'right one', 'right two')];
    expect(await textOf([{ texts: columns }], { as: 'text' })).toBe('left one\nleft two\n\nright one\nright two');
    const rows = [...lines(50, 700, 'Item'), ...lines(300, 700, 'Price'), ...lines(50, 686, 'Tea'), ...lines(300, 686, '3.50')];
    expect(await textOf([{ texts: rows }], { as: 'text' })).toBe('Item\tPrice\nTea\t3.50');
  });

  it('puts what was drawn late where it stands on the page', async () => {
    const drawn = [...lines(50, 400, 'Body one', 'Body two'), ...lines(50, 40, 'Footer'), ...lines(50, 760, 'Header')];
    expect(await textOf([{ texts: drawn }], { as: 'text' })).toBe('Header\n\nBody one\nBody two\n\nFooter');
  });

  it('joins pieces of a word, and separates words by their distance', async () => {
    const texts = [
      { x: 50, y: 700, text: 'Over' },
      { x: 76.7, y: 700, text: 'view' },
      { x: 106, y: 700, text: 'of' },
      { x: 119, y: 704, text: '2', size: 7 },
    ];
    expect(await textOf([{ texts }], { as: 'text' })).toBe('Overview of 2');
  });

  it('reads turned pages as they are shown', async () => {
    const upright = lines(50, 700, 'one', 'two');
    expect(await textOf([{ texts: upright, rotate: 90 }], { as: 'text' })).toBe('one\ntwo');
  });

  it('gives the values of form fields', async () => {
    const fields = { Name: 'Ann (36)', Remark: '' };
    expect(await textOf([{ texts: lines(50, 700, 'Form'), fields }])).toBe('## Page 1\n\nForm\n\nName: Ann (36)');
  });

  it('reads compressed pages', async () => {
    for (const filters of [['FlateDecode'], ['FlateDecode', 'FlateDecode']] as const) {
      expect(await parsedOf('a.pdf', pdfOf(letter, { filters }), { pages: '3', as: 'text' })).toBe('Second <sheet>');
    }
  });

  it('is found whatever the name, and keeps its bytes where they are wanted', async () => {
    const pdf = pdfOf(letter);
    expect(await parsedOf('scan.bin', pdf, { format: 'pdf', pages: '3', as: 'text' })).toBe('Second <sheet>');
    expect(await parsedOf('a.pdf', pdf, { as: 'base64' })).toBe(pdf.toString('base64'));
    expect((await failureOf('a.txt', pdfOf(letter, { filters: ['FlateDecode'] }))).text).toContain(
      'it is a PDF. Give format: "pdf" for its text',
    );
  });

  it('has no records, and is not read compressed', async () => {
    expect((await failureOf('a.pdf', pdfOf(letter), { as: 'json' })).text).toContain('A document has text and no records');
    expect((await failureOf('a.pdf.gz', pdfOf(letter))).text).toContain('A compressed document is not read');
  });
});

describe('a PDF that cannot be read', () => {
  it.each([
    ['an empty file', Buffer.alloc(0), 'it is empty'],
    ['text', Buffer.from('hello'), 'it is damaged, or not a .pdf file'],
    ['a header alone', Buffer.from('%PDF-1.7\n'), 'it is damaged, or not a .pdf file'],
    ['one with a password', pdfOf(letter, { trailer: encryption() }), 'it is protected with a password'],
  ])('is refused: %s', async (_, content, says) => {
    const error = await failureOf('a.pdf', content);
    expect(error.code).toBe('PARSE_FAILED');
    expect(error.text).toContain(`Failed to parse PDF file: ${says}`);
  });

  it('is read if only its table of objects is wrong', async () => {
    const pdf = pdfOf(letter)
      .toString('latin1')
      .replace(/startxref\n\d+/, 'startxref\n7');
    expect(await parsedOf('a.pdf', Buffer.from(pdf, 'latin1'), { as: 'text' })).toContain('Dear Ann');
  });

  it('is bounded: the file, one stream, a stream in a stream', async () => {
    // A PDF may have ten times as many bytes as its text.
    const bounds = { ...testBounds, maxFileBytes: 10_000 };
    expect((await failureOf('a.pdf', Buffer.alloc(100_001, '%PDF-1.7 '), { bounds })).code).toBe('FILE_TOO_LARGE');
    const bomb = Buffer.alloc(200_000, ' ');
    for (const filters of [
      ['FlateDecode'],
      ['FlateDecode', 'FlateDecode'],
      ['FlateDecode', 'FlateDecode', 'FlateDecode'],
    ] as const) {
      const pdf = pdfOf(letter, { filters, contents: [bomb] });
      expect(pdf.length).toBeLessThan(10_000);
      expect((await failureOf('a.pdf', pdf, { bounds })).code).toBe('FILE_TOO_LARGE');
    }
    const much = pdfOf([{ texts: Array.from({ length: 300 }, () => ({ x: 50, y: 700, text: 'x'.repeat(50) })) }]);
    expect((await failureOf('a.pdf', much, { bounds })).code).toBe('FILE_TOO_LARGE');
    const garbage = Buffer.concat([Buffer.from('stream\n'), deflateSync(bomb).subarray(0, 50)]);
    expect(await parsedOf('a.pdf', Buffer.concat([pdfOf(letter), garbage]), { bounds, pages: '3', as: 'text' })).toBe(
      'Second <sheet>',
    );
  });

  it('stops when it is cancelled', async () => {
    const controller = new AbortController();
    const many = pdfOf(Array.from({ length: 300 }, () => letter[0] as PageFixture));
    const found = failureOf('a.pdf', many, { signal: controller.signal, onProgress: () => controller.abort() });
    expect((await found).code).toBe('CANCELLED');
  });
});

/** A trailer's entry for the standard security handler, whose keys fit no password (ISO 32000-1, 7.6.3). */
function encryption(): string {
  const key = '00'.repeat(32);
  return `/ID[<${'11'.repeat(16)}><${'11'.repeat(16)}>]/Encrypt<</Filter/Standard/V 1/R 2/O<${key}>/U<${key}>/P -4>>`;
}
