/** Compares XML to JSON with a parser that builds objects, and with the smallest object builder on a strict parser. */
import { afterAll, it } from 'vitest';
import { duel, outputs, type Rival } from './support/duel.ts';
import { comparisonColumns, report } from './support/figures.ts';
import { MB } from './support/files.ts';
import { assertSame } from './support/same-records.ts';

const rivals = { 'fast-xml-parser': { goal: 25 }, saxes: { goal: 8 } } satisfies Record<string, Rival>;
const names = Object.keys(rivals) as (keyof typeof rivals)[];

const rows: string[][] = [];

afterAll(() => report('xml', { columns: comparisonColumns, rows, packages: ['fast-xml-parser', 'saxes'] }));

it('measures 10 MB', async () => {
  const found = await outputs('xml', names);
  for (const rival of names) await assertSame(found.Filebridge, found[rival]);

  const outcome = await duel({ figure: '10 MB of XML', format: 'xml', bytes: 10 * MB, rivals });
  rows.push(...outcome.rows.map(({ cells }) => cells));
});
