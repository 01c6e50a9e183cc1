/** What a document consists of: where its pages begin in each form, and its tables. */
import { describe, expect, it } from 'vitest';
import { convertBytes, parsedOf } from '../fixtures/conversion-fixture.ts';
import { pdfOf } from './pdf-fixture.ts';
import { presentationOf, shape, slideTable } from './presentation-fixture.ts';
import { paragraph, picture, table, wordOf } from './word-fixture.ts';

const words = (...texts: string[]) => ({ texts: texts.map((text, at) => ({ x: 50, y: 700 - 14 * at, text })) });
const slides = presentationOf([
  { shapes: shape(['Aims'], 'title') + shape(['One']) },
  { shapes: shape(['Two']) + slideTable(['Name', 'Age'], ['Ann', '36']) },
]);
const mails =
  'From a@b Mon Jan  1 00:00:00 2024\nSubject: Hello\n\nOne\n\nFrom a@b Mon Jan  1 00:00:00 2024\nSubject: Again\n\nTwo\n';
const outlineOf = async (...given: Parameters<typeof convertBytes>) => (await convertBytes(...given)).report.outline;

describe.each([undefined, 'text', 'html'] as const)('pages of a document as %s', (as) => {
  it.each<[string, string, Uint8Array | string, string[], string[]]>([
    ['a PDF', 'a.pdf', pdfOf([words('first'), words(), words('third')]), ['Page 1', 'Page 3'], ['first', 'third']],
    ['slides', 'a.pptx', slides, ['Slide 1', 'Slide 2'], ['One', 'Two']],
    ['a mailbox', 'a.mbox', mails, ['Mail 1', 'Mail 2'], ['One', 'Two']],
  ])('begin where the text says: %s', async (_, name, bytes, labels, said) => {
    const text = (await parsedOf(name, bytes, { as })) as string;
    const pages = (await outlineOf(name, bytes, { as }))?.pages ?? [];
    expect(pages.map(({ label }) => label)).toEqual(labels);
    for (const [index, { at }] of pages.entries()) {
      const page = text.slice(at, pages[index + 1]?.at);
      for (const [other, each] of said.entries()) expect(page.includes(each), page).toBe(other === index);
      if (as === undefined) expect(page).toMatch(/^## /);
      if (as === 'html') expect(page).toMatch(/^<section.*<\/section>$/s);
    }
  });
});

it('tables are listed with their first rows, sizes and pages, also while one of them is read', async () => {
  const listed = [{ rows: 2, columns: 2, head: ['Name', 'Age'], page: 'Slide 2' }];
  expect((await outlineOf('a.pptx', slides, {}))?.tables).toEqual(listed);
  expect(await outlineOf('a.pptx', slides, { table: '1' })).toEqual({ pages: [], tables: listed });
  const long = 'x'.repeat(60);
  const word = wordOf({ body: table([long, 'b'], ['1', '2']) + table(['c']) });
  expect((await outlineOf('a.docx', word, {}))?.tables).toEqual([
    { rows: 2, columns: 2, head: [`${'x'.repeat(39)}…`, 'b'], page: null },
    { rows: 1, columns: 1, head: ['c'], page: null },
  ]);
});

it('what is left out is told with the headings it is under', async () => {
  const body = (headings: number) =>
    Array.from({ length: headings }, (_, at) => paragraph(`Part ${at + 1}`, 'heading1') + picture('')).join('');
  const told = async (headings: number) =>
    (await convertBytes('a.docx', wordOf({ body: body(headings) }), {})).report.warnings.map(({ message }) => message);
  expect(await told(2)).toEqual(["The document has 2 images, which are left out (at 'Part 1', 'Part 2')"]);
  expect(await told(5)).toEqual(["The document has 5 images, which are left out (at 'Part 1', 'Part 2', 'Part 3' and 2 more)"]);
});
