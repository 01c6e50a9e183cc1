import { describe, expect, it } from 'vitest';
import { toHtml, toMarkdown } from './response-format.ts';

describe('toMarkdown', () => {
  it('makes a table of records, with every column and no broken cell', () => {
    expect(
      toMarkdown([
        { a: 1, b: 'x|y' },
        { a: null, c: 'two\nlines' },
      ]),
    ).toBe('| a | b | c |\n| --- | --- | --- |\n| 1 | x\\|y |  |\n|  |  | two<br>lines |');
  });
  it('finds the only table in an object and keeps the rest beside it', () => {
    expect(toMarkdown({ total: 1, rows: [{ id: 7 }] })).toBe('- **total**: 1\n\n| id |\n| --- |\n| 7 |');
  });
  it('leaves text alone', () => {
    expect(toMarkdown('plain | text')).toBe('plain | text');
  });
});

describe('toHtml', () => {
  it('escapes what it shows', () => {
    expect(toHtml([{ '<b>': '<script>' }], 'a & b')).toContain('<td>&lt;script&gt;</td>');
    expect(toHtml('x', 'a & b')).toContain('<title>a &amp; b</title>');
  });
});
