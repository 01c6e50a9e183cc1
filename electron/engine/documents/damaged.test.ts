/** Documents with any damage to their XML, HTML or head are read, or refused in words; none ends the program or takes long. */
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/model/errors.ts';
import { convertBytes, jsonText } from '../fixtures/conversion-fixture.ts';
import { Chance, damaged } from '../fixtures/fuzz-fixture.ts';
import { zipOf } from '../input/zip-fixture.ts';
import { presentationOf, shape, slideTable } from './presentation-fixture.ts';
import { item, paragraph, table, wordOf } from './word-fixture.ts';

const ROUNDS = 150;
const pieces = [
  '<',
  '>',
  '</w:p>',
  '<w:p>',
  '&amp;',
  '&#0;',
  '"',
  '=',
  '\u0000',
  '<table><tr><td rowspan=99999 colspan=99999>',
  '<li>',
  'w:val="-1"',
  'w:val="1e9"',
  '<w:vMerge/>',
  '<m:oMath>',
  '9'.repeat(40),
];

const word = paragraph('Title', 'Title') + item('one', 2) + item('two', 2, 1) + table(['a', 'b'], ['c', 'd']) + paragraph('10');
const text =
  '<text:list><text:list-item><text:p>a</text:p></text:list-item></text:list><table:table><table:table-row><table:table-cell table:number-rows-spanned="2"><text:p>x</text:p></table:table-cell></table:table-row></table:table>';
const kinds: Record<string, (damage: (xml: string) => string) => Uint8Array> = {
  'a.docx': (damage) => wordOf({ body: damage(word) }),
  'a.odt': (damage) =>
    zipOf([
      {
        name: 'content.xml',
        content: `<office:document-content><office:body><office:text>${damage(text)}</office:text></office:body></office:document-content>`,
      },
    ]),
  'a.pptx': (damage) => presentationOf([{ shapes: damage(shape(['a', 'b'], '') + slideTable(['x', 'y'])) }]),
  'a.html': (damage) =>
    Buffer.from(damage('<h1>a</h1><ul><li>b<table><tr><td>c</td></tr></table></ul><p>d<sup>2</sup><pre>e</pre>')),
  'a.eml': (damage) =>
    Buffer.from(
      damage(
        'From: a@b.c\r\nSubject: =?utf-8?q?x?=\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>a\r\n--b--',
      ),
    ),
  'a.ipynb': (damage) =>
    Buffer.from(damage('{"cells":[{"cell_type":"code","source":["a"],"outputs":[{"output_type":"stream","text":"b"}]}]}')),
};

describe.each(Object.entries(kinds))('%s', (name, make) => {
  it('is read or refused in words, whatever is wrong in it', async () => {
    const chance = new Chance(name.length);
    const options = name.endsWith('.ipynb') ? ({ as: 'text' } as const) : {};
    for (let round = 0; round < ROUNDS; round += 1) {
      const bytes = make((content) => damaged(content, chance, pieces));
      const outcome = await convertBytes(name, bytes, options).then(jsonText, (error: unknown) => error);
      expect(
        typeof outcome === 'string' || outcome instanceof AppError,
        `${String(outcome)}: ${Buffer.from(bytes).toString('latin1').slice(0, 500)}`,
      ).toBe(true);
    }
  });
});
