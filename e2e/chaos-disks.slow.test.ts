/** Real disks that are full or read-only, and twenty processes that change the same files: nothing is torn, nothing is lost. */

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildThread } from '../electron/engine/thread/fixtures/build-thread.ts';
import { pause } from '../shared/lib/fixtures/waiting.ts';
import { chaosProgram, prepare, run } from './support/chaos.ts';
import { skippedFor } from './support/skipping.ts';

const sh = promisify(execFile);

let root: string;
let program: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'filebridge-disks-'));
  program = await buildThread(path.join(root, 'program'), chaosProgram, 'es');
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Why no small disk can be mounted here; undefined where one can. */
const reason =
  process.platform !== 'linux'
    ? 'small disks are mounted on Linux only'
    : process.getuid?.() === 0
      ? await mountFailure()
      : 'mounting a small disk needs root';

async function mountFailure(): Promise<string | undefined> {
  const place = await mkdtemp(path.join(os.tmpdir(), 'filebridge-mount-'));
  try {
    await sh('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', place]);
    await sh('umount', [place]);
    return undefined;
  } catch (error) {
    return `no disk can be mounted (${error instanceof Error ? error.message.trim() : error})`;
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

const PAGE = 4096;

/** A disk of its own for one piece of work. */
async function withDisk(job: string, work: (directory: string) => Promise<void>): Promise<void> {
  const directory = path.join(root, `disk-${job}`);
  await mkdir(directory);
  await sh('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', directory]);
  try {
    await prepare(job, directory);
    await work(directory);
  } finally {
    await sh('umount', ['-l', directory]);
    await rm(directory, { recursive: true, force: true });
  }
}

/** Leaves so many pages free. */
async function fill(directory: string, pages: number): Promise<void> {
  const filler = path.join(directory, 'filler');
  await writeFile(filler, '');
  const { bavail, bsize } = await statfs(directory);
  await writeFile(filler, Buffer.alloc(Math.max(0, bavail * bsize - pages * PAGE)));
}

const target = (directory: string) => readFile(path.join(directory, 'files', 'target.txt'), 'utf8').catch(() => null);
const folders = async (directory: string) => (await run(program, 'start', directory)).state?.folders.join();
const jobs = [
  { job: 'create', content: target, before: null, after: 'new' },
  { job: 'replace', content: target, before: 'old', after: 'new' },
  { job: 'edit', content: target, before: 'old', after: 'new' },
  { job: 'config', content: folders, before: '/old', after: '/old,/new' },
  {
    job: 'secrets',
    content: async (directory: string) => (await run(program, 'start', directory)).state?.servers.join(),
    before: '',
    after: 'db',
  },
] as const;

describe.skipIf(reason !== undefined).each(jobs)(`$job${skippedFor(reason)}`, ({ job, content, before, after }) => {
  it('on a full disk says so, with the old content or the new', async () => {
    let failures = 0;
    for (const pages of process.env.CHAOS_EVERY === '1' ? [0, 1, 2, 3, 4, 6, 8, 12] : [0, 2]) {
      await withDisk(job, async (directory) => {
        await fill(directory, pages);
        const { did, failed, killed } = await run(program, job, directory);
        expect(killed).toBe(false);
        if (did.length === 0) {
          failures += 1;
          expect(failed, `${pages} pages`).toMatch(/^FILE_WRITE_FAILED .*(?:full|space)/i);
        }
        await rm(path.join(directory, 'filler'));
        const now = await content(directory);
        expect([before, after], `${pages} pages`).toContain(now);
        if (did.length > 0) expect(now, `${pages} pages`).toBe(after);
      });
    }
    expect(failures).toBeGreaterThan(0);
  });

  it('on a read-only disk says so, and changes nothing', async () => {
    await withDisk(job, async (directory) => {
      await sh('mount', ['-o', 'remount,ro', directory]);
      const { did, failed } = await run(program, job, directory);
      expect(did).toEqual([]);
      expect(failed).toMatch(/^FILE_[A-Z_]+ .*mounted for reading only/);
      await sh('mount', ['-o', 'remount,rw', directory]);
      expect(await content(directory)).toBe(before);
    });
  });
});

it('twenty processes change one configuration, secrets, tokens and ledger: all they did is there', async () => {
  const directory = path.join(root, 'crowd');
  await prepare('config', directory);
  const configFile = path.join(directory, 'config', 'config.json');
  let working = true;
  const reading = (async () => {
    // A torn file would be no JSON.
    for (; working; await pause(2, 'the writers get their turn')) JSON.parse(await readFile(configFile, 'utf8'));
  })();
  const runs = await Promise.all(Array.from({ length: 20 }, () => run(program, 'crowd', directory)));
  working = false;
  await reading;
  expect(runs.map(({ failed }) => failed)).toEqual(runs.map(() => undefined));
  const names = runs.flatMap(({ did }) => did).sort();
  expect(new Set(names).size).toBe(20);
  const { state } = await run(program, 'start', directory);
  expect(state?.problems).toEqual([]);
  expect(state?.missing).toEqual([]);
  expect(state?.folders.slice(1).sort()).toEqual(names.flatMap((name) => [`/${name}/a`, `/${name}/b`]).sort());
  expect(state?.servers.sort()).toEqual(names);
  expect(state?.calls.sort()).toEqual(names);
  expect(state?.clients.filter((client) => client !== 'default').sort()).toEqual(names);
});
