/** Errors of the file tools, worded as the official filesystem server words them where it has such an error. */

import { getSystemErrorMap } from 'node:util';
import { AppError, type ErrorCode } from '../../../shared/model/errors.ts';
import { type Message, say } from '../../../shared/model/messages/message.ts';
import { errnoOf } from '../failures.ts';
import type { ResolvedFolder } from '../folder-policy.ts';

const systemWords = new Map([...getSystemErrorMap().values()]);

const codes: Record<string, ErrorCode> = {
  ENOENT: 'FILE_NOT_FOUND',
  EACCES: 'FILE_NOT_FOUND',
  EISDIR: 'FILE_NOT_REGULAR',
  ENOTDIR: 'FILE_NOT_REGULAR',
  EEXIST: 'FILE_EXISTS',
};

/**
 * `ENOENT: no such file or directory, open '/data/a.txt'`, as Node words it; `place` is what stands behind the system call. An error in words
 * stays as it is.
 */
export function systemFailure(cause: unknown, place: string): AppError {
  if (cause instanceof AppError) return cause;
  const code = typeof cause === 'string' ? cause : errnoOf(cause);
  if (code === undefined) return new AppError('INTERNAL', cause instanceof Error ? cause.message : String(cause), { cause });
  // The path of an open directory handle means nothing outside this process.
  return new AppError(codes[code] ?? 'FILE_WRITE_FAILED', `${code}: ${systemWords.get(code) ?? 'unknown error'}, ${place}`, {
    cause,
  });
}

export const isDirectoryFailure = (): AppError => systemFailure('EISDIR', 'read');

/** The directories as the official server lists them: as given, and their real paths where those differ. */
export function shownDirectories(folders: readonly ResolvedFolder[]): string[] {
  return folders
    .filter((folder) => !folder.trusted && !folder.silent && folder.realPath !== null)
    .flatMap(({ path, realPath }) => (realPath === null || realPath === path ? [path] : [path, realPath]));
}

function placesOf(folders: readonly ResolvedFolder[]): string {
  const there = shownDirectories(folders);
  if (there.length > 0) return there.join(', ');
  const absent = folders
    .filter((folder) => !folder.trusted)
    .map(({ path, silent }) => `${path} (which ${silent ? 'does not answer' : 'is not there'})`);
  return absent.join(', ') || 'any: no folder is allowed yet';
}

export function pathOutside(absolute: string, folders: readonly ResolvedFolder[]): AppError {
  return outside(absolute, folders, false);
}

/** The link's target is not named: that would reveal what exists outside. */
export function linkOutside(absolute: string, folders: readonly ResolvedFolder[]): AppError {
  return outside(absolute, folders, true);
}

function outside(absolute: string, folders: readonly ResolvedFolder[], link: boolean): AppError {
  return new AppError('FILE_OUTSIDE_FOLDERS', say('tool.outside', { path: absolute, folders: placesOf(folders), link }));
}

export function destinationExists(place: string): AppError {
  return new AppError('FILE_EXISTS', say('tool.destinationExists', { path: place }));
}

export function invalid(message: Message, hint?: Message): AppError {
  return new AppError('INVALID_REQUEST', message, hint === undefined ? {} : { hint });
}
