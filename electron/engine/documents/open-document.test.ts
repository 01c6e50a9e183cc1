import { describe, expect, it } from 'vitest';
import { convertBytes, failureOf, parsedOf, testBounds } from '../fixtures/conversion-fixture.ts';
import { type ZipPart, zipOf } from '../input/zip-fixture.ts';

const namespaces = ['office', 'text', 'table', 'style', 'draw', 'manifest']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .concat('xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"', 'xmlns:xlink="http://www.w3.org/1999/xlink"')
  .join(' ');
const styles = `<office:automatic-styles>
  <style:style style:name="T1" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>
  <style:style style:name="T2" style:family="text"><style:text-properties fo:font-style="italic"/></style:style>
  <style:style style:name="P1" style:family="paragraph" style:parent-style-name="Title"/>
  <text:list-style style:name="L1"><text:list-level-style-bullet text:level="1"/></text:list-style>
  <text:list-style style:name="L2"><text:list-level-style-number text:level="1"/></text:list-style>
</office:automatic-styles>`;

const content = (body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><office:document-content ${namespaces}>${styles}<office:body><office:text>${body}</office:text></office:body></office:document-content>`;
const odtOf = (body: string, parts: readonly ZipPart[] = []): Buffer =>
  zipOf([
    { name: 'mimetype', content: 'application/vnd.oasis.opendocument.text', stored: true },
    { name: 'content.xml', content: content(body) },
    ...parts,
  ]);
const textOf = (body: string, options = {}) => parsedOf('a.odt', odtOf(body), options);

const p = (text: string) => `<text:p>${text}</text:p>`;
const item = (inner: string) => `<text:list-item>${inner}</text:list-item>`;
const row = (...cells: string[]) =>
  `<table:table-row>${cells.map((cell) => `<table:table-cell>${p(cell)}</table:table-cell>`).join('')}</table:table-row>`;

describe('an OpenDocument text', () => {
  it('becomes Markdown, with headings, lists, tables, links, emphasis and notes', async () => {
    const body = [
      '<text:p text:style-name="P1">Report</text:p>',
      '<text:h text:outline-level="2">Overview</text:h>',
      p(
        'Plain <text:span text:style-name="T1">bold</text:span>\n  and <text:span text:style-name="T2">italic</text:span>.<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>The note</text:p></text:note-body></text:note>',
      ),
      `<text:list text:style-name="L1">${item(`${p('one')}<text:list>${item(p('below'))}</text:list>`)}${item(p('two'))}</text:list>`,
      `<text:list text:style-name="L2">${item(p('first'))}${item(p('second'))}</text:list>`,
      p('<text:a xlink:href="https://example.com/a?b=1">a link</text:a>'),
      `<table:table>${row('Name', 'Age')}${row('Ann', '36')}</table:table>`,
    ].join('');
    expect(await textOf(body)).toBe(
      [
        '# Report',
        '## Overview',
        'Plain **bold** and *italic*.[^1]',
        '- one\n  - below\n- two',
        '1. first\n2. second',
        '[a link](https://example.com/a?b=1)',
        '| Name | Age |\n| --- | --- |\n| Ann | 36 |',
        '[^1]: The note',
      ].join('\n\n'),
    );
  });

  it('leaves out deleted text and comments, and keeps blanks, tabs and breaks', async () => {
    const body = `<text:tracked-changes><text:changed-region><text:deletion>${p('gone')}</text:deletion></text:changed-region></text:tracked-changes>${p(
      'a<text:s text:c="3"/>b<text:tab/>c<text:line-break/>d<office:annotation><text:p>a comment</text:p></office:annotation>',
    )}`;
    expect(await textOf(body, { as: 'html' })).toBe('<p>a   b\tc<br />d</p>');
  });

  it('repeats cells within bounds, and counts pictures', async () => {
    const cells =
      '<table:table-cell table:number-columns-repeated="2"><text:p>x</text:p></table:table-cell><table:table-cell table:number-columns-repeated="16384"/>';
    const bytes = odtOf(
      `<table:table><table:table-row>${cells}</table:table-row></table:table>${p('<draw:frame><draw:image/></draw:frame>')}`,
    );
    const { report } = await convertBytes('a.ott', bytes, { as: 'html' });
    expect(report.outputBytes).toBeLessThan(2000);
    expect(report).toMatchObject({ format: 'odt', warnings: [{ code: 'DOCUMENT_IMAGES' }] });
  });

  it('gives no link to what is no address', async () => {
    expect(await textOf(p('<text:a xlink:href="javascript:alert(1)">x</text:a>'), { as: 'html' })).toBe('<p>x</p>');
  });
});

describe('what the page shows', () => {
  const style = (name: string, properties: string, family = 'text') =>
    `<style:style style:name="${name}" style:family="${family}"><style:text-properties ${properties}/></style:style>`;
  const numbers = `<text:list-style style:name="N"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/><text:list-level-style-number text:level="2" style:num-format="1" text:display-levels="2"/></text:list-style>`;
  const styled = (body: string, definitions: string, options = {}) => {
    const bytes = zipOf([
      {
        name: 'content.xml',
        content: `<office:document-content ${namespaces}><office:automatic-styles>${definitions}</office:automatic-styles><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
      },
    ]);
    return parsedOf('a.odt', bytes, options);
  };
  const span = (name: string, text: string) => `<text:span text:style-name="${name}">${text}</text:span>`;

  it('raised, struck out and hidden words', async () => {
    const definitions =
      style('S', 'style:text-position="super 58%"') +
      style('B', 'style:text-position="-33% 58%"') +
      style('X', 'style:text-line-through-style="solid"') +
      style('H', 'text:display="none"');
    const body = p(`10${span('S', '6')} H${span('B', '2')}O ${span('X', '99')}${span('H', 'secret')}`);
    expect(await styled(body, definitions)).toBe('10<sup>6</sup> H<sub>2</sub>O ~~99~~');
    expect(await styled(body, definitions, { include: ['hidden'] })).toContain('secret');
  });

  it('numbers of lists, from where they start and on', async () => {
    const list = (items: string, more = '') => `<text:list text:style-name="N"${more}>${items}</text:list>`;
    const below = (text: string) => `<text:list>${item(p(text))}</text:list>`;
    const started = `<text:list-item text:start-value="3">${p('third')}</text:list-item>${item(p('fourth') + below('deep'))}`;
    expect(await styled(list(started) + p('between') + list(item(p('fifth')), ' text:continue-numbering="true"'), numbers)).toBe(
      '3. third\n4. fourth\n\n   4.1 deep\n\nbetween\n\n5. fifth',
    );
  });

  it('ruby, notes of both kinds, hidden sections and merged cells', async () => {
    expect(
      await textOf(
        p('<text:ruby><text:ruby-base>東京</text:ruby-base><text:ruby-text>とうきょう</text:ruby-text></text:ruby>駅'),
      ),
    ).toBe('東京(とうきょう)駅');
    const note = (kind: string, text: string) =>
      `<text:note text:note-class="${kind}"><text:note-citation>1</text:note-citation><text:note-body>${p(text)}</text:note-body></text:note>`;
    expect(await textOf(p(`a${note('footnote', 'foot')}${note('endnote', 'end')}`))).toBe(
      'a[^1][^e1]\n\n[^1]: foot\n\n[^e1]: end',
    );
    const section = `<text:section text:display="none">${p('hidden')}</text:section>${p('shown')}`;
    expect(await textOf(section)).toBe('shown');
    expect((await convertBytes('a.odt', odtOf(section))).report.warnings).toMatchObject([{ code: 'DOCUMENT_HIDDEN' }]);
    const cell = (text: string, more = '') => `<table:table-cell${more}>${p(text)}</table:table-cell>`;
    const rows = `<table:table-row>${cell('N', ' table:number-rows-spanned="2"')}${cell('1')}</table:table-row><table:table-row><table:covered-table-cell/>${cell('2')}</table:table-row>`;
    expect(await textOf(`<table:table>${rows}</table:table>`)).toBe('| N | 1 |\n| --- | --- |\n|  | 2 |');
  });

  it('fields with the title of the document, but no titles of shapes', async () => {
    expect(
      await textOf(
        p('Contract <text:title>Lease</text:title><draw:rect><svg:title>box</svg:title><text:p>inside</text:p></draw:rect>'),
      ),
    ).toBe('Contract Lease\n\ninside');
  });

  it('deletions and comments where they are asked for', async () => {
    const body = `<text:tracked-changes><text:changed-region text:id="c"><text:deletion>${p('old')}</text:deletion></text:changed-region></text:tracked-changes>${p(`a <text:change text:change-id="c"/>b<office:annotation><dc:creator>Ann</dc:creator>${p('why?')}</office:annotation>`)}`;
    expect(await textOf(body)).toBe('a b');
    expect(await textOf(body, { include: ['deletions', 'comments'] })).toBe('a {--old--}b{>>Ann: why?<<}');
  });

  it('formulas and charts of embedded objects', async () => {
    const object = (name: string, content: string): ZipPart => ({ name: `${name}/content.xml`, content });
    const drawn = (name: string) => p(`<draw:frame><draw:object xlink:href="./${name}"/><draw:image/></draw:frame>`);
    const bytes = odtOf(drawn('Object 1') + drawn('Object 2'), [
      object('Object 1', '<math><msup><mi>x</mi><mn>2</mn></msup></math>'),
      object(
        'Object 2',
        `<office:document-content><chart:chart><chart:title>${p('Sales')}</chart:title><table:table><table:table-row><table:table-cell>${p('Oslo')}</table:table-cell></table:table-row></table:table></chart:chart></office:document-content>`,
      ),
    ]);
    expect(await parsedOf('a.odt', bytes)).toBe('$x^2$\n\nChart: Sales\n\n| Oslo |\n| --- |');
  });
});

