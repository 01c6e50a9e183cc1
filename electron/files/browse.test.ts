import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { browse } from './browse.ts';

let root: string;
const at = (...names: string[]) => path.join(root, ...names);

beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'filebridge-browse-')));
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('browse', () => {
  it('lists folders, then files, as people sort names', async () => {
    for (const name of ['b', 'A', 'z 10', 'z 9']) await mkdir(at(name));
    for (const name of ['file 10.csv', 'File 2.csv', '.hidden']) await writeFile(at(name), '123');
    await mkdir(at('.git'));
    const listing = await browse(root, { files: true });
    expect(listing).toMatchObject({ path: root, parent: path.dirname(root), partial: false });
    expect(listing.places.map((place) => place.name)).toEqual(['A', 'b', 'z 9', 'z 10', 'File 2.csv', 'file 10.csv']);
    expect(listing.places[0]).toEqual({ name: 'A', path: at('A'), kind: 'folder', bytes: null });
    expect(listing.places.at(-1)).toEqual({ name: 'file 10.csv', path: at('file 10.csv'), kind: 'file', bytes: 3 });
    expect((await browse(root, { files: false })).places.every((place) => place.kind === 'folder')).toBe(true);
  });

  it.skipIf(process.platform === 'win32')('shows links as what they lead to, and no pipes', async () => {
    await mkdir(at('folder'));
    await writeFile(at('file'), '12');
    await symlink(at('folder'), at('to folder'));
    await symlink(at('file'), at('to file'));
    await symlink(at('nowhere'), at('dangling'));
    execFileSync('mkfifo', [at('pipe')]);
    const { places } = await browse(root, { files: true });
    expect(places.map(({ name, kind, bytes }) => [name, kind, bytes])).toEqual([
      ['folder', 'folder', null],
      ['to folder', 'folder', null],
      ['file', 'file', 2],
      ['to file', 'file', 2],
    ]);
  });

  it('ends at the root, and limits the number of entries', async () => {
    expect((await browse(path.parse(root).root, { files: false })).parent).toBeNull();
    await Promise.all(Array.from({ length: 2_010 }, (_, i) => writeFile(at(`${i}.csv`), '')));
    const listing = await browse(root, { files: true });
    expect([listing.places.length, listing.partial]).toEqual([2_000, true]);
  });

  it('says what is no folder, and what is not there', async () => {
    await writeFile(at('file'), '1');
    await expect(browse(at('file'), { files: true })).rejects.toMatchObject({ code: 'FILE_NOT_REGULAR' });
    await expect(browse(at('absent'), { files: true })).rejects.toMatchObject({
      code: 'FILE_NOT_FOUND',
      message: `There is no folder '${at('absent')}'`,
    });
  });
});
