/** Third-party hosts from npm: installs them, and runs their programs in an environment that knows nobody's accounts. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { installNpmPackages } from '../../../electron/launch/set-up.mjs';
import { limits } from '../../../shared/lib/fixtures/limits.ts';
import { repository } from '../cli.ts';

/** Hosts that only this test runs have a package of their own: a gigabyte, which `npm test` does not install. */
const hostsFolder = path.join(repository, 'e2e', 'hosts');
const modules = path.join(hostsFolder, 'node_modules');

let installed: boolean | undefined;

/** Installs them, on the first call; says why it cannot. */
export function installHosts(): string | undefined {
  installed ??= installNpmPackages(hostsFolder);
  return installed ? undefined : 'the packages of e2e/hosts could not be installed from npm';
}

/** Finds modules as the packages in e2e/hosts do. */
export const hostModules = createRequire(path.join(hostsFolder, 'package.json'));

/** A file of a host's package. */
export const hostFile = (...parts: string[]): string => path.join(modules, ...parts);

/** Name and version of a package, for example `mcporter 0.12.3`. */
export async function packageVersion(name: string): Promise<string> {
  const { version } = JSON.parse(await readFile(hostFile(name, 'package.json'), 'utf8')) as { version: string };
  return `${name} ${version}`;
}

export interface ProgramRun {
  stdout: string;
  /** Both streams, in the sequence they came. */
  output: string;
  /** Exit code; null if a signal ended it. */
  code: number | null;
}

/** On Windows, a group of its own would get a window of its own. */
const grouped = process.platform !== 'win32';

/** Runs a program until it exits. It gets a home of its own, and of this environment only the search path. */
export function runProgram(
  command: string,
  args: readonly string[],
  { folder, env = {} }: { folder: string; env?: Record<string, string> },
): Promise<ProgramRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: existsSync(path.join(folder, 'project')) ? path.join(folder, 'project') : folder,
      env: {
        PATH: [path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
        ...(process.env.SystemRoot === undefined ? {} : { SystemRoot: process.env.SystemRoot }),
        HOME: folder,
        USERPROFILE: folder,
        XDG_CONFIG_HOME: path.join(folder, '.config'),
        LANG: 'C.UTF-8',
        TERM: 'dumb',
        NO_COLOR: '1',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: grouped,
    });
    // Launchers start the program proper, so that the whole group must end.
    const end = () => (grouped && child.pid !== undefined ? process.kill(-child.pid, 'SIGKILL') : child.kill('SIGKILL'));
    const deadline = setTimeout(end, limits.endToEndTest);
    let stdout = '';
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(deadline);
      resolve({ stdout, output, code });
    });
  });
}

/** Rejects if the program does not print its version. */
export async function printsVersion(file: string, folder: string): Promise<void> {
  const { output, code } = await runProgram(process.execPath, [file, '--version'], { folder });
  if (code !== 0) throw new Error(`exit code ${code}: ${output.trim().split('\n', 1)[0]}`);
}
