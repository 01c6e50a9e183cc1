/** Errors about paths, for agents and persons. */

import { AppError } from '../../shared/model/errors.ts';
import { type Message, type PlainCode, say } from '../../shared/model/messages/message.ts';
import type { FileKind, ListedFolders } from '../../shared/model/messages/phrases.ts';
import type { FoldersFrom } from './types.ts';

/** The longest name of a file on the usual disks (UTF-16 units on Windows, bytes elsewhere). */
const LONGEST_NAME = 255;

/** The properties of a folder that hints name. */
interface NamedFolder {
  readonly path: string;
  readonly access: 'read' | 'read-write';
  readonly realPath: string | null;
  readonly silent: boolean;
  readonly from: FoldersFrom;
}

export function outsideFolders(path: string, folders: readonly NamedFolder[]): AppError {
  const from = folders[0]?.from;
  return new AppError('FILE_OUTSIDE_FOLDERS', say('file.outside', { path }), {
    hint: from === undefined ? say('file.outside.none') : say('file.outside.hint', { folders: listed(folders), from }),
    details: { path },
  });
}

/** FILE_NOT_FOUND with a plain message for a system error; an error in words stays as it is. */
export function notReadable(path: string, folders: readonly NamedFolder[], cause?: unknown): AppError {
  if (cause instanceof AppError) return cause;
  const code = errnoOf(cause) === 'ENOENT' && hasLongName(path) ? 'ENAMETOOLONG' : (errnoOf(cause) ?? '');
  const known = readReasons[`${code} ${process.platform}`] ?? readReasons[code];
  const reason = say(known ?? 'file.checkName');
  // Names that are missing or closed are not told apart.
  const isThere = known !== undefined && known !== 'file.noPermission' && known !== 'file.longName';
  return new AppError('FILE_NOT_FOUND', say(isThere ? 'file.notNow' : 'file.unreadable', { path }), {
    hint: say('file.unreadable.hint', { reason, folders: folders.length === 0 ? null : listed(folders) }),
    details: { path },
    cause,
  });
}

/** Windows says of such a name only that it is not there. */
const hasLongName = (path: string): boolean => path.split(/[\\/]/).some((name) => name.length > LONGEST_NAME);

export function notRegular(
  path: string,
  kind: FileKind,
  hint = say(kind === 'a directory' ? 'file.directory.hint' : 'file.notRegular.hint'),
): AppError {
  return new AppError('FILE_NOT_REGULAR', say('file.notRegular', { path, kind }), { hint, details: { path, kind } });
}

/** `from` is where the folder was named; null where no setting allows such a name. */
export function sensitiveName(path: string, name: string, from: FoldersFrom | null): AppError {
  return new AppError('FILE_SENSITIVE', say('file.credential', { path, name }), {
    hint:
      from === null
        ? say('file.credential.never')
        : from === 'configuration'
          ? say('file.credential.allow')
          : say('file.credential.configure', { from }),
    details: { path, name },
  });
}

/** `name` is what makes a program run what is written there. */
export function runningPlace(path: string, name: string): AppError {
  return new AppError('FILE_SENSITIVE', say('file.runs', { path, name }), {
    hint: say('file.runs.hint'),
    details: { path, name, runs: true },
  });
}

export function programsPlace(path: string, name: string): AppError {
  return new AppError('FILE_SENSITIVE', say('file.programs', { path, name }), {
    hint: say('file.programs.hint'),
    details: { path, name, runs: true },
  });
}

/** `name` is a directory in which programs keep logins, histories and settings. */
export function privatePlace(path: string, name: string): AppError {
  return new AppError('FILE_SENSITIVE', say('file.private', { path, name }), {
    hint: say('file.private.hint', { name }),
    details: { path, name, place: true },
  });
}

export function ownFile(path: string): AppError {
  return new AppError('FILE_SENSITIVE', say('file.own', { path }), {
    hint: say('file.own.hint'),
    details: { path, own: true },
  });
}

export function otherClients(path: string): AppError {
  return new AppError('FILE_SENSITIVE', say('file.otherClient', { path }), {
    hint: say('file.otherClient.hint'),
    details: { path },
  });
}

