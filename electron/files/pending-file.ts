/** A new file written beside its final name, and put there in one step. */

import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, unlink } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { renameOver } from '../store/rename-over.ts';
import type { HeldDirectory } from './directory.ts';
import { alreadyExists, errnoOf, notRegular, writeFailed } from './failures.ts';
import { moveUnlessThere } from './move-unless-there.ts';
import { kindOf } from './safe-open.ts';
import { clearAbandoned, temporaryName } from './temporary-files.ts';
import type { PendingFile } from './types.ts';

/**
 * Starts writing `name` in a directory, which it owns from now on. `checkPlace` is asked with the file's real path before the first byte
 * and again before the file appears, and throws if it may not be there.
 *
 * A new file gets the permissions any program would give it (`mode` less the umask); one that replaces another takes
 * over its permissions and attributes, and its owner where we may.
 */
export async function startFile(
  directory: HeldDirectory,
  name: string,
  overwrite: boolean,
  checkPlace: (realPath: string) => void,
  mode = 0o666,
): Promise<PendingFile> {
  const finalPath = path.join(await directory.realPath(), name);
  await clearAbandoned(directory);
  const temporary = directory.at(temporaryName());
  const replaced = overwrite ? await regularOrAbsent(directory.at(name), finalPath) : undefined;
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  const handle = await open(temporary, flags, replaced ? 0o600 : mode);
  let state: 'writing' | 'done' = 'writing';
  let size = 0;

  async function place(): Promise<string> {
    const now = path.join(await directory.realPath(), name);
    checkPlace(now);
    return now;
  }

  async function end(removeTemporary: boolean): Promise<void> {
    if (state === 'done') return;
    state = 'done';
    await handle.close().catch(() => undefined);
    if (removeTemporary) await unlink(temporary).catch(() => undefined);
    await directory.close();
  }

  /** Removes the incomplete file after any failure. */
  async function orClean<T>(work: () => Promise<T>): Promise<T> {
    if (state === 'done') throw new AppError('INTERNAL', say('ours.writtenAfterEnd', { path: finalPath }));
    try {
      return await work();
    } catch (error) {
      await end(true);
      throw error instanceof AppError ? error : writeFailed(finalPath, error);
    }
  }

  await orClean(place);
  return {
    path: finalPath,
    write: (chunk) =>
      orClean(async () => {
        for (let at = 0; at < chunk.byteLength; ) {
          const { bytesWritten } = await handle.write(chunk, at, chunk.byteLength - at, size);
          at += bytesWritten;
          size += bytesWritten;
        }
      }),
    commit: (signal) =>
      orClean(async () => {
        if (overwrite) await takeOver(handle, directory.at(name), finalPath);
        await handle.sync();
        if (signal?.aborted) throw new AppError('CANCELLED', say('call.cancelled'), { cause: signal.reason });
        const placed = await place();
        if (overwrite) await renameOver(temporary, directory.at(name));
        else
          await moveUnlessThere(temporary, directory.at(name)).catch((error: unknown) => {
            throw errnoOf(error) === 'EEXIST' ? alreadyExists(placed) : error;
          });
        await directory.sync();
        await end(false);
        return { path: placed, size };
      }),
    discard: () => end(true),
  };
}

async function regularOrAbsent(name: string, shown: string) {
  const there = await lstat(name).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw writeFailed(shown, error);
  });
  if (there && !there.isFile()) throw notRegular(shown, kindOf(there));
  return there;
}

/** Mode without set-user-ID and the like: the content is new, and nobody vouched for it. */
async function takeOver(handle: FileHandle, name: string, shown: string): Promise<void> {
  const there = await regularOrAbsent(name, shown);
  if (there === undefined || process.platform === 'win32') return;
  const ours = await handle.stat();
  if (ours.uid !== there.uid || ours.gid !== there.gid) {
    // Giving a file away takes privileges; without them it stays the user's own.
    await handle.chown(there.uid, there.gid).catch(() => undefined);
  }
  await keepAttributes(name, handle);
  await handle.chmod(there.mode & 0o777);
}

/**
 * Node cannot read attributes; coreutils' cp can copy them between files held open (they are its descriptors 3 and 4). Where
 * there is no such cp, or the disk keeps none, the file goes without, as with any program that saves by replacing.
 */
async function keepAttributes(name: string, to: FileHandle): Promise<void> {
  if (process.platform !== 'linux') return;
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const from = await open(name, flags).catch(() => undefined);
  if (from === undefined) return;
  try {
    await new Promise<void>((resolve) => {
      const args = ['--attributes-only', '--preserve=xattr', '--', '/proc/self/fd/3', '/proc/self/fd/4'];
      const child = spawn('cp', args, { stdio: ['ignore', 'ignore', 'ignore', from.fd, to.fd] });
      child.once('error', () => resolve());
      child.once('close', () => resolve());
    });
  } finally {
    await from.close();
  }
}
