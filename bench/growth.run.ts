/** Measures time and memory of tables from 10 MB to 4 GB, compared with DuckDB. */
import { statfs } from 'node:fs/promises';
import { afterAll, inject, it } from 'vitest';
import { figureOf, type Way, ways } from './support/duel.ts';
import {
  atLeast,
  atMost,
  comparison,
  comparisonColumns,
  inMegabytes,
  megabytes,
  report,
  speed,
  times,
  type Verdict,
} from './support/figures.ts';
import { GB, KB, MB, ordersFile, removeFile, sizeOf } from './support/files.ts';
import { alternating, convertInProcess, type Run } from './support/measure.ts';

/** Maximum time for one conversion; slower sizes are skipped. */
const PATIENCE_MS = 90_000;
const SIZES = [
  { name: '10 MB', bytes: 10 * MB, rounds: 5, peer: true },
  { name: '100 MB', bytes: 100 * MB, rounds: 3, peer: true },
  { name: '1 GB', bytes: GB, rounds: 3, peer: true },
  { name: '4 GB', bytes: 4 * GB, rounds: 1, peer: false },
];
const FASTER_THAN_DUCKDB = 4;
const PEAK_MB = 120;
const FLAT_MB = 30;
/** Growth counts as linear while the time per byte differs by at most this factor. */
const LINEAR = 1.2;

const rows: string[][] = [];
const measured = new Map<string, Partial<Record<Way, Run & { bytes: number }>>>();

afterAll(() => report('growth', { columns: comparisonColumns, rows, packages: ['@duckdb/node-api'] }));

/** Expected time of one conversion at the previous size's speed, in ms. */
function expected(bytes: number): number {
  const latest = [...measured.values()].at(-1)?.Filebridge;
  return latest ? (latest.ms / latest.bytes) * bytes : 0;
}

/** Why a size cannot be measured here; undefined if it can. */
async function obstacle(bytes: number): Promise<string | undefined> {
  const { bavail, bsize } = await statfs(inject('benchFiles'));
  if (bavail * bsize < 1.5 * bytes) return `only ${megabytes(bavail * bsize)} of disk are free`;
  return expected(bytes) > PATIENCE_MS ? `it would take ${Math.round(expected(bytes) / 1000)} s` : undefined;
}

it.each(SIZES)('measures $name', async ({ name, bytes, rounds, peer }) => {
  const reason = await obstacle(bytes);
  if (reason !== undefined) {
    for (const way of ways) rows.push(comparison({ figure: figureOf(`${name} of CSV`, way), ours: `not measured: ${reason}` }));
    return;
  }
  const warmUp = await ordersFile('csv', 2 * KB);
  const file = await ordersFile('csv', bytes);
  const size = await sizeOf(file);
  const runs = await alternating<Way | 'DuckDB'>(
    expected(bytes) > PATIENCE_MS / 9 ? 1 : rounds,
    peer ? [...ways, 'DuckDB'] : ways,
    (contender) => convertInProcess({ contender, file, warmUp }),
  );
  if (bytes > GB) await removeFile(file);
  const text = ({ ms, rss }: Run) => `${speed(ms, size)}, ${megabytes(rss)}`;
  for (const way of ways) {
    const ratio = peer ? runs.DuckDB.ms / runs[way].ms : undefined;
    rows.push(
      comparison({
        figure: figureOf(`${name} of CSV`, way),
        ours: text(runs[way]),
        ...(ratio === undefined ? {} : { peer: `DuckDB: ${text(runs.DuckDB)}`, ratio: times(ratio) }),
        verdict: ratio !== undefined && bytes === GB && way === 'Filebridge' ? atLeast(FASTER_THAN_DUCKDB, ratio) : undefined,
      }),
    );
  }
  measured.set(name, Object.fromEntries(ways.map((way) => [way, { ...runs[way], bytes: size }])));
});

it('compares memory and time per byte across sizes', () => {
  for (const way of ways) {
    const judged = (verdict: Verdict) => (way === 'Filebridge' ? verdict : undefined);
    const [small, middle, large, huge] = SIZES.map(({ name }) => measured.get(name)?.[way]);
    if (small && large) {
      rows.push(
        comparison({
          figure: figureOf('peak memory, 1 GB of CSV', way),
          ours: megabytes(large.rss),
          verdict: judged(atMost(PEAK_MB, inMegabytes(large.rss), 'MB')),
        }),
        comparison({
          figure: figureOf('the same over that of 10 MB', way),
          ours: `${megabytes(large.rss)} over ${megabytes(small.rss)}`,
          verdict: judged(atMost(FLAT_MB, inMegabytes(large.rss - small.rss), 'MB more')),
        }),
      );
    }
    const most = huge ?? large;
    if (middle && most) {
      const ratio = most.ms / most.bytes / (middle.ms / middle.bytes);
      rows.push(
        comparison({
          figure: figureOf(`time per byte, ${huge ? '4 GB' : '1 GB'} over 100 MB`, way),
          ours: times(ratio),
          verdict: judged({ goal: `≤ ${LINEAR}×`, reached: ratio <= LINEAR }),
        }),
      );
    }
  }
});
