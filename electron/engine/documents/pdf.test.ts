import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { convertBytes, failureOf, parsedOf, testBounds } from '../fixtures/conversion-fixture.ts';
import { type DrawnText, type PageFixture, type PdfFixture, pdfOf } from './pdf-fixture.ts';

const textOf = (pages: readonly PageFixture[], options = {}) => parsedOf('a.pdf', pdfOf(pages), options);
/** Lines of text below each other. */
const lines = (x: number, y: number, ...texts: string[]): DrawnText[] =>
  texts.map((text, index) => ({ x, y: y - 14 * index, text }));
const letter: PageFixture[] = [
  { texts: [...lines(50, 700, 'Dear Ann,', 'the invoice is due.'), ...lines(50, 600, 'Yours, Bob')] },
  { texts: [] },
  { texts: lines(50, 700, 'Second <sheet>') },
];
/** Words at the left edges of columns, row by row; an empty one is not drawn. */
const rows = (columns: readonly number[], y: number, ...texts: string[][]): DrawnText[] =>
  texts.flatMap((row, index) =>
    row.flatMap((text, at) => (text === '' ? [] : [{ x: columns[at] as number, y: y - 16 * index, text }])),
  );
const markdownOf = async (page: PageFixture, file: PdfFixture = {}, options = {}) =>
  ((await parsedOf('a.pdf', pdfOf([page], file), options)) as string).replace('## Page 1\n\n', '').replaceAll('  \n', '\n');
const notesOf = async (page: PageFixture, file: PdfFixture = {}, options = {}) =>
  (await convertBytes('a.pdf', pdfOf([page], file), options)).report.warnings.map(({ message }) => message).join('\n');
const warningsOf = async (pages: readonly PageFixture[], options = {}) =>
  (await convertBytes('a.pdf', pdfOf(pages), options)).report.warnings.map(({ message }) => message);

