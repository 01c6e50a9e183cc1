/** Moves, copies and deletes: never replaces a file, and deletes to the trash. */
import { mkdir, readdir, readlink, rename, rmdir, symlink, unlink } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { errnoOf, notRegular, runningPlace, sensitiveName, writeFailed } from '../failures.ts';
import { isRespelling, isWithin } from '../leads-to.ts';
import { moveUnlessThere } from '../move-unless-there.ts';
import { startFile } from '../pending-file.ts';
import { kindOf } from '../safe-open.ts';
import { namesBoundTo } from '../sensitive.ts';
import { destinationExists, invalid, systemFailure } from './failures.ts';
import { type Approved, assertAsApproved } from './loss.ts';
import { checkWritable, holdForWriting, openPlace, type Place, type WritablePlace } from './places.ts';
import { toTrash } from './trash.ts';

const CHUNK = 1024 * 1024;

async function closing<T>(targets: readonly WritablePlace[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    for (const target of targets) await target.held.close().catch(() => undefined);
  }
}

export async function moveEntry(from: Place, to: Place, approved?: Approved): Promise<void> {
  const words = `rename '${from.real}' -> '${to.real}'`;
  checkWritable(from, from.real);
  const target = await holdForWriting(to, false, words);
  await closing([target], async () => {
    const name = target.there && (await newSpelling(from, to));
    if (target.there && name === undefined) throw destinationExists(to.real);
    const source = await holdForWriting(from, false, words);
    await closing([source], async () => {
      if (!source.there) throw systemFailure('ENOENT', words);
      assertAsApproved(from, approved, source.there);
      if (source.there.isDirectory()) await assertMovable(from, to);
      try {
        if (name !== undefined) await respell(source, target, name);
        else await (source.there.isDirectory() ? moveDirectory(source, target) : moveFile(source, target));
      } catch (error) {
        if (errnoOf(error) === 'EEXIST' || errnoOf(error) === 'ENOTEMPTY') throw destinationExists(to.real);
        if (errnoOf(error) === 'EXDEV') throw invalid(say('tool.otherDisk', { what: words }), say('tool.otherDisk.hint'));
        throw error instanceof AppError ? error : systemFailure(error, words);
      }
      await target.held.sync();
    });
  });
}

/**
 * The name wanted for an entry that already has it in another case, which disks that ignore case report as taken. Another
 * composition of the same letters is no new name.
 */
export async function newSpelling(from: Place, to: Place): Promise<string | undefined> {
  const [before, name] = [path.basename(from.real), path.basename(to.absolute)];
  if (from.real !== to.real || !isRespelling(before, name) || before.normalize() === name.normalize()) return undefined;
  // A link by that name is an entry of its own.
  const entries = await readdir(path.dirname(from.real));
  return entries.includes(name) ? undefined : name;
}

async function respell(source: WritablePlace, target: WritablePlace, name: string): Promise<void> {
  await bothInPlace(source, target);
  target.check(path.join(await target.held.realPath(), name));
  await rename(source.held.at(source.name), target.held.at(name));
}

/** Moving a directory moves its content to a place where other rules may apply. */
async function assertMovable(from: Place, to: Place): Promise<void> {
  // A move could remove protection that depends on the path, or turn written files into a program's own.
  for (const place of [from, to]) {
    place.policy.judgeMove(place.real, place.asked);
    const { sensitive, running } = await namesBoundTo(place.real, from.real);
    if (sensitive !== undefined) throw sensitiveName(place.asked, sensitive, null);
    if (running !== undefined) throw runningPlace(place.asked, running);
  }
  const allowed = (place: Place) => place.folder.allowSensitive ?? [];
  const gained = allowed(to).filter((name) => !allowed(from).includes(name));
  if (gained.length > 0)
    throw invalid(say('tool.moveGains', { path: from.asked, name: String(gained[0]) }), say('tool.moveGains.hint'));
  if (from.policy.folders.some((folder) => folder.realPath !== null && isWithin(folder.realPath, from.real)))
    throw invalid(say('tool.moveAllowed', { path: from.asked }));
}

