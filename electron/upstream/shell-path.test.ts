import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { environmentFor, isOnPath, mergePaths } from './shell-path.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'filebridge-path-'));
  await writeFile(path.join(folder, 'sometool'), '#!/bin/sh\n');
  await chmod(path.join(folder, 'sometool'), 0o755);
});
afterAll(() => rm(folder, { recursive: true }));

describe.runIf(process.platform !== 'win32')('the PATH for children', () => {
  it('is left alone when a shell started us and the command is there', async () => {
    const env = { SHLVL: '1', PATH: folder };
    expect(await environmentFor('sometool', env)).toBe(env);
  });

  it('gains the folders of the login shell after a start from the desktop', async () => {
    const { PATH = '' } = await environmentFor('sometool', { PATH: folder });
    const folders = PATH.split(path.delimiter);
    expect(folders[0]).toBe(folder);
    expect(folders.length).toBeGreaterThan(1);
  });

  it('keeps the present folders first and each once', () => {
    expect(mergePaths('/a:/b', '/b::/c')).toBe('/a:/b:/c');
  });

  it('knows what can be run', () => {
    expect([isOnPath('sometool', folder), isOnPath('othertool', folder), isOnPath('/any/path', '')]).toEqual([true, false, true]);
  });
});
