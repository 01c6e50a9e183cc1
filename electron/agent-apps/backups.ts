/** Backs up an app's settings file before each change, and restores backups. */
import { createHash } from 'node:crypto';
import { readdir, readFile, unlink } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { writeFileAtomic } from '../store/atomic-file.ts';
import { readSettings, type SettingsFile, writeSettings } from './settings-file.ts';

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

/** Replaces the file, or removes it for null, after a copy of it was put aside. Throws FILE_CHANGED or FILE_WRITE_FAILED. */
export async function replaceWithBackup(file: string, before: SettingsFile, bytes: Buffer | null): Promise<void> {
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
