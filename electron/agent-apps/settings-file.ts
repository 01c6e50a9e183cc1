/** Reads another app's settings file with everything that must be kept, and replaces it atomically. */
import { access, constants, lstat, readFile, realpath, stat, unlink } from 'node:fs/promises';
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
