import { execFileSync } from 'node:child_process';
import {
  chmod,
  mkdir,
  mkdtemp,
  open as openHandle,
  realpath,
  rename,
  rm,
  symlink,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Folder } from '../../shared/model/config.ts';
import type { AppError } from '../../shared/model/errors.ts';
import { createFileAccess } from './file-access.ts';
import type { FileAccessOptions } from './folder-policy.ts';
import type { FileAccess } from './types.ts';

const windows = process.platform === 'win32';
let root: string;
let data: string;
let outside: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'filebridge-open-')));
  data = path.join(root, 'data');
  outside = path.join(root, 'data-secret');
  await mkdir(data);
  await mkdir(outside);
  await writeFile(path.join(data, 'users.csv'), 'name\nAda\n');
  await writeFile(path.join(outside, 'users.csv'), 'SECRET');
});
afterEach(() => rm(root, { recursive: true, force: true }));

function accessTo(folders: Folder[] = [{ path: data, access: 'read' }], more: Partial<FileAccessOptions> = {}): FileAccess {
  return createFileAccess({ folders: () => folders, ...more });
}

async function read(access: FileAccess, file: string): Promise<string> {
  const opened = await access.open(file);
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of opened.source.read()) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  } finally {
    await opened.close();
  }
}

const failure = async (work: Promise<unknown>) =>
  await work.then(
    () => 'no failure',
    (error: { code: string; message: string }) => ({ code: error.code, message: error.message }),
  );
const outsideOf = (file: string) => ({
  code: 'FILE_OUTSIDE_FOLDERS',
  message: `File path '${file}' is not within allowed directories`,
});
const absent = (file: string) => ({ code: 'FILE_NOT_FOUND', message: `File '${file}' does not exist or is not readable` });

describe('a database', () => {
  const opened = async (access: FileAccess, file: string) => {
    const { source, close } = await access.open(file);
    await close();
    return { log: source.log && Buffer.from(source.log).toString(), logUnread: source.logUnread, identity: source.identity };
  };
  const old = new Date(2024, 1, 1);

  beforeEach(async () => {
    for (const name of ['a.db', 'b.sqlite', 'c.csv']) {
      await writeFile(path.join(data, name), 'content');
      await utimes(path.join(data, name), old, old);
      await writeFile(path.join(data, `${name}-wal`), 'changes');
    }
  });

  it('comes with the log beside it, which belongs to its identity', async () => {
    const before = await opened(accessTo(), path.join(data, 'a.db'));
    expect(before).toMatchObject({ log: 'changes', logUnread: undefined });
    expect((await opened(accessTo(), path.join(data, 'b.sqlite'))).log).toBe('changes');
    expect((await opened(accessTo(), path.join(data, 'c.csv'))).log).toBeUndefined();
    await writeFile(path.join(data, 'a.db-wal'), 'others');
    expect((await opened(accessTo(), path.join(data, 'a.db'))).identity).not.toBe(before.identity);
    await unlink(path.join(data, 'a.db-wal'));
    expect(await opened(accessTo(), path.join(data, 'a.db'))).toMatchObject({ log: undefined, logUnread: undefined });
    await writeFile(path.join(data, 'a.db-wal'), '');
    expect(await opened(accessTo(), path.join(data, 'a.db'))).toMatchObject({ log: undefined, logUnread: undefined });
  });

  it('says whether a change to it is not finished, by the journal beside it', async () => {
    const journal = path.join(data, 'b.sqlite-journal');
    const unfinished = async () => {
      const file = await accessTo().open(path.join(data, 'b.sqlite'));
      await file.close();
      return file.source.isUnfinished;
    };
    expect(await unfinished()).toBeUndefined();
    await writeFile(journal, Buffer.from('d9d505f920a163d700000001', 'hex'));
    expect(await unfinished()).toBe(true);
    // SQLite overwrites the beginning of one that it keeps.
    await writeFile(journal, Buffer.alloc(512));
    expect(await unfinished()).toBeUndefined();
    await unlink(journal);
  });

  it.skipIf(windows)('says so where the log may not be read', async () => {
    await unlink(path.join(data, 'a.db-wal'));
    await writeFile(path.join(outside, 'elsewhere'), 'SECRET');
    await symlink(path.join(outside, 'elsewhere'), path.join(data, 'a.db-wal'));
    expect(await opened(accessTo(), path.join(data, 'a.db'))).toMatchObject({ log: undefined, logUnread: true });
  });
});

