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
      ['DOCUMENT_IMAGES', 'The document has 1 image, which is left out'],
      ['DOCUMENT_DRAWINGS', 'The document has 2 charts or diagrams, which are left out'],
      ['HIDDEN_SLIDES', 'The text has 1 hidden slide too'],
    ]);
    expect(await parsedOf('a.pptx', bytes)).toBe('## Slide 1\n\n![A map]');
  });

  it('without slides is an empty text, with a warning', async () => {
    const { report } = await convertBytes('a.pptx', presentationOf([]), {});
    expect(report).toMatchObject({ format: 'pptx', kind: 'string', warnings: [{ code: 'DOCUMENT_EMPTY' }] });
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
