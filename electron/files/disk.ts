/**
 * The file system of the person's disks, in the place of `node:fs/promises`. A call to a share that does not answer holds one of the process's
 * few threads for files (libuv's) until the share answers; no program can take it back. So each disk gets a few of them only, a call that
 * changes nothing has a deadline, and a disk that missed one is asked again after a while. Calls to other places go straight on.
 */
import type { Dir, Dirent } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../shared/model/errors.ts';
import { errnoOf, notReadable, timedOut } from './failures.ts';

export type { FileHandle } from 'node:fs/promises';

export interface DiskSettings {
  /** How long a call that changes nothing may take (milliseconds). */
  timeoutMs: () => number;
  /** Absolute paths of the folders that may be on disks of their own. */
  folders: () => readonly string[];
  /** Time between two calls to a disk that missed a deadline (milliseconds). */
  askAgainMs?: number;
}

/** Whether a call is overdue. Node would wait for it at its end, so the process is ended as it is then. */
const endAnyway = () => {
  if (allOverdue > 0) process.kill(process.pid, 'SIGKILL');
};

let settings: DiskSettings = { timeoutMs: () => 10_000, folders: () => [] };

/** The threads are the process's, so the settings are too. */
export function watchDisks(watched: DiskSettings): void {
  settings = watched;
  process.off('exit', endAnyway).on('exit', endAnyway);
}

/** Threads for files. The built program asks for more than Node's four; Windows has read the variable by then. */
const threads = (process.platform === 'win32' ? 0 : Number(process.env.UV_THREADPOOL_SIZE)) || 4;
/** Of these, for one disk. */
const PLACES = Math.max(2, Math.floor(threads / 8));
/** Overdue calls, of all disks, from which on disks that have some are left alone. */
const MOST_OVERDUE = threads - 2;
/** What a call takes at most while a disk is awake and not busy (milliseconds). */
const AWAKE_MS = 200;
const askAgainMs = (): number => settings.askAgainMs ?? 5_000;

class Disk {
  /** Calls that hold a thread, those that are overdue too. */
  held = 0;
  overdue = 0;
  /** Since when no call has come back, while there are some. */
  since = Number.POSITIVE_INFINITY;
  readonly #waiting: (() => void)[] = [];
  #askAgainAt = 0;