// Linux asks the kernel where a handle leads; the other way is what macOS and Windows get, and holds here too.
describe.each<NodeJS.Platform>(['linux', 'darwin'])('opening as on %s', (platform) => {
  const access = (folders?: Folder[]) => accessTo(folders, { platform });

  it('names files that may be meant instead of a missing one', async () => {
    const hint = async (file: string) =>
      (
        (await access()
          .open(file)
          .catch((error: AppError) => error)) as AppError
      ).hint?.split('? ')[0];
    const users = path.join(data, 'users.csv');
    expect(await hint(path.join(data, 'user.csv'))).toBe(`Did you mean '${users}'`);
    expect(await hint(path.join(data, 'USERS.CSV'))).toBe(`Did you mean '${users}'`);
    // In another folder, below the allowed one.
    expect(await hint(path.join(data, 'absent', 'users.csv'))).toBe(`Did you mean '${users}'`);
    expect(await hint(path.join(data, 'invoice.pdf'))).not.toContain('Did you mean');
    await writeFile(path.join(outside, 'notes.txt'), '');
    expect(await hint(path.join(outside, 'note.txt'))).not.toContain('Did you mean');
  });

  it('reads a file in a folder', async () => {
    const file = path.join(data, 'users.csv');
    const opened = await access().open(file);
    expect(opened).toMatchObject({ path: file, realPath: file, size: 9, source: { name: 'users.csv', size: 9 } });
    await opened.close();
    expect(await read(access(), file)).toBe('name\nAda\n');
  });

  it('looks for a relative path in each folder in turn', async () => {
    const second = path.join(root, 'second');
    await mkdir(second);
    await writeFile(path.join(second, 'only-here.txt'), 'found');
    const both = access([
      { path: data, access: 'read' },
      { path: second, access: 'read' },
    ]);
    expect(await read(both, 'only-here.txt')).toBe('found');
    expect(await read(both, 'users.csv')).toBe('name\nAda\n');
    expect(await failure(both.open('nowhere.txt'))).toEqual(absent('nowhere.txt'));
    expect(await failure(both.open('../data-secret/users.csv'))).toEqual(outsideOf('../data-secret/users.csv'));
  });

  it('does not tell what exists outside', async () => {
    const there = path.join(outside, 'users.csv');
    const notThere = path.join(outside, 'nothing.csv');
    expect(await failure(access().open(there))).toEqual(outsideOf(there));
    expect(await failure(access().open(notThere))).toEqual(outsideOf(notThere));
    expect(await failure(access().open(outside))).toEqual(outsideOf(outside));
    await symlink(notThere, path.join(data, 'dangling'));
    expect(await failure(access().open('dangling'))).toEqual(outsideOf('dangling'));
  });

  it('says that a file inside is absent', async () => {
    const file = path.join(data, 'no', 'such.csv');
    expect(await failure(access().open(file))).toEqual(absent(file));
    const below = path.join(data, 'users.csv', 'x');
    expect(await failure(access().open(below))).toEqual(absent(below));
  });

  it('refuses ways out: dots, links to files and to directories', async () => {
    const dots = `${data}/../data-secret/users.csv`;
    await symlink(path.join(outside, 'users.csv'), path.join(data, 'file-link'));
    await symlink(outside, path.join(data, 'dir-link'));
    for (const way of [dots, path.join(data, 'file-link'), path.join(data, 'dir-link', 'users.csv'), 'dir-link/users.csv']) {
      expect(await failure(access().open(way))).toEqual(outsideOf(way));
    }
  });

  it('follows links that stay inside, and links that lead in', async () => {
    await symlink('users.csv', path.join(data, 'latest'));
    await symlink(data, path.join(root, 'way-in'));
    const opened = await access().open('latest');
    expect(opened.realPath).toBe(path.join(data, 'users.csv'));
    expect(opened.source.name).toBe('users.csv');
    await opened.close();
    expect(await read(access(), path.join(root, 'way-in', 'users.csv'))).toBe('name\nAda\n');
    expect(await read(access([{ path: path.join(root, 'way-in'), access: 'read' }]), path.join(data, 'users.csv'))).toBe(
      'name\nAda\n',
    );
  });

  it('names what is no file', async () => {
    const directory = await failure(access().open(data));
    expect(directory).toEqual({ code: 'FILE_NOT_REGULAR', message: `'${data}' is a directory, not a file` });
  });

  it.skipIf(windows)('refuses pipes and sockets at once', async () => {
    const fifo = path.join(data, 'fifo.csv');
    execFileSync('mkfifo', [fifo]);
    expect(await failure(access().open(fifo))).toMatchObject({ code: 'FILE_NOT_REGULAR' });
    const socket = path.join(data, 's');
    const server = createServer().listen(socket);
    await new Promise((resolve) => server.once('listening', resolve));
    expect(await failure(access().open(socket))).toMatchObject({ code: 'FILE_NOT_REGULAR' });
    await new Promise((resolve) => server.close(resolve));
  });

  it.skipIf(windows)('refuses devices and kernel files even if everything is allowed', async () => {
    const everything = access([{ path: '/', access: 'read' }]);
    for (const file of [
      '/dev/zero',
      '/proc/self/environ',
      '/proc/self/fd/0',
      '/sys/kernel/notes',
      `/proc/self/cwd/../etc/passwd`,
    ]) {
      expect(await failure(everything.open(file))).toEqual(outsideOf(file));
    }
    await symlink('/dev/zero', path.join(data, 'zero'));
    await symlink('/proc/self/environ', path.join(data, 'environ'));
    for (const link of ['zero', 'environ']) {
      const file = path.join(data, link);
      expect(await failure(everything.open(file))).toEqual(outsideOf(file));
    }
  });

  it('refuses what is no path', async () => {
    expect(await failure(access().open(''))).toMatchObject({ code: 'INVALID_REQUEST' });
    expect(await failure(access().open(`${data}/users.csv\0.txt`))).toMatchObject({ code: 'INVALID_REQUEST' });
    const long = path.join(data, 'x'.repeat(5000));
    expect(await failure(access().open(long))).toEqual(absent(long));
    const longOutside = path.join(outside, 'x'.repeat(300));
    expect(await failure(access().open(longOutside))).toEqual(outsideOf(longOutside));
  });

  it.each(['Zoë & søn.csv', '数据 2026.csv', 'emoji 🎈.txt', ' spaces .txt', 'x (deleted)', "quote'.txt"])(
    'opens %s',
    async (name) => {
      await writeFile(path.join(data, name), name);
      expect(await read(access(), path.join(data, name))).toBe(name);
    },
  );

  it('judges credentials by the name a link leads to', async () => {
    await writeFile(path.join(data, '.env'), 'KEY=1');
    await symlink('.env', path.join(data, 'harmless.txt'));
    expect(await failure(access().open('harmless.txt'))).toMatchObject({ code: 'FILE_SENSITIVE' });
    expect(await read(access([{ path: data, access: 'read', allowSensitive: ['.env'] }]), 'harmless.txt')).toBe('KEY=1');
  });
});

