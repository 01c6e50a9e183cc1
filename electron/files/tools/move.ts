/** Moves, copies and deletes: never replaces a file, and deletes to the trash. */

import { spawn } from 'node:child_process';
import type { Stats } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import type { Change } from '../../store/kept-changes.ts';
import { lstat, mkdir, open, readdir, readlink, rename, rmdir, symlink, unlink } from '../disk.ts';
import { errnoOf, notRegular, runningPlace, sensitiveName, writeFailed } from '../failures.ts';
import { isRespelling, isWithin } from '../paths.ts';
import { moveUnlessThere, startFile } from '../pending-file.ts';
import { namesBoundTo } from '../protected-paths.ts';
import { kindOf } from '../safe-open.ts';
import { type HowToChange, note, stateNow, stateOf } from './change-notes.ts';
import { destinationExists, invalid, systemFailure } from './failures.ts';
import { assertAsApproved } from './loss.ts';
import { checkWritable, holdForWriting, openPlace, type Place, type WritablePlace } from './places.ts';

const CHUNK = 1024 * 1024;

async function closing<T>(targets: readonly WritablePlace[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    for (const target of targets) await target.held.close().catch(() => undefined);
  }
}

export async function moveEntry(from: Place, to: Place, { approved, notes }: HowToChange = {}): Promise<void> {
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
        throw systemFailure(error, words);
      }
      await target.held.sync();
      const moved = { ...target, name: name ?? target.name };
      await note(notes, async () => {
        const now = path.join(await target.held.realPath(), moved.name);
        return { kind: 'moved', from: source.real, path: now, after: await stateNow(moved) };
      });
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
    place.policy.judgeMove(place.real, place.requested);
    const { sensitive, running } = await namesBoundTo(place.real, from.real);
    if (sensitive !== undefined) throw sensitiveName(place.requested, sensitive, null);
    if (running !== undefined) throw runningPlace(place.requested, running);
  }
  const allowed = (place: Place) => place.folder.allowSensitive ?? [];
  const gained = allowed(to).filter((name) => !allowed(from).includes(name));
  if (gained.length > 0)
    throw invalid(say('tool.moveGains', { path: from.requested, name: String(gained[0]) }), say('tool.moveGains.hint'));
  // A file of the directory would take the place of one that is allowed by its path.
  const taken = allowed(to).find(
    (entry) => entry.startsWith('./') && isWithin(path.join(to.folder.realPath ?? '', entry), to.real),
  );
  if (taken !== undefined)
    throw invalid(say('tool.moveGains', { path: from.requested, name: taken }), say('tool.moveGains.hint'));
  if (from.policy.folders.some((folder) => folder.realPath !== null && isWithin(folder.realPath, from.real)))
    throw invalid(say('tool.moveAllowed', { path: from.requested }));
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
export async function copyFile(
  from: Place,
  to: Place,
  createDirectories: boolean,
  { signal, notes }: Pick<HowToChange, 'notes'> & { signal?: AbortSignal | undefined } = {},
): Promise<number> {
  const { handle } = await openPlace(from, 'open', () =>
    notRegular(from.requested, 'a directory', say('file.copyDirectory.hint')),
  );
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
        const { size, stats } = await pending.commit();
        await note(notes, async () => ({ kind: 'created', path: target.real, after: stateOf(stats) }));
        return size;
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
  { approved, notes }: HowToChange = {},
): Promise<'trash' | 'gone'> {
  const target = await holdForWriting(place, false, `unlink '${place.real}'`);
  return await closing([target], async () => {
    if (!target.there) throw systemFailure('ENOENT', `unlink '${place.real}'`);
    if (target.there.isDirectory()) throw notRegular(place.requested, kindOf(target.there));
    assertAsApproved(place, approved, target.there);
    const now = path.join(await target.held.realPath(), target.name);
    checkWritable(place, now);
    const byName = () => toTrash(target, notes);
    const bySystem = async () => systemTrash !== undefined && (await trashed(systemTrash, now));
    try {
      // On Windows the app's own way is faster.
      const [first, second] = process.platform === 'win32' ? [bySystem, byName] : [byName, bySystem];
      if (!permanent && ((await first()) || (await second()))) return 'trash';
      if (!permanent) throw invalid(say('tool.noTrash', { path: place.requested }), say('tool.noTrash.hint'));
      await unlink(target.held.at(target.name));
      await target.held.sync();
      return 'gone';
    } catch (error) {
      throw writeFailed(place.real, error);
    }
  });
}

// The trash: freedesktop.org's Trash specification 1.0, ~/.Trash on macOS, Windows' recycle bin.

const NOT_THERE = ['EXDEV', 'EROFS', 'EACCES', 'EPERM', 'ENOENT', 'ENOTDIR', 'ENOSPC'];

