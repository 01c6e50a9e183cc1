/** Compares converting a compressed table with only decompressing it. */
import path from 'node:path';
import { afterAll, expect, inject, it } from 'vitest';
import { figureOf, ways } from './support/duel.ts';
import { atLeast, comparison, comparisonColumns, megabytes, report, speed, times } from './support/figures.ts';
import { gzippedOrders, KB, MB, ordersFile, sizeOf } from './support/files.ts';
import { alternating, convertInProcess, type Run } from './support/measure.ts';
import { assertSame } from './support/same-records.ts';

const ROUNDS = 5;
const GOAL = 0.7;

const rows: string[][] = [];

afterAll(() => report('gzip', { columns: comparisonColumns, rows }));

it('produces the same as from the plain table', async () => {
  const warmUp = await gzippedOrders(2 * KB);
  const output = (name: string) => path.join(inject('benchFiles'), `${name}.out`);
  const files = { plain: await ordersFile('csv', 2 * MB), gzipped: await gzippedOrders(2 * MB) };
  for (const [name, file] of Object.entries(files)) {
    await convertInProcess({ contender: 'Filebridge', file, warmUp, out: output(name) });
  }
  await assertSame(output('gzipped'), output('plain'));
  await convertInProcess({ contender: 'gunzip', file: files.gzipped, warmUp, out: output('gunzip') });
  expect(await sizeOf(output('gunzip'))).toBe(await sizeOf(files.plain));
});

it('measures 100 MB', async () => {
  const warmUp = await gzippedOrders(2 * KB);
  const file = await gzippedOrders(100 * MB);
  // Relative to the decompressed size, so that both columns describe the same work.
  const size = await sizeOf(await ordersFile('csv', 100 * MB));
  const runs = await alternating(ROUNDS, [...ways, 'gunzip', 'gunzip -c'], (contender) =>
    convertInProcess({ contender, file, warmUp }),
  );
  const text = ({ ms, rss }: Run) => `${speed(ms, size)}, ${megabytes(rss)}`;
  for (const way of ways) {
    for (const [peer, name] of [
      ['gunzip', 'gunzip in Node, in large chunks, nothing else'],
      ['gunzip -c', 'the command `gunzip`'],
    ] as const) {
      const ratio = runs[peer].ms / runs[way].ms;
      rows.push(
        comparison({
          figure: figureOf('100 MB of CSV as `.csv.gz`', way),
          ours: text(runs[way]),
          peer: `${name}: ${text(runs[peer])}`,
          ratio: times(ratio),
          verdict: way === 'Filebridge' ? atLeast(GOAL, ratio) : undefined,
        }),
      );
    }
  }
});
