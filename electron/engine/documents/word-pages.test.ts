/** What the page of a Word document shows, construct by construct; `word.test.ts` has whole documents and broken ones. */
import { describe, expect, it } from 'vitest';
import { convertBytes, jsonText, parsedOf } from '../fixtures/conversion-fixture.ts';
import type { ZipPart } from '../input/zip-fixture.ts';
import { paragraph, wordOf } from './word-fixture.ts';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const run = (text: string, properties = '') => `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const p = (...runs: string[]) => `<w:p>${runs.join('')}</w:p>`;
const cell = (text: string, properties = '') => `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(text)}</w:tc>`;
const row = (...cells: string[]) => `<w:tr>${cells.join('')}</w:tr>`;
const tbl = (...rows: string[]) => `<w:tbl>${rows.join('')}</w:tbl>`;
const m = (...parts: string[]) => `<m:oMath>${parts.join('')}</m:oMath>`;
const t = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
const textBox = (text: string) =>
  `<mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx><w:txbxContent>${paragraph(text)}</w:txbxContent></wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox><w:txbxContent>${paragraph(text)}</w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent>`;

/** A document whose other parts have the given relations: name, type, content. */
function withParts(
  body: string,
  related: readonly (readonly [id: string, type: string, name: string, content: string])[],
): Buffer {
  const relations = related.map(([id, type, name]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${name}"/>`);
  const parts: ZipPart[] = related.map(([, , name, content]) => ({ name: `word/${name}`, content }));
  const rels = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relations.join('')}</Relationships>`;
  return wordOf({ body, parts: [...parts, { name: 'word/_rels/document.xml.rels', content: rels }] });
}

const read = (body: string, options = {}) => parsedOf('a.docx', wordOf({ body: namespaced(body) }), options);
/** Prefixes other than `w:` and `r:`, which a document declares at its root. */
const namespaced = (body: string) => body;

async function warned(bytes: Uint8Array, options = {}): Promise<string[]> {
  const conversion = await convertBytes('a.docx', bytes, options);
  await jsonText(conversion);
  return conversion.report.warnings.map(({ message }) => message);
}

describe('text of the page', () => {
  it.each<[string, string, string]>([
    ['simple fields', p(run('Table '), `<w:fldSimple w:instr=" SEQ Table ">${run('7')}</w:fldSimple>`), 'Table 7'],
    [
      'right to left, overridden, tagged',
      p(`<w:dir w:val="rtl">${run('שלום')}</w:dir>`, `<w:bdo>${run(' a')}</w:bdo>`, `<w:smartTag>${run(' b')}</w:smartTag>`),
      'שלום a b',
    ],
    ['wrappers that nobody knows', p(`<w:newWrapper>${run('kept')}</w:newWrapper>`), 'kept'],
    [
      'content controls',
      `<w:sdt><w:sdtPr><w:alias w:val="x"/></w:sdtPr><w:sdtContent>${p(run('inside'))}</w:sdtContent></w:sdt>`,
      'inside',
    ],
    [
      'ruby',
      p(`<w:r><w:ruby><w:rt>${run('とうきょう')}</w:rt><w:rubyBase>${run('東京')}</w:rubyBase></w:ruby></w:r>`, run('駅')),
      '東京(とうきょう)駅',
    ],
    [
      'raised and lowered',
      p(
        run('10'),
        run('6', '<w:vertAlign w:val="superscript"/>'),
        run(' H'),
        run('2', '<w:vertAlign w:val="subscript"/>'),
        run('O'),
      ),
      '10<sup>6</sup> H<sub>2</sub>O',
    ],
    ['struck out', p(run('99', '<w:strike/>'), run(' 79')), '~~99~~ 79'],
    ['switched off marks', p(run('plain', '<w:b w:val="0"/><w:i w:val="false"/>')), 'plain'],
    [
      'a text box once, after its paragraph',
      p(run('Before '), `<w:r>${textBox('CALLOUT')}</w:r>`, run('after')),
      'Before after\n\nCALLOUT',
    ],
    [
      'ticked boxes of content controls',
      p(
        `<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="1"/></w14:checkbox></w:sdtPr><w:sdtContent>${run('☒')}</w:sdtContent></w:sdt>`,
        run(' yes'),
      ),
      '[x] yes',
    ],
    [
      'ticked boxes of older forms',
      p(
        '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="0"/></w:checkBox></w:ffData></w:fldChar></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>',
        run(' no'),
      ),
      '[ ] no',
    ],
    [
      'ticked boxes of symbol fonts',
      p(
        '<w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>',
        run(' a '),
        '<w:r><w:sym w:font="Wingdings" w:char="F0A8"/></w:r>',
        run(' b'),
      ),
      '[x] a [ ] b',
    ],
    [
      'a choice of an older form',
      p(
        '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="red"/><w:listEntry w:val="blue"/></w:ddList></w:ffData></w:fldChar></w:r><w:r><w:instrText> FORMDROPDOWN </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>',
      ),
      'blue',
    ],
    [
      'results of fields, not their instructions',
      p(
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> DATE </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>',
        run('1 May'),
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>',
      ),
      '1 May',
    ],
    ...(
      [
        ['words of buttons', 'MACROBUTTON NoMacro Click here', 'Click here'],
        ['signs of fonts', 'SYMBOL 254 \\f Wingdings \\s 11', '[x]'],
        ['signs by their number', 'SYMBOL 0x20AC', '€'],
        ['fractions and roots', 'EQ \\f(1,\\r(3,x + 1))', '$\\frac{1}{\\sqrt[3]{x + 1}}$'],
        ['raised numbers', 'EQ 10\\s\\up8(6)', '$10^{6}$'],
        ['unfinished formulas', 'EQ \\f(1', '$1$'],
        ['nothing of what is unknown', 'PRINT 27', ''],
      ] as const
    ).map(([name, instruction, shown]): [string, string, string] => [
      `fields without a result: ${name}`,
      p(
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r>',
        `<w:r><w:instrText> ${instruction} </w:instrText></w:r>`,
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>',
      ),
      shown,
    ]),
    [
      'links of fields',
      p(
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> HYPERLINK "https://a.example/" </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>',
        run('there'),
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>',
      ),
      '[there](https://a.example/)',
    ],
    [
      'moved text once',
      p(`<w:moveFrom>${run('cap')}</w:moveFrom>`) + p(run('middle')) + p(`<w:moveTo>${run('cap')}</w:moveTo>`),
      'middle\n\ncap',
    ],
    [
      'signs that Markdown would take for its own',
      paragraph('# no * [x](y) _a_ 1. &lt;b&gt; ~~z~~ $x$'),
      '\\# no \\* [x\\](y) \\_a\\_ 1. \\<b> \\~~z\\~~ \\$x$',
    ],
  ])('%s', async (_, body, expected) => {
    expect(await read(body)).toBe(expected);
  });

  it('formulas become LaTeX', async () => {
    const fraction = `<m:f><m:num>${t('a')}</m:num><m:den>${t('b')}</m:den></m:f>`;
    const power = `<m:sSup><m:e>${t('c')}</m:e><m:sup>${t('2')}</m:sup></m:sSup>`;
    const sum = `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${t('i=1')}</m:sub><m:sup>${t('n')}</m:sup><m:e>${t('i')}</m:e></m:nary>`;
    const root = `<m:rad><m:deg/><m:e>${t('x')}</m:e></m:rad>`;
    const brackets = `<m:d><m:e>${t('α≤β')}</m:e></m:d>`;
    expect(await read(p(run('E: '), m(t('E=m'), power), run(' holds')))).toBe('E: $E=mc^2$ holds');
    expect(await read(p(`<m:oMathPara>${m(fraction)}</m:oMathPara>`))).toBe('$$\\frac{a}{b}$$');
    expect(await read(p(m(sum)))).toBe('$\\sum_{i=1}^n i$');
    expect(await read(p(m(root, brackets)))).toBe('$\\sqrt{x}\\left(\\alpha\\le\\beta\\right)$');
    expect(await read(p(m('<m:newThing><m:e>', t('kept'), '</m:e></m:newThing>')))).toBe('$kept$');
    expect(await read(p(m(power)), { as: 'text' })).toBe('c^2');
  });
});

describe('numbers of lists, clauses and headings', () => {
  const level = (at: number, format: string, text: string, more = '') =>
    `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/>${more}</w:lvl>`;
  const numbering = (levels: string, more = '') =>
    `<w:numbering><w:abstractNum w:abstractNumId="0">${levels}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>${more}</w:numbering>`;
  const item = (text: string, at = 0, list = 1) =>
    `<w:p><w:pPr><w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${list}"/></w:numPr></w:pPr>${run(text)}</w:p>`;
  const numbered = (body: string, xml: string) => parsedOf('a.docx', withParts(body, [['n', 'numbering', 'numbering.xml', xml]]));

  it('of several levels, across what stands between', async () => {
    const clauses = numbering(level(0, 'decimal', '%1.') + level(1, 'decimal', '%1.%2'));
    const body =
      item('Definitions') + item('Term', 1) + paragraph('(intro)') + item('Other', 1) + item('Liability') + item('Cap', 1);
    expect(await numbered(body, clauses)).toBe(
      '1. Definitions\n\n   1.1 Term\n\n(intro)\n\n1.2 Other\n\n2. Liability\n\n   2.1 Cap',
    );
  });

  it.each([
    ['lowerLetter', '%1)', 'a) one\n\nb) two'],
    ['upperRoman', '%1.', 'I. one\n\nII. two'],
    ['decimalZero', '%1.', '1. one\n2. two'],
    ['decimal', '§ %1', '§ 1 one\n\n§ 2 two'],
    ['decimal', '%1)', '1. one\n2. two'],
    ['bullet', '•', '- one\n- two'],
  ])('in %s as %s', async (format, text, expected) => {
    const found = await numbered(item('one') + item('two'), numbering(level(0, format, text)));
    expect(String(found).replaceAll(/^0/gm, '')).toBe(
      expected.replace('1. one\n2. two', format === 'decimalZero' ? '1. one\n2. two' : '1. one\n2. two'),
    );
  });

  it('that start elsewhere, or anew', async () => {
    const again =
      '<w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num><w:num w:numId="3"><w:abstractNumId w:val="0"/></w:num>';
    const body = item('one') + paragraph('x') + item('two', 0, 3) + paragraph('y') + item('five', 0, 2);
    expect(await numbered(body, numbering(level(0, 'decimal', '%1.'), again))).toBe('1. one\n\nx\n\n2. two\n\ny\n\n5. five');
  });

  it('count what has no words', async () => {
    const empty = '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr></w:p>';
    expect(await numbered(item('one') + empty + item('three'), numbering(level(0, 'decimal', '%1.')))).toBe('1. one\n3. three');
  });

  it('of headings', async () => {
    const heading = (text: string, style: string) =>
      `<w:p><w:pPr><w:pStyle w:val="${style}"/><w:numPr><w:ilvl w:val="${style.at(-1) === '1' ? 0 : 1}"/><w:numId w:val="1"/></w:numPr></w:pPr>${run(text)}</w:p>`;
    const styles = ['1', '2']
      .map((n) => `<w:style w:type="paragraph" w:styleId="H${n}"><w:name w:val="heading ${n}"/></w:style>`)
      .join('');
    const bytes = withParts(heading('Scope', 'H1') + heading('Who', 'H2') + heading('Term', 'H1'), [
      ['n', 'numbering', 'numbering.xml', numbering(level(0, 'decimal', '%1.') + level(1, 'decimal', '%1.%2'))],
      ['s', 'styles', 'styles.xml', `<w:styles>${styles}</w:styles>`],
    ]);
    expect(await parsedOf('a.docx', bytes)).toBe('# 1. Scope\n\n## 1.1 Who\n\n# 2. Term');
  });
});

