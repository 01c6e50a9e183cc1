/**
 * Rules for folders that may be allowed: not folders that are too broad, system folders, or folders of Filebridge. Suggests folders where
 * this user's files usually are.
 */

import os from 'node:os';
import path from 'node:path';
import type { Folder } from '../../shared/model/config.ts';
import { AppError } from '../../shared/model/errors.ts';
import { type Message, say } from '../../shared/model/messages/message.ts';
import { readFile, realpath, stat } from '../files/disk.ts';
import { errnoOf } from '../files/failures.ts';
import { isKernelPath } from '../files/folder-policy.ts';
import { isWithin, namedPath } from '../files/paths.ts';

export interface FolderRules {
  /** Directories of our own, as real paths. */
  readonly own: readonly string[];
  /** The user's home, as a real path. */
  readonly home: string;
  readonly platform?: NodeJS.Platform;
}

/** Directories that belong to the system: none of them, and nothing that holds them, may be allowed. What lies in them may. */
const systemDirectories: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: [
    '/bin',
    '/boot',
    '/etc',
    '/lib',
    '/lib64',
    '/opt',
    '/run',
    '/sbin',
    '/srv',
    '/usr',
    '/usr/bin',
    '/usr/lib',
    '/usr/local',
    '/var',
    '/var/lib',
    '/var/log',
  ],
  darwin: [
    '/Applications',
    '/Library',
    '/System',
    '/bin',
    '/etc',
    '/opt',
    '/private',
    '/private/etc',
    '/private/var',
    '/sbin',
    '/usr',
    '/usr/local',
    '/Volumes',
  ],
  win32: ['C:\\Windows', 'C:\\Program Files', 'C:\\Program Files (x86)', 'C:\\ProgramData'],
};

/** A path as it is typed or pasted: Windows' own "Copy as path" puts quotes around it. */
export const typedPath = (text: string): string => text.trim().replace(/^"(.*)"$/, '$1');

/** Typed, pasted or dropped text, a file URL too, as an absolute path without a trailing separator. Throws INVALID_REQUEST. */
export function wholePath(text: string, home = os.homedir()): string {
  const bare = typedPath(text);
  const expanded = namedPath(bare, home);
  if (expanded.includes('\0')) throw refusal(say('path.nul'), say('path.nul.hint'));
  if (!path.isAbsolute(expanded)) throw refusal(say('path.notFull', { path: bare }), say('path.notFull.hint'));
  return path.resolve(expanded);
}

/** Asking procfs or a device for anything may do something. */
export function assertNotKernels(folder: string): void {
  if (isKernelPath(folder)) throw systems(folder);
}

/** The real path of a directory. Throws for what is none, in words for the person who chose it. */
export async function realDirectory(folder: string): Promise<string> {
  assertNotKernels(folder);
  try {
    const real = await realpath(folder);
    if ((await stat(real)).isDirectory()) return real;
  } catch (cause) {
    const code = errnoOf(cause);
    const denied = code === 'EACCES' || code === 'EPERM';
    throw new AppError('FILE_NOT_FOUND', say(denied ? 'allow.denied' : 'allow.noFolder', { folder }), {
      hint: say(denied ? 'allow.denied.hint' : 'allow.noFolder.hint'),
      details: { path: folder },
      cause,
    });
  }
  throw new AppError('FILE_NOT_REGULAR', say('allow.notFolder', { folder }), {
    hint: say('allow.notFolder.hint'),
    details: { path: folder },
  });
}

/** Names of one place on disks that know no letter case. */
const foldFor = (platform: NodeJS.Platform) => (text: string) =>
  platform === 'win32' || platform === 'darwin' ? text.toLowerCase() : text;

/** Throws INVALID_REQUEST, saying why, for a real path that may not be allowed, or not with this access. */
export function assertAllowable(
  real: string,
  access: Folder['access'],
  { own, home, platform = process.platform }: FolderRules,
): void {
  assertNotKernels(real);
  if (own.some((entry) => isWithin(real, entry))) {
    throw refusal(say('allow.own', { folder: real }), say('allow.own.hint'));
  }
  if (path.parse(real).root === real) throw refusal(say('allow.wholeDisk', { folder: real }), say('allow.wholeDisk.hint'));
  if (real !== home && isWithin(home, real)) {
    throw refusal(say('allow.allUsers', { folder: real }), say('allow.allUsers.hint'));
  }
  const system = systemDirectories[platform] ?? [];
  const fold = foldFor(platform);
  if (system.some((entry) => isWithin(fold(entry), fold(real)))) throw systems(real);
  if (real === home && access === 'read-write') {
    throw refusal(say('allow.homeWritten'), say('allow.homeWritten.hint'));
  }
}

/** Below these are disks and data of people, as is what is in no system directory at all. */
const heldForPeople = ['/opt', '/run/media', '/srv', '/private/tmp', '/private/var/folders', '/private/var/tmp', '/Volumes'];

/** What a person is asked about first: a real path that may be allowed, and holds more than one may think of. */
export function questionBefore(
  real: string,
  { home, platform = process.platform }: Omit<FolderRules, 'own'>,
): Message | undefined {
  if (real === home) return say('allow.wholeHome');
  const system = systemDirectories[platform] ?? [];
  const fold = foldFor(platform);
  const inside = (places: readonly string[]) => places.some((place) => isWithin(fold(real), fold(place)));
  return inside(system) && !inside(heldForPeople) ? say('allow.insideSystem', { folder: real }) : undefined;
}

const systems = (folder: string) => refusal(say('allow.system', { folder }), say('allow.system.hint'));

const refusal = (message: Message, hint: Message) => new AppError('INVALID_REQUEST', message, { hint });

// Suggestions

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
