/** Rewrites a file with several hard links in place, protected by a recovery copy; a replacement would split the links. */

import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../../shared/model/errors.ts';
import { type Message, say } from '../../../shared/model/messages/message.ts';
import { type FileHandle, open, readdir, rename, unlink } from '../disk.ts';
import { changedWhileRead, notRegular, writeFailed } from '../failures.ts';
import { clearAbandoned, temporaryName } from '../pending-file.ts';
import { kindOf } from '../safe-open.ts';
import { holdDirectory, type Place, type WritablePlace } from './places.ts';

const NO_FOLLOW = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const CHUNK = 1024 * 1024;

/** Opens the named file for reading and writing, without blocking and without following links. */
async function openInPlace(place: WritablePlace, flags = constants.O_RDWR): Promise<FileHandle> {
  const handle = await open(place.held.at(place.name), flags | NO_FOLLOW);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw notRegular(place.real, kindOf(stats));
    place.check(path.join(await place.held.realPath(), place.name));
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * At every moment either the file or the recovery copy beside it holds the old content whole. The copy bears its name only once it is
 * complete, and is removed once the new content is on the disk. A failed write is rolled back.
 */
export async function rewriteInPlace(place: WritablePlace, content: Uint8Array): Promise<Stats> {
  const handle = await openInPlace(place);
  await clearAbandoned(place.held);
  let copyName = place.held.at(temporaryName());
  let isMixed = false;
  try {
    const before = await handle.stat();
    const copy = await open(copyName, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW, 0o600);
    try {
      await copyBytes(handle, copy);
      await copy.sync();
      const finished = place.held.at(recoveryName(place.name, before));
      await rename(copyName, finished);
      copyName = finished;
      await place.held.sync();
      const now = await handle.stat();
      if (now.mtimeMs !== before.mtimeMs || now.size !== before.size) throw changedWhileRead(place.real, say('changed.written'));
      isMixed = true;
      try {
        await overwrite(handle, content);
      } catch (error) {
        await copyBytes(copy, handle);
        await handle.sync();
        isMixed = false;
        throw error;
      }
    } catch (error) {
      await copy.close();
      // If the rollback failed, the copy is the only one with the old content.
      if (!isMixed) await unlink(copyName).catch(() => undefined);
      throw error;
    }
    await copy.close();
    await unlink(copyName);
    await place.held.sync();
    return await handle.stat();
  } catch (error) {
    throw writeFailed(place.real, error);
  } finally {
    await handle.close();
  }
}

async function overwrite(handle: FileHandle, content: Uint8Array): Promise<void> {
  await writeAll(handle, content, 0);
  await handle.truncate(content.byteLength);
  await handle.sync();
}

async function copyBytes(from: FileHandle, to: FileHandle): Promise<void> {
  const buffer = Buffer.allocUnsafe(CHUNK);
  let at = 0;
  while (true) {
    const { bytesRead } = await from.read(buffer, 0, CHUNK, at);
    if (bytesRead === 0) break;
    await writeAll(to, buffer.subarray(0, bytesRead), at);
    at += bytesRead;
  }
  await to.truncate(at);
}

async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number | null): Promise<void> {
  for (let done = 0; done < bytes.byteLength; ) {
    const at = position === null ? null : position + done;
    const { bytesWritten } = await handle.write(bytes, done, bytes.byteLength - done, at);
    done += bytesWritten;
  }
}

/** Appends with one write; a partial write is truncated again. */
export async function appendInPlace(place: WritablePlace, content: (start: Buffer) => Uint8Array): Promise<void> {
  const handle = await openInPlace(place, constants.O_RDWR | constants.O_APPEND);
  try {
    const { size } = await handle.stat();
    const start = Buffer.alloc(2);
    const { bytesRead } = await handle.read(start, 0, 2, 0);
    try {
      await writeAll(handle, content(start.subarray(0, bytesRead)), null);
      await handle.sync();
    } catch (error) {
      await handle.truncate(size).catch(() => undefined);
      throw error;
    }
  } catch (error) {
    throw writeFailed(place.real, error);
  } finally {
    await handle.close();
  }
}

/** Cuts the file to this many bytes. */
export async function truncateInPlace(place: WritablePlace, size: number): Promise<Stats> {
  const handle = await openInPlace(place);
  try {
    await handle.truncate(size);
    await handle.sync();
    return await handle.stat();
  } finally {
    await handle.close();
  }
}

// Recovery copies, which are left when a crash interrupts an in-place write.

const ENDING = 'filebridge-recovery';
/** Names have 255 bytes at most, and a character up to four. */
const MAX_KEPT = 48;

/** The file's number is in it, since a crash may have been met through another of its names. */
const recoveryName = (name: string, { ino }: Pick<Stats, 'ino'>): string =>
  `${[...name].slice(0, MAX_KEPT).join('')}.${ino}-${randomBytes(4).toString('hex')}.${ENDING}`;

/**
 * A note for readers of the file; undefined unless a write to it was interrupted. A write in progress looks the same.
 * Only files of several names are written in place.
 */
export async function unfinishedWrite(place: Place, stats: Pick<Stats, 'ino' | 'nlink'>): Promise<Message | undefined> {
  if (stats.nlink < 2) return undefined;
  const directory = path.dirname(place.real);
  // A file may be read in a directory that may not be looked into.
  const held = await holdDirectory(place, directory).catch(() => undefined);
  if (held === undefined) return undefined;
  try {
    const mark = new RegExp(`\\.${stats.ino}-[0-9a-f]{8}\\.${ENDING}$`);
    const names = await readdir(held.at('.')).catch(() => []);
    const copies = names.filter((name) => mark.test(name)).map((name) => path.join(directory, name));
    if (copies.length === 0) return undefined;
    return say('tool.unfinished', { path: place.requested, copies });
  } finally {
    await held.close();
  }
}

/** Throws FILE_CHANGED: edits must not start from a mixture of old and new content. */
export async function refuseUnfinished(place: Place, stats: Pick<Stats, 'ino' | 'nlink'>): Promise<void> {
  const note = await unfinishedWrite(place, stats);
  if (note === undefined) return;
  throw new AppError('FILE_CHANGED', note, {
    hint: say('tool.unfinished.hint'),
  });
}
