import { execFileSync } from 'node:child_process';
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileAccess } from './file-access.ts';
import type { FileAccessOptions } from './folder-policy.ts';

const windows = process.platform === 'win32';
let root: string;
let out: string;
let readOnly: string;
let outside: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'filebridge-create-')));
  [out, readOnly, outside] = ['out', 'read', 'outside'].map((name) => path.join(root, name)) as [string, string, string];
  for (const directory of [out, readOnly, outside]) await mkdir(directory);
});
afterEach(() => rm(root, { recursive: true, force: true }));

function accessTo(more: Partial<FileAccessOptions> = {}) {
  return createFileAccess({
    folders: () => [
      { path: readOnly, access: 'read' },
      { path: out, access: 'read-write' },
    ],
    ...more,
  });
}

async function write(access: ReturnType<typeof accessTo>, directory: string, name: string, text: string, overwrite = false) {
  const file = await access.create(directory, name, { overwrite });
  await file.write(Buffer.from(text));
  return await file.commit();
}

describe.each<NodeJS.Platform>(['linux', 'darwin'])('creating as on %s', (platform) => {
  const access = () => accessTo({ platform });

  it('puts a file in place whole, and makes the folders it needs', async () => {
    const directory = path.join(out, 'a', 'b');
    const pending = await access().create(directory, 'answer.json');
    await pending.write(Buffer.from('{"a":'));
    await pending.write(Buffer.from('1}'));
    expect(await readdir(directory)).not.toContain('answer.json');
    expect(await pending.commit()).toMatchObject({ path: path.join(directory, 'answer.json'), size: 7 });
    expect(await readdir(directory)).toEqual(['answer.json']);
    expect(await readFile(path.join(directory, 'answer.json'), 'utf8')).toBe('{"a":1}');
    await pending.discard();
    expect(await readdir(directory)).toEqual(['answer.json']);
  });

  it('leaves the files of programs in a home folder alone, unless their folder is allowed', async () => {
    const hidden = path.join(out, '.config', 'unknown');
    await mkdir(hidden, { recursive: true });
    for (const directory of [hidden, path.join(out, '.new')]) {
      const writing = write(accessTo({ platform, home: out }), directory, 'start.sh', 'x');
      await expect(writing).rejects.toMatchObject({
        code: 'FILE_SENSITIVE',
        message: expect.stringContaining('keep their own files'),
      });
    }
    const allowed = { folders: () => [{ path: hidden, access: 'read-write' as const }] };
    await write(accessTo({ platform, home: out, ...allowed }), hidden, 'start.sh', 'x');
    expect(await readdir(hidden)).toEqual(['start.sh']);
    expect(await readdir(out)).toEqual(['.config']);
  });

  it('leaves nothing of a discarded file', async () => {
    const pending = await access().create(out, 'answer.json');
    await pending.write(Buffer.from('half'));
    await pending.discard();
    expect(await readdir(out)).toEqual([]);
  });

  it('never replaces a file unasked', async () => {
    await writeFile(path.join(out, 'a.txt'), 'old');
    await expect(write(access(), out, 'a.txt', 'new')).rejects.toMatchObject({
      code: 'FILE_EXISTS',
      message: `File '${path.join(out, 'a.txt')}' already exists`,
      hint: expect.stringContaining('overwrite: true'),
    });
    expect(await readFile(path.join(out, 'a.txt'), 'utf8')).toBe('old');
    expect(await readdir(out)).toEqual(['a.txt']);
  });

  it('lets one of several at once have the name', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) => write(access(), out, 'a.txt', `text ${index}`)),
    );
    const won = results.findIndex((result) => result.status === 'fulfilled');
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    expect(await readFile(path.join(out, 'a.txt'), 'utf8')).toBe(`text ${won}`);
    expect(await readdir(out)).toEqual(['a.txt']);
  });

  it.skipIf(windows)('replaces a file when requested, and keeps its permissions and owner', async () => {
    const file = path.join(out, 'a.sh');
    await writeFile(file, 'old');
    await chmod(file, 0o4751);
    if (process.getuid?.() === 0) await chown(file, 65534, 65534);
    const owner = (await stat(file)).uid;
    await write(access(), out, 'a.sh', 'new', true);
    const now = await stat(file);
    expect(await readFile(file, 'utf8')).toBe('new');
    expect(now.uid).toBe(owner);
    // All but set-user-ID, which nobody gave to the new content.
    expect(now.mode & 0o7777).toBe(0o751);
  });

  it('replaces no link and no directory', async () => {
    await writeFile(path.join(outside, 'victim'), 'precious');
    await symlink(path.join(outside, 'victim'), path.join(out, 'link'));
    await mkdir(path.join(out, 'directory'));
    for (const name of ['link', 'directory']) {
      await expect(write(access(), out, name, 'x', true)).rejects.toMatchObject({ code: 'FILE_NOT_REGULAR' });
    }
    await expect(write(access(), out, 'link', 'x')).rejects.toMatchObject({ code: 'FILE_EXISTS' });
    expect(await readFile(path.join(outside, 'victim'), 'utf8')).toBe('precious');
    expect((await lstat(path.join(out, 'link'))).isSymbolicLink()).toBe(true);
    expect((await readdir(out)).sort()).toEqual(['directory', 'link']);
  });

  it('writes nowhere else', async () => {
    await symlink(outside, path.join(out, 'link-out'));
    const cases: [directory: string, code: string][] = [
      [outside, 'FILE_OUTSIDE_FOLDERS'],
      [path.join(outside, 'new'), 'FILE_OUTSIDE_FOLDERS'],
      [`${out}/../outside`, 'FILE_OUTSIDE_FOLDERS'],
      [path.join(out, 'link-out'), 'FILE_OUTSIDE_FOLDERS'],
      [path.join(out, 'link-out', 'new'), 'FILE_OUTSIDE_FOLDERS'],
      [`${out}-sibling`, 'FILE_OUTSIDE_FOLDERS'],
      ['/proc/self/fd', 'FILE_OUTSIDE_FOLDERS'],
      [readOnly, 'FILE_READ_ONLY'],
      [path.join(readOnly, 'new'), 'FILE_READ_ONLY'],
      [path.join(out, '.ssh'), 'FILE_SENSITIVE'],
    ];
    for (const [directory, code] of cases) {
      await expect(access().create(directory, 'x.txt')).rejects.toMatchObject({ code });
    }
    expect(await readdir(outside)).toEqual([]);
    expect(await readdir(readOnly)).toEqual([]);
  });

  it('refuses names that are paths, reserved, or look like credentials', async () => {
    for (const name of ['../x', 'a/b', '..', '', 'a\0', 'nul.txt']) {
      await expect(access().create(out, name)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    }
    // No setting allows it, so none is named.
    await expect(access().create(out, '.env')).rejects.toMatchObject({
      code: 'FILE_SENSITIVE',
      hint: expect.not.stringContaining('allowSensitive'),
    });
    expect(await readdir(out)).toEqual([]);
  });

  it('fails in plain words when a file stands where a folder should', async () => {
    await writeFile(path.join(out, 'file'), '');
    await expect(access().create(path.join(out, 'file', 'sub'), 'x')).rejects.toMatchObject({
      code: 'FILE_WRITE_FAILED',
      message: expect.stringContaining('not a folder'),
    });
  });
});

