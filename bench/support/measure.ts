/** Runs contenders alternately, each in a fresh process. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { repository } from '../../e2e/support/cli.ts';
import { median } from './figures.ts';

const run = promisify(execFile);

export const programFile = (name: string): string => path.join(inject('benchPrograms'), `${name}.js`);

export interface Run {
  ms: number;
  /** Peak resident memory in bytes. */
  rss: number;
}

/** Runs one of bench/programs and returns its report. */
export async function runProgram<T>(name: string, args: readonly string[]): Promise<T> {
  const { stdout } = await run(process.execPath, [programFile(name), ...args], {
    cwd: repository,
    maxBuffer: 1 << 24,
  }).catch((error: Error & { stderr?: string }) => {
    throw new Error(`${name} ${args.join(' ')} failed: ${error.stderr || error.message}`);
  });
  return JSON.parse(stdout) as T;
}

export interface Job {
  contender: string;
  file: string;
  /** A small file of the same kind, converted first. */
  warmUp: string;
  out?: string;
}

export const convertInProcess = ({ contender, file, warmUp, out = '/dev/null' }: Job): Promise<Run> =>
  runProgram<Run>('in-process', [contender, warmUp, file, out]);

/** Runs each of `names` once per round, so that changing load affects all equally; undefined skips a round. Returns medians. */
export async function alternating<Name extends string>(
  rounds: number,
  names: readonly Name[],
  measure: (name: Name, round: number) => Promise<Run | undefined>,
): Promise<Record<Name, Run>> {
  const runs = Object.fromEntries(names.map((name) => [name, [] as Run[]])) as Record<Name, Run[]>;
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      const measured = await measure(name, round);
      if (measured) runs[name].push(measured);
    }
  }
  return Object.fromEntries(
    names.map((name) => [name, { ms: median(runs[name].map(({ ms }) => ms)), rss: median(runs[name].map(({ rss }) => rss)) }]),
  ) as Record<Name, Run>;
}
