import { describe, expect, it } from 'vitest';
import { convertBytes, failureOf, parsedOf, testBounds } from '../fixtures/conversion-fixture.ts';
import { frame, line, presentationOf, type SlideFixture, shape, slideTable } from './presentation-fixture.ts';

const textOf = (slides: readonly SlideFixture[], options = {}) => parsedOf('a.pptx', presentationOf(slides), options);
const level = (at: number, more = '') => `<a:pPr lvl="${at}">${more}</a:pPr>`;

const talk: SlideFixture[] = [
  {
    shapes:
      shape(['Plan & aims'.replace('&', '&amp;')], 'title') +
      shape(['One', line('Below', level(1)), line('Two')], '') +
      shape(['4'], 'sldNum'),
    notes: shape(['x'], 'sldImg') + shape(['Say hello.', 'Wait.'], 'body') + shape(['1'], 'sldNum'),
  },
  { shapes: shape(['Free text']) + slideTable(['Name', 'Age'], ['Ann', '36']) },
];

describe('a presentation', () => {
  it('becomes Markdown: a heading per slide, its lists and tables, and its notes', async () => {
    expect(await textOf(talk)).toBe(
      [
        '## Plan & aims',
        '- One\n  - Below\n- Two',
        '> Say hello.\n>\n> Wait.',
        '## Slide 2',
        'Free text',
        '| Name | Age |\n| --- | --- |\n| Ann | 36 |',
      ].join('\n\n'),
    );
  });

  it('becomes plain text or HTML where that is asked for', async () => {
    expect(await textOf(talk, { as: 'text' })).toContain('Plan & aims');
    expect(await textOf(talk, { as: 'text' })).not.toContain('#');
    expect(await textOf(talk, { as: 'html' })).toContain(
      '<h2>Plan &amp; aims</h2><ul><li>One<ul><li>Below</li></ul></li><li>Two</li></ul>',
    );
  });

  it('keeps the order of the show, numbered lists, emphasis, breaks and links', async () => {
    const runs =
      '<a:r><a:rPr b="1"/><a:t>bo</a:t></a:r><a:r><a:rPr b="1"/><a:t>ld </a:t></a:r><a:r><a:rPr i="1"/><a:t>it</a:t></a:r><a:br/><a:r><a:rPr><a:hlinkClick r:id="l"/></a:rPr><a:t>there</a:t></a:r>';
    const slide: SlideFixture = {
      shapes: shape(
        [
          line('first', level(0, '<a:buAutoNum type="arabicPeriod"/>')),
          line('plain', level(0, '<a:buNone/>')),
          line(runs, level(0, '<a:buNone/>')),
        ],
        '',
      ),
      links: { l: 'https://example.com/a?b=1&amp;c=2', evil: 'javascript:alert(1)' },
    };
    expect(await textOf([slide], { as: 'html' })).toBe(
      '<section id="slide-1"><ol><li>first</li></ol><p>plain</p><p><strong>bold</strong> <em>it</em><br /><a href="https://example.com/a?b=1&amp;c=2">there</a></p></section>',
    );
  });

  it('names what it leaves out, and hidden slides', async () => {
    const picture = '<p:pic><p:nvPicPr><p:cNvPr id="4" name="p" descr="A map"/></p:nvPicPr></p:pic>';
    const bytes = presentationOf([{ shapes: picture + frame('chart', '') + frame('diagram', ''), hidden: true }]);
    const { report } = await convertBytes('a.pptx', bytes, {});
    expect(report.warnings.map(({ code, message }) => [code, message])).toEqual([
      ['DOCUMENT_IMAGES', "The document has 1 image, which is left out (at 'Slide 1')"],
      ['DOCUMENT_DRAWINGS', "The document has 2 charts or diagrams, which are left out (at 'Slide 1')"],
      ['HIDDEN_SLIDES', "The text has 1 hidden slide too (at 'Slide 1')"],
    ]);
    expect(await parsedOf('a.pptx', bytes)).toBe('## Slide 1\n\n![A map]');
  });

  it('without slides is an empty text, with a warning', async () => {
    const { report } = await convertBytes('a.pptx', presentationOf([]), {});
    expect(report).toMatchObject({ format: 'pptx', kind: 'string', warnings: [{ code: 'DOCUMENT_EMPTY' }] });
  });
});

describe('words that a layout draws on its slides', () => {
  const layout = shape(['Click to edit'], 'body') + shape(['Confidential']);
  const slides: SlideFixture[] = [1, 2].map((number) => ({ shapes: shape([`Text ${number}`]), layout }));

  it('are said, and shown once where they are asked for', async () => {
    const bytes = presentationOf(slides);
    const { report } = await convertBytes('a.pptx', bytes);
    expect(report.warnings.map(({ message }) => message)).toContainEqual(expect.stringContaining('"Confidential"'));
    expect(await textOf(slides)).not.toContain('Confidential');
    const shown = String(await textOf(slides, { include: ['headers'] }));
    expect(shown.split('Confidential')).toHaveLength(2);
    expect(shown).not.toContain('Click to edit');
  });

  it('are not there where a slide hides them', async () => {
    const bytes = presentationOf(slides.map((each) => ({ ...each, attributes: ' showMasterSp="0"' })));
    expect((await convertBytes('a.pptx', bytes)).report.warnings).toEqual([]);
  });
});

