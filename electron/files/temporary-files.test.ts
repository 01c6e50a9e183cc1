import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, realpath, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { processMark } from '../store/process-mark.ts';
import { createFileAccess } from './file-access.ts';
import { pruneOldFiles } from './prune.ts';
import { createFileOperations } from './tools/operations.ts';

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'filebridge-temporary-')));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const HOUR_MS = 60 * 60 * 1000;
const aged = async (name: string, hours: number, make = (place: string) => writeFile(place, 'half')) => {
  const place = path.join(root, name);
  await make(place);
  const then = new Date(Date.now() - hours * HOUR_MS);
  await utimes(place, then, then);
};
const name = (digit: string) => `.${digit.repeat(16)}.filebridge-tmp`;

/** What a crash left a while ago, and all that only looks like it. */
async function leave(): Promise<string[]> {
  await aged(name('a'), 25);
  // One whose process has ended needs no day.
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  await aged(`.${'e'.repeat(16)}-${processMark().replace(/\d+$/, String(pid))}.filebridge-tmp`, 0);
  const running = `.${'f'.repeat(16)}-${processMark()}.filebridge-tmp`;
  await aged(running, 1000);
  const others = [name('b'), `${'a'.repeat(16)}.filebridge-tmp`, `.${'A'.repeat(16)}.filebridge-tmp`, `x${name('a')}`];
  for (const [index, other] of others.entries()) await aged(other, index === 0 ? 23 : 1000);
  await aged(name('c'), 1000, async (place) => void (await mkdir(place)));
  await writeFile(path.join(root, 'kept'), 'kept');
  await symlink('kept', path.join(root, name('d')));
  return [...others, running, name('c'), name('d'), 'kept'];
}

const folders = () => [{ path: root, access: 'read-write' as const }];

it.each([
  [
    'a file tool writes',
    () =>
      createFileOperations({ folders, maxFileBytes: () => 1e6 }).write(path.join(root, 'new'), 'x', {
        append: false,
        createDirectories: false,
      }),
  ],
  [
    'an answer is stored',
    async () => {
      const file = await createFileAccess({ folders }).create(root, 'new');
      await file.commit();
    },
  ],
])('goes when %s beside it, and nothing else does', async (_, write) => {
  const others = await leave();
  await write();
  expect((await readdir(root)).sort()).toEqual([...others, 'new'].sort());
});

it('goes from the directory of stored answers when the program starts', async () => {
  const others = await leave();
  await pruneOldFiles([{ directory: root, days: 1000 }], path.join(root, 'overdue.json'));
  expect((await readdir(root)).sort()).toEqual(others.sort());
});
