/** Measures how long the serving thread is blocked while another thread converts 1 GB. */
import { afterAll, expect, it } from 'vitest';
import { atMost, comparison, comparisonColumns, report, speed } from './support/figures.ts';
import { GB, ordersFile, sizeOf } from './support/files.ts';
import { runProgram } from './support/measure.ts';

const ROUNDS = 3;
const REST_MS = 2000;
const GOAL_MS = 10;

interface Delays {
  ms: number;
  bytes: number;
  /** Longest times between two event-loop iterations, by a 1 ms timer and by Node's histogram. */
  rest: { ticks: number; histogram: number };
  busy: { ticks: number; histogram: number };
}

const rows: string[][] = [];

afterAll(() => report('event-loop', { columns: comparisonColumns, rows }));

it('measures 1 GB', async () => {
  const file = await ordersFile('csv', GB);
  const size = await sizeOf(file);
  const runs: Delays[] = [];
  for (let round = 0; round < ROUNDS; round += 1) runs.push(await runProgram<Delays>('event-loop', [file, String(REST_MS)]));
  expect(new Set(runs.map(({ bytes }) => bytes)).size).toBe(1);
  const worst = (read: (run: Delays) => { ticks: number; histogram: number }) =>
    Math.max(...runs.flatMap((run) => [read(run).ticks, read(run).histogram]));
  const [busy, rest] = [worst((run) => run.busy), worst((run) => run.rest)];
  rows.push(
    comparison({
      figure: `longest event-loop block while 1 GB of CSV converts (${speed(Math.min(...runs.map(({ ms }) => ms)), size)}), worst of ${ROUNDS}`,
      ours: `${busy.toFixed(1)} ms`,
      peer: `at rest: ${rest.toFixed(1)} ms`,
      verdict: atMost(GOAL_MS, busy, 'ms'),
    }),
  );
});