describe('folders', () => {
  it('are missed by name where none is allowed, whatever is in our own', async () => {
    const trusted = { trustedDirectories: () => [path.join(root, 'answers')] };
    await mkdir(path.join(root, 'answers'));
    const opening = accessTo([], trusted).open('users.csv');
    await expect(opening).rejects.toMatchObject({
      code: 'FILE_OUTSIDE_FOLDERS',
      hint: expect.stringContaining('No folder is allowed yet'),
    });
    await expect(accessTo(undefined, trusted).open('nothing.csv')).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  });

  it('are shown with their real paths, and null where they are not there', async () => {
    await symlink(data, path.join(root, 'link'));
    const missing = path.join(root, 'missing');
    const folders: Folder[] = [
      { path: path.join(root, 'link'), access: 'read' },
      { path: missing, access: 'read-write' },
    ];
    expect(await accessTo(folders).folders()).toEqual([
      { path: path.join(root, 'link'), access: 'read', realPath: data, silent: false, from: 'configuration' },
      { path: missing, access: 'read-write', realPath: null, silent: false, from: 'configuration' },
    ]);
  });

  it('count as they are at the time of asking', async () => {
    const folders: Folder[] = [];
    const access = accessTo(folders);
    const file = path.join(data, 'users.csv');
    await expect(access.open(file)).rejects.toMatchObject({ hint: expect.stringContaining('No folder is allowed yet') });
    folders.push({ path: data, access: 'read' });
    expect(await read(access, file)).toBe('name\nAda\n');
  });

  it('are named in the hint of a refusal', async () => {
    const refused = accessTo().open(path.join(outside, 'x'));
    await expect(refused).rejects.toMatchObject({ hint: expect.stringMatching(/list_allowed_directories/) });
    await expect(refused).rejects.toMatchObject({ hint: expect.stringContaining(`${data} (read)`) });
  });

  it('opens nothing of what programs keep in a home folder, unless its folder or the name is allowed', async () => {
    const file = path.join(root, '.config', 'unknown', 'login.json');
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, '{}');
    const home = (more: Partial<Folder> = {}) => accessTo([{ path: root, access: 'read', ...more }], { home: root });
    await expect(read(home(), file)).rejects.toMatchObject({
      code: 'FILE_SENSITIVE',
      message: expect.stringContaining("'.config' is where programs keep their own files"),
      hint: expect.stringContaining("the name '.config'"),
    });
    expect(await read(home({ allowSensitive: ['.config'] }), file)).toBe('{}');
    expect(await read(accessTo([{ path: path.dirname(file), access: 'read' }], { home: root }), file)).toBe('{}');
  });

  it('may be named from the home directory', async () => {
    const access = accessTo([{ path: '~/data', access: 'read' }], { home: root });
    expect(await read(access, '~/data/users.csv')).toBe('name\nAda\n');
  });

  it('hold what their URLs name, and nothing else', async () => {
    const url = (file: string) => pathToFileURL(path.join(root, file)).href;
    expect(await read(accessTo(), url('data/users.csv'))).toBe('name\nAda\n');
    for (const out of [url('data-secret/users.csv'), `${url('data')}/%2e%2e/data-secret/users.csv`, 'file:///proc/self/environ'])
      expect(await failure(accessTo().open(out))).toEqual(outsideOf(out));
    const elsewhere = `file://server${path.join(data, 'users.csv')}`;
    expect(await failure(accessTo().open(elsewhere))).toMatchObject({ code: 'INVALID_REQUEST' });
    expect(await accessTo().explain(elsewhere)).toMatchObject({ absolute: null, refusal: { code: 'INVALID_REQUEST' } });
  });

  it("never open Filebridge's own files, except stored answers", async () => {
    const own = path.join(data, 'own');
    const responses = path.join(own, 'responses');
    await mkdir(responses, { recursive: true });
    await writeFile(path.join(own, 'tokens.json'), '{}');
    await writeFile(path.join(responses, 'answer.txt'), 'answer');
    const access = accessTo(undefined, { protectedPaths: () => [own], trustedDirectories: () => [responses] });
    expect(await failure(access.open(path.join(own, 'tokens.json')))).toMatchObject({ code: 'FILE_SENSITIVE' });
    expect(await read(access, path.join(responses, 'answer.txt'))).toBe('answer');
  });
});

