/** Compares CSV to JSON in process, with column types, to other parsers and to databases. */
import { afterAll, it } from 'vitest';
import { duel, outputs, type Rival } from './support/duel.ts';
import { comparisonColumns, report } from './support/figures.ts';
import { MB } from './support/files.ts';
import { differences } from './support/same-records.ts';

const rivals = {
  papaparse: { goal: 40, rounds: 1 },
  DuckDB: { goal: 3 },
  Polars: { goal: 3 },
  uDSV: { rounds: 1 },
  'csv-parse': { rounds: 1 },
} satisfies Record<string, Rival>;
const names = Object.keys(rivals) as (keyof typeof rivals)[];

const rows: string[][] = [];
const readings = new Map<string, string>();

afterAll(() =>
  report('csv', {
    columns: [...comparisonColumns, 'the peer reads otherwise'],
    rows,
    packages: ['papaparse', '@duckdb/node-api', 'nodejs-polars', 'udsv', 'csv-parse'],
  }),
);

it('produces the same values as its rivals', async () => {
  const found = await outputs('csv', names);
  for (const rival of names) readings.set(rival, (await differences(found.Filebridge, found[rival])).join('; '));
});

it('measures 100 MB', async () => {
  const outcome = await duel({ figure: '100 MB of CSV', format: 'csv', bytes: 100 * MB, rivals });
  for (const { way, rival, cells } of outcome.rows) {
    rows.push([...cells, (way === 'Filebridge' && readings.get(rival)) || '–']);
  }
});