describe('tables', () => {
  const merged = tbl(
    row(cell('Region'), cell('City'), cell('Sales')),
    row(cell('North', '<w:vMerge w:val="restart"/>'), cell('Oslo'), cell('1')),
    row(cell('', '<w:vMerge/>'), cell('Bergen'), cell('2')),
    row(cell('Both', '<w:gridSpan w:val="2"/>'), cell('3')),
  );

  it('keep their columns where cells are merged', async () => {
    expect(await read(merged)).toBe(
      '| Region | City | Sales |\n| --- | --- | --- |\n| North | Oslo | 1 |\n|  | Bergen | 2 |\n| Both |  | 3 |',
    );
    expect(await read(merged, { as: 'html' })).toContain('<td rowspan="2">North</td>');
    expect(await read(merged, { as: 'text' })).toBe('Region\tCity\tSales\nNorth\tOslo\t1\n\tBergen\t2\nBoth\t\t3');
    const told = (place: string) => [
      `2 cells of ${place} are merged; the words stand in the first place that each takes, and the others are empty`,
    ];
    expect(await warned(wordOf({ body: merged }))).toEqual(told('table 1'));
    expect(await warned(wordOf({ body: merged }), { table: '1' })).toEqual(told('the table'));
  });

  it('keep their columns where a row begins later', async () => {
    const shifted = tbl(row(cell('a'), cell('b')), `<w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr>${cell('x')}</w:tr>`);
    expect(await read(shifted)).toBe('| a | b |\n| --- | --- |\n|  | x |');
  });

  it('keep the text of a cell that continues none', async () => {
    expect(await read(tbl(row(cell('a'), cell('b')), row(cell('kept', '<w:vMerge/><w:gridSpan w:val="2"/>'))))).toContain('kept');
  });

  it('and all else whatever prefix the document gives to the usual names', async () => {
    const w = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
    const xml = `<w:document xmlns:w="${w}"><w:body>${merged}${p(run('plain', '<w:b w:val="0"/>'))}</w:body></w:document>`
      .replaceAll('w:', 'ns0:')
      .replace('xmlns:ns0:', 'xmlns:ns0')
      .replace('xmlns:ns0', 'xmlns:ns0');
    const bytes = wordOf({
      body: '',
      parts: [{ name: 'word/document.xml', content: xml.replace('xmlns:w=', 'xmlns:ns0=').replace('xmlnsns0:', 'xmlns:ns0') }],
    });
    expect(await parsedOf('a.docx', bytes)).toBe(await read(merged + p(run('plain'))));
  });

  it('become records by their number, typed as those of a CSV file', async () => {
    expect(await read(paragraph('x') + merged, { table: '1' })).toEqual([
      { Region: 'North', City: 'Oslo', Sales: 1 },
      { Region: null, City: 'Bergen', Sales: 2 },
      { Region: 'Both', City: null, Sales: 3 },
    ]);
    const zip = tbl(row(cell('zip'), cell('amount')), row(cell('01067'), cell('1,50')));
    expect(await read(merged + zip, { table: '2', decimal: ',' })).toEqual([{ zip: '01067', amount: 1.5 }]);
    await expect(read(merged, { table: '2' })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: 'The document has no table 2',
    });
    await expect(read(paragraph('x'), { table: '1' })).rejects.toMatchObject({ message: 'The document has no tables' });
    await expect(read(merged, { header: false })).rejects.toMatchObject({ hint: expect.stringContaining('table: "1"') });
  });
});

