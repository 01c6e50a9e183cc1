import { describe, expect, it } from 'vitest';
import { convertBytes, failureOf, jsonText, parsedOf, testBounds } from '../fixtures/conversion-fixture.ts';

const read = (html: string | Uint8Array, options = {}) => parsedOf('a.html', html, options);

describe('a web page', () => {
  it.each<[string, string, string]>([
    [
      'without what is no text',
      '<head><title>T</title></head><style>p{}</style><script>a</script><p>shown</p><!-- c -->',
      'shown',
    ],
    [
      'headings and paragraphs',
      '<h1>A &amp; b</h1><div>one</div>two<section><p>three</p></section>',
      '# A & b\n\none\n\ntwo\n\nthree',
    ],
    [
      'marks',
      '<p><b>b</b> <em>i</em> <del>d</del> <code>c`d</code> 10<sup>6</sup> H<sub>2</sub>O</p>',
      '**b** *i* ~~d~~ ``c`d`` 10<sup>6</sup> H<sub>2</sub>O',
    ],
    ['blanks', '<p>  a\n   b<b> c </b>d <br> e</p>', 'a b **c** d  \ne'],
    [
      'lists',
      '<ul><li>a<ul><li>b</li></ul></li><li><p>c</p><p>d</p></li></ul><ol start="3"><li>x<li value="7">y</ol>',
      '- a\n  - b\n- c\n\n  d\n\n3. x\n7. y',
    ],
    ['a list in a list without an item', '<ul><li>a</li><ul><li>b</li></ul></ul>', '- a\n  - b'],
    ['definitions', '<dl><dt>term</dt><dd>what it is</dd></dl>', '**term**\n\nwhat it is'],
    [
      'quotes and code',
      '<blockquote><p>q</p></blockquote><pre><code class="language-js">let a;\nb</code></pre>',
      '> q\n\n```js\nlet a;\nb\n```',
    ],
    [
      'links and pictures',
      '<p><a href="https://a.example/x y">there</a> <a href="javascript:a()">no</a> <a href="b.html">near</a><img alt="A map" src="m.png"></p>',
      '[there](<https://a.example/x y>) no [near](b.html)![A map](m.png)',
    ],
    [
      'fields of forms',
      '<p><input type=checkbox checked>yes <input type=radio>no <input value=Ann> <input type=password value=secret> <select><option>a<option selected>b</select> <select multiple><option>c<option selected>d<option selected>e</select></p>',
      '[x] yes [ ] no Ann b d, e',
    ],
    [
      'ruby and formulas',
      '<p><ruby>東京<rp>(</rp><rt>とうきょう</rt><rp>)</rp></ruby> <math><msup><mi>x</mi><mn>2</mn></msup></math></p>',
      '東京(とうきょう) $x^2$',
    ],
    [
      'preformatted text, line by line, without what is hidden',
      '<pre><div>int a;</div><div>int b;</div>c<span style="display:none">X</span></pre>',
      '```\nint a;\nint b;\nc\n```',
    ],
    ['letters of lists', '<ol type="a"><li>x<li>y</ol>', 'a. x\n\nb. y'],
    [
      'cells that end with their part of the table',
      '<table><thead><tr><th rowspan=2>N<th>Q</thead><tbody><tr><td>a<td>3<tr><td>b<td>4</table>',
      '| N | Q |\n| --- | --- |\n| a | 3 |\n| b | 4 |',
    ],
    [
      'invisible cells at their place',
      '<table><tr><td>1<td style="visibility:hidden">2<td>3</table>',
      '| 1 |  | 3 |\n| --- | --- | --- |',
    ],
    ['what is not closed', '<p>a<p>b<table><tr><td>c<td>d', 'a\n\nb\n\n| c | d |\n| --- | --- |'],
  ])('has %s', async (_, html, expected) => {
    expect(await read(html)).toBe(expected);
  });

  const table =
    '<table><caption>Sales</caption><tfoot><tr><td>Sum<td>3</tfoot><thead><tr><th>City<th>n</thead><tr><td rowspan=2>Oslo<td>1</tr><tr><td>2</table>';

  it('has tables that keep their columns, with their foot at the end', async () => {
    expect(await read(table)).toBe('Sales\n\n| City | n |\n| --- | --- |\n| Oslo | 1 |\n|  | 2 |\n| Sum | 3 |');
    expect(await read(table, { table: '1' })).toEqual([
      { City: 'Oslo', n: 1 },
      { City: null, n: 2 },
      { City: 'Sum', n: 3 },
    ]);
    expect(await read(table, { as: 'text' })).toBe('Sales\nCity\tn\nOslo\t1\n\t2\nSum\t3');
  });

  it('is its own source as HTML, and as text of no format', async () => {
    expect(await read(table, { as: 'html' })).toBe(table);
    expect(await read(table, { format: 'text' })).toBe(table);
  });

  it('is read in the encoding that it declares', async () => {
    const declared = Buffer.from('<meta charset="iso-8859-2"><p>\xb3\xf3d\xbc</p>', 'latin1');
    expect(await read(declared)).toBe('łódź');
    expect(await read(Buffer.from('<p>\xe9</p>', 'latin1'), { encoding: 'latin1' })).toBe('é');
  });

  it('leaves out what is hidden, with a word, unless it is asked for', async () => {
    const html = '<p>a</p><p hidden>secret</p><div style="display: none">more</div>';
    const conversion = await convertBytes('a.htm', html);
    expect(JSON.parse(await jsonText(conversion))).toBe('a');
    expect(conversion.report).toMatchObject({ format: 'html', warnings: [{ code: 'DOCUMENT_HIDDEN' }] });
    expect(await read(html, { include: ['hidden'] })).toBe('a\n\nsecret\n\nmore');
  });

  it('that is nested too deep, or too large, is refused', async () => {
    expect(await failureOf('a.html', '<div>'.repeat(5000))).toMatchObject({ code: 'PARSE_FAILED' });
    expect(await failureOf('a.html', `${'<b>'.repeat(5000)}x`)).toMatchObject({ code: 'PARSE_FAILED' });
    const bounds = { ...testBounds, maxFileBytes: 1000 };
    expect(await failureOf('a.html', `<p>${'x'.repeat(2000)}</p>`, { bounds })).toMatchObject({ code: 'FILE_TOO_LARGE' });
    const wide = `<table>${'<tr><td colspan=1000>x</td></tr>'.repeat(2000)}</table>`;
    expect(await failureOf('a.html', wide, { bounds: { ...testBounds, maxFileBytes: 100_000 } })).toMatchObject({
      code: 'FILE_TOO_LARGE',
    });
  });
});
