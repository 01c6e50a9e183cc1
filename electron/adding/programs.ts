/** Whether the program is installed that a server needs. */
import { access } from 'node:fs/promises';
import path from 'node:path';
import type { Upstream } from '../../shared/model/config.ts';
import { environmentFor, isOnPath } from '../upstream/shell-path.ts';

export interface NeededProgram {
  name: string;
  found: boolean;
}

/** Null for a server that is reached by its address. */
export async function neededProgram(upstream: Upstream): Promise<NeededProgram | null> {
  if (upstream.type !== 'stdio') return null;
  const { command } = upstream;
  const name = path.basename(command.replaceAll('\\', '/')).replace(/\.(?:exe|cmd|bat)$/i, '');
  return { name, found: await isInstalled(command) };
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
