/**
 * Runs `electron/api/fixtures/chaos-program.ts`: one operation that changes files, and may be killed or meet a failing
 * disk.
 */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const preload = fileURLToPath(new URL('../../electron/api/fixtures/chaos-preload.mjs', import.meta.url));

/** The output of `buildThread` for it. */
export const chaosProgram = '../../api/fixtures/chaos-program.ts';

export interface Run {
  /** Its answers, in order. */
  did: string[];
  /** The reason for its failure, with the error's code. */
  failed: string | undefined;
  state: State | undefined;
  operations: number;
  killed: boolean;
}

/** The program's state after a start. */
export interface State {
  problems: string[];
  folders: string[];
  missing: string[];
  servers: string[];
  tokens: string[];
  /** The clients that they belong to. */
  clients: string[];
  calls: string[];
  /** Events of the only receipt, oldest first. */
  receipt: [string, number, number][];
}

/** `mode`: see chaos-preload.mjs. */
export function run(program: string, job: string, directory: string, at = 0, mode = 'before'): Promise<Run> {
  const env = { ...process.env, CHAOS_AT: String(at), CHAOS_MODE: mode };
  const args = ['--import', pathToFileURL(preload).href, program, job, directory];
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { env }, (_error, stdout) => {
      const lines = stdout.split('\n').filter(Boolean);
      const after = (word: string) => lines.filter((line) => line.startsWith(word)).map((line) => line.slice(word.length));
      const [state] = lines.filter((line) => line.startsWith('{'));
      resolve({
        did: after('did '),
        failed: after('failed ')[0],
        state: state === undefined ? undefined : JSON.parse(state),
        operations: Number(after('operations ')[0] ?? 0),
        killed: child.signalCode === 'SIGKILL',
      });
    });
  });
}

/** Fills a new directory with the operation's initial files. */
export async function prepare(job: string, directory: string): Promise<void> {
  for (const folder of ['config', 'files', 'data']) await mkdir(path.join(directory, folder), { recursive: true });
  const config = { version: 1, folders: [{ path: '/old', access: 'read' }] };
  await writeFile(path.join(directory, 'config', 'config.json'), JSON.stringify(config));
  if (['replace', 'append', 'edit'].includes(job)) await writeFile(path.join(directory, 'files', 'target.txt'), 'old');
}
