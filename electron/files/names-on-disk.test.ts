import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileAccess } from './file-access.ts';
import { createFileOperations } from './tools/operations.ts';

let root: string;
const at = (...names: string[]) => path.join(root, ...names);
beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'filebridge-typed-')));
  await mkdir(at('data', 'Ange\u0301lique \u2013 Notes'), { recursive: true });
  await mkdir(at('outside'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const options = () => ({ folders: () => [{ path: at('data'), access: 'read-write' as const }] });
const files = () => createFileOperations({ ...options(), maxFileBytes: () => 1e6 });
const opened = async (file: string) => {
  const { realPath, close } = await createFileAccess(options()).open(file);
  await close();
  return path.relative(at('data'), realPath);
};

describe('a name as one types it', () => {
  it.each([
    ['Screenshot 2026-11-28 at 10.42.00\u202fAM.csv', 'Screenshot 2026-11-28 at 10.42.00 AM.csv'],
    ['a\u00a0b.csv', 'a b.csv'],
    ['Ann\u2019s \u201cbest\u201d.csv', 'Ann\'s "best".csv'],
    ['2025\u20132026.csv', '2025-2026.csv'],
    ['cafe\u0301.csv', 'caf\u00e9.csv'],
    ['caf\u00e9 2.csv', 'cafe\u0301 2.csv'],
    ['plain name.csv', 'plain\u00a0name.csv'],
  ])('finds %j by %j, with every tool', async (own, typed) => {
    const directory = 'Ange\u0301lique \u2013 Notes';
    await writeFile(at('data', directory, own), 'a\n1\n');
    const wanted = at('data', 'Ang\u00e9lique - Notes', typed);
    expect(await opened(wanted)).toBe(path.join(directory, own));
    expect((await files().readText(wanted, {})).text).toBe('a\n1\n');
    expect(await files().info(wanted)).toContain('size: 4');
    await files().edit(wanted, [{ oldText: '1', newText: '2', replaceAll: false }], false);
    expect((await files().readText(at('data', directory, own), {})).text).toBe('a\n2\n');
    await files().move(wanted, at('data', 'moved.csv'));
    expect(await opened(at('data', 'moved.csv'))).toBe('moved.csv');
  });

  it('names those that it may be where there are several, and opens none', async () => {
    for (const name of ['a\u00a0b.csv', 'a\u202fb.csv']) await writeFile(at('data', name), name);
    await expect(opened(at('data', 'a b.csv'))).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      hint: expect.stringContaining('a\u202fb.csv'),
    });
    await expect(files().readText(at('data', 'a b.csv'), {})).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    // The exact one is no question.
    await writeFile(at('data', 'a b.csv'), 'exact');
    expect(await opened(at('data', 'a b.csv'))).toBe('a b.csv');
  });

  it('is a new file where one is written', async () => {
    await writeFile(at('data', 'a\u00a0b.csv'), 'old');
    await files().write(at('data', 'a b.csv'), 'new', { append: false, createDirectories: false });
    expect((await files().readText(at('data', 'a\u00a0b.csv'), {})).text).toBe('old');
    expect((await files().readText(at('data', 'a b.csv'), {})).text).toBe('new');
  });

  it('leads nowhere outside of the folders', async () => {
    await writeFile(at('outside', 'a.csv'), 'secret');
    await symlink(at('outside'), at('data', 'l\u00a0k'));
    await expect(opened(at('data', 'l k', 'a.csv'))).rejects.toMatchObject({ code: expect.stringMatching(/^FILE_/) });
    await expect(opened(at('out side', 'a.csv'))).rejects.toMatchObject({ code: 'FILE_OUTSIDE_FOLDERS' });
  });

  it('of a credential is refused under each spelling', async () => {
    await mkdir(at('data', 'a\u00a0b'));
    await writeFile(at('data', 'a\u00a0b', '.env'), 'KEY=1');
    await expect(opened(at('data', 'a b', '.env'))).rejects.toMatchObject({ code: 'FILE_SENSITIVE' });
  });
});
