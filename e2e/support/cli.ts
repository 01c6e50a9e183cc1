/** Runs the built command line from start to exit, with a directory of test files. */

import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { limits } from '../../shared/lib/fixtures/limits.ts';

export const repository = fileURLToPath(new URL('../../', import.meta.url));
export const cliFile = path.join(repository, 'dist', 'cli.js');

export interface CliRun {
  stdout: Buffer;
  stderr: string;
  /** Exit code; null if a signal ended it. */
  code: number | null;
}

export interface CliOptions {
  env?: Record<string, string> | undefined;
  cwd?: string;
  /** Put before `node`, for example `setpriv …`. */
  prefix?: string[];
}

/** Runs `filebridge …args` until it exits; one that hangs is killed, and its code is null. */
export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliRun> {
  const [command = process.execPath, ...rest] = [...(options.prefix ?? []), process.execPath, cliFile, ...args];
  return new Promise((resolve, reject) => {
    const child = spawn(command, rest, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const deadline = setTimeout(() => child.kill('SIGKILL'), limits.endToEndTest);
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(deadline);
      resolve({ stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString('utf8'), code });
    });
  });
}

export { openWorkspace, type Workspace } from '../../shared/lib/fixtures/workspace.ts';