describe('an OpenDocument text that cannot be read', () => {
  const encrypted =
    '<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>';
  const cases: [string, Uint8Array, string][] = [
    ['empty', new Uint8Array(0), 'it is empty'],
    ['no archive', Buffer.from('hello'), 'it is not a ZIP archive'],
    ['another archive', zipOf([{ name: 'a', content: 'a' }]), "its part 'content.xml' is missing"],
    ['a spreadsheet', zipOf([{ name: 'content.xml', content: '<office:spreadsheet/>' }]), 'it is damaged, or not a .odt file'],
    ['broken', zipOf([{ name: 'content.xml', content: '<office:body>' }]), 'it is damaged'],
    ['encrypted', odtOf('', [{ name: 'META-INF/manifest.xml', content: encrypted }]), 'protected with a password'],
    [
      'nested too deep',
      odtOf(`${'<text:list><text:list-item>'.repeat(600)}${'</text:list-item></text:list>'.repeat(600)}`),
      'nested too deep',
    ],
  ];
  it.each(cases)('%s', async (_, bytes, reason) => {
    const failure = await failureOf('a.odt', bytes);
    expect(failure).toMatchObject({ code: 'PARSE_FAILED', message: expect.stringContaining('Failed to parse ODT file: ') });
    expect(failure.message).toContain(reason);
  });

  it('one whose part is too large', async () => {
    const failure = await failureOf('a.odt', odtOf(p('x'.repeat(200_000))), { bounds: { ...testBounds, maxFileBytes: 50_000 } });
    expect(failure).toMatchObject({ code: 'FILE_TOO_LARGE' });
  });
});