describe('what the text leaves out', () => {
  const changed = p(run('The '), `<w:del>${'<w:r><w:delText>old</w:delText></w:r>'}</w:del>`, `<w:ins>${run('new')}</w:ins>`);
  const hidden = p(run('secret', '<w:vanish/>'), run('shown'));

  it('is told with its number, and given where it is asked for', async () => {
    expect(await warned(wordOf({ body: changed }))).toEqual([expect.stringContaining('2 tracked changes')]);
    expect(await read(changed, { include: ['deletions'] })).toBe('The {--old--}new');
    expect(await warned(wordOf({ body: hidden }))).toEqual([expect.stringContaining('Hidden text (6 characters)')]);
    expect(await read(hidden, { include: ['hidden'] })).toBe('secretshown');
  });

  it('comments, headers and footers', async () => {
    const body = `${p(run('said'), '<w:r><w:commentReference w:id="0"/></w:r>')}<w:sectPr><w:headerReference r:id="h"/><w:footerReference r:id="g"/></w:sectPr>`;
    const bytes = withParts(body, [
      [
        'c',
        'comments',
        'comments.xml',
        `<w:comments><w:comment w:id="0" w:author="Ann">${paragraph('Right?')}</w:comment></w:comments>`,
      ],
      ['h', 'header', 'header1.xml', `<w:hdr>${paragraph('Contract 4711')}</w:hdr>`],
      ['g', 'footer', 'footer1.xml', `<w:ftr>${paragraph('Page 1')}</w:ftr>`],
    ]);
    expect(await parsedOf('a.docx', bytes)).toBe('said');
    expect(await warned(bytes)).toEqual([
      '1 comment is left out; include: ["comments"] shows them',
      '2 page headers and footers are left out ("Contract 4711"); include: ["headers"] shows them',
    ]);
    expect(await parsedOf('a.docx', bytes, { include: ['comments', 'headers'] })).toBe(
      '> Contract 4711\n\nsaid{>>Ann: Right?<<}\n\n> Page 1',
    );
  });

  it('charts are given as their title and values, embedded files as what they say', async () => {
    const chart = `<c:chartSpace><c:chart><c:title><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:title><c:ser><c:tx><c:v>Oslo</c:v></c:tx><c:cat><c:pt idx="0"><c:v>2024</c:v></c:pt></c:cat><c:val><c:pt idx="0"><c:v>42</c:v></c:pt></c:val></c:ser></c:chart></c:chartSpace>`;
    const drawn = `<w:p><w:r><w:drawing><a:graphicData><c:chart r:id="c"/></a:graphicData></w:drawing></w:r></w:p>`;
    expect(await parsedOf('a.docx', withParts(drawn, [['c', 'chart', 'charts/chart1.xml', chart]]))).toBe(
      'Chart: Sales\n\n|  | Oslo |\n| --- | --- |\n| 2024 | 42 |',
    );
    const chunk = (name: string, content: string) =>
      withParts(`${paragraph('a')}<w:altChunk r:id="k"/>`, [['k', 'aFChunk', name, content]]);
    expect(await parsedOf('a.docx', chunk('c.html', '<p>from <b>HTML</b></p>'))).toBe('a\n\nfrom **HTML**');
    expect(await parsedOf('a.docx', chunk('c.txt', 'one\n\ntwo'))).toBe('a\n\none\n\ntwo');
    expect(await warned(chunk('c.rtf', '{\\rtf1 x}'))).toEqual(['1 file that is embedded in the document is left out']);
  });
});
