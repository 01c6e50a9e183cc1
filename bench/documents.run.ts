/** Compares documents to Markdown with the libraries that do it: Word files with mammoth and turndown, PDF files with pdf.js alone. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, inject, it } from 'vitest';
import { pdfOf } from '../electron/engine/documents/pdf-fixture.ts';
import { item, paragraph, table, wordOf } from '../electron/engine/documents/word-fixture.ts';
import { comparison, comparisonColumns, megabytes, report, speed, times } from './support/figures.ts';
import { sizeOf } from './support/files.ts';
import { alternating, convertInProcess } from './support/measure.ts';

const rows: string[][] = [];
afterAll(() => report('documents', { columns: comparisonColumns, rows, packages: ['mammoth', 'turndown', 'unpdf'] }));

const sentence = (i: number) => `Paragraph ${i} of a report, which says what a paragraph says in about twenty words, ends here.`;

const word = (paragraphs: number): Buffer =>
  wordOf({
    body: Array.from({ length: paragraphs }, (_, i) =>
      i % 20 === 0
        ? paragraph(`Heading ${i}`, 'heading1')
        : i % 20 < 5
          ? item(sentence(i), 1)
          : i % 20 === 5
            ? table(['a', 'b', 'c'], [String(i), 'x', 'y'], [String(i + 1), 'x', 'y'])
            : paragraph(sentence(i)),
    ).join(''),
  });
const pdf = (pages: number): Buffer =>
  Buffer.from(
    pdfOf(
      Array.from({ length: pages }, (_, page) => ({
        texts: Array.from({ length: 50 }, (_, line) => ({ x: 50, y: 750 - 14 * line, text: sentence(page * 50 + line) })),
      })),
    ),
  );

const kinds = [
  {
    name: 'Word file of 5,000 paragraphs',
    file: 'report.docx',
    small: word(20),
    big: word(5_000),
    rival: 'mammoth and turndown',
  },
  { name: 'PDF of 100 pages', file: 'report.pdf', small: pdf(1), big: pdf(100), rival: 'pdf.js' },
] as const;

it.each(kinds)('measures a $name', async ({ name, file, small, big, rival }) => {
  const place = (prefix: string) => path.join(inject('benchFiles'), `${prefix}-${file}`);
  await writeFile(place('small'), small);
  await writeFile(place('big'), big);
  // Both give every word.
  for (const contender of ['Filebridge', rival]) {
    const out = place(`${contender}.json`);
    await convertInProcess({ contender, file: place('big'), warmUp: place('small'), out });
    const text = JSON.parse(await readFile(out, 'utf8')) as string;
    for (const i of [21, 46, 99]) expect(text).toContain(`Paragraph ${i} of a report`);
  }
  const runs = await alternating(5, ['Filebridge', rival], (contender) =>
    convertInProcess({ contender, file: place('big'), warmUp: place('small') }),
  );
  const size = await sizeOf(place('big'));
  const shown = ({ ms, rss }: { ms: number; rss: number }) => `${speed(ms, size)}, ${megabytes(rss)}`;
  const [ours, theirs] = [runs.Filebridge, runs[rival]] as [{ ms: number; rss: number }, { ms: number; rss: number }];
  rows.push(
    comparison({
      figure: `${name} (${megabytes(size)})`,
      ours: shown(ours),
      peer: `${rival}: ${shown(theirs)}`,
      ratio: times(theirs.ms / ours.ms),
      verdict: undefined,
    }),
  );
});