  /** Whether a call may be made now; false where the disk is not to be asked. */
  isAsked(): boolean {
    if (this.overdue === 0) return true;
    const now = performance.now();
    if (now < this.#askAgainAt || this.held >= PLACES || allOverdue >= MOST_OVERDUE) return false;
    this.#askAgainAt = now + askAgainMs();
    return true;
  }

  /** Calls back when there is a thread for a call: at once, if there is one. `leave` has to be called when it is free again. */
  enter(go: (leave: () => void) => void): void {
    if (this.held >= PLACES) {
      this.#waiting.push(() => this.enter(go));
      return;
    }
    if (this.held === 0) this.since = performance.now();
    this.held += 1;
    takeTurn((end) =>
      go(() => {
        end();
        this.held -= 1;
        this.since = this.held === 0 ? Number.POSITIVE_INFINITY : performance.now();
        this.#waiting.shift()?.();
      }),
    );
  }

  missDeadline(): void {
    this.overdue += 1;
    allOverdue += 1;
    this.#askAgainAt = performance.now() + askAgainMs();
  }

  comeBack(): void {
    this.overdue -= 1;
    allOverdue -= 1;
  }
}

// Threads beyond Node's usual four are there for calls that do not come back. While calls do, more at a time would only be in each other's way.

const AT_ONCE = 4;

/** Calls that are under way, the oldest first. */
const underWay = new Set<{ at: number }>();
const turns: (() => void)[] = [];
let lookAgain: NodeJS.Timeout | undefined;

/** One that has not come back by then is not counted. */
function isTurn(): boolean {
  if (underWay.size < AT_ONCE) return true;
  const slow = performance.now() - AWAKE_MS;
  let awake = underWay.size;
  for (const { at } of underWay) {
    if (at > slow) break;
    awake -= 1;
  }
  return awake < AT_ONCE;
}

function takeTurn(go: (end: () => void) => void): void {
  const begin = () => {
    const call = { at: performance.now() };
    underWay.add(call);
    go(() => {
      underWay.delete(call);
      nextTurns();
    });
  };
  if (isTurn()) begin();
  else {
    turns.push(begin);
    lookAgain ??= setInterval(nextTurns, AWAKE_MS);
  }
}

function nextTurns(): void {
  while (turns.length > 0 && isTurn()) turns.shift()?.();
  if (turns.length > 0) return;
  clearInterval(lookAgain);
  lookAgain = undefined;
}

let allOverdue = 0;
const disks = new Map<string, Disk>();

function diskAt(key: string): Disk {
  const disk = disks.get(key) ?? new Disk();
  disks.set(key, disk);
  return disk;
}

/** What `place` may share a disk with: a folder or an entry of one, since shares are mounted below folders too. Null elsewhere. */
export function diskKey(place: string): string | null {
  let base = '';
  for (const folder of settings.folders()) {
    const isIn = place === folder || place.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
    if (isIn && folder.length > base.length) base = folder;
  }
  if (base === '') return null;
  const start = base.endsWith(path.sep) ? base.length : base.length + 1;
  const end = place.indexOf(path.sep, start);
  return end < 0 ? place : place.slice(0, end);
}

/** Whether the disk of this folder missed a deadline and has not answered since. */
export const isSilent = (folder: string): boolean => (disks.get(folder)?.overdue ?? 0) > 0;

/** Whether a call to the disk of this folder takes longer than a disk that is awake needs. */
export const isAwaited = (folder: string): boolean => {
  const { since = Number.POSITIVE_INFINITY } = disks.get(folder) ?? {};
  return performance.now() - since > AWAKE_MS;
};

export const diskTimeoutMs = (): number => settings.timeoutMs();

const noAnswer = (place: string): AppError => notReadable(place, [], timedOut(place));

/** Whether this says that a disk did not answer, be it by us or by the system. */
export const isNoAnswer = (error: unknown): boolean =>
  errnoOf(error) === 'ETIMEDOUT' || (error instanceof AppError && errnoOf(error.cause) === 'ETIMEDOUT');

interface Call<T> {
  place: string;
  /** Null where no disk is watched. */
  key: string | null;
  make: () => Promise<T>;
  /** After this time the caller gets an error (milliseconds); absent for a call that changes something, whose end must be known. */
  timeoutMs?: number | undefined;
  /** Ends the wait, not the call. */
  signal?: AbortSignal | undefined;
  /** Takes what comes after the deadline. */
  late?: ((value: T) => void) | undefined;
}

export async function onDisk<T>({ place, key, make, timeoutMs, signal, late }: Call<T>): Promise<T> {
  if (key === null) return make();
  const disk = diskAt(key);
  if (!disk.isAsked()) throw noAnswer(place);
  if (timeoutMs === undefined) {
    const leave = await new Promise<() => void>((resolve) => disk.enter(resolve));
    return make().finally(leave);
  }
  const overdueBefore = disk.overdue;
  return new Promise<T>((resolve, reject) => {
    let state: 'waiting' | 'running' | 'overdue' | 'refused' = 'waiting';
    const cancel = () => reject(signal?.reason);
    signal?.addEventListener('abort', cancel, { once: true });
    const timer = setTimeout(() => {
      if (state === 'running') disk.missDeadline();
      state = state === 'running' ? 'overdue' : 'refused';
      reject(noAnswer(place));
    }, timeoutMs);
    disk.enter((leave) => {
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', cancel);
        if (state === 'overdue') disk.comeBack();
        leave();
      };
      // While it waited its deadline passed, or calls before it missed theirs.
      if (state === 'refused' || disk.overdue > overdueBefore) {
        settle();
        reject(noAnswer(place));
        return;
      }
      state = 'running';
      make().then(
        (value) => {
          const isLate = state === 'overdue' || signal?.aborted === true;
          settle();
          if (isLate) late?.(value);
          resolve(value);
        },
        (error: unknown) => {
          settle();
          reject(error);
        },
      );
    });
  });
}

// The calls of `node:fs/promises`

/** Places of open files and directories, by descriptor: on Linux names are looked up in them. */
const opened = new Map<number, string>();

function placeOf(name: unknown): string {
  const text = String(name);
  const [, descriptor, rest = ''] = /^\/proc\/self\/fd\/(\d+)(\/.*)?$/.exec(text) ?? [];
  const base = descriptor === undefined ? undefined : opened.get(Number(descriptor));
  return base === undefined ? path.resolve(text) : base + rest;
}

