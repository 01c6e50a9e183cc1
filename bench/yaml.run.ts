/** Compares YAML to JSON with the two most used parsers, one of them as strict as Filebridge. */
import { afterAll, it } from 'vitest';
import { duel, outputs, type Rival } from './support/duel.ts';
import { comparisonColumns, report } from './support/figures.ts';
import { MB } from './support/files.ts';
import { assertSame } from './support/same-records.ts';

const rivals = { yaml: {}, 'js-yaml': {} } satisfies Record<string, Rival>;
const names = Object.keys(rivals) as (keyof typeof rivals)[];

const rows: string[][] = [];

afterAll(() => report('yaml', { columns: comparisonColumns, rows, packages: names }));

it('measures 10 MB', async () => {
  const found = await outputs('yaml', names);
  for (const rival of names) await assertSame(found.Filebridge, found[rival]);

  const outcome = await duel({ figure: '10 MB of YAML', format: 'yaml', bytes: 10 * MB, rivals, rounds: 1 });
  rows.push(...outcome.rows.map(({ cells }) => cells));
});
