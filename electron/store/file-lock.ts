/**
 * A lock between processes that a crash releases: a file made by exclusive creation that names its holder.
 *
 * A lock is stale when its holder no longer runs or, where that is unknown, when it is far older than any holder needs. Several
 * waiters may find the same stale lock; the right to remove it goes to the one that creates a file named by its nonce, so that
 * no waiter removes the new lock of a faster one. Hard links are not needed, since FAT has none.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readFile, stat, unlink, utimes } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { AppError, toAppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { errnoOf, storeWriteFailed } from './atomic-file.ts';
import { isAlive, type Surroundings, surroundings } from './process-mark.ts';

const STALE_MS = 10_000;
const WAIT_MS = 30_000;
/** How often the holder refreshes its lock. */
const BEAT_MS = STALE_MS / 4;
/** How long an old-looking lock is watched first: a clock set forward makes every lock look old. */
const WATCH_MS = BEAT_MS + 500;

/** A process, as other processes with the same directory identify it. */
export interface Holder extends Surroundings {
  pid: number;
  host: string;
  nonce: string;
}

export const thisProcess = (): Holder => ({
  pid: process.pid,
  host: os.hostname(),
  nonce: randomBytes(8).toString('hex'),
  ...surroundings(),
});

interface LockOptions {
  /** How long to wait for other holders. */
  waitMs?: number | undefined;
  /** The error to throw when the wait times out. */
  busy?: () => AppError;
  /** The purpose of the lock, stored in it for processes that find it after a crash. */
  subject?: string | undefined;
}

/** Runs `work` while nobody else, in this process or another, holds the lock. Throws FILE_WRITE_FAILED if it can't be had. */
export async function withFileLock<T>(file: string, work: () => Promise<T>, options: LockOptions = {}): Promise<T> {
  const nonce = await acquire(file, options);
  // Refresh the lock, so that long work does not look stale.
  const fresh = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => undefined), BEAT_MS);
  fresh.unref();
  try {
    return await work();
  } finally {
    clearInterval(fresh);
    // After a long sleep of the machine the lock may have counted as stale and belong to another process.
    const holder = await holderOf(file);
    if (typeof holder === 'object' && holder.nonce === nonce) await unlink(file).catch(() => undefined);
  }
}

async function acquire(
  file: string,
  { waitMs = WAIT_MS, busy = () => lockedTooLong(file), subject }: LockOptions,
): Promise<string> {
  const holder = { ...thisProcess(), subject };
  // Monotonic time, since the clock may be changed meanwhile.
  const deadline = performance.now() + waitMs;
  const watch: Watch = { stamp: '', since: 0 };
  for (let pause = 1; !(await tryCreate(file, holder)); pause = Math.min(pause * 2, 20)) {
    await breakIfStale(file, watch);
    if (performance.now() > deadline) throw busy();
    await new Promise((resolve) => setTimeout(resolve, pause + Math.random() * pause));
  }
  return holder.nonce;
}

function lockedTooLong(file: string): AppError {
  return new AppError('FILE_WRITE_FAILED', say('lock.held', { path: file }), { hint: say('lock.held.hint') });
}

