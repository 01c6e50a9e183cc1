/** Another app's settings file: read with everything that must be kept, backed up before each change, replaced atomically. */

import { createHash } from 'node:crypto';
import { access, constants, lstat, readdir, readFile, realpath, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../shared/model/errors.ts';
import { type Message, say } from '../../shared/model/messages/message.ts';
import { errnoOf, storeWriteFailed, writeFileAtomic } from '../store/atomic-file.ts';

const MIB = 1024 * 1024;
/** More than any settings file holds. Claude Code keeps histories in its own, some MB of them. */
const MAX_BYTES = 32 * MIB;
const BOM = '\uFEFF';

export type SettingsFile =
  | { state: 'absent'; bytes: null }
  /** `text` is without the byte order mark that `bom` holds. `locked` says why the file cannot be changed. */
  | { state: 'read'; bytes: Buffer; text: string; bom: string; target: string; mode: number; locked: Message | null }
  | { state: 'unreadable'; problem: Message };

/** Never rejects: what is wrong with the file is part of the answer. */
export async function readSettings(file: string): Promise<SettingsFile> {
  try {
    const target = await realpath(file);
    const { mode, size, isFile } = await statOf(target);
    if (!isFile) return { state: 'unreadable', problem: say('agentFile.notFile') };
    if (size > MAX_BYTES) {
      return { state: 'unreadable', problem: say('agentFile.large', { megabytes: Math.ceil(size / MIB) }) };
    }
    const bytes = await readFile(target);
    const text = decoded(bytes);
    if (text === null) return { state: 'unreadable', problem: say('agentFile.notText') };
    const bom = text.startsWith(BOM) ? BOM : '';
    return { state: 'read', bytes, text: text.slice(bom.length), bom, target, mode, locked: await whyLocked(target, mode) };
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      const link = await lstat(file).catch(() => undefined);
      return link ? { state: 'unreadable', problem: say('agentFile.link') } : { state: 'absent', bytes: null };
    }
    const denied = code === 'EACCES' || code === 'EPERM';
    return { state: 'unreadable', problem: denied ? say('agentFile.denied') : say('system.code', { code: String(code) }) };
  }
}

