import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileAccess, createPersonFileAccess } from './file-access.ts';
import type { FileAccess } from './types.ts';

let root: string;
let access: FileAccess;
const at = (...names: string[]) => path.join(root, ...names);

beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'filebridge-person-')));
  await mkdir(at('own', 'answers'), { recursive: true });
  await writeFile(at('list.csv'), 'name\nAda\n');
  await writeFile(at('.env'), 'KEY=1');
  await writeFile(at('own', 'tokens.json'), '{}');
  await writeFile(at('own', 'answers', 'a.json'), '[]');
  const options = {
    folders: () => [],
    protectedPaths: () => [at('own')],
    trustedDirectories: () => [at('own', 'answers')],
    home: root,
  };
  access = createPersonFileAccess(options, createFileAccess(options));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function read(file: string): Promise<string> {
  const opened = await access.open(file);
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of opened.source.read()) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  } finally {
    await opened.close();
  }
}

describe('a file that the person in front of the app opens', () => {
  it('may lie in no allowed folder, and look like a credential', async () => {
    expect(await read(at('list.csv'))).toBe('name\nAda\n');
    expect(await read('~/list.csv')).toBe('name\nAda\n');
    expect(await read(at('.env'))).toBe('KEY=1');
    expect(await read(at('own', 'answers', 'a.json'))).toBe('[]');
  });

  it("is none of Filebridge's own, by whatever link", async () => {
    await symlink(at('own', 'tokens.json'), at('link.json'));
    for (const file of [at('own', 'tokens.json'), at('link.json'), at('own', 'answers', '..', 'tokens.json')]) {
      await expect(read(file)).rejects.toMatchObject({ code: 'FILE_SENSITIVE' });
    }
  });

  it('is a regular file with a whole path', async () => {
    await expect(read(root)).rejects.toMatchObject({ code: 'FILE_NOT_REGULAR', message: expect.stringContaining('a directory') });
    await expect(read(at('absent.csv'))).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
    await expect(read('list.csv')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    await expect(read('')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it.skipIf(process.platform === 'win32')('is no pipe or device, which would wait or start something', async () => {
    execFileSync('mkfifo', [at('pipe.csv')]);
    await symlink('/dev/zero', at('zero.csv'));
    for (const file of [at('pipe.csv'), at('zero.csv'), '/dev/zero', '/proc/self/environ']) {
      await expect(read(file)).rejects.toMatchObject({ code: 'FILE_NOT_REGULAR' });
    }
  });

  it('is known to have changed, vanished or been replaced', async () => {
    const open = async () => {
      await writeFile(at('live.csv'), 'name\nAda\n');
      return access.open(at('live.csv'));
    };
    const changes: Record<string, () => Promise<void>> = {
      grew: () => appendFile(at('live.csv'), 'Bob\n'),
      deleted: () => rm(at('live.csv')),
      replaced: async () => {
        await writeFile(at('new.csv'), 'name\nEve, and more\n');
        await rename(at('new.csv'), at('live.csv'));
      },
    };
    for (const [word, change] of Object.entries(changes)) {
      const file = await open();
      await file.assertUnchanged();
      await change();
      await expect(file.assertUnchanged()).rejects.toMatchObject({
        code: 'FILE_CHANGED',
        message: expect.stringContaining(word),
      });
      await file.close();
    }
  });
});
