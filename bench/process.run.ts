/** Compares the command line with a typical script: whole processes including start-up, output discarded. */

import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, inject, it } from 'vitest';
import { cliFile } from '../e2e/support/cli.ts';
import { atLeast, comparison, comparisonColumns, megabytes, report, speed, times } from './support/figures.ts';
import { KB, MB, ordersFile, sizeOf } from './support/files.ts';
import { alternating, programFile, type Run } from './support/measure.ts';
import { differences } from './support/same-records.ts';

const GOAL = 15;

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

/** GNU time reports peak memory; without it that stays unknown. */
const gnuTime = '/usr/bin/time';

/** Runs `node …args` with its output going to the file `out`; throws unless it exits with 0. */
async function wholeProcess(args: readonly string[], out: string, env: NodeJS.ProcessEnv = process.env): Promise<Run> {
  const told = path.join(inject('benchFiles'), 'time.txt');
  const timed = process.platform === 'linux' && existsSync(gnuTime);
  const [command = '', ...rest] = [...(timed ? [gnuTime, '-f', '%M', '-o', told] : []), process.execPath, ...args];
  const output = openSync(out, 'w');
  const began = performance.now();
  const child = spawn(command, rest, { env, stdio: ['ignore', output, 'inherit'] });
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('exit', resolve));
  const ms = performance.now() - began;
  closeSync(output);
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}`);
  return { ms, rss: timed ? Number(await readFile(told, 'utf8')) * 1024 : Number.NaN };
}
