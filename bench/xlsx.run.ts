/** Compares workbooks to JSON (100,000 rows of 10 columns, 20,000 of 100) with the library that has the fastest reader. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { XlsxStreamWriter } from 'hucre';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { comparison, comparisonColumns, megabytes, report, speed, times } from './support/figures.ts';
import { sizeOf } from './support/files.ts';
import { alternating, convertInProcess } from './support/measure.ts';
import { randomOf } from './support/random.ts';

const rivals = ['hucre', 'hucre, streamed'] as const;
const contenders = ['Filebridge', ...rivals] as const;
const sizes = [
  { rows: 100_000, columns: 10, rounds: 3 },
  { rows: 20_000, columns: 100, rounds: 3 },
];

const rows: string[][] = [];
let warmUp: string;

afterAll(() => report('xlsx', { columns: comparisonColumns, rows, packages: ['hucre'] }));

/** Texts with leading zeros, repeated names, integers and fractions, blank cells. */
async function workbook(name: string, count: number, columns: number): Promise<string> {
  const random = randomOf(count + columns);
  const writer = new XlsxStreamWriter({ name: 'Data' });
  writer.addRow(Array.from({ length: columns }, (_, i) => `column ${i}`));
  for (let row = 0; row < count; row += 1) {
    writer.addRow(
      Array.from({ length: columns }, (_, i) => {
        if (i % 5 === 0) return String(random.below(100_000)).padStart(5, '0');
        if (i % 5 === 1) return `Name ${random.below(1000)}`;
        if (i % 5 === 4 && random.below(5) === 0) return null;
        return i % 5 === 2 ? random.below(1_000_000) : random.below(100_000) / 100;
      }),
    );
  }
  const file = path.join(inject('benchFiles'), name);
  await writeFile(file, await writer.finish());
  return file;
}

beforeAll(async () => {
  warmUp = await workbook('small.xlsx', 20, 10);
});

it('agrees with them', async () => {
  const file = await workbook('compared.xlsx', 5_000, 12);
  const results = await Promise.all(
    contenders.map(async (contender) => {
      const out = path.join(inject('benchFiles'), `${contender} of a workbook.json`);
      await convertInProcess({ contender, file, warmUp, out });
      return JSON.parse(await readFile(out, 'utf8')) as unknown;
    }),
  );
  for (const result of results.slice(1)) expect(result).toEqual(results[0]);
});

it.each(sizes)('measures $rows rows of $columns columns', async ({ rows: count, columns, rounds }) => {
  const file = await workbook(`${count}x${columns}.xlsx`, count, columns);
  const size = await sizeOf(file);
  const runs = await alternating(rounds, contenders, (contender) => convertInProcess({ contender, file, warmUp }));
  const text = ({ ms, rss }: (typeof runs)['hucre']) => `${speed(ms, size)}, ${megabytes(rss)}`;
  for (const rival of rivals) {
    rows.push(
      comparison({
        figure: `workbook of ${count.toLocaleString('en')} rows and ${columns} columns (${megabytes(size)})`,
        ours: text(runs.Filebridge),
        peer: `${rival}: ${text(runs[rival])}`,
        ratio: times(runs[rival].ms / runs.Filebridge.ms),
        verdict: undefined,
      }),
    );
  }
});
