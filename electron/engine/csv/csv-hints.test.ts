/** Tables in which a person would see something else than their cells. */
import { describe, expect, it } from 'vitest';
import { convertBytes } from '../fixtures/conversion-fixture.ts';

const warningsOf = async (text: string, options = {}) =>
  (await convertBytes('a.csv', Buffer.from(text), options)).report.warnings.map(({ message }) => message);

it.each([
  ['numbers but for NA', 't,v\na,1.5\nb,NA\nc,2.5\n', /stay text only.*\(v\); ask for nulls: \["NA"\]/],
  ['cells for Excel', 'sku,n\n="00123",1\n="00456",2\n', /formulas.*\(sku\)/],
  ['rows of delimiters', 'a,b,c\n1,2,3\n,,\n,,\n', /2 rows have only empty cells/],
  ['two files joined', 'id,name\n1,x\n\ufeffid,name\n2,y\n', /Record 2 repeats the header/],
  ['a Markdown table', '| id | name |\n|----|------|\n| 1 | Ann |\n', /rule of a Markdown table/],
  ['blank lines in one column', 'name\nAnn\n\n\nBob\n\n', /2 blank lines were skipped.*first at line 3/],
  ['another delimiter', 'CODE^AREA\n600^S. Is\n601^N. Is\n', /delimiter: "\^"/],
])('%s are named', async (_, text, says) => {
  expect(await warningsOf(text)).toEqual(expect.arrayContaining([expect.stringMatching(says)]));
});

it.each([
  ['NA where it is said to be null', 't,v\na,1\nb,NA\n', { nulls: ['NA'] }],
  ['words beside NA', 't\nx\nNA\ny\n', {}],
  ['a blank line at the end', 'name\nAnn\n\n', {}],
  ['blank lines between rows of several columns', 'a,b\n1,2\n\n3,4\n', {}],
  ['one column of texts', 'note\nsee a/b\nnothing\n', {}],
  ['a row that is like the header in part', 'id,name\nid,x\n', {}],
])('%s is not', async (_, text, options) => {
  expect(await warningsOf(text, options)).toEqual([]);
});

describe('a table of fixed width', () => {
  const codes = async (text: string) => (await convertBytes('a.csv', text)).report.warnings.map(({ code }) => code);

  it('is named', async () => {
    expect(await codes('id   name      amount\n1    Ann       12.50\n2    Bob        3.20\n3    Charlie    4.10\n')).toEqual([
      'FIXED_WIDTH',
    ]);
  });

  it.each([
    'note\nsome  words\nother words here\nand  more\n',
    'a\nb\nc\nd\n',
    'a  b\nc  d\n',
    'name\nAnn Lee\nBob Ray\nCid Fox\n',
  ])('is not seen in %j', async (text) => {
    expect(await codes(text)).toEqual([]);
  });
});
