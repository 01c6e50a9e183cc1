/** Compares the command line with a typical script: whole processes including start-up, output discarded. */
import path from 'node:path';
import { afterAll, expect, inject, it } from 'vitest';
import { cliFile } from '../e2e/support/cli.ts';
import { atLeast, comparison, comparisonColumns, megabytes, report, speed, times } from './support/figures.ts';
import { KB, MB, ordersFile, sizeOf } from './support/files.ts';
import { alternating, programFile, type Run } from './support/measure.ts';
import { differences } from './support/same-records.ts';
import { wholeProcess } from './support/whole-process.ts';

const GOAL = 25;

const rows: string[][] = [];

afterAll(() => report('process', { columns: comparisonColumns, rows, packages: ['papaparse'] }));

const programs = { Filebridge: [cliFile, 'convert'], script: [programFile('naive-script')] };

function run(name: keyof typeof programs, file: string, out: string): Promise<Run> {
  // A home without configuration.
  const env = { ...process.env, FILEBRIDGE_CONFIG: path.join(inject('benchFiles'), 'none.json') };
  return wholeProcess([...programs[name], file], out, env);
}

it('compares the outputs', async () => {
  const file = await ordersFile('csv', 2 * MB);
  const output = (name: string) => path.join(inject('benchFiles'), `${name}-process.json`);
  for (const name of ['Filebridge', 'script'] as const) await run(name, file, output(name));
  expect(await differences(output('Filebridge'), output('script'))).toEqual([
    'texts as numbers (zip)',
    'dates in another notation (created_at)',
  ]);
});

it.each([
  { name: '2 KB', bytes: 2 * KB, rounds: 10 },
  { name: '100 MB', bytes: 100 * MB, rounds: 5, goal: GOAL },
])('measures $name', async ({ name, bytes, rounds, goal }) => {
  const file = await ordersFile('csv', bytes);
  const size = await sizeOf(file);
  const runs = await alternating(rounds, ['Filebridge', 'script'], async (program, round) =>
    program === 'script' && goal !== undefined && round > 0 ? undefined : await run(program, file, '/dev/null'),
  );
  const text = ({ ms, rss }: Run) => `${speed(ms, size)}, ${megabytes(rss)}`;
  const ratio = runs.script.ms / runs.Filebridge.ms;
  rows.push(
    comparison({
      figure: `\`filebridge convert\`, ${name} of CSV`,
      ours: text(runs.Filebridge),
      peer: `script with papaparse: ${text(runs.script)}`,
      ratio: times(ratio),
      verdict: goal === undefined ? undefined : atLeast(goal, ratio),
    }),
  );
});
