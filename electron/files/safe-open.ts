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
import path from 'node:path';
import { AppError } from '../../shared/model/errors.ts';
import type { FileKind } from '../../shared/model/messages/phrases.ts';
import { type FileHandle, lstat, mkdir, open, readlink, realpath, stat } from './disk.ts';
import { errnoOf, notReadable, notRegular } from './failures.ts';
import type { Policy } from './folder-policy.ts';
import { leadsTo } from './paths.ts';

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
  requested: string,
  policy: Policy,
  platform?: NodeJS.Platform,
): Promise<JudgedHandle> {
  try {
    return handlesTellPaths(platform)
      ? await openByHandle(absolute, requested, policy)
      : await openByName(absolute, requested, policy);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw await unopened(absolute, requested, policy, error);
  }
}

/** The error for what could not be opened: what is refused is refused, whether or not anything is there. */
async function unopened(absolute: string, requested: string, policy: Policy, cause: unknown): Promise<AppError> {
  try {
    policy.judge(await leadsTo(absolute), requested);
  } catch (judgement) {
    if (judgement instanceof AppError) return judgement;
  }
  if (errnoOf(cause) === 'EISDIR') return notRegular(requested, 'a directory');
  return notReadable(
    requested,
    policy.folders.filter((folder) => !folder.trusted),
    cause,
  );
}

async function openByHandle(absolute: string, requested: string, policy: Policy): Promise<JudgedHandle> {
  // A file replaced by rename at this very moment shows as deleted: then its name is asked again.
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const pin = await open(absolute, O_PATH);
    try {
      const realPath = await pathOfHandle(pin);
      if (realPath === null) continue;
      policy.judge(realPath, requested);
      const pinned = await pin.stat();
      if (!pinned.isFile()) throw notRegular(requested, kindOf(pinned));
      await policy.judgeLinks(pinned, requested);
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

async function openByName(absolute: string, requested: string, policy: Policy): Promise<JudgedHandle> {
  const realPath = await realpath(absolute);
  policy.judge(realPath, requested);
  const before = await stat(realPath);
  if (!before.isFile()) throw notRegular(requested, kindOf(before));
  await policy.judgeLinks(before, requested);
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
  const handle = await open(realPath, process.platform === 'darwin' ? flags | O_NOFOLLOW_ANY : flags);
  try {
    const opened = await handle.stat({ bigint: true });
    const there = await lstat(realPath, { bigint: true });
    const same = opened.isFile() && opened.dev === there.dev && opened.ino === there.ino;
    if (!same || (await realpath(realPath)) !== realPath) throw policy.outside(requested);
    return { handle, realPath };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The name under which the kernel reaches what a handle holds. */
function handlePath(handle: FileHandle, name?: string): string {
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

// Directories held open, so that operations stay in them even if their names are replaced meanwhile.

export interface HeldDirectory {
  /** A path of `name` in this directory, for system calls only. */
  at(name: string): string;
  /** Where the directory is now. Throws an ENOENT or ELOOP error if it was deleted or exchanged. */
  realPath(): Promise<string>;
  /** Flushes its entries to disk, where the system supports it. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Enters `base`, a real path, and from there each of `segments`, creating those that are missing unless told not to. Links are followed
 * nowhere.
 * Linux walks from handle to handle; elsewhere the real path is compared before and after.
 */
export async function enterDirectory(
  base: string,
  segments: readonly string[],
  platform?: NodeJS.Platform,
  make = true,
): Promise<HeldDirectory> {
  return handlesTellPaths(platform) ? await enterByHandle(base, segments, make) : await enterByName(base, segments, make);
}

const DIRECTORY = constants.O_DIRECTORY | constants.O_NOFOLLOW | O_PATH;

async function enterByHandle(base: string, segments: readonly string[], make: boolean): Promise<HeldDirectory> {
  let handle = await open(base, DIRECTORY);
  try {
    if ((await pathOfHandle(handle)) !== base) throw exchanged(base);
    for (const segment of segments) {
      const next = make ? await openOrMake(handle, segment) : await open(handlePath(handle, segment), DIRECTORY);
      await handle.close();
      handle = next;
    }
  } catch (error) {
    await handle.close();
    throw error;
  }
  return {
    at: (name) => handlePath(handle, name),
    async realPath() {
      const now = await pathOfHandle(handle);
      if (now === null) throw Object.assign(new Error('The directory was deleted'), { code: 'ENOENT' });
      return now;
    },
    sync: () => syncDirectory(handlePath(handle)),
    close: () => handle.close(),
  };
}

async function openOrMake(parent: FileHandle, segment: string): Promise<FileHandle> {
  const name = handlePath(parent, segment);
  try {
    return await open(name, DIRECTORY);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
  await makeUnlessThere(name);
  return await open(name, DIRECTORY);
}

async function enterByName(base: string, segments: readonly string[], make: boolean): Promise<HeldDirectory> {
  let at = base;
  const assertInPlace = async () => {
    if ((await realpath(at)) !== at) throw exchanged(at);
    return at;
  };
  await assertInPlace();
  for (const segment of segments) {
    at = path.join(at, segment);
    const there = await lstat(at).catch(() => undefined);
    if (there?.isFile()) throw notDirectory(at);
    if (there === undefined && make) await makeUnlessThere(at);
    await assertInPlace();
  }
  if (!(await lstat(at)).isDirectory()) throw notDirectory(at);
  return {
    at: (name) => path.join(at, name),
    realPath: assertInPlace,
    sync: () => syncDirectory(at),
    close: async () => {},
  };
}

const notDirectory = (at: string): Error => Object.assign(new Error(`${at} is not a directory`), { code: 'ENOTDIR' });

async function makeUnlessThere(name: string): Promise<void> {
  try {
    await mkdir(name);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
}

/** Windows cannot open directories, and some network disks cannot sync them; the file itself is always synced. */
async function syncDirectory(name: string): Promise<void> {
  const handle = await open(name, constants.O_RDONLY).catch(() => undefined);
  if (handle === undefined) return;
  await handle.sync().catch(() => undefined);
  await handle.close();
}

function exchanged(name: string): Error {
  return Object.assign(new Error(`${name} was exchanged for a link`), { code: 'ELOOP' });
}