async function statOf(target: string) {
  const stats = await stat(target);
  return { mode: stats.mode & 0o777, size: stats.size, isFile: stats.isFile() };
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** A read-only file could still be replaced, but it was made read-only on purpose. */
async function whyLocked(target: string, mode: number): Promise<Message | null> {
  if ((mode & 0o222) === 0) return say('agentFile.readOnly');
  const may = (place: string) =>
    access(place, constants.W_OK).then(
      () => true,
      () => false,
    );
  return (await may(target)) && (await may(path.dirname(target))) ? null : say('agentFile.notWritable');
}

/**
 * Replaces the file by `bytes`, or removes it for null, if it is still as it was when read. A link keeps leading to it, and it keeps
 * its mode. Throws FILE_CHANGED or FILE_WRITE_FAILED; the file is then as it was.
 */
export async function writeSettings(file: string, before: SettingsFile, bytes: Buffer | null): Promise<void> {
  const readAsBefore = async (): Promise<SettingsFile> => {
    const now = await readSettings(file);
    if (sameContent(before, now)) return now;
    throw new AppError('FILE_CHANGED', say('agent.changedNow', { file }), { hint: say('agent.changedNow.hint') });
  };
  const now = await readAsBefore();
  const target = now.state === 'read' ? now.target : file;
  if (bytes !== null) {
    // Check again after the flush: it takes a while, and running apps may write meanwhile.
    return writeFileAtomic(target, bytes, now.state === 'read' ? now.mode : 0o600, async () => void (await readAsBefore()));
  }
  await unlink(target).catch((error: unknown) => {
    throw storeWriteFailed(file, error);
  });
}

function sameContent(one: SettingsFile, other: SettingsFile): boolean {
  if (one.state === 'unreadable' || other.state === 'unreadable') return false;
  if (one.bytes === null || other.bytes === null) return one.bytes === other.bytes;
  return one.bytes.equals(other.bytes);
}

// Backups

/** Backups kept per file. */
const KEPT = 5;

/**
 * `<file>.filebridge-backup-<time>-<written>[-absent]`: `written` tells the content that took its place, so that an undo can see whether
 * anybody else has changed the file since; `absent` stands for a file that was not there.
 */
interface Backup {
  path: string;
  time: string;
  written: string;
  absent: boolean;
}

const contentTag = (bytes: Uint8Array | null): string =>
  bytes === null ? 'none' : createHash('sha256').update(bytes).digest('hex').slice(0, 12);

/** Newest first. */
async function backupsOf(file: string): Promise<Backup[]> {
  const start = `${path.basename(file)}.filebridge-backup-`;
  const names = await readdir(path.dirname(file)).catch((): string[] => []);
  return names
    .flatMap((name) => {
      const [, time = '', written = '', absent] =
        /^(\d{8}T\d{9}Z)-([0-9a-f]{12}|none)(-absent)?$/.exec(name.startsWith(start) ? name.slice(start.length) : '') ?? [];
      return time === '' ? [] : [{ path: path.join(path.dirname(file), name), time, written, absent: absent !== undefined }];
    })
    .sort((one, other) => (one.time < other.time ? 1 : -1));
}

/** The newest backup, which an undo would bring back. */
export async function newestBackup(file: string): Promise<string | null> {
  return (await backupsOf(file))[0]?.path ?? null;
}

/** Replaces the file, or removes it for null, after a copy of it was put aside, whose path it gives. Throws FILE_CHANGED or FILE_WRITE_FAILED. */
export async function replaceWithBackup(file: string, before: SettingsFile, bytes: Buffer | null): Promise<string> {
  const older = await backupsOf(file);
  const absent = before.state !== 'read';
  const backup = `${file}.filebridge-backup-${timeAfter(older[0]?.time)}-${contentTag(bytes)}${absent ? '-absent' : ''}`;
  await writeFileAtomic(backup, before.state === 'read' ? before.bytes : '', 0o600);
  try {
    await writeSettings(file, before, bytes);
  } catch (error) {
    await unlink(backup).catch(() => undefined);
    throw error;
  }
  for (const old of older.slice(KEPT - 1)) await unlink(old.path).catch(() => undefined);
  return backup;
}

/** A name that sorts after every earlier one, even within the same millisecond. */
function timeAfter(newest: string | undefined): string {
  const stamp = (date: Date) => date.toISOString().replace(/[-:.]/g, '');
  const now = stamp(new Date());
  if (newest === undefined || newest < now) return now;
  const [, year, month, day, hour, minute, second, ms] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/.exec(newest) ?? [];
  return stamp(new Date(Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`) + 1));
}

/** Returns the file's content before Filebridge last changed it; undefined if another program has changed it since. */
export async function untouchedOriginal(file: string, now: SettingsFile): Promise<Buffer | null | undefined> {
  const [newest] = await backupsOf(file);
  if (!newest || now.state === 'unreadable' || newest.written !== contentTag(now.bytes)) return undefined;
  return newest.absent ? null : readFile(newest.path);
}

/** Puts the newest backup back, which then is gone. Throws INVALID_REQUEST without one, FILE_CHANGED when the file is not as we left it. */
export async function undo(file: string): Promise<void> {
  const [newest] = await backupsOf(file);
  if (!newest) {
    throw new AppError('INVALID_REQUEST', say('agent.noBackup', { file }), { hint: say('agent.noBackup.hint') });
  }
  const now = await readSettings(file);
  const original = await untouchedOriginal(file, now);
  if (original === undefined) {
    throw new AppError('FILE_CHANGED', say('agent.changedSince', { file }), {
      hint: say('agent.changedSince.hint', { backup: newest.path }),
    });
  }
  await writeSettings(file, now, original);
  await unlink(newest.path).catch(() => undefined);
}
