/** Times a program from its start to its exit. */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { inject } from 'vitest';
import type { Run } from './measure.ts';

/** GNU time reports peak memory; without it that stays unknown. */
const gnuTime = '/usr/bin/time';

/** Runs `node …args` with its output going to the file `out`; throws unless it exits with 0. */
export async function wholeProcess(args: readonly string[], out: string, env: NodeJS.ProcessEnv = process.env): Promise<Run> {
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