describe('permissions', () => {
  const becomeNobody = process.seteuid && process.getuid?.() === 0;

  it('make an unreadable file one that is not readable', async () => {
    const file = path.join(data, 'locked.csv');
    await writeFile(file, 'x');
    await chmod(file, 0o000);
    await chmod(root, 0o755);
    await chmod(data, 0o755);
    // Permissions do not bind root: it lays its rights down for a moment.
    if (becomeNobody) process.seteuid?.(65534);
    try {
      const result = accessTo().open(file);
      expect(await failure(result)).toEqual(absent(file));
      await expect(result).rejects.toMatchObject({ hint: expect.stringContaining('permissions') });
    } finally {
      if (becomeNobody) process.seteuid?.(0);
    }
  });
});

describe('an open file', () => {
  it('can be read again, and by several at once', async () => {
    const bytes = Buffer.alloc(3_000_001, 'abcdefghij');
    await writeFile(path.join(data, 'big.txt'), bytes);
    const file = await accessTo().open('big.txt');
    const whole = async () => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of file.source.read()) chunks.push(chunk);
      return Buffer.concat(chunks).equals(bytes);
    };
    expect(await Promise.all([whole(), whole(), whole()])).toEqual([true, true, true]);
    await file.assertUnchanged();
    await file.close();
    await file.close();
  });

  it.each([0, 1, 512 * 1024, 1024 * 1024])('gives exactly %i bytes', async (size) => {
    await writeFile(path.join(data, 'sized'), Buffer.alloc(size, 7));
    const file = await accessTo().open('sized');
    let seen = 0;
    for await (const chunk of file.source.read()) seen += chunk.byteLength;
    expect(seen).toBe(size);
    await file.close();
  });

  it('stops when the reader is cancelled', async () => {
    await writeFile(path.join(data, 'big.txt'), Buffer.alloc(2_000_000));
    const file = await accessTo().open('big.txt');
    const stop = new AbortController();
    const reading = (async () => {
      for await (const _ of file.source.read(stop.signal)) stop.abort();
    })();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
    await file.close();
  });

  it.each([
    ['grows', async (file: string) => await writeFile(file, 'more', { flag: 'a' }), 'grew|more than'],
    ['shrinks', async (file: string) => await writeFile(file, 'short'), 'ended|shrank'],
    [
      'is rewritten at the same size',
      async (file: string) => {
        const handle = await openHandle(file, 'r+');
        await handle.write(Buffer.from('Z'), 0, 1, 1_500_000);
        await handle.close();
      },
      'rewritten',
    ],
  ])('that %s while it is read is never taken for the whole', async (_, change, words) => {
    const name = path.join(data, 'live.log');
    await writeFile(name, Buffer.alloc(2_000_000, 'a'));
    // Long before the change, for file systems with coarse clocks.
    await utimes(name, 1, 1);
    const file = await accessTo().open(name);
    let seen = 0;
    const reading = (async () => {
      for await (const chunk of file.source.read()) {
        if (seen === 0) await change(name);
        seen += chunk.byteLength;
      }
    })();
    await expect(reading).rejects.toMatchObject({ code: 'FILE_CHANGED', message: expect.stringMatching(new RegExp(words)) });
    expect(seen).toBeLessThan(2_000_000);
    await expect(file.assertUnchanged()).rejects.toMatchObject({ code: 'FILE_CHANGED' });
    await file.close();
  });

  it('that is deleted or replaced under its name is read on to its end', async () => {
    const name = path.join(data, 'users.csv');
    const file = await accessTo().open(name);
    await writeFile(`${name}.new`, 'other');
    await rename(`${name}.new`, name);
    await unlink(name);
    const chunks: Uint8Array[] = [];
    for await (const chunk of file.source.read()) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe('name\nAda\n');
    await file.close();
  });
});
