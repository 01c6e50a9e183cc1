/**
 * Opens a file once and judges what was opened.
 *
 * Linux: the path is opened with O_PATH, which touches nothing (no FIFO waits, no device starts). The kernel then says by
 * /proc/self/fd where that handle leads and what it is; only a regular file inside a folder is opened for reading, and
 * through the handle, so no name is looked up twice (open(2), proc(5)).
 *
 * macOS and Windows lack this: the real path is found first, opened without following links (on macOS in no part of
 * it: O_NOFOLLOW_ANY), and the handle's device and inode are compared with those the real path has afterwards. On
 * Windows a directory exchanged twice within that time could pass; creating links there takes a privilege.
 *
 * A hard link is a file's own name: one inside a folder is inside, wherever its other names are, unless the file is one of ours.
 */
import { constants, existsSync, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath, stat } from 'node:fs/promises';
import { AppError } from '../../shared/model/errors.ts';
import type { FileKind } from '../../shared/model/messages/phrases.ts';
import { errnoOf, notReadable, notRegular } from './failures.ts';
import type { Policy } from './folder-policy.ts';
import { leadsTo } from './leads-to.ts';

/** From Linux's fcntl.h (the same on x86, ARM, RISC-V, POWER and S/390) and Darwin's; Node names neither. */
export const O_PATH = 0o10000000;
const O_NOFOLLOW_ANY = 0x20000000;

export interface JudgedHandle {
  readonly handle: FileHandle;
  readonly realPath: string;
}

/** Whether handles can be asked where they lead. */
export function handlesTellPaths(platform: NodeJS.Platform = process.platform): boolean {
  return platform === 'linux' && existsSync('/proc/self/fd');
}

/** Opens an absolute path for reading. Throws FILE_OUTSIDE_FOLDERS, FILE_SENSITIVE, FILE_NOT_REGULAR, FILE_NOT_FOUND. */
export async function safeOpen(
  absolute: string,
  asked: string,
  policy: Policy,
  platform?: NodeJS.Platform,
): Promise<JudgedHandle> {
  try {
    return handlesTellPaths(platform) ? await openByHandle(absolute, asked, policy) : await openByName(absolute, asked, policy);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw await unopened(absolute, asked, policy, error);
  }
}

/** The error for what could not be opened: what is refused is refused, whether or not anything is there. */
async function unopened(absolute: string, asked: string, policy: Policy, cause: unknown): Promise<AppError> {
  try {
    policy.judge(await leadsTo(absolute), asked);
  } catch (judgement) {
    if (judgement instanceof AppError) return judgement;
  }
  if (errnoOf(cause) === 'EISDIR') return notRegular(asked, 'a directory');
  return notReadable(
    asked,
    policy.folders.filter((folder) => !folder.trusted),
    cause,
  );
}

async function openByHandle(absolute: string, asked: string, policy: Policy): Promise<JudgedHandle> {
  // A file replaced by rename at this very moment shows as deleted: then its name is asked again.
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const pin = await open(absolute, O_PATH);
    try {
      const realPath = await pathOfHandle(pin);
      if (realPath === null) continue;
      policy.judge(realPath, asked);
      const pinned = await pin.stat();
      if (!pinned.isFile()) throw notRegular(asked, kindOf(pinned));
      await policy.judgeLinks(pinned, asked);
      const handle = await open(handlePath(pin), constants.O_RDONLY | constants.O_NONBLOCK);
      return { handle, realPath };
    } finally {
      await pin.close();
    }
  }
  throw Object.assign(new Error('The file was deleted or replaced again and again while it was being opened'), {
    code: 'ENOENT',
  });
}

async function openByName(absolute: string, asked: string, policy: Policy): Promise<JudgedHandle> {
  const realPath = await realpath(absolute);
  policy.judge(realPath, asked);
  const before = await stat(realPath);
  if (!before.isFile()) throw notRegular(asked, kindOf(before));
  await policy.judgeLinks(before, asked);
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
  const handle = await open(realPath, process.platform === 'darwin' ? flags | O_NOFOLLOW_ANY : flags);
  try {
    const opened = await handle.stat({ bigint: true });
    const there = await lstat(realPath, { bigint: true });
    const same = opened.isFile() && opened.dev === there.dev && opened.ino === there.ino;
    if (!same || (await realpath(realPath)) !== realPath) throw policy.outside(asked);
    return { handle, realPath };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The name under which the kernel reaches what a handle holds. */
export function handlePath(handle: FileHandle, name?: string): string {
  return name === undefined ? `/proc/self/fd/${handle.fd}` : `/proc/self/fd/${handle.fd}/${name}`;
}

/** Where a handle leads on Linux; null if its name is gone. */
export async function pathOfHandle(handle: FileHandle): Promise<string | null> {
  const text = await readlink(handlePath(handle));
  if (!text.endsWith(' (deleted)')) return text;
  // A file may also be called that; then it is found by the name.
  const [held, named] = await Promise.all([handle.stat({ bigint: true }), lstat(text, { bigint: true }).catch(() => undefined)]);
  return named?.dev === held.dev && named.ino === held.ino ? text : null;
}

export function kindOf(stats: Stats): FileKind {
  if (stats.isDirectory()) return 'a directory';
  if (stats.isFIFO()) return 'a named pipe';
  if (stats.isSocket()) return 'a socket';
  if (stats.isSymbolicLink()) return 'a link';
  return 'a device';
}
