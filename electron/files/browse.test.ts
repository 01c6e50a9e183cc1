import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { limits } from '../../shared/lib/fixtures/limits.ts';
import { browse, glance } from './browse.ts';

let root: string;
const at = (...names: string[]) => path.join(root, ...names);

beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'filebridge-browse-')));
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(root, { recursive: true, force: true });
});

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

const formatOf = (name: string) => /\.(csv|json)$/.exec(name)?.[1] ?? null;
/** Time enough for a loaded machine. */
const patient = { formatOf, maxMs: limits.wait };

describe('glance', () => {
  it('counts files by format and names the newest', async () => {
    await mkdir(at('a', 'b'), { recursive: true });
    await writeFile(at('old.csv'), '12345');
    await writeFile(at('a', 'new.csv'), '1');
    await writeFile(at('a', 'b', 'x.json'), '[]');
    await writeFile(at('a', 'picture.png'), '...');
    await utimes(at('old.csv'), 1, 1);
    await utimes(at('a', 'b', 'x.json'), 1_000_000, 1_000_000);
    expect(await glance(root, patient)).toEqual({
      files: 4,
      folders: 2,
      bytes: 11,
      partial: false,
      byFormat: [
        { format: 'csv', files: 2 },
        { format: 'json', files: 1 },
      ],
      recent: [
        { path: at('a', 'new.csv'), bytes: 1, modified: expect.any(String) },
        { path: at('a', 'b', 'x.json'), bytes: 2, modified: '1970-01-12T13:46:40.000Z' },
        { path: at('old.csv'), bytes: 5, modified: '1970-01-01T00:00:01.000Z' },
      ],
    });
  });

  it('sees no hidden files, no credentials, and not into crowds or places excepted', async () => {
    for (const folder of ['.hidden', 'node_modules', 'own']) {
      await mkdir(at(folder));
      await writeFile(at(folder, 'in.json'), '{}');
    }
    for (const file of ['.env', '.a.csv', 'server-key.json', 'id_rsa', 'seen.csv']) await writeFile(at(file), '1');
    const content = await glance(root, { ...patient, except: [at('own')] });
    expect(content).toMatchObject({ files: 1, folders: 2, bytes: 1, byFormat: [{ format: 'csv', files: 1 }] });
    expect((await glance(root, { ...patient, except: [at('own')], allowSensitive: ['server-key.json'] })).files).toBe(2);
  });

  it.skipIf(process.platform === 'win32')('follows no links and waits at no pipe', async () => {
    await mkdir(at('folder'));
    await writeFile(at('folder', 'a.csv'), '1');
    await symlink(root, at('folder', 'circle'));
    await symlink('/etc', at('outside'));
    await symlink(at('folder', 'a.csv'), at('link.csv'));
    execFileSync('mkfifo', [at('pipe.csv'), at('folder', 'pipe.json')]);
    expect(await glance(root, patient)).toMatchObject({ files: 1, folders: 1, partial: false });
  });

  it('stops after a number of entries, having seen the top first', async () => {
    await mkdir(at('deep'));
    for (let i = 0; i < 30; i += 1) await writeFile(at('deep', `${i}.csv`), '1');
    for (let i = 0; i < 5; i += 1) await writeFile(at(`${i}.csv`), '1');
    const content = await glance(root, { ...patient, maxEntries: 10 });
    expect(content.partial).toBe(true);
    expect(content.files).toBeGreaterThanOrEqual(5);
    expect(content.files).toBeLessThan(12);
    expect((await glance(root, { ...patient, maxEntries: 36 })).partial).toBe(false);
  });

  it('goes on for longer where the computer was too busy to see anything', async () => {
    await writeFile(at('a.csv'), '1');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const look = glance(root, { formatOf, maxMs: 50 });
    // Nothing else runs in this thread meanwhile.
    vi.advanceTimersByTime(50);
    expect(await look).toMatchObject({ files: 1, partial: false });
  });

  it('stops after a time', async () => {
    for (let i = 0; i < 300; i += 1) await writeFile(at(`${i}.csv`), '1');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let seen = 0;
    const slowly = (name: string) => {
      seen += 1;
      if (seen === 40) vi.advanceTimersByTime(50);
      return formatOf(name);
    };
    const content = await glance(root, { formatOf: slowly, maxMs: 50 });
    expect(content.partial).toBe(true);
    expect(content.files).toBeLessThan(300);
  });

  it('fails for what is no directory', async () => {
    await writeFile(at('file'), '1');
    await expect(glance(at('file'), patient)).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(glance(at('absent'), patient)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