export function readOnly(path: string, folders: readonly NamedFolder[]): AppError {
  const writable = folders.filter((folder) => folder.access === 'read-write');
  return new AppError('FILE_READ_ONLY', say('file.readOnly', { path }), {
    hint: writable.length === 0 ? say('file.readOnly.none') : say('file.readOnly.hint', { folders: listed(writable) }),
    details: { path },
  });
}

export function alreadyExists(path: string): AppError {
  return new AppError('FILE_EXISTS', say('file.exists', { path }), {
    hint: say('file.exists.name'),
    details: { path },
  });
}

export function changedWhileRead(path: string, how: Message): AppError {
  return new AppError('FILE_CHANGED', say('file.changed', { path, how }), {
    hint: say('file.changed.hint'),
    details: { path },
  });
}

/** FILE_WRITE_FAILED with a plain message for a system error; an error in words stays as it is. */
export function writeFailed(path: string, cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  const code = errnoOf(cause);
  const [why, hint] = writeReasons[code ?? ''] ?? [null, 'system.code.hint'];
  const reason = why === null ? say('system.code', { code: code ?? String(cause) }) : say(why);
  return new AppError('FILE_WRITE_FAILED', say('file.notWritten', { path, reason }), {
    hint: say(hint),
    details: { path },
    cause,
  });
}

const writeReasons: Readonly<Record<string, readonly [PlainCode, PlainCode]>> = {
  ENOSPC: ['system.diskFull', 'system.free.hint'],
  EDQUOT: ['system.quota', 'system.free.hint'],
  EFBIG: ['system.fileSize', 'system.otherDisk.hint'],
  EROFS: ['system.readOnly', 'system.otherDisk.hint'],
  EACCES: ['system.denied', 'system.denied.hint'],
  EPERM: ['system.denied', 'system.denied.hint'],
  EBUSY: ['system.openElsewhere', 'system.openElsewhere.hint'],
  EIO: ['system.disk', 'system.disk.hint'],
  ENAMETOOLONG: ['system.longName', 'system.longName.hint'],
  EMFILE: ['system.manyFiles', 'system.manyFiles.hint'],
  ENFILE: ['system.manyFiles', 'system.manyFiles.hint'],
  ENOENT: ['system.folderGone', 'system.code.hint'],
  ENOTDIR: ['system.notFolder', 'system.path.hint'],
  ELOOP: ['system.linked', 'system.path.hint'],
};

/** The system's error for a share that does not answer. */
export const timedOut = (place: string): Error => Object.assign(new Error(`${place} does not answer`), { code: 'ETIMEDOUT' });

export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** By the system's code, alone or with the platform it means this on. */
const readReasons: Readonly<Record<string, PlainCode>> = {
  EACCES: 'file.noPermission',
  EPERM: 'file.noPermission',
  // Privacy settings of macOS; on Windows, a file that another program keeps for itself.
  'EPERM darwin': 'file.privacy',
  'EPERM win32': 'file.openElsewhere',
  EBUSY: 'file.openElsewhere',
  // A file that iCloud keeps elsewhere, and one of OneDrive whose program does not run.
  EDEADLK: 'file.inCloud',
  'UNKNOWN win32': 'file.inCloud',
  ETIMEDOUT: 'file.noAnswer',
  ESTALE: 'file.stale',
  ENOTCONN: 'file.disconnected',
  EHOSTDOWN: 'file.disconnected',
  EHOSTUNREACH: 'file.disconnected',
  ENETUNREACH: 'file.disconnected',
  ENODEV: 'file.disconnected',
  ENXIO: 'file.disconnected',
  ENAMETOOLONG: 'file.longName',
  EMFILE: 'file.tooManyOpen',
  ENFILE: 'file.tooManyOpen',
  EIO: 'file.diskError',
};

function listed(folders: readonly NamedFolder[]): ListedFolders {
  const shown = folders.slice(0, 8).map(({ path, realPath, access, silent }) => ({
    path,
    access: silent ? ('silent' as const) : realPath === null ? ('absent' as const) : access,
  }));
  return { shown, more: folders.length - shown.length };
}
