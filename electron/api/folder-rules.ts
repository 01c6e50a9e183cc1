/** Which folders may be allowed at all: not what is far too much, the system's, or Filebridge's own. */
import { realpath, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Folder } from '../../shared/model/config.ts';
import { AppError } from '../../shared/model/errors.ts';
import { errnoOf } from '../files/failures.ts';
import { isKernelPath } from '../files/folder-policy.ts';
import { isWithin } from '../files/leads-to.ts';

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

/** What a person typed, pasted or dropped, as a whole path without a trailing separator. Throws INVALID_REQUEST. */
export function wholePath(text: string, home = os.homedir()): string {
  // Windows' own "Copy as path" puts quotes around it.
  const bare = text.trim().replace(/^"(.*)"$/, '$1');
  const expanded = /^~(?=$|[\\/])/.test(bare) ? path.join(home, bare.slice(1)) : bare;
  if (expanded.includes('\0')) throw refusal('The path contains a NUL character', 'Give the path without it');
  if (!path.isAbsolute(expanded)) throw refusal(`'${bare}' is not a full path`, 'Begin it at the root of the disk');
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
    throw new AppError(
      'FILE_NOT_FOUND',
      denied ? `The system does not let you use '${folder}'` : `There is no folder '${folder}'`,
      {
        hint: denied ? 'Check its permissions, or choose another folder' : 'Check the name, or create the folder first',
        details: { path: folder },
        cause,
      },
    );
  }
  throw new AppError('FILE_NOT_REGULAR', `'${folder}' is not a folder`, {
    hint: 'Choose the folder it is in',
    details: { path: folder },
  });
}

/** Throws INVALID_REQUEST, saying why, for a real path that may not be allowed, or not with this access. */
export function assertAllowable(
  real: string,
  access: Folder['access'],
  { own, home, platform = process.platform }: FolderRules,
): void {
  assertNotKernels(real);
  if (own.some((entry) => isWithin(real, entry))) {
    throw refusal(
      `'${real}' belongs to Filebridge itself`,
      'Its settings and secrets stay closed to agents; choose another folder',
    );
  }
  if (path.parse(real).root === real)
    throw refusal(`'${real}' is the whole disk`, 'Choose the folder with the files that agents need');
  if (real !== home && isWithin(home, real)) {
    throw refusal(`'${real}' holds the folders of all users`, 'Choose a folder of yours');
  }
  const system = systemDirectories[platform] ?? [];
  const fold = (text: string) => (platform === 'win32' || platform === 'darwin' ? text.toLowerCase() : text);
  if (system.some((entry) => isWithin(fold(entry), fold(real)))) throw systems(real);
  if (real === home && access === 'read-write') {
    throw refusal(
      'Your whole home folder can be allowed for reading only',
      'Files in it start programs when you sign in. Choose a folder inside it to let agents write',
    );
  }
}

const systems = (folder: string) => refusal(`'${folder}' belongs to the system`, 'Choose a folder with files of yours');

const refusal = (message: string, hint: string) => new AppError('INVALID_REQUEST', message, { hint });
