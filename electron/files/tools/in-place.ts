/** Rewrites a file with several hard links in place, protected by a recovery copy; a replacement would split the links. */
import { constants } from 'node:fs';
import { type FileHandle, open, rename, unlink } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { changedWhileRead, notRegular, writeFailed } from '../failures.ts';
import { kindOf } from '../safe-open.ts';
import { clearAbandoned, temporaryName } from '../temporary-files.ts';
import type { WritablePlace } from './places.ts';
import { recoveryName } from './recovery.ts';

const NO_FOLLOW = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const CHUNK = 1024 * 1024;

/** Opens the named file for reading and writing, without blocking and without following links. */
export async function openInPlace(place: WritablePlace, flags = constants.O_RDWR): Promise<FileHandle> {
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
export async function rewriteInPlace(place: WritablePlace, content: Uint8Array): Promise<void> {
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
  } catch (error) {
    throw error instanceof AppError ? error : writeFailed(place.real, error);
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

export async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number | null): Promise<void> {
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
    throw error instanceof AppError ? error : writeFailed(place.real, error);
  } finally {
    await handle.close();
  }
}
