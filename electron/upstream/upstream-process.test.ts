import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { environmentFor, isOnPath, mergePaths, resolveWindowsCommand } from './upstream-process.ts';

const env = { Path: 'C:\\tools;C:\\node', PATHEXT: '.COM;.EXE;.BAT;.CMD', ComSpec: 'C:\\Windows\\cmd.exe' };
const files = new Set(['C:\\node\\npx.cmd', 'C:\\node\\node.exe', 'C:\\a b\\run.bat']);
const resolve = (command: string, ...args: string[]) => resolveWindowsCommand(command, args, env, (file) => files.has(file));

describe('commands on Windows', () => {
  it('starts an executable directly, arguments as they are', () => {
    expect(resolve('node', 'a b', '"')).toEqual({ command: 'C:\\node\\node.exe', args: ['a b', '"'], verbatim: false });
  });

  it('runs a batch file through cmd.exe', () => {
    expect(resolve('npx', '-y', 'server')).toEqual({
      command: 'C:\\Windows\\cmd.exe',
      args: ['/d', '/s', '/c', '"C:\\node\\npx.cmd ^^^"-y^^^" ^^^"server^^^""'],
      verbatim: true,
    });
  });

  it('leaves nothing in an argument for cmd.exe to read as its own', () => {
    const line = resolve('C:\\a b\\run.bat', 'x&calc', '%PATH%', 'say "hi"', 'end\\').args[3] ?? '';
    expect(line).toBe('"C:\\a^ b\\run.bat ^^^"x^^^&calc^^^" ^^^"^^^%PATH^^^%^^^" ^^^"say^^^ \\^^^"hi\\^^^"^^^" ^^^"end\\\\^^^""');
  });

  it('leaves an unknown name to the system, which says that it is not there', () => {
    expect(resolve('nothing', 'x')).toEqual({ command: 'nothing', args: ['x'], verbatim: false });
  });
});

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