describe('where a new file goes', () => {
  it('is the first writable folder for a relative directory', async () => {
    expect((await write(accessTo(), 'sub', 'a.txt', 'x')).path).toBe(path.join(out, 'sub', 'a.txt'));
    expect((await write(accessTo(), '.', 'a.txt', 'x')).path).toBe(path.join(out, 'a.txt'));
  });

  it('says which folders may be written', async () => {
    await expect(accessTo().create(readOnly, 'a.txt')).rejects.toMatchObject({ hint: expect.stringContaining(out) });
    const none = createFileAccess({ folders: () => [{ path: readOnly, access: 'read' }] });
    await expect(none.create('sub', 'a.txt')).rejects.toMatchObject({ code: 'FILE_READ_ONLY' });
  });

  it('follows the inner folder where folders lie in each other', async () => {
    const inner = path.join(out, 'archive');
    await mkdir(inner);
    const access = createFileAccess({
      folders: () => [
        { path: out, access: 'read-write' },
        { path: inner, access: 'read' },
      ],
    });
    await expect(access.create(inner, 'a.txt')).rejects.toMatchObject({ code: 'FILE_READ_ONLY' });
    await write(access, out, 'a.txt', 'x');
  });

  it('may be a directory of our own, which is made for this user only', async () => {
    const own = path.join(root, 'own', 'responses');
    const access = accessTo({ trustedDirectories: () => [own] });
    const { path: file } = await write(access, own, 'a.txt', 'stored');
    expect(file).toBe(path.join(own, 'a.txt'));
    if (!windows) expect((await stat(own)).mode & 0o777).toBe(0o700);
    const opened = await access.open(file);
    expect(opened.size).toBe(6);
    await opened.close();
    expect((await access.folders()).map((folder) => folder.path)).toEqual([readOnly, out]);
    await expect(access.create(path.join(own, '..'), 'b.txt')).rejects.toMatchObject({ code: 'FILE_OUTSIDE_FOLDERS' });
  });

  it('is never among the files that are ours', async () => {
    const settings = path.join(out, 'settings');
    await mkdir(settings);
    const access = accessTo({ protectedPaths: () => [path.join(settings, 'config.json')] });
    await expect(access.create(settings, 'config.json', { overwrite: true })).rejects.toMatchObject({ code: 'FILE_SENSITIVE' });
    await write(access, settings, 'other.json', '{}');
  });
});

/** A disk of one megabyte, or the reason why there is none. */
async function smallDisk(): Promise<{ directory: string; unmount: () => void } | string> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'mounting takes root on Linux';
  const directory = path.join(root, 'disk');
  await mkdir(directory);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', directory], { stdio: 'pipe' });
  } catch (error) {
    return `mount is not permitted here: ${String(error)}`;
  }
  return { directory, unmount: () => execFileSync('umount', ['-l', directory]) };
}

describe('a full disk', () => {
  it('fails in plain words and leaves what was there', async (context) => {
    const disk = await smallDisk();
    if (typeof disk === 'string') return context.skip(disk);
    try {
      await writeFile(path.join(disk.directory, 'a.txt'), 'old');
      const access = createFileAccess({ folders: () => [{ path: disk.directory, access: 'read-write' }] });
      const pending = await access.create(disk.directory, 'a.txt', { overwrite: true });
      await expect(pending.write(Buffer.alloc(2_000_000))).rejects.toMatchObject({
        code: 'FILE_WRITE_FAILED',
        message: expect.stringContaining('the disk is full'),
      });
      expect(await readdir(disk.directory)).toEqual(['a.txt']);
      expect(await readFile(path.join(disk.directory, 'a.txt'), 'utf8')).toBe('old');
      await pending.discard();
    } finally {
      disk.unmount();
    }
  });
});