/** False where there is no trash on the file's disk. */
async function toTrash(target: WritablePlace, notes: HowToChange['notes']): Promise<boolean> {
  if (process.platform === 'win32') return await toRecycleBin(target.real);
  const place = trashPlaces();
  try {
    await mkdir(place.files, { recursive: true, mode: 0o700 });
    if (place.info) await mkdir(place.info, { recursive: true, mode: 0o700 });
  } catch (error) {
    if (NOT_THERE.includes(errnoOf(error) ?? '')) return false;
    throw error;
  }
  for (let number = 1; ; number += 1) {
    const chosen = nameInTrash(target.name, number);
    const moved = await moveTo(target, place, chosen);
    if (moved === 'taken') continue;
    const { there } = target;
    if (moved === 'moved' && there) await note(notes, async () => trashedAs(target.real, place, chosen, there));
    return moved === 'moved';
  }
}

function trashedAs(real: string, place: TrashPlaces, name: string, there: Stats): Change {
  const record = place.info === undefined ? null : recordIn(place.info, name);
  return { kind: 'trashed', path: real, file: path.join(place.files, name), record, after: stateOf(there) };
}

/** Names have 255 bytes at most, and that of the record is longer than the file's own. */
const MAX_NAME_BYTES = 255 - Buffer.byteLength('.trashinfo');
/** Maximum length of a file extension in bytes. */
const MAX_ENDING_BYTES = 32;

/** The file's own name, numbered where it is taken and shortened where it is too long: the record alone has to keep it whole. */
function nameInTrash(own: string, number: number): string {
  const { name, ext } = path.parse(own);
  const isEnding = Buffer.byteLength(ext) <= MAX_ENDING_BYTES;
  const ending = `${number === 1 ? '' : ` ${number}`}${isEnding ? ext : ''}`;
  const characters = [...(isEnding ? name : own)];
  while (Buffer.byteLength(characters.join('') + ending) > MAX_NAME_BYTES) characters.pop();
  return characters.join('') + ending;
}

interface TrashPlaces {
  files: string;
  info: string | undefined;
}

function trashPlaces(): TrashPlaces {
  if (process.platform === 'darwin') return { files: path.join(os.homedir(), '.Trash'), info: undefined };
  const data = process.env.XDG_DATA_HOME || path.join(os.homedir(), '.local', 'share');
  return { files: path.join(data, 'Trash', 'files'), info: path.join(data, 'Trash', 'info') };
}

const recordIn = (info: string, name: string) => path.join(info, `${name}.trashinfo`);

async function moveTo(target: WritablePlace, place: TrashPlaces, name: string): Promise<'moved' | 'taken' | 'none'> {
  const kept = path.join(place.files, name);
  if (await lstat(kept).catch(() => undefined)) return 'taken';
  // The one who makes this file has the name: the record of it, or where there is none, an empty file that is then replaced.
  const mark = place.info ? recordIn(place.info, name) : kept;
  if (!(await writeMark(mark, place.info ? infoOf(target.real) : ''))) return 'taken';
  try {
    if (place.info && (await lstat(kept).catch(() => undefined))) throw Object.assign(new Error('taken'), { code: 'EEXIST' });
    await rename(target.held.at(target.name), kept);
    return 'moved';
  } catch (error) {
    await unlink(mark);
    if (errnoOf(error) === 'EEXIST') return 'taken';
    if (errnoOf(error) === 'EXDEV') return 'none';
    throw error;
  }
}

/** False where the name is taken. */
async function writeMark(mark: string, text: string): Promise<boolean> {
  const handle = await open(mark, 'wx', 0o600).catch((error: unknown) => {
    if (errnoOf(error) === 'EEXIST') return undefined;
    throw error;
  });
  if (handle === undefined) return false;
  await handle.writeFile(text);
  await handle.close();
  return true;
}

function infoOf(real: string): string {
  const escaped = real.split('/').map(encodeURIComponent).join('/');
  const now = new Date();
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
  return `[Trash Info]\nPath=${escaped}\nDeletionDate=${local}\n`;
}

/**
 * The path arrives as a variable, so nothing in it is a command. Only fixed disks have a recycle bin: elsewhere the same call
 * deletes for good.
 */
const SCRIPT = [
  "$ErrorActionPreference = 'Stop'",
  '$file = $env:FILEBRIDGE_RECYCLE',
  "if ((New-Object IO.DriveInfo ([IO.Path]::GetPathRoot($file))).DriveType -ne 'Fixed') { exit 3 }",
  'Add-Type -AssemblyName Microsoft.VisualBasic',
  "[Microsoft.VisualBasic.FileIO.FileSystem]::DeleteFile($file, 'OnlyErrorDialogs', 'SendToRecycleBin')",
].join('; ');

/** A first start of PowerShell takes seconds. */
const LIMIT_MS = 20_000;

const powerShell = (): string =>
  path.join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe');

/** False where it cannot be done: then the file is as it was. */
export async function toRecycleBin(file: string, program = powerShell()): Promise<boolean> {
  const script = Buffer.from(SCRIPT, 'utf16le').toString('base64');
  const args = ['-NoLogo', '-NoProfile', '-NonInteractive', '-EncodedCommand', script];
  return await new Promise((resolve) => {
    const child = spawn(program, args, {
      env: { ...process.env, FILEBRIDGE_RECYCLE: file },
      stdio: 'ignore',
      windowsHide: true,
      timeout: LIMIT_MS,
    });
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
  });
}
