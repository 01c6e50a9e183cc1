import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pruneOldFiles } from './prune.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const now = Date.now();

let root: string;
let kept: string;
let overdue: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'filebridge-prune-'));
  kept = path.join(root, 'kept');
  overdue = path.join(root, 'overdue.json');
  await mkdir(kept);
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(name: string, changed: number): Promise<void> {
  await writeFile(path.join(kept, name), '{}');
  await utimes(path.join(kept, name), new Date(changed), new Date(changed));
}
const pruneAt = (at: number, days = 30) => pruneOldFiles([{ directory: kept, days }], overdue, at);
const names = async () => (await readdir(kept)).sort();

describe('pruneOldFiles', () => {
  it('deletes files past their days and nothing else', async () => {
    await write('old.json', now - 31 * DAY_MS);
    await write('new.json', now);
    await mkdir(path.join(kept, 'old-folder'));
    await utimes(path.join(kept, 'old-folder'), new Date(0), new Date(0));
    await pruneAt(now);
    await pruneAt(now + DAY_MS - 1);
    expect(await names()).toEqual(['new.json', 'old-folder', 'old.json']);
    await pruneAt(now + DAY_MS);
    expect(await names()).toEqual(['new.json', 'old-folder']);
    await pruneAt(now + DAY_MS);
    expect(await readFile(overdue, 'utf8')).toBe('{}');
  });

  it.each([
    ['years ahead', 400],
    ['years behind', -400],
  ])('deletes nothing when the clock was %s once', async (_, days) => {
    await write('before.json', now);
    const wrong = now + days * DAY_MS;
    await pruneAt(wrong);
    await write('meanwhile.json', wrong);
    await pruneAt(wrong + 1000);
    await pruneAt(now + 1000);
    await pruneAt(now + 2000);
    expect(await names()).toEqual(['before.json', 'meanwhile.json']);
  });

  it('counts a clock that was set back as a new sighting', async () => {
    await write('old.json', now - 31 * DAY_MS);
    await pruneAt(now + 100 * DAY_MS);
    await pruneAt(now);
    expect(JSON.parse(await readFile(overdue, 'utf8'))).toEqual({ [path.join(kept, 'old.json')]: now });
    await pruneAt(now + DAY_MS);
    expect(await names()).toEqual([]);
  });

  it('keeps files for another day when its note is broken', async () => {
    await write('old.json', now - 31 * DAY_MS);
    await writeFile(overdue, '{"');
    await pruneAt(now);
    expect(await names()).toEqual(['old.json']);
    await pruneAt(now + DAY_MS);
    expect(await names()).toEqual([]);
  });

  it('finds nothing in a directory that is not there, and writes no note', async () => {
    await pruneOldFiles([{ directory: path.join(root, 'absent'), days: 30 }], overdue);
    expect(await readdir(root)).toEqual(['kept']);
  });
});
