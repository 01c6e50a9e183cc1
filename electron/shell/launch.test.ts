import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLine, ownArguments } from './launch.ts';

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
