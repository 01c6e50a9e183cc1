import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLine, loginArguments, ownArguments } from './launch.ts';

const app = path.resolve('some', 'app');

describe('how the desktop app was started', () => {
  it('takes what stands behind its own path, whatever switches stand before', () => {
    expect(ownArguments(['electron', '--no-sandbox', app, '--config', 'c.json'], app, false)).toEqual(['--config', 'c.json']);
    expect(ownArguments(['electron', app], app, false)).toEqual([]);
    expect(ownArguments(['filebridge', '--config', 'c.json'], app, true)).toEqual(['--config', 'c.json']);
  });

  it("reads the server's options and passes over Chromium's", () => {
    expect(commandLine(['--disable-gpu', '--config=c.json', '--upstreams', 'u.json', '/data'])).toEqual({
      configPath: 'c.json',
      upstreamsFile: 'u.json',
      folders: ['/data'],
      hidden: false,
    });
    expect(commandLine([])).toEqual({ configPath: undefined, upstreamsFile: undefined, folders: [], hidden: false });
    expect(commandLine(['--hidden', '/data'])).toMatchObject({ folders: ['/data'], hidden: true });
  });
});

describe('a start at login', () => {
  it('works with the same things from any directory, hidden', () => {
    const args = ['--no-sandbox', '--config', 'c.json', '--upstreams=u.json', '--hidden', 'data', path.resolve('/abs')];
    expect(loginArguments(args)).toEqual([
      '--hidden',
      '--no-sandbox',
      '--config',
      path.resolve('c.json'),
      '--upstreams',
      path.resolve('u.json'),
      path.resolve('data'),
      path.resolve('/abs'),
    ]);
    expect(commandLine(loginArguments(args))).toEqual({
      configPath: path.resolve('c.json'),
      upstreamsFile: path.resolve('u.json'),
      folders: [path.resolve('data'), path.resolve('/abs')],
      hidden: true,
    });
    expect(loginArguments([])).toEqual(['--hidden']);
  });
});

it('takes ~ for the home folder, which a desktop entry starts it with through no shell', () => {
  const home = (name: string) => path.join(os.homedir(), name);
  const named = ['--config', '~/c.json', '--upstreams=~/u.json', '~/docs'];
  const expected = { configPath: home('c.json'), upstreamsFile: home('u.json'), folders: [home('docs')] };
  expect(commandLine(named)).toMatchObject(expected);
  expect(commandLine(loginArguments(named))).toMatchObject(expected);
});