async function tryCreate(file: string, holder: Holder): Promise<boolean> {
  try {
    const handle = await open(file, 'wx', 0o600);
    try {
      await handle.writeFile(JSON.stringify(holder));
    } catch (error) {
      await unlink(file);
      throw error;
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    // Windows says EPERM while a file is being deleted.
    if (errnoOf(error) === 'EEXIST' || (process.platform === 'win32' && errnoOf(error) === 'EPERM')) return false;
    throw storeWriteFailed(file, error);
  }
}

/** A waiter's observation of a lock: since when it has not changed. */
interface Watch {
  stamp: string;
  since: number;
}

async function breakIfStale(file: string, watch: Watch): Promise<void> {
  const seen = await holderOf(file);
  if (!(await isStale(file, seen, watch))) return;
  const claim = `${file}.${nonceOf(seen)}`;
  if (!(await tryCreate(claim, thisProcess()))) {
    if (await isLeft(claim)) await unlink(claim).catch(() => undefined);
    return;
  }
  try {
    const now = await holderOf(file);
    if (nonceOf(now) === nonceOf(seen) && (await isStale(file, now, watch))) await unlink(file);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  } finally {
    await unlink(claim).catch(() => undefined);
  }
}

type Found = Holder | 'gone' | 'unreadable';

async function isStale(file: string, found: Found, watch: Watch): Promise<boolean> {
  if (found === 'gone') return false;
  if (found !== 'unreadable' && isRunning(found) === false) return true;
  return (await isOld(file)) && (found === 'unreadable' || (await isStill(file, watch)));
}

/** Whether the file has not changed while a waiter watched it. */
async function isStill(file: string, watch: Watch): Promise<boolean> {
  const stats = await stat(file).catch(() => undefined);
  const stamp = stats === undefined ? '' : `${stats.ino} ${stats.mtimeMs}`;
  if (stamp !== watch.stamp) Object.assign(watch, { stamp, since: performance.now() });
  return performance.now() - watch.since > WATCH_MS;
}

/** Whether a crash left the lock or the claim: its holder has ended, or died before naming itself. */
export async function isLeft(file: string): Promise<boolean> {
  const found = await holderOf(file);
  if (found === 'gone') return false;
  return found === 'unreadable' ? isOld(file) : isRunning(found) === false;
}

/** Removes a lock left by a crash, and returns its purpose if it states one. A held lock stays. */
export async function removeLeftLock(file: string): Promise<string | undefined> {
  if (!(await isLeft(file))) return undefined;
  const found = await holderOf(file);
  await breakIfStale(file, { stamp: '', since: 0 });
  return typeof found === 'object' && 'subject' in found && typeof found.subject === 'string' ? found.subject : undefined;
}

const nonceOf = (found: Found): string => (typeof found === 'object' ? found.nonce : found);

async function holderOf(file: string): Promise<Found> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return isHolder(value) ? value : 'unreadable';
  } catch (error) {
    return errnoOf(error) === 'ENOENT' ? 'gone' : 'unreadable';
  }
}

export function isHolder(value: unknown): value is Holder {
  if (typeof value !== 'object' || value === null) return false;
  const { pid, host, nonce, boot, pidNamespace } = value as Partial<Record<keyof Holder, unknown>>;
  const known = [boot, pidNamespace].every((text) => text === undefined || typeof text === 'string');
  return (
    known && typeof pid === 'number' && typeof host === 'string' && typeof nonce === 'string' && /^[0-9a-f]{16}$/.test(nonce)
  );
}

/** Undefined if unknown: the holder is on another machine, or in another process namespace. */
export function isRunning(holder: Holder): boolean | undefined {
  if (holder.host !== os.hostname()) return undefined;
  const { boot, pidNamespace } = surroundings();
  if (differ(holder.boot, boot)) return false;
  if (differ(holder.pidNamespace, pidNamespace)) return undefined;
  return isAlive(holder.pid);
}

const differ = (one: string | undefined, other: string | undefined) => one !== undefined && other !== undefined && one !== other;

/** Whether a file is far older than any work under a lock takes. A time far in the future counts as old: the clock was set back. */
export async function isOld(file: string): Promise<boolean> {
  const stats = await stat(file).catch(() => undefined);
  return stats !== undefined && Math.abs(Date.now() - stats.mtimeMs) > STALE_MS;
}

/** `waitMs`: how long to wait for other processes. */
export function openChangeLocks(data: string, log: (line: string) => void, waitMs?: number) {
  const directory = path.join(data, 'locks');
  /** Runs `work` while no other process does the same under this key. Throws `busy()` where the turn does not come. */
  return async <T>(key: string, work: () => Promise<T>, busy: () => AppError): Promise<T> => {
    const file = path.join(directory, `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.lock`);
    let isDecided = false;
    try {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const decided = <R>(next: () => R) => {
        isDecided = true;
        return next();
      };
      return await withFileLock(file, () => decided(work), { waitMs, busy: () => decided(busy), subject: key });
    } catch (error) {
      if (isDecided) throw error;
      // A full or unwritable data directory must not block changes that the user asked for.
      log(`changes wait for no other process: ${toAppError(error).text}`);
      return await work();
    }
  };
}