/** The call for files that may be on a watched disk. One that `looks` has a deadline; one that changes something is waited for. */
function watched<F>(call: F, looks: boolean): F {
  const made = call as (...args: unknown[]) => Promise<unknown>;
  const onItsDisk = (...args: unknown[]) => {
    const place = placeOf(args[0]);
    return onDisk({ place, key: diskKey(place), make: () => made(...args), timeoutMs: looks ? settings.timeoutMs() : undefined });
  };
  return onItsDisk as F;
}

export const lstat = watched(fs.lstat, true);
export const stat = watched(fs.stat, true);
export const realpath = watched(fs.realpath, true);
export const readlink = watched(fs.readlink, true);
export const readdir = watched(fs.readdir, true);
export const readFile = watched(fs.readFile, true);
export const access = watched(fs.access, true);
export const mkdir = watched(fs.mkdir, false);
export const link = watched(fs.link, false);
export const rename = watched(fs.rename, false);
export const rmdir = watched(fs.rmdir, false);
export const symlink = watched(fs.symlink, false);
export const unlink = watched(fs.unlink, false);

/** Opened in one of these ways, a file can be made or emptied. */
const CHANGES = fs.constants.O_WRONLY | fs.constants.O_RDWR | fs.constants.O_CREAT | fs.constants.O_TRUNC;

export async function open(name: string, flags: string | number = 'r', mode?: number): Promise<fs.FileHandle> {
  const place = placeOf(name);
  const key = diskKey(place);
  const changes = typeof flags === 'number' ? (flags & CHANGES) !== 0 : flags !== 'r';
  const handle = await onDisk<fs.FileHandle>({
    place,
    key,
    make: () => fs.open(name, flags, mode),
    timeoutMs: changes ? undefined : settings.timeoutMs(),
    late: (unused) => void unused.close().catch(() => undefined),
  });
  if (key === null) return handle;
  opened.set(handle.fd, place);
  return watchedHandle(handle, place, key);
}

const lookingMethods = new Set<PropertyKey>(['stat', 'read']);

/** A long file takes its time: each part has the deadline, not the whole. Bytes. */
const PART_BYTES = { first: 64 * 1024, most: 1024 * 1024 };

function watchedHandle(handle: fs.FileHandle, place: string, key: string): fs.FileHandle {
  const { fd } = handle;
  async function close(): Promise<void> {
    opened.delete(fd);
    const closing = handle.close();
    // It waits for calls that have not come back.
    if (!isSilent(key)) return closing;
    closing.catch(() => undefined);
  }
  const proxy = new Proxy(handle, {
    get(target, name) {
      if (name === 'close') return close;
      if (name === 'readFile') return () => wholeOf(proxy);
      const value = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const make = () => value.apply(target, args);
        return onDisk({ place, key, make, timeoutMs: lookingMethods.has(name) ? settings.timeoutMs() : undefined });
      };
    },
  });
  return proxy;
}

async function wholeOf(handle: fs.FileHandle): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let size = PART_BYTES.first; ; size = Math.min(size * 2, PART_BYTES.most)) {
    const part = Buffer.allocUnsafeSlow(size);
    const { bytesRead } = await handle.read(part, 0, size, null);
    if (bytesRead === 0) return Buffer.concat(parts);
    parts.push(part.subarray(0, bytesRead));
  }
}

/** A directory that is being read. */
export interface OpenDirectory extends AsyncIterable<Dirent> {
  read(): Promise<Dirent | null>;
  close(): Promise<void>;
}

export async function opendir(name: string): Promise<OpenDirectory> {
  const place = placeOf(name);
  const key = diskKey(place);
  const timeoutMs = settings.timeoutMs();
  const directory = await onDisk<Dir>({
    place,
    key,
    make: () => fs.opendir(name),
    timeoutMs,
    late: (unused) => void unused.close().catch(() => undefined),
  });
  const read = () => onDisk({ place, key, make: () => directory.read(), timeoutMs });
  async function close(): Promise<void> {
    const closing = directory.close();
    if (key === null || !isSilent(key)) return closing;
    closing.catch(() => undefined);
  }
  return {
    read,
    close,
    async *[Symbol.asyncIterator]() {
      try {
        for (let entry = await read(); entry !== null; entry = await read()) yield entry;
      } finally {
        await close();
      }
    },
  };
}