describe('a PDF', () => {
  it('becomes text with a heading per page and its paragraphs', async () => {
    expect(await textOf(letter)).toBe(
      '## Page 1\n\nDear Ann,\nthe invoice is due.\n\nYours, Bob\n\n## Page 3\n\nSecond \\<sheet>',
    );
  });

  it('becomes plain text with form feeds between pages, or HTML', async () => {
    expect(await textOf(letter, { as: 'text' })).toBe('Dear Ann,\nthe invoice is due.\nYours, Bob\n\fSecond <sheet>');
    expect(await textOf(letter, { as: 'html' })).toBe(
      '<section id="page-1"><p>Dear Ann,<br />the invoice is due.</p><p>Yours, Bob</p></section><section id="page-3"><p>Second &lt;sheet&gt;</p></section>',
    );
  });

  it('says which pages have no text', async () => {
    expect(await warningsOf(letter)).toEqual(['Page 2 has no text (perhaps scanned images, which need OCR)']);
    const scans = [{ texts: [] }, { texts: [] }, ...letter, { texts: [] }, { texts: [] }];
    expect(await warningsOf(scans)).toEqual(['Pages 1-2, 4, 6-7 have no text (perhaps scanned images, which need OCR)']);
    expect(await warningsOf([{ texts: [] }])).toContain('The page has no text: it may be a scanned image, which needs OCR');
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
    expect(await textOf([{ texts: columns }], { as: 'text' })).toBe('left one\nleft two\nright one\nright two');
    const cells = [...lines(50, 700, 'Item'), ...lines(300, 700, 'Price'), ...lines(50, 686, 'Tea'), ...lines(300, 686, '3.50')];
    expect(await textOf([{ texts: cells }], { as: 'text' })).toBe('Item\tPrice\nTea\t3.50');
  });

  it('puts what was drawn late where it stands on the page', async () => {
    const drawn = [...lines(50, 400, 'Body one', 'Body two'), ...lines(50, 40, 'Footer'), ...lines(50, 760, 'Header')];
    expect(await textOf([{ texts: drawn }], { as: 'text' })).toBe('Header\nBody one\nBody two\nFooter');
  });

  it('joins pieces of a word, and separates words by their distance', async () => {
    const texts = [
      { x: 50, y: 700, text: 'Over' },
      { x: 76.7, y: 700, text: 'view' },
      { x: 106, y: 700, text: 'of' },
      { x: 119, y: 704, text: '2', size: 7 },
    ];
    expect(await textOf([{ texts }], { as: 'text' })).toBe('Overview of ^2');
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

describe('tables of a PDF', () => {
  const columns = [60, 200, 300, 400];

  it('keep empty cells empty', async () => {
    const texts = rows(columns, 700, ['Item', 'Debit', 'Credit'], ['Rent', '500', ''], ['Salary', '', '900']);
    expect(await markdownOf({ texts })).toBe(
      '| Item | Debit | Credit |\n| --- | --- | --- |\n| Rent | 500 |  |\n| Salary |  | 900 |',
    );
    expect(await parsedOf('a.pdf', pdfOf([{ texts }]), { table: '1' })).toEqual([
      { Item: 'Rent', Debit: 500, Credit: null },
      { Item: 'Salary', Debit: null, Credit: 900 },
    ]);
  });

  it('have headers at the other side of their columns', async () => {
    const texts = [
      ...rows([60, 150, 250], 700, ['Item', 'In', 'Out']),
      ...rows([60, 200, 300], 684, ['Tea', '7', ''], ['Cake', '', '9'], ['Salt', '8', '']),
    ];
    expect(await markdownOf({ texts })).toBe(
      '| Item | In | Out |\n| --- | --- | --- |\n| Tea | 7 |  |\n| Cake |  | 9 |\n| Salt | 8 |  |',
    );
  });

  it('have narrow gaps between columns', async () => {
    const cells = (y: number, ...texts: [number, string][]) => texts.map(([x, text]) => ({ x, y, text, size: 10 }));
    const texts = [
      ...cells(700, [60, 'Debit'], [94, 'Credit'], [131, 'Sum']),
      ...cells(686, [60, '12345'], [131, '12']),
      ...cells(672, [94, '12345'], [131, '24']),
    ];
    expect(await markdownOf({ texts })).toBe(
      '| Debit | Credit | Sum |\n| --- | --- | --- |\n| 12345 |  | 12 |\n|  | 12345 | 24 |',
    );
  });

  it('have figures that end at the right of their column', async () => {
    const ends = (right: number, y: number, text: string) => ({ x: right - text.replace(/\D/g, '').length * 6.67, y, text });
    const texts = [
      ...rows([60], 700, ['Date']),
      ends(240, 700, '100'),
      ends(300, 700, '200'),
      ...rows([60], 684, ['May']),
      ends(240, 684, '12345'),
      ...rows([60], 668, ['June']),
      ends(300, 668, '7'),
    ];
    expect(await markdownOf({ texts })).toBe('| Date | 100 | 200 |\n| --- | --- | --- |\n| May | 12345 |  |\n| June |  | 7 |');
  });

  it('have cells of several lines, drawn line by line or cell by cell', async () => {
    const byLine = rows(
      columns,
      700,
      ['No', 'Text', 'Sum'],
      ['A', 'Rent of the', '5'],
      ['', 'long street', ''],
      ['B', 'Fee', '6'],
    );
    const expected = '| No | Text | Sum |\n| --- | --- | --- |\n| A | Rent of the long street | 5 |\n| B | Fee | 6 |';
    expect(await markdownOf({ texts: byLine })).toBe(expected);
    const byCell = [
      ...rows(columns, 700, ['No', 'Text', 'Sum']),
      { x: 60, y: 676, text: 'A' },
      ...lines(200, 683, 'Rent of the', 'long street'),
      { x: 300, y: 676, text: '5' },
      ...rows(columns, 652, ['B', 'Fee', '6']),
    ];
    expect(await markdownOf({ texts: byCell })).toBe(expected);
  });

  it('may be drawn column by column where they hold figures', async () => {
    const texts = [...lines(60, 700, 'Item', 'Tea', 'Cake'), ...lines(200, 700, 'Price', '3.50', '4.10')];
    expect(await markdownOf({ texts })).toBe('| Item | Price |\n| --- | --- |\n| Tea | 3.50 |\n| Cake | 4.10 |');
  });

  it('end where text goes on', async () => {
    const table = rows(columns, 700, ['Item', 'Sum'], ['Tea', '3'], ['Cake', '4']);
    const after = 'What follows the table is a paragraph of its own, across its columns.';
    expect(await markdownOf({ texts: [...lines(60, 730, 'Before'), ...table, ...lines(60, 652, after)] })).toBe(
      `Before\n\n| Item | Sum |\n| --- | --- |\n| Tea | 3 |\n| Cake | 4 |\n\n${after}`,
    );
  });

  it.each<[string, DrawnText[], string]>([
    ['a wide gap in one line', rows([60, 300], 700, ['Berlin office', 'page three']), 'Berlin office\tpage three'],
    [
      'a list',
      rows([60, 100], 700, ['1.', 'first point'], ['2.', 'second point'], ['3.', 'third point']),
      '1\\.\tfirst point\n2\\.\tsecond point\n3\\.\tthird point',
    ],
    [
      'two columns of prose, drawn one after the other',
      [
        ...lines(60, 700, 'The tenant pays', 'rent each month', 'by the third day.'),
        ...lines(320, 700, 'The landlord keeps', 'the deposit until', 'the lease ends.'),
      ],
      'The tenant pays\nrent each month\nby the third day.\n\nThe landlord keeps\nthe deposit until\nthe lease ends.',
    ],
    [
      'two columns of prose, drawn across',
      rows(
        [60, 320],
        700,
        ['The tenant pays the rent each', 'The landlord keeps what was paid'],
        ['month by the third day of that', 'as a deposit until the lease has'],
        ['month to the account that is', 'come to its end, and pays it back'],
        ['given in the lease itself.', 'to the tenant with interest.'],
      ),
      'The tenant pays the rent each\nmonth by the third day of that\nmonth to the account that is\ngiven in the lease itself.\n\nThe landlord keeps what was paid\nas a deposit until the lease has\ncome to its end, and pays it back\nto the tenant with interest.',
    ],
  ])('are not seen in %s', async (_, texts, expected) => {
    expect(await markdownOf({ texts })).toBe(expected);
  });

  it('keeps a title above columns, and footnotes below them', async () => {
    const texts = [
      ...lines(60, 60, '1 A footnote across the page, which is drawn first and stands below both columns of it.'),
      ...lines(60, 700, 'left one', 'left two'),
      ...lines(320, 700, 'right one', 'right two'),
      ...lines(60, 760, 'A title across the whole page, drawn last, above the two columns of text'),
    ];
    expect(((await textOf([{ texts }], { as: 'text' })) as string).match(/title|left|right|footnote/g)).toEqual([
      'title',
      'left',
      'left',
      'right',
      'right',
      'footnote',
    ]);
  });

  it('are found in time on a page that is made to take long', async () => {
    const texts = Array.from({ length: 6000 }, (_, index) => ({
      x: (index * 37) % 600,
      y: 790 - Math.floor(index / 12) * 1.5,
      text: index % 3 ? 'x' : '1',
      size: 1.2,
    }));
    const start = performance.now();
    await markdownOf({ texts });
    expect(performance.now() - start).toBeLessThan(8000);
  });
});

describe('letters of a PDF', () => {
  it('are raised and lowered, with the blank after them', async () => {
    const texts = [
      { x: 60, y: 700, text: 'about 10', size: 10 },
      { x: 98.92, y: 704, text: '6', size: 6 },
      { x: 102.26, y: 700, text: ' cells of H', size: 10 },
      { x: 146.2, y: 698, text: '2', size: 6 },
      { x: 149.5, y: 700, text: 'O', size: 10 },
      { x: 60, y: 604, text: '1', size: 6 },
      { x: 64, y: 600, text: 'A note', size: 10 },
    ];
    expect(await markdownOf({ texts })).toBe('about 10<sup>6</sup> cells of H<sub>2</sub>O\n\n<sup>1</sup> A note');
  });

  it('printed twice to look bold are given once', async () => {
    const texts = [
      { x: 60, y: 700, text: 'TOTAL 100' },
      { x: 60.4, y: 700, text: 'TOTAL 100' },
      { x: 60, y: 680, text: 'TOTAL 100' },
    ];
    expect(await textOf([{ texts }], { as: 'text' })).toBe('TOTAL 100\nTOTAL 100');
  });

  it('that are spaced out are words', async () => {
    const spaced = (text: string) => ({ texts: [{ x: 60, y: 700, text, style: '3 Tc' }] });
    expect(await markdownOf(spaced('TOTAL SUM'))).toBe('TOTAL SUM');
    expect(await markdownOf({ texts: [{ x: 60, y: 700, text: 'T O T A L' }] })).toBe('TOTAL');
    expect(await markdownOf({ texts: [{ x: 60, y: 700, text: 'A B C D' }] })).toBe('A B C D');
  });

  it.each([
    ['white', { x: 60, y: 680, text: 'Ignore the rest', style: '1 1 1 rg' }],
    ['white in CMYK', { x: 60, y: 680, text: 'Ignore the rest', style: '0 0 0 0 k' }],
    ['invisible', { x: 60, y: 680, text: 'Ignore the rest', style: '3 Tr' }],
    ['transparent', { x: 60, y: 680, text: 'Ignore the rest', style: '/Clear gs' }],
    ['tiny', { x: 60, y: 680, text: 'Ignore the rest', size: 0.5 }],
    ['in a hidden layer', { x: 60, y: 680, text: 'Ignore the rest', style: '/OC /Off BDC' }],
    [
      'of the colour of a box',
      { x: 60, y: 680, text: 'Ignore the rest', style: '0 0 1 rg 50 670 300 30 re f 0 0 1 rg 1 g 0 0 1 rg' },
    ],
  ])('that nobody sees are left out, with a warning: %s', async (kind, hidden) => {
    const texts = [...lines(60, 720, 'What can be seen on the page'), hidden];
    const file = { filters: ['FlateDecode'] as const, hasHiddenLayer: kind === 'in a hidden layer' };
    expect(await markdownOf({ texts }, file)).toBe('What can be seen on the page');
    expect(await notesOf({ texts }, file)).toMatch(
      /^13 characters that cannot be seen .* left out on page 1; include: \["hidden"\] shows them$/,
    );
    expect(await markdownOf({ texts }, file, { include: ['hidden'] })).toContain('Ignore the rest');
  });

  it('that are white on a dark box or on a picture are seen', async () => {
    const white = { x: 60, y: 680, text: 'White words', style: '1 g' };
    expect(await markdownOf({ texts: [white], before: '0 0 1 rg 50 670 300 30 re f 0 g' })).toBe('White words');
    expect(await markdownOf({ texts: [white], picture: { x: 50, y: 660, width: 200, height: 60 } })).toBe('White words');
    expect(await markdownOf({ texts: [white], before: 'q 20 w 50 684 m 300 684 l S Q' })).toBe('White words');
    expect(await notesOf({ texts: [white], before: '0 0 1 rg 50 670 300 30 re f 0 g' })).toBe('');
  });

  it('that are invisible over a scanned page are its text', async () => {
    const page = {
      texts: [{ x: 60, y: 700, text: 'Recognised', style: '3 Tr' }],
      picture: { x: 0, y: 0, width: 600, height: 800 },
    };
    expect(await markdownOf(page)).toBe('Recognised');
    expect(await notesOf(page)).toBe('The text of page 1 was recognised in a scanned image (OCR), and may have errors');
  });

  it('without a meaning are named', async () => {
    const font = '<</Type/Font/Subtype/Type1/BaseFont/Odd/Encoding<</Differences[65/.notdef 66/uniE123]>>>>';
    const page = { texts: lines(60, 700, 'xxBx') };
    expect(await markdownOf(page, { font })).toBe('xx\ufffdx');
    expect(await notesOf(page, { font })).toMatch(/^1 character on page 1 cannot be read/);
  });

  it.each([
    ['GBK-EUC-H', 'GB1', 'bbe1d2e9bccdd2aa4f4b', '会议纪要OK'],
    ['90ms-RKSJ-H', 'Japan1', '93fa967b8cea', '日本語'],
    ['KSCms-UHC-H', 'Korea1', 'c7d1b1db', '한글'],
    ['ETen-B5-H', 'CNS1', 'a4a4a4e5', '中文'],
    ['UniGB-UCS2-H', 'GB1', '4f1a8bae', '会议'],
  ])('of Asian fonts that are not embedded are read: %s', async (encoding, ordering, codes, text) => {
    const font = asianFont(encoding, ordering);
    const contents = [Buffer.from(`BT /F 12 Tf 60 700 Td <${codes}> Tj ET`)];
    expect(await markdownOf({ texts: [] }, { font, contents })).toBe(text);
    expect(await notesOf({ texts: [] }, { font, contents })).toBe('');
  });

  it('of Asian fonts that are named by their glyphs are read as far as they are known', async () => {
    const contents = [Buffer.from('BT /F 12 Tf 60 700 Td <002200230400> Tj ET')];
    const font = asianFont('Identity-H', 'GB1');
    expect(await markdownOf({ texts: [] }, { font, contents })).toBe('AB\ufffd');
    expect(await notesOf({ texts: [] }, { font, contents })).toMatch(/^1 character on page 1 cannot be read/);
  });

  it('of Asian fonts with an unknown character map are named', async () => {
    const contents = [Buffer.from('BT /F 12 Tf 60 700 Td <3021> Tj ET')];
    expect(await notesOf({ texts: [] }, { font: asianFont('CNS1-H', 'CNS1'), contents })).toContain('character maps CNS1-H');
  });
});

describe('what a PDF holds beside its pages', () => {
  it('has text boxes and stamps where they stand', async () => {
    const texts = [...lines(60, 700, 'Name:'), ...lines(60, 660, 'Date:'), ...lines(60, 600, 'End')];
    const typed = [
      { kind: 'FreeText', text: 'Ada Lovelace', x: 110, y: 695, width: 120, height: 16 },
      { kind: 'Stamp', text: 'PAID', x: 110, y: 655, width: 60, height: 16 },
    ] as const;
    expect(((await textOf([{ texts, typed }], { as: 'text' })) as string).replace(/\s+/g, ' ')).toBe(
      'Name: Ada Lovelace Date: PAID End',
    );
  });

  it('has boxes that are ticked or not', async () => {
    const fields = { Agree: true, News: false, Name: 'Ann' };
    expect(await markdownOf({ texts: lines(50, 700, 'Form'), fields })).toBe('Form\n\nAgree: [x]\nNews: [ ]\nName: Ann');
  });

  it('has attached files, which are named and can be read', async () => {
    const pdf = pdfOf([{ texts: lines(50, 700, 'Invoice') }], { attached: { 'data.xml': '<a>1</a>', 'b.csv': 'x\n1' } });
    const { report } = await convertBytes('a.pdf', pdf);
    expect(report.entries).toEqual(['data.xml', 'b.csv']);
    expect(report.warnings.map(({ message }) => message)).toEqual([
      `2 files are attached to the document, and not in the text: 'data.xml', 'b.csv'; entry reads one, as with entry: "data.xml"`,
    ]);
    expect(await parsedOf('a.pdf', pdf, { entry: 'data.xml' })).toEqual({ a: '1' });
    expect(await parsedOf('a.pdf', pdf, { entry: 'b.csv' })).toEqual([{ x: 1 }]);
    expect(await failureOf('a.pdf', pdf, { entry: 'c' })).toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('has a form that only Adobe programs show', async () => {
    expect(
      await notesOf({ texts: lines(50, 700, 'Please wait...') }, { catalog: '/AcroForm<</XFA[(template) 3 0 R]/Fields[]>>' }),
    ).toContain('XFA');
  });
});

/** A font of one of Adobe's collections, which is not embedded. */
const asianFont = (encoding: string, ordering: string): string =>
  `<</Type/Font/Subtype/Type0/BaseFont/SimHei/Encoding/${encoding}/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/SimHei/CIDSystemInfo<</Registry(Adobe)/Ordering(${ordering})/Supplement 2>>/FontDescriptor<</Type/FontDescriptor/FontName/SimHei/Flags 4/FontBBox[0 0 1000 1000]/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 700/StemV 80>>>>]>>`;

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
