/** Measures a ledger of as many calls as are kept: size, start, pages of Activity, and 20 processes that write at once. */
import path from 'node:path';
import { afterAll, expect, inject, it } from 'vitest';
import { inMegabytes, median, milliseconds, report } from './support/figures.ts';
import { runProgram } from './support/measure.ts';

const CALLS = 100_000;
const PROCESSES = 20;
const CALLS_EACH = 500;
const columns = ['figure', 'Filebridge', 'goal', 'reached'];

const rows: string[][] = [];
afterAll(() => report('ledger', { columns, rows }));

const row = (figure: string, ours: string, goal = '–', reached?: boolean) =>
  rows.push([figure, ours, goal, reached === undefined ? '–' : reached ? 'yes' : 'no']);
const millions = (bytes: number) => bytes / 1e6;

interface Start {
  opened: number;
  first: number;
  total: number;
  pages: Record<string, { first: number; later: number[] }>;
  days: number;
  rss: number;
}

it('measures a hundred thousand calls', async () => {
  const directory = path.join(inject('benchFiles'), 'ledger');
  const run = <T>(task: string, ...more: (string | number)[]) => runProgram<T>('ledger', [task, directory, ...more.map(String)]);
  const { bytes: lines } = await run<{ bytes: number }>('write', CALLS);
  row('on disk', `${millions(lines).toFixed(0)} MB`);
  const start = await run<Start>('start');
  expect(start.total).toBe(CALLS * 0.99);
  row('opening the ledger', milliseconds(start.opened), '≤ 300 ms', start.opened <= 300);
  row('first page of Activity in a process', milliseconds(start.first));
  for (const [name, { first, later }] of Object.entries(start.pages)) {
    const typical = median(later);
    row(
      `a page of ${name}: first, then median and longest of 20`,
      [first, typical, Math.max(...later)].map(milliseconds).join(', '),
      '≤ 50 ms',
      typical <= 50,
    );
  }
  row('sums by day of a year', milliseconds(start.days));
  row('memory of that process at its peak', `${inMegabytes(start.rss)} MB`);
  const began = performance.now();
  await Promise.all(Array.from({ length: PROCESSES }, (_, index) => run('append', CALLS_EACH, index + 1)));
  const took = performance.now() - began;
  const after = await run<Start>('start');
  const kept = after.total - start.total;
  row(
    `${PROCESSES} processes writing ${CALLS_EACH} calls each at once`,
    `${milliseconds(took)}, ${PROCESSES * CALLS_EACH - kept} lost`,
    'none lost',
    kept === PROCESSES * CALLS_EACH,
  );
});
