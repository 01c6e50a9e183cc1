/** Suggests folders where this user's files usually are. */
import { readFile, realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { realDirectory } from './folder-rules.ts';

export interface Suggestion {
  path: string;
  label: string;
}

interface Surroundings {
  env?: Readonly<Record<string, string | undefined>>;
  platform?: NodeJS.Platform;
  home?: string;
}

/** Names that people give to the folder of their projects or data. */
const projectNames = [
  'Projects',
  'projects',
  'Developer',
  'dev',
  'code',
  'Code',
  'src',
  'repos',
  'git',
  'workspace',
  'work',
  'Work',
  'Data',
  'data',
];

/** Existing directories that `isTaken` does not know, each once, whatever its names. `isTaken` is asked with real paths. */
export async function suggestedFolders(
  isTaken: (real: string) => boolean,
  { env = process.env, platform = process.platform, home = os.homedir() }: Surroundings = {},
): Promise<Suggestion[]> {
  const usual = platform === 'linux' ? await xdgDirectories(env, home) : knownFolders(env, platform, home);
  const candidates = [...usual, ...projectNames.map((name) => path.join(home, name))];
  const found = await Promise.all(candidates.map((candidate) => realDirectory(candidate).catch(() => undefined)));
  const realHome = await realpath(home).catch(() => home);
  const seen = new Set([realHome]);
  return candidates.flatMap((candidate, index) => {
    const real = found[index];
    // On disks that know no letter case, `Code` and `code` are one.
    if (real === undefined || seen.has(real) || isTaken(real)) return [];
    seen.add(real);
    return [{ path: candidate, label: path.basename(candidate) }];
  });
}

/** OneDrive takes over the usual folders on many Windows machines, and leaves empty ones behind. */
function knownFolders(env: Surroundings['env'], platform: NodeJS.Platform, home: string): string[] {
  const bases = platform === 'win32' && env?.OneDrive ? [env.OneDrive, home] : [home];
  return ['Documents', 'Downloads', 'Desktop'].flatMap((name) => bases.map((base) => path.join(base, name)));
}

/** xdg-user-dirs(1): translated names stand in a shell-like file; a directory set to the home itself is switched off. */
async function xdgDirectories(env: Surroundings['env'], home: string): Promise<string[]> {
  const configHome =
    env?.XDG_CONFIG_HOME && path.isAbsolute(env.XDG_CONFIG_HOME) ? env.XDG_CONFIG_HOME : path.join(home, '.config');
  const text = await readFile(path.join(configHome, 'user-dirs.dirs'), 'utf8').catch(() => '');
  return (['DOCUMENTS', 'DOWNLOAD', 'DESKTOP'] as const).map((kind) => {
    const named = new RegExp(`^\\s*XDG_${kind}_DIR="([^"\\n]*)"`, 'm').exec(text)?.[1];
    const usual = { DOCUMENTS: 'Documents', DOWNLOAD: 'Downloads', DESKTOP: 'Desktop' }[kind];
    const expanded = named?.replace(/\\(.)/g, '$1').replace(/^\$HOME(?=\/|$)/, () => home);
    return expanded !== undefined && path.isAbsolute(expanded) ? path.resolve(expanded) : path.join(home, usual);
  });
}