async function moveFile(source: WritablePlace, target: WritablePlace): Promise<void> {
  const [from, to] = [source.held.at(source.name), target.held.at(target.name)];
  await bothInPlace(source, target);
  if (source.there?.isSymbolicLink()) {
    await symlink(await readlink(from), to);
    return unlink(from);
  }
  await moveUnlessThere(from, to);
}

async function moveDirectory(source: WritablePlace, target: WritablePlace): Promise<void> {
  const [from, to] = [source.held.at(source.name), target.held.at(target.name)];
  await bothInPlace(source, target);
  // Windows never replaces a directory, so the name need not be reserved.
  if (process.platform === 'win32') return rename(from, to);
  // Fails if the name exists; rename(2) would replace it.
  await mkdir(to);
  try {
    await rename(from, to);
  } catch (error) {
    await rmdir(to).catch(() => undefined);
    throw error;
  }
}

async function bothInPlace(...places: WritablePlace[]): Promise<void> {
  for (const place of places) place.check(path.join(await place.held.realPath(), place.name));
}

/** Content, permissions; never over anything. Returns the bytes copied. */
export async function copyFile(from: Place, to: Place, createDirectories: boolean, signal?: AbortSignal): Promise<number> {
  const { handle } = await openPlace(from, 'open', () => notRegular(from.asked, 'a directory', say('file.copyDirectory.hint')));
  try {
    const { mode } = await handle.stat();
    const target = await holdForWriting(to, createDirectories);
    return await closing([target], async () => {
      if (target.there) throw destinationExists(to.real);
      const pending = await startFile(target.held, target.name, false, target.check, mode & 0o777);
      try {
        const buffer = Buffer.allocUnsafe(CHUNK);
        for (let at = 0; ; ) {
          signal?.throwIfAborted();
          const { bytesRead } = await handle.read(buffer, 0, CHUNK, at);
          if (bytesRead === 0) break;
          await pending.write(buffer.subarray(0, bytesRead));
          at += bytesRead;
        }
        return (await pending.commit()).size;
      } catch (error) {
        await pending.discard();
        if (error instanceof AppError && error.code === 'FILE_EXISTS') throw destinationExists(to.real);
        throw error;
      }
    });
  } finally {
    await handle.close();
  }
}

const trashed = (systemTrash: (path: string) => Promise<void>, real: string): Promise<boolean> =>
  systemTrash(real).then(
    () => true,
    () => false,
  );

/** Returns whether it went to the trash. Where there is none, it is deleted only if `permanent`. */
export async function deleteFile(
  place: Place,
  permanent: boolean,
  systemTrash?: (path: string) => Promise<void>,
  approved?: Approved,
): Promise<'trash' | 'gone'> {
  const target = await holdForWriting(place, false, `unlink '${place.real}'`);
  return await closing([target], async () => {
    if (!target.there) throw systemFailure('ENOENT', `unlink '${place.real}'`);
    if (target.there.isDirectory()) throw notRegular(place.asked, kindOf(target.there));
    assertAsApproved(place, approved, target.there);
    const now = path.join(await target.held.realPath(), target.name);
    checkWritable(place, now);
    const byName = () => toTrash(target);
    const bySystem = async () => systemTrash !== undefined && (await trashed(systemTrash, now));
    try {
      // On Windows the app's own way is faster.
      const [first, second] = process.platform === 'win32' ? [bySystem, byName] : [byName, bySystem];
      if (!permanent && ((await first()) || (await second()))) return 'trash';
      if (!permanent) throw invalid(say('tool.noTrash', { path: place.asked }), say('tool.noTrash.hint'));
      await unlink(target.held.at(target.name));
      await target.held.sync();
      return 'gone';
    } catch (error) {
      throw error instanceof AppError ? error : writeFailed(place.real, error);
    }
  });
}
