/** Writes files atomically, readable by their user only. */
import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../shared/model/errors.ts';
import { type PlainCode, say } from '../../shared/model/messages/message.ts';
import { hasEnded, MARK, processMark } from './process-mark.ts';
import { renameOver } from './rename-over.ts';

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
