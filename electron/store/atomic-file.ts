/** Writes files atomically, readable by their user only, also over one that another program has open. */
import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, unlink } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { AppError } from '../../shared/model/errors.ts';
import { type PlainCode, say } from '../../shared/model/messages/message.ts';
import { hasEnded, MARK, processMark } from './process-mark.ts';

/**
 * Writes beside the file with exactly this mode, flushes, and renames over it; the directory is made if need be. `last` runs just before
 * the renaming. Throws FILE_WRITE_FAILED, or what `last` does, and then the old file is as it was.
 */
export async function writeFileAtomic(
  file: string,
  content: string | Uint8Array | ((handle: FileHandle) => Promise<void>),
  mode = 0o600,
  last: () => Promise<void> = async () => undefined,
): Promise<void> {
  const directory = path.dirname(file);
  const name = path.basename(file);
  const temporary = path.join(directory, `.${name}.${randomBytes(6).toString('hex')}-${processMark()}.tmp`);
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await clearUnfinished(directory, (of) => of === name);
    const handle = await open(temporary, 'wx', mode);
    try {
      // The process's umask may have removed permissions.
      await handle.chmod(mode);
      if (typeof content === 'function') await content(handle);
      else await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await last();
    await renameOver(temporary, file);
    await syncDirectory(directory);
  } catch (cause) {
    await unlink(temporary).catch(() => undefined);
    throw cause instanceof AppError ? cause : storeWriteFailed(file, cause);
  }
}

const unfinished = new RegExp(`^\\.(.+)\\.[0-9a-f]{12}-(${MARK})\\.tmp$`);

/** Removes incomplete files that ended processes left in a directory, of the files that `isMeant` accepts. Never throws. */
export async function clearUnfinished(directory: string, isMeant: (name: string) => boolean): Promise<void> {
  for (const each of await readdir(directory).catch(() => [])) {
    const [, name, mark] = unfinished.exec(each) ?? [];
    if (name === undefined || mark === undefined || !isMeant(name) || !hasEnded(mark)) continue;
    await unlink(path.join(directory, each)).catch(() => undefined);
  }
}

/** Flushes a rename in a directory to disk. Windows cannot open directories and does not need it. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => undefined);
  if (handle === undefined) return;
  await handle.sync().catch(() => undefined);
  await handle.close();
}

/** Creates the directory of a file, accessible to its user only. Throws FILE_WRITE_FAILED. */
export async function makeDirectoryOf(file: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 }).catch((cause: unknown) => {
    throw storeWriteFailed(file, cause);
  });
}

/** Message and hint by the system's error code. */
const writeFailures: Readonly<Record<string, readonly [PlainCode, PlainCode]>> = {
  ENOSPC: ['system.diskFull', 'system.freeOurs.hint'],
  EDQUOT: ['system.diskFull', 'system.freeOurs.hint'],
  EACCES: ['system.denied', 'config.checkFolder'],
  EPERM: ['system.denied', 'config.checkFolder'],
  EBUSY: ['system.openElsewhere', 'system.openElsewhere.hint'],
  EIO: ['system.disk', 'system.disk.hint'],
  EMFILE: ['system.manyFiles', 'system.manyFiles.hint'],
  ENFILE: ['system.manyFiles', 'system.manyFiles.hint'],
  EROFS: ['system.readOnly', 'system.readOnlyOurs.hint'],
};

export function storeWriteFailed(file: string, cause: unknown): AppError {
  const code = errnoOf(cause) ?? '';
  const [why, hint] = writeFailures[code] ?? [null, 'config.checkFolder'];
  const reason = why === null ? say('system.code', { code: code || String(cause) }) : say(why);
  return new AppError('FILE_WRITE_FAILED', say('ours.notWritten', { path: file, reason }), {
    hint: say(hint),
    details: { path: file },
    cause,
  });
}

export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

// Windows refuses to rename over an open file.

/** Virus scanners and indexers let go after moments, people's programs after a save. */
const WAIT_MS = 3_000;
const FIRST_PAUSE_MS = 20;

export interface RenameOverOptions {
  platform?: NodeJS.Platform | undefined;
  waitMs?: number | undefined;
}

/** Tries for three seconds on Windows; then throws EBUSY if the file is open elsewhere, else the system's error. */
export async function renameOver(
  from: string,
  to: string,
  { platform = process.platform, waitMs = WAIT_MS }: RenameOverOptions = {},
): Promise<void> {
  const until = performance.now() + waitMs;
  for (let pause = FIRST_PAUSE_MS; ; pause *= 2) {
    try {
      return await rename(from, to);
    } catch (error) {
      if (platform !== 'win32' || !REFUSALS.includes(codeOf(error))) throw error;
      const left = until - performance.now();
      if (left <= 0)
        throw (await isDenied(to)) ? error : Object.assign(new Error('open elsewhere', { cause: error }), { code: 'EBUSY' });
      await setTimeout(Math.min(pause, left));
    }
  }
}

/** Windows reports an open file, a read-only one and one without permission alike. */
const REFUSALS = ['EPERM', 'EACCES', 'EBUSY'];

/** A file that is only open elsewhere can be opened, or is reported as busy. */
async function isDenied(file: string): Promise<boolean> {
  try {
    await (await open(file, 'r+')).close();
    return false;
  } catch (error) {
    return ['EPERM', 'EACCES'].includes(codeOf(error));
  }
}

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code);
