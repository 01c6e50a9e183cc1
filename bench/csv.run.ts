/** CSV to JSON in process, column types included: against other parsers, and against databases. */
import path from 'node:path';
import { afterAll, expect, inject, it } from 'vitest';
import { atLeast, comparison, comparisonColumns, megabytes, report, speed, times } from './support/figures.ts';
import { KB, MB, ordersFile, sizeOf } from './support/files.ts';
import { byTurns, convertInProcess, type Run } from './support/measure.ts';
import { differences } from './support/same-records.ts';

const ROUNDS = 3;
const rivals = ['papaparse', 'DuckDB', 'Polars', 'uDSV', 'csv-parse'] as const;
/** The naive way, and those that are measured for the record only, are slow enough to be clear after one round. */
const slow: readonly string[] = ['papaparse', 'csv-parse', 'uDSV'];
const goals: Partial<Record<(typeof rivals)[number], number>> = { papaparse: 40, DuckDB: 3, Polars: 3 };
const duel = rivals.filter((rival) => goals[rival] !== undefined);

const rows: string[][] = [];
const readings = new Map<string, string[]>();

afterAll(() =>
  report('csv', {
    columns: [...comparisonColumns, 'the peer reads otherwise'],
    rows,
    packages: ['papaparse', '@duckdb/node-api', 'nodejs-polars', 'udsv', 'csv-parse'],
  }),
);

it('finds the same in a file as its rivals', async () => {
  const warmUp = await ordersFile('csv', 2 * KB);
  const file = await ordersFile('csv', 2 * MB);
  const output = (name: string) => path.join(inject('benchFiles'), `${name}.json`);
  for (const contender of ['Filebridge', 'Filebridge in a thread', ...rivals]) {
    await convertInProcess({ contender, file, warmUp, out: output(contender) });
  }
  expect(await differences(output('Filebridge'), output('Filebridge in a thread'))).toEqual([]);
  for (const rival of rivals) readings.set(rival, await differences(output('Filebridge'), output(rival)));
});

it('measures 100 MB', async () => {
  const warmUp = await ordersFile('csv', 2 * KB);
  const file = await ordersFile('csv', 100 * MB);
  const bytes = await sizeOf(file);
  const runs = await byTurns(ROUNDS, ['Filebridge', 'Filebridge in a thread', ...rivals], async (contender, round) =>
    round > 0 && slow.includes(contender) ? undefined : await convertInProcess({ contender, file, warmUp }),
  );
  const text = ({ ms, rss }: Run) => `${speed(ms, bytes)}, ${megabytes(rss)}`;
  for (const way of ['Filebridge', 'Filebridge in a thread'] as const) {
    for (const rival of way === 'Filebridge' ? rivals : duel) {
      const ratio = runs[rival].ms / runs[way].ms;
      const goal = goals[rival];
      rows.push([
        ...comparison({
          figure: `100 MB of CSV${way === 'Filebridge' ? '' : ', in a worker thread'}`,
          ours: text(runs[way]),
          peer: `${rival}: ${text(runs[rival])}`,
          ratio: times(ratio),
          verdict: goal === undefined ? undefined : atLeast(goal, ratio),
        }),
        (way === 'Filebridge' && readings.get(rival)?.join('; ')) || '–',
      ]);
    }
  }
});
