/** Whether the program is installed that a server needs. */
import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Upstream } from '../../shared/model/config.ts';
import { environmentFor, isOnPath } from '../upstream/shell-path.ts';

export interface NeededProgram {
  name: string;
  found: boolean;
  /** Where a person gets it; null for one that is not known. */
  site: string | null;
}

/** Filebridge installs no programs. */
export const programSites: ReadonlyMap<string, string> = new Map([
  ['npx', 'https://nodejs.org/'],
  ['node', 'https://nodejs.org/'],
  ['uvx', 'https://docs.astral.sh/uv/'],
  ['uv', 'https://docs.astral.sh/uv/'],
  ['docker', 'https://www.docker.com/'],
]);

/** Null for a server that is reached by its address. */
export async function neededProgram(upstream: Upstream): Promise<NeededProgram | null> {
  if (upstream.type !== 'stdio') return null;
  const { command } = upstream;
  const name = path.basename(command.replaceAll('\\', '/')).replace(/\.(?:exe|cmd|bat)$/i, '');
  return { name, found: await isInstalled(command), site: programSites.get(name) ?? null };
}

async function isInstalled(command: string): Promise<boolean> {
  if (/[\\/]/.test(command)) {
    // A relative path depends on the folder the server starts in: its start says.
    if (!path.isAbsolute(command)) return true;
    return access(command).then(
      () => true,
      () => false,
    );
  }
  const { PATH = '', PATHEXT = '.EXE;.CMD;.BAT', ...env } = await environmentFor(command);
  const searched = PATH || env.Path || '';
  const endings = process.platform === 'win32' ? ['', ...PATHEXT.split(';')] : [''];
  return endings.some((ending) => isOnPath(command + ending, searched));
}

const VERSION_TIMEOUT_MS = 5_000;

/** The major version of the Node.js that servers run on; null where there is none that answers. */
export async function nodeVersion(): Promise<number | null> {
  try {
    const { stdout } = await promisify(execFile)('node', ['--version'], {
      env: await environmentFor('node'),
      timeout: VERSION_TIMEOUT_MS,
      windowsHide: true,
    });
    return Number(/^v(\d+)\./.exec(stdout)?.[1] ?? Number.NaN) || null;
  } catch {
    return null;
  }
}
