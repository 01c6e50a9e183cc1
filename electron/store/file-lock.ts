/**
 * A lock between processes that a crash cannot leave shut: a file made by exclusive creation that names its holder.
 *
 * A lock is stale when its holder no longer runs, or, where that cannot be told, when it is far older than any holder needs. Several
 * waiters may find the same stale lock; the right to remove it goes to the one that creates a file named by its nonce, so that
 * nobody removes the fresh lock of somebody who was quicker. Nothing of this takes hard links, which FAT has not.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { open, readFile, stat, unlink, utimes } from 'node:fs/promises';
import os from 'node:os';
import { AppError } from '../../shared/model/errors.ts';
import { errnoOf, storeWriteFailed } from './atomic-file.ts';

const STALE_MS = 10_000;
const WAIT_MS = 30_000;

/** A process, as others on the same directory know it. */
export interface Holder {
  pid: number;
  host: string;
  nonce: string;
  /** Which start of the machine it belongs to, where the system tells: after another one its number means nothing. */
  boot?: string | undefined;
  /** Which process numbers it is counted among, where the system tells: a sandbox or container may have its own. */
  pidNamespace?: string | undefined;
}

export const thisProcess = (): Holder => ({
  pid: process.pid,
  host: os.hostname(),
  nonce: randomBytes(8).toString('hex'),
  ...surroundings(),
});

let known: Pick<Holder, 'boot' | 'pidNamespace'> | undefined;

/** proc(5): `/proc/sys/kernel/random/boot_id`, `/proc/self/ns/pid`. */
function surroundings(): Pick<Holder, 'boot' | 'pidNamespace'> {
  const read = (work: () => string) => {
    try {
      return work();
    } catch {
      return undefined;
    }
  };
  known ??=
    process.platform === 'linux'
      ? {
          boot: read(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
          pidNamespace: read(() => readlinkSync('/proc/self/ns/pid')),
        }
      : {};
  return known;
}

interface LockOptions {
  /** How long others are waited for. */
  waitMs?: number | undefined;
  /** What is thrown where that was in vain. */
  busy?: () => AppError;
}

/** Runs `work` while nobody else, in this process or another, holds the lock. Throws FILE_WRITE_FAILED if it can't be had. */
export async function withFileLock<T>(file: string, work: () => Promise<T>, options: LockOptions = {}): Promise<T> {
  const nonce = await acquire(file, options);
  // Long work is no stale lock.
  const fresh = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => undefined), STALE_MS / 4);
  fresh.unref();
  try {
    return await work();
  } finally {
    clearInterval(fresh);
    // After a long sleep of the machine it may have been taken for stale, and be somebody else's by now.
    const holder = await holderOf(file);
    if (typeof holder === 'object' && holder.nonce === nonce) await unlink(file).catch(() => undefined);
  }
}

async function acquire(file: string, { waitMs = WAIT_MS, busy = () => lockedTooLong(file) }: LockOptions): Promise<string> {
  const holder = thisProcess();
  const deadline = Date.now() + waitMs;
  for (let pause = 1; !(await tryCreate(file, holder)); pause = Math.min(pause * 2, 20)) {
    await breakIfStale(file);
    if (Date.now() > deadline) throw busy();
    await new Promise((resolve) => setTimeout(resolve, pause + Math.random() * pause));
  }
  return holder.nonce;
}

function lockedTooLong(file: string): AppError {
  return new AppError('FILE_WRITE_FAILED', `'${file}' has been locked for too long`, {
    hint: 'Another Filebridge may hang: end it, then delete the lock file if it is still there',
  });
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

async function breakIfStale(file: string): Promise<void> {
  const seen = await holderOf(file);
  if (!(await isStale(file, seen))) return;
  const claim = `${file}.${nonceOf(seen)}`;
  try {
    await (await open(claim, 'wx', 0o600)).close();
  } catch (error) {
    if (errnoOf(error) === 'EEXIST' && (await isOld(claim))) await unlink(claim).catch(() => undefined);
    return;
  }
  try {
    const now = await holderOf(file);
    if (nonceOf(now) === nonceOf(seen) && (await isStale(file, now))) await unlink(file);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  } finally {
    await unlink(claim).catch(() => undefined);
  }
}

type Found = Holder | 'gone' | 'unreadable';

async function isStale(file: string, found: Found): Promise<boolean> {
  if (found === 'gone') return false;
  return (found !== 'unreadable' && isRunning(found) === false) || isOld(file);
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

/** Undefined where it cannot be told: the holder is on another machine, or numbered otherwise than this process. */
export function isRunning(holder: Holder): boolean | undefined {
  if (holder.host !== os.hostname()) return undefined;
  const { boot, pidNamespace } = surroundings();
  if (differ(holder.boot, boot)) return false;
  if (differ(holder.pidNamespace, pidNamespace)) return undefined;
  try {
    process.kill(holder.pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) !== 'ESRCH';
  }
}

const differ = (one: string | undefined, other: string | undefined) => one !== undefined && other !== undefined && one !== other;

/** Whether a file is far older than any work under a lock takes. */
export async function isOld(file: string): Promise<boolean> {
  const stats = await stat(file).catch(() => undefined);
  return stats !== undefined && Date.now() - stats.mtimeMs > STALE_MS;
}