describe('shapes of a slide', () => {
  /** A shape with text at a place. */
  const at = (x: number, y: number, width: number, text: string) =>
    `<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="${width}" cy="50"/></a:xfrm></p:spPr><p:txBody>${line(text)}</p:txBody></p:sp>`;
  const slideOf = (shapes: string, options = {}) => textOf([{ shapes }], options);

  it('are read as people read them, column by column', async () => {
    const shapes =
      at(0, 300, 900, 'foot') +
      at(500, 200, 400, 'right 2') +
      at(0, 200, 400, 'left 2') +
      at(500, 100, 400, 'right 1') +
      at(0, 100, 400, 'left 1') +
      at(0, 0, 900, 'head');
    expect(await slideOf(shapes)).toBe(['## Slide 1', 'head', 'left 1', 'left 2', 'right 1', 'right 2', 'foot'].join('\n\n'));
  });

  it('in groups stand where the group puts them', async () => {
    const group = `<p:grpSp><p:grpSpPr><a:xfrm><a:off x="0" y="500"/><a:ext cx="100" cy="100"/><a:chOff x="0" y="0"/><a:chExt cx="100" cy="100"/></a:xfrm></p:grpSpPr>${at(0, 0, 50, 'below')}</p:grpSp>`;
    expect(await slideOf(group + at(0, 100, 100, 'above'))).toBe('## Slide 1\n\nabove\n\nbelow');
  });

  it('have raised and struck-out words, numbers as they are shown, formulas and merged cells', async () => {
    const run = (text: string, attributes: string) => `<a:r><a:rPr ${attributes}/><a:t>${text}</a:t></a:r>`;
    expect(
      await slideOf(
        shape([
          line(
            `${run('10', '')}${run('6', 'baseline="30000"')}${run(' 99', 'strike="sngStrike"')}${run('2', 'baseline="-25000"')}`,
          ),
        ]),
      ),
    ).toBe('## Slide 1\n\n10<sup>6</sup> ~~99~~<sub>2</sub>');
    const numbered = (type: string, start = '') => level(0, `<a:buAutoNum type="${type}"${start}/>`);
    expect(
      await slideOf(
        shape([line('a', numbered('arabicPeriod', ' startAt="3"')), line('b', numbered('arabicPeriod', ' startAt="3"'))]),
      ),
    ).toBe('## Slide 1\n\n3. a\n4. b');
    expect(await slideOf(shape([line('a', numbered('alphaLcParenR')), line('b', numbered('alphaLcParenR'))]))).toBe(
      '## Slide 1\n\na) a\n\nb) b',
    );
    const math =
      '<a14:m><m:oMathPara><m:oMath><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath></m:oMathPara></a14:m>';
    expect(await slideOf(shape([line(`<a:r><a:t>It is </a:t></a:r>${math}`)]))).toBe('## Slide 1\n\nIt is $$x^2$$');
    const cell = (text: string, attributes = '') => `<a:tc ${attributes}><a:txBody>${line(text)}</a:txBody></a:tc>`;
    const merged = frame(
      'table',
      `<a:tbl><a:tr>${cell('N', 'rowSpan="2"')}${cell('1')}</a:tr><a:tr>${cell('', 'vMerge="1"')}${cell('2')}</a:tr></a:tbl>`,
    );
    expect(await slideOf(merged)).toBe('## Slide 1\n\n| N | 1 |\n| --- | --- |\n|  | 2 |');
  });

  it('whose title has a line break has one heading', async () => {
    expect(
      await textOf([{ shapes: shape([line('<a:r><a:t>Annual</a:t></a:r><a:br/><a:r><a:t>Report</a:t></a:r>')], 'title') }]),
    ).toBe('## Annual Report');
  });
});

describe('a presentation that cannot be read', () => {
  const whole = presentationOf(talk);
  const withPart = (name: string, content: string) => presentationOf(talk, [{ name, content }]);
  const cases: [string, Uint8Array, string][] = [
    ['empty', new Uint8Array(0), 'it is empty'],
    ['cut off', whole.subarray(0, whole.length - 40), 'it is not a ZIP archive'],
    ['another archive', withPart('ppt/presentation.xml', '<a/'), 'it is damaged, or not a .pptx file'],
    ['a broken slide', withPart('ppt/slides/slide1.xml', '<p:sld><p:cSld>'), 'it is damaged'],
    ['with entities', withPart('ppt/slides/slide1.xml', '<!DOCTYPE x [<!ENTITY e "eee">]><p:sld>&e;</p:sld>'), 'it is damaged'],
    ['protected', Buffer.from('d0cf11e0a1b11ae1'.padEnd(64, '0'), 'hex'), 'only .pptx is read'],
  ];
  it.each(cases)('%s', async (_, bytes, reason) => {
    const failure = await failureOf('a.pptx', bytes);
    expect(failure).toMatchObject({ code: 'PARSE_FAILED', message: expect.stringContaining('Failed to parse PPTX file: ') });
    expect(failure.message).toContain(reason);
  });

  it('one with more text than the limit', async () => {
    const bytes = presentationOf([{ shapes: shape(['x'.repeat(200_000)]) }]);
    const failure = await failureOf('a.pptx', bytes, { bounds: { ...testBounds, maxFileBytes: 50_000 } });
    expect(failure).toMatchObject({ code: 'FILE_TOO_LARGE' });
  });
});
