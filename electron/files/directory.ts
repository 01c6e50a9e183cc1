/** Holds a directory open, so that operations stay in it even if its name is replaced meanwhile. */
import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, realpath } from 'node:fs/promises';
import path from 'node:path';
import { errnoOf } from './failures.ts';
import { handlePath, handlesTellPaths, O_PATH, pathOfHandle } from './safe-open.ts';

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
    if (there === undefined && make) await makeUnlessThere(at);
    await assertInPlace();
  }
  if (!(await lstat(at)).isDirectory()) throw Object.assign(new Error(`${at} is not a directory`), { code: 'ENOTDIR' });
  return {
    at: (name) => path.join(at, name),
    realPath: assertInPlace,
    sync: () => syncDirectory(at),
    close: async () => {},
  };
}

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
