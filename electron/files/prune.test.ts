import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pruneOldFiles } from './prune.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'filebridge-prune-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe('pruneOldFiles', () => {
  it('deletes files past their days and nothing else', async () => {
    const old = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000);
    for (const name of ['old.json', 'new.json']) await writeFile(path.join(directory, name), '{}');
    await mkdir(path.join(directory, 'old-folder'));
    await utimes(path.join(directory, 'old.json'), old, old);
    await utimes(path.join(directory, 'old-folder'), old, old);
    expect(await pruneOldFiles(directory, 30)).toBe(1);
    expect((await readdir(directory)).sort()).toEqual(['new.json', 'old-folder']);
  });

  it('finds nothing in a directory that is not there', async () => {
    expect(await pruneOldFiles(path.join(directory, 'absent'), 30)).toBe(0);
  });
});
