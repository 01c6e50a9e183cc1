import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runs } from '../../shared/lib/fixtures/property-runs.ts';
import { pause, until } from '../../shared/lib/fixtures/waiting.ts';
import { AppError } from '../../shared/model/errors.ts';
import { openChangeLocks, withFileLock } from './file-lock.ts';

const seen = vi.hoisted(() => ({ tries: 0 }));

/** Counts the tries to get in. Without links, as on FAT and some network shares: locks that work there also work with hard links. */
vi.mock('node:fs/promises', async (original) => ({
  ...(await original<typeof import('node:fs/promises')>()),
  open: async (...args: Parameters<typeof import('node:fs/promises').open>) => {
    if (args[1] === 'wx') seen.tries += 1;
    return (await original<typeof import('node:fs/promises')>()).open(...args);
  },
  link: () => Promise.reject(Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM' })),
}));

let root: string;
let lock: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'filebridge-lock-'));
  lock = path.join(root, 'lock');
});
afterEach(() => {
  vi.useRealTimers();
  return rm(root, { recursive: true, force: true });
});

/** A process id that was in use, and no longer is. */
const { pid: endedPid } = spawnSync(process.execPath, ['-e', '']);
const holder = (pid: number, host = os.hostname()) => JSON.stringify({ pid, host, nonce: '0123456789abcdef' });
const longAgo = () => utimes(lock, new Date(0), new Date(0));

/** Waits until others have tried some times more to get in. */
async function moreTries(): Promise<void> {
  const before = seen.tries;
  await until(() => seen.tries > before + 3);
}

/** Runs many at once; the most that were inside together. */
async function crowd(size: number): Promise<number> {
  let inside = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: size }, () =>
      withFileLock(lock, async () => {
        inside += 1;
        most = Math.max(most, inside);
        await pause(1, 'others try to get in meanwhile');
        inside -= 1;
      }),
    ),
  );
  return most;
}

describe('withFileLock', () => {
  it('lets one in at a time and leaves nothing behind', async () => {
    expect(await crowd(25)).toBe(1);
    expect(await readdir(root)).toEqual([]);
  });

  it('is released when the work fails', async () => {
    await expect(withFileLock(lock, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await withFileLock(lock, async () => 'in')).toBe('in');
  });

  it('is taken from a process that has ended, by one of those that wait', async () => {
    for (let round = 0; round < runs(20); round += 1) {
      await writeFile(lock, holder(endedPid));
      expect(await crowd(10)).toBe(1);
      expect(await readdir(root)).toEqual([]);
    }
  });

  it('is taken when it is old and its holder cannot be asked, or died before naming itself', async () => {
    for (const text of [holder(1, 'another-machine'), '', '{"pid":']) {
      await writeFile(lock, text);
      await longAgo();
      expect(await crowd(5)).toBe(1);
    }
  });

  it('is taken though a process ended while it was taking it', async () => {
    await writeFile(lock, holder(endedPid));
    const claim = `${lock}.0123456789abcdef`;
    await writeFile(claim, '');
    await utimes(claim, new Date(0), new Date(0));
    expect(await crowd(5)).toBe(1);
    expect(await readdir(root)).toEqual([]);
  });

  it('is waited for while its holder works', async () => {
    const order: string[] = [];
    let second = Promise.resolve();
    await withFileLock(lock, async () => {
      second = withFileLock(lock, async () => void order.push('second'));
      await moreTries();
      order.push('first');
    });
    await second;
    expect(order).toEqual(['first', 'second']);
  });

  it('is not taken for stale while long work goes on', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    await withFileLock(lock, async () => {
      await longAgo();
      vi.advanceTimersByTime(10_000);
      await until(async () => (await stat(lock)).mtimeMs > 0);
    });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is not taken from a live holder when the clock is put forward, nor held for long by a time that is ahead', async () => {
    // However long these tries take: the lock is not watched for long enough to be taken.
    vi.useFakeTimers({ toFake: ['performance'] });
    const order: string[] = [];
    let second = Promise.resolve();
    await withFileLock(lock, async () => {
      // As if a day had passed since.
      const yesterday = new Date(Date.now() - 86_400_000);
      await utimes(lock, yesterday, yesterday);
      second = withFileLock(lock, async () => void order.push('second'));
      await moreTries();
      order.push('first');
    });
    await second;
    expect(order).toEqual(['first', 'second']);
    await writeFile(lock, '');
    await utimes(lock, new Date(Date.now() + 86_400_000), new Date(Date.now() + 86_400_000));
    expect(await crowd(2)).toBe(1);
  });

  it('says so when there is no place for it', async () => {
    const nowhere = withFileLock(path.join(root, 'none', 'lock'), async () => 1);
    await expect(nowhere).rejects.toMatchObject({ code: 'FILE_WRITE_FAILED' });
  });
});

let data: string;
let logged: string[];
beforeEach(async () => {
  data = await mkdtemp(path.join(os.tmpdir(), 'filebridge-changes-'));
  logged = [];
});
afterEach(() => rm(data, { recursive: true, force: true }));
const busy = () => new AppError('FILE_CHANGED', 'busy');
const open = () => openChangeLocks(data, (line) => void logged.push(line), 100);
const nothing = async () => undefined;

it('lets one process at a time change what has one key, and leaves nothing behind', async () => {
  const [mine, theirs] = [open(), open()];
  const order: string[] = [];
  await mine(
    '/data/a.csv',
    async () => {
      await expect(theirs('/data/a.csv', nothing, busy)).rejects.toThrow('busy');
      await theirs('/data/b.csv', async () => void order.push('another file'), busy);
      order.push('done');
    },
    busy,
  );
  await theirs('/data/a.csv', async () => void order.push('next'), busy);
  expect(order).toEqual(['another file', 'done', 'next']);
  expect(await readdir(path.join(data, 'locks'))).toEqual([]);
});

it('takes failures of the work for what they are', async () => {
  await expect(open()('key', () => Promise.reject(new Error('full')), busy)).rejects.toThrow('full');
  expect(logged).toEqual([]);
});

it('refuses no change because its own directory cannot be used, and says so in the log', async () => {
  await writeFile(path.join(data, 'locks'), 'no directory');
  expect(await open()('key', async () => 'done', busy)).toBe('done');
  expect(logged).toEqual([expect.stringContaining('changes wait for no other process')]);
});
