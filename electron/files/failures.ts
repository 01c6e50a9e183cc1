/** Errors about paths, for agents and persons. */

import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import type { FoldersFrom } from './types.ts';

/** The properties of a folder that hints name. */
export interface NamedFolder {
  readonly path: string;
  readonly access: 'read' | 'read-write';
  readonly realPath: string | null;
  readonly from: FoldersFrom;
}

const addingFolders: Record<FoldersFrom, string> = {
  configuration: 'the user can add one to "folders" in the configuration of Filebridge',
  'command line': 'the user can add one to the command line that starts Filebridge',
  roots: "the user can add one to the client's roots",
};

export function outsideFolders(path: string, folders: readonly NamedFolder[]): AppError {
  return new AppError('FILE_OUTSIDE_FOLDERS', `File path '${path}' is not within allowed directories`, {
    hint:
      folders.length === 0
        ? `No folder is allowed yet: ${addingFolders.configuration}`
        : `Allowed: ${listed(folders)}. list_allowed_directories shows them; ${addingFolders[folders[0]?.from ?? 'configuration']}`,
    details: { path },
  });
}

export function notReadable(path: string, folders: readonly NamedFolder[], cause?: unknown): AppError {
  const reason = readReasons[errnoOf(cause) ?? ''] ?? 'Check the name and its case';
  return new AppError('FILE_NOT_FOUND', `File '${path}' does not exist or is not readable`, {
    hint: folders.length === 0 ? reason : `${reason}. Allowed: ${listed(folders)}`,
    details: { path },
    cause,
  });
}

export function notRegular(
  path: string,
  kind: string,
  hint = kind === 'a directory' ? 'Name a file inside it' : 'Only ordinary files can be read and written',
): AppError {
  return new AppError('FILE_NOT_REGULAR', `'${path}' is ${kind}, not a file`, {
    hint,
    details: { path, kind },
  });
}

/** `from` is where the folder was named; null where no setting allows such a name. */
export function sensitiveName(path: string, name: string, from: FoldersFrom | null): AppError {
  const setting = `"allowSensitive": ["${name}"]`;
  return new AppError('FILE_SENSITIVE', `'${path}' is refused because '${name}' looks like a credential`, {
    hint:
      from === null
        ? 'Such files are not written, moved or deleted, also where reading them is allowed'
        : from === 'configuration'
          ? `The user can allow reading it in the configuration of Filebridge: ${setting} on the folder`
          : `The user can allow reading it only of a folder in the configuration of Filebridge, with ${setting}; ${insteadOfConfigured[from]}`,
    details: { path, name },
  });
}

const insteadOfConfigured = {
  'command line': 'folders on the command line stand instead of those',
  roots: "the client's roots stand instead of those",
};

/** `name` is what makes a program run what is written there. */
export function runningPlace(path: string, name: string): AppError {
  return new AppError('FILE_SENSITIVE', `'${path}' is not written, moved or deleted because programs run what is in '${name}'`, {
    hint: 'Show the user what should stand there, so that they can change it themselves',
    details: { path, name, runs: true },
  });
}

export function ownFile(path: string): AppError {
  return new AppError('FILE_SENSITIVE', `'${path}' is refused because it belongs to Filebridge itself`, {
    hint: 'Settings are changed by the user, in Filebridge',
    details: { path, own: true },
  });
}

export function otherClients(path: string): AppError {
  return new AppError('FILE_SENSITIVE', `'${path}' is refused because it was stored for another client`, {
    hint: 'Have that client store it with storage_path in a folder that is allowed for both, or make the call again',
    details: { path },
  });
}

export function readOnly(path: string, folders: readonly NamedFolder[]): AppError {
  const writable = folders.filter((folder) => folder.access === 'read-write');
  return new AppError('FILE_READ_ONLY', `'${path}' is in a folder that is allowed for reading only`, {
    hint:
      writable.length === 0
        ? 'No folder is allowed for writing: the user can set "access": "read-write" on one in the configuration of Filebridge'
        : `Folders that may be written: ${listed(writable)}`,
    details: { path },
  });
}

export function alreadyExists(path: string): AppError {
  return new AppError('FILE_EXISTS', say('file.exists', { path }), {
    hint: say('file.exists.name', {}),
    details: { path },
  });
}

export function changedWhileRead(path: string, what: string): AppError {
  return new AppError('FILE_CHANGED', `File '${path}' changed while it was being read: ${what}`, {
    hint: 'Wait until whatever writes it is done, then ask again',
    details: { path },
  });
}

/** FILE_WRITE_FAILED with a plain message for a system error. */
export function writeFailed(path: string, cause: unknown): AppError {
  const code = errnoOf(cause);
  const [reason, hint] = writeReasons[code ?? ''] ?? [
    `the system reported ${code ?? String(cause)}`,
    'Check the folder and try again',
  ];
  return new AppError('FILE_WRITE_FAILED', `File '${path}' could not be written: ${reason}`, { hint, details: { path }, cause });
}

const writeReasons: Record<string, readonly [reason: string, hint: string]> = {
  ENOSPC: ['the disk is full', 'Free some space, or choose a folder on another disk; nothing was left behind'],
  EDQUOT: ['the disk quota is used up', 'Free some space, or choose a folder on another disk; nothing was left behind'],
  EFBIG: ['the file system does not hold files of this size', 'Choose a folder on another disk'],
  EROFS: ['the disk is mounted for reading only', 'Choose a folder on another disk'],
  EACCES: ['permission was denied', "Check the folder's permissions"],
  EPERM: ['permission was denied', "Check the folder's permissions"],
  EIO: ['the disk reported an error', 'Check the disk'],
  ENAMETOOLONG: ['the name is too long', 'Choose a shorter name'],
  EMFILE: ['too many files are open', 'Try again in a moment'],
  ENFILE: ['too many files are open', 'Try again in a moment'],
  ENOENT: ['its folder is no longer there', 'Check the folder and try again'],
  ENOTDIR: ['part of its path is not a folder', 'Check the path and try again'],
  ELOOP: ['part of its path was exchanged for a link', 'Check the path and try again'],
};

export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

const readReasons: Record<string, string> = {
  EACCES: 'The system does not permit reading it; check its permissions',
  EPERM: 'The system does not permit reading it; check its permissions',
  EMFILE: 'Too many files are open; try again in a moment',
  ENFILE: 'Too many files are open; try again in a moment',
  EIO: 'The disk reported an error; check the disk',
};

function listed(folders: readonly NamedFolder[]): string {
  const shown = folders.slice(0, 8).map((folder) => `${folder.path} (${folder.realPath === null ? 'not there' : folder.access})`);
  return folders.length > 8 ? `${shown.join(', ')} and ${folders.length - 8} more` : shown.join(', ');
}
