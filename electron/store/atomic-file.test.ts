/** Renames over files that Windows reports as in use. */
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renameOver, writeFileAtomic } from './atomic-file.ts';

/** Only Windows refuses to replace an open file. */
const windows = vi.hoisted(() => ({ refusals: 0, code: 'EPERM', opening: '' }));
vi.mock('node:fs/promises', async (original) => {
  const system = await original<typeof import('node:fs/promises')>();
  const failure = (code: string) => Object.assign(new Error(code), { code });
  return {
    ...system,
    rename: async (from: string, to: string) => {
      if (windows.refusals-- > 0) throw failure(windows.code);
      await system.rename(from, to);
    },
    open: async (file: string, ...rest: []) => {
      if (windows.opening !== '' && file.endsWith('held')) throw failure(windows.opening);
      return system.open(file, ...rest);
    },
  };
});

let folder: string;
const at = (name: string) => path.join(folder, name);
const platform = 'win32';
beforeEach(async () => {
  Object.assign(windows, { refusals: 0, code: 'EPERM', opening: '' });
  folder = await mkdtemp(path.join(os.tmpdir(), 'filebridge-rename-'));
  await writeFile(at('new'), 'new');
  await writeFile(at('held'), 'old');
});
afterEach(async () => {
  windows.refusals = 0;
  windows.opening = '';
  await chmod(folder, 0o700);
  await rm(folder, { recursive: true, force: true });
});

describe('a file that another program has open on Windows', () => {
  it.each(['EPERM', 'EACCES', 'EBUSY'])('is replaced when it is let go: %s', async (code) => {
    Object.assign(windows, { refusals: 3, code });
    await renameOver(at('new'), at('held'), { platform });
    expect(await readFile(at('held'), 'utf8')).toBe('new');
  });

  it.each(['', 'EBUSY'])('is reported as open elsewhere after a while; opening it says "%s"', async (opening) => {
    Object.assign(windows, { refusals: 1000, opening });
    await expect(renameOver(at('new'), at('held'), { platform, waitMs: 30 })).rejects.toMatchObject({ code: 'EBUSY' });
    expect(await readFile(at('new'), 'utf8')).toBe('new');
  });

  it('is reported as it is where permission is missing', async () => {
    Object.assign(windows, { refusals: 1000, opening: 'EACCES' });
    await expect(renameOver(at('new'), at('held'), { platform, waitMs: 30 })).rejects.toMatchObject({ code: 'EPERM' });
  });
});

it('other systems and other errors are not waited for', async () => {
  windows.refusals = 1;
  await expect(renameOver(at('new'), at('held'), { platform: 'linux' })).rejects.toMatchObject({ code: 'EPERM' });
  Object.assign(windows, { refusals: 1, code: 'ENOSPC' });
  await expect(renameOver(at('new'), at('held'), { platform })).rejects.toMatchObject({ code: 'ENOSPC' });
});

it('a file of ours that is open elsewhere is named as such', async () => {
  Object.assign(windows, { refusals: 1, code: 'EBUSY' });
  await expect(writeFileAtomic(at('held'), 'x')).rejects.toThrow(/another program has it open/);
  expect(await readFile(at('held'), 'utf8')).toBe('old');
});
