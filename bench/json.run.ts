/** Compares JSON and JSONL, validated and minified, with JSON.parse and JSON.stringify. */
import { readFile } from 'node:fs/promises';
import { afterAll, expect, it } from 'vitest';
import { duel, outputs, type Rival } from './support/duel.ts';
import { atMost, comparison, comparisonColumns, inMegabytes, megabytes, report } from './support/figures.ts';
import { KB, MB, ordersFile } from './support/files.ts';
import { convertInProcess } from './support/measure.ts';

/** Allowed growth of memory for a file ten times as large. */
const FLAT_MB = 30;

const rows: string[][] = [];

afterAll(() => report('json', { columns: comparisonColumns, rows }));

it.each([
  { format: 'json', figure: 'JSON', rival: 'JSON.parse + stringify' },
  { format: 'pretty.json', figure: 'indented JSON', rival: 'JSON.parse + stringify' },
  { format: 'jsonl', figure: 'JSONL', rival: 'JSON.parse by line + stringify' },
] as const)('measures 100 MB of $figure', async ({ format, figure, rival }) => {
  const found = await outputs(format, [rival]);
  expect((await readFile(found.Filebridge)).equals(await readFile(found[rival]))).toBe(true);

  const rivals = { [rival]: { goal: 10, rounds: 3 } } as Record<typeof rival, Rival>;
  const outcome = await duel({ figure: `100 MB of ${figure}`, format, bytes: 100 * MB, rivals });
  rows.push(...outcome.rows.map(({ cells }) => cells));
  const tenth = await convertInProcess({
    contender: 'Filebridge',
    warmUp: await ordersFile(format, 2 * KB),
    file: await ordersFile(format, 10 * MB),
  });
  const { rss } = outcome.runs.Filebridge;
  rows.push(
    comparison({
      figure: `peak memory, 100 MB of ${figure} over 10 MB`,
      ours: `${megabytes(rss)} over ${megabytes(tenth.rss)}`,
      verdict: atMost(FLAT_MB, inMegabytes(rss - tenth.rss), 'MB more'),
    }),
  );
});
