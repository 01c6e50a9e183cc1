/**
 * New files: written beside their final name under a temporary one, put there in one step without replacing anything, and cleared away if a
 * crash left them.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { renameOver } from '../store/atomic-file.ts';
import { hasEnded, isRunningMark, MARK, processMark } from '../store/process-mark.ts';
import { type FileHandle, link, lstat, open, opendir, unlink } from './disk.ts';
import { alreadyExists, errnoOf, notRegular, writeFailed } from './failures.ts';
import { type HeldDirectory, kindOf } from './safe-open.ts';
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
      throw writeFailed(finalPath, error);
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
        const stats = await handle.stat();
        if (signal?.aborted) throw new AppError('CANCELLED', say('call.cancelled'), { cause: signal.reason });
        const placed = await place();
        if (overwrite) await renameOver(temporary, directory.at(name));
        else
          await moveUnlessThere(temporary, directory.at(name)).catch((error: unknown) => {
            throw errnoOf(error) === 'EEXIST' ? alreadyExists(placed) : error;
          });
        await directory.sync();
        await end(false);
        return { path: placed, size, stats };
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

// Temporary names, and the files that a crash left under them.

const DAY_MS = 24 * 60 * 60 * 1000;
/** Older versions put no mark of the process into it. */
const NAME = new RegExp(`^\\.[0-9a-f]{16}(?:-(${MARK}))?\\.filebridge-tmp$`);
/** A directory may hold any number of entries, and somebody waits. */
const MAX_ENTRIES = 10_000;
/** Directories that are remembered. */
const MAX_SEEN = 1000;

export const temporaryName = (): string => `.${randomBytes(8).toString('hex')}-${processMark()}.filebridge-tmp`;

/** Whether the file is abandoned: its process has ended or, where that is unknown, it has not changed for a day. */
export function isAbandoned(name: string, { mtimeMs }: { mtimeMs: number }, now = Date.now()): boolean {
  const found = NAME.exec(name);
  if (found === null) return false;
  const [, mark] = found;
  // The age alone proves nothing: the clock may have been set.
  if (mark !== undefined && isRunningMark(mark)) return false;
  return (mark !== undefined && hasEnded(mark)) || now - mtimeMs > DAY_MS;
}

/** When this process last checked each directory, by the monotonic clock. */
const seen = new Map<string, number>();

/** Removes temporary files left by a crash from a directory before a write; checks once a day and never fails. */
export async function clearAbandoned(directory: Pick<HeldDirectory, 'at' | 'realPath'>): Promise<void> {
  try {
    const place = await directory.realPath();
    const last = seen.get(place);
    if (last !== undefined && performance.now() - last < DAY_MS) return;
    if (seen.size >= MAX_SEEN) seen.clear();
    seen.set(place, performance.now());
    let left = MAX_ENTRIES;
    for await (const { name } of await opendir(directory.at('.'))) {
      left -= 1;
      if (left < 0) return;
      if (!NAME.test(name)) continue;
      const stats = await lstat(directory.at(name));
      if (stats.isFile() && isAbandoned(name, stats)) await unlink(directory.at(name));
    }
  } catch {
    // Cleaning up is optional: an error here will also stop the write, which reports it.
  }
}

/** The same by path: removes files of a process that ended during a change. */
export async function clearLeftIn(directory: string): Promise<void> {
  await clearAbandoned({
    at: (name) => path.join(directory, name),
    realPath: async () => directory,
  });
}

/** Errors of link(2) on disks without hard links (FAT, some shares), or at a file's maximum number of links. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL', 'UNKNOWN'];

/** Throws the system's EEXIST where the name is taken. */
export async function moveUnlessThere(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!NO_LINKS.includes(errnoOf(error) ?? '')) throw error;
    // Reserve the name with an empty file, which the rename then replaces.
    await (await open(to, 'wx')).close();
    return renameOver(from, to).catch(async (cause: unknown) => {
      await unlink(to).catch(() => undefined);
      throw cause;
    });
  }
  await unlink(from);
}
