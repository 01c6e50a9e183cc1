import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openWorkspace } from '../../shared/lib/fixtures/workspace.ts';
import { stdioLaunch } from './agent-launch.ts';
import { isFilebridge, standingOf } from './entries.ts';

const built = path.resolve('some', 'app', 'dist');

beforeEach(() => {
  vi.stubEnv('FILEBRIDGE_DATA', undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe("how an agent's own server is started", () => {
  it('by the same Node, with the same configuration, servers and folders from any directory', () => {
    const { command, args, env } = stdioLaunch(built, { configPath: 'c.json', upstreamsFile: 'u.json', folders: ['data'] });
    expect(command).toBe(process.execPath);
    expect(args).toEqual([
      path.join(built, 'cli.js'),
      'serve',
      '--stdio',
      path.resolve('data'),
      '--config',
      path.resolve('c.json'),
      '--upstreams',
      path.resolve('u.json'),
    ]);
    expect(env).toBeUndefined();
  });

  it.each([false, true])('on the same data (in Electron: %s)', (inElectron) => {
    vi.stubEnv('FILEBRIDGE_DATA', 'state');
    const { env } = stdioLaunch(built, {}, { execPath: '/opt/node', inElectron });
    expect(env).toMatchObject({ FILEBRIDGE_DATA: path.resolve('state') });
  });

  it('by the Node inside Electron, where that runs the app', () => {
    const running = { execPath: '/opt/Filebridge/filebridge', inElectron: true, appImage: '/home/me/Terminal.AppImage' };
    const { command, args, env } = stdioLaunch(built, { configPath: 'c.json' }, { ...running, appDirectory: '/tmp/.mount_Term' });
    expect(command).toBe('/opt/Filebridge/filebridge');
    expect(args).toEqual([path.join(built, 'cli.cjs'), 'serve', '--stdio', '--config', path.resolve('c.json')]);
    expect(env).toEqual({ ELECTRON_RUN_AS_NODE: '1' });
  });

  it('by the AppImage itself, since the place it is mounted at changes', () => {
    const { command, args } = stdioLaunch(
      '/tmp/.mount_FileAbC/resources/app.asar/dist',
      { configPath: '/c.json' },
      {
        execPath: '/tmp/.mount_FileAbC/filebridge',
        inElectron: true,
        appImage: '/home/me/Filebridge.AppImage',
        appDirectory: '/tmp/.mount_FileAbC',
      },
    );
    expect(command).toBe('/home/me/Filebridge.AppImage');
    expect(args.join(' ')).not.toContain('.mount_');
    expect(args.slice(-4)).toEqual(['serve', '--stdio', '--config', '/c.json']);
  });

  it('by npx, where that runs it, since npm clears the place', () => {
    const place = '/home/me/.npm/_npx/3f2a/node_modules/filebridge/dist';
    const { command, args } = stdioLaunch(place, { folders: ['/data'] });
    expect([command, ...args].slice(-6)).toEqual([
      'npx',
      '-y',
      expect.stringMatching(/^filebridge@\d/),
      'serve',
      '--stdio',
      '/data',
    ]);
    const entry = { command: 'npx', args: ['-y', 'filebridge@0.0.1', 'serve', '--stdio'] };
    expect(isFilebridge('filebridge', entry, { command, args }, null)).toBe(true);
    expect(
      isFilebridge('filebridge', { command: 'npx', args: ['-y', 'other@1', 'serve', '--stdio'] }, { command, args }, null),
    ).toBe(false);
  });

  it.each([
    ['^0.1.0', /^filebridge@\d/],
    ['github:someone/filebridge', /^filebridge@github:someone\/filebridge$/],
    ['https://example.com/filebridge.tgz', /^filebridge@https:\/\/example\.com\/filebridge\.tgz$/],
  ])('by npx, for what it ran: %s', async (noted, source) => {
    const workspace = await openWorkspace();
    try {
      await workspace.file('_npx/3f2a/package.json', JSON.stringify({ dependencies: { filebridge: noted } }));
      const launch = stdioLaunch(workspace.at('_npx/3f2a/node_modules/filebridge/dist'), {});
      expect(launch.args.at(-3)).toMatch(source);
      const entry = { command: launch.command, args: launch.args };
      expect(isFilebridge('filebridge', entry, { command: 'node', args: [] }, null)).toBe(true);
    } finally {
      await workspace.remove();
    }
  });

  const hash = '0443c5fa387bf2af54ac5005088cf008074995023150a29e933699ff014763d5';
  const pnpm = `cache/pnpm/dlx/${hash}/1a21ee1-58eb`;
  it.each([
    [pnpm, 'node_modules/.pnpm/filebridge@0.1.0/node_modules', '0.1.0', ['pnpm', 'dlx', /^filebridge@\d/]],
    [`pnpm-cache/dlx/${hash.slice(0, 26)}`, 'node_modules', '0.1.0', ['pnpm', 'dlx', /^filebridge@\d/]],
    ['pnpm/store/v3/tmp/dlx-4711', 'node_modules', '0.1.0', ['pnpm', 'dlx', /^filebridge@\d/]],
    [pnpm, 'node_modules', 'github:a/filebridge', ['pnpm', '--package=github:a/filebridge', 'dlx', /^filebridge$/]],
    ['bunx-1000-filebridge@latest', 'node_modules', '^0.1.0', ['bunx', /^filebridge@\d/]],
    ['.bun/install/cache/.bunx-0/filebridge@x', 'node_modules', 'github:a/b', ['bunx', /^filebridge@github:a\/b$/]],
  ] as const)('by pnpm dlx or bunx, where they run it: %s', async (cache, inside, noted, wanted) => {
    const workspace = await openWorkspace();
    try {
      await workspace.file(`${cache}/package.json`, JSON.stringify({ dependencies: { filebridge: noted } }));
      const { command, args } = stdioLaunch(workspace.at(cache, inside, 'filebridge', 'dist'), { folders: ['/data'] });
      const words = [command, ...args].slice(process.platform === 'win32' ? 2 : 0);
      const expected = wanted.map((word) => (typeof word === 'string' ? word : expect.stringMatching(word)));
      expect(words).toEqual([...expected, 'serve', '--stdio', path.resolve('/data')]);
      expect(isFilebridge('filebridge', { command, args }, { command: 'node', args: [] }, null)).toBe(true);
    } finally {
      await workspace.remove();
    }
  });

  it('by pnpm dlx from a tarball, as long as that is there', async () => {
    const workspace = await openWorkspace();
    try {
      const tarball = await workspace.file('mine/filebridge-0.1.0.tgz', '');
      await workspace.file(`${pnpm}/package.json`, JSON.stringify({ dependencies: { filebridge: `file:${tarball}` } }));
      const started = () => stdioLaunch(workspace.at(pnpm, 'node_modules', 'filebridge', 'dist'), {});
      const launch = started();
      expect(launch.args.slice(-5)).toEqual([`--package=file:${tarball}`, 'dlx', 'filebridge', 'serve', '--stdio']);
      await rm(tarball);
      expect(started().temporary).toBe('npxCache');
      const standing = await standingOf({ filebridge: { command: process.execPath, args: launch.args } }, launch, null);
      expect(standing).toMatchObject({ state: 'not_connected', problem: { params: { file: tarball } } });
    } finally {
      await workspace.remove();
    }
  });

  it('by npx from a tarball, as long as that is there', async () => {
    const workspace = await openWorkspace();
    try {
      const tarball = await workspace.file('mine/filebridge-0.1.0.tgz', '');
      await workspace.file('_npx/3f2a/package.json', '{"dependencies":{"filebridge":"file:../../mine/filebridge-0.1.0.tgz"}}');
      const started = () => stdioLaunch(workspace.at('_npx/3f2a/node_modules/filebridge/dist'), {});
      const launch = started();
      expect(launch.args.slice(-4)).toEqual(['-y', `filebridge@file:${tarball}`, 'serve', '--stdio']);
      expect(launch.temporary).toBeUndefined();
      await rm(tarball);
      expect(started().temporary).toBe('npxCache');
      const standing = await standingOf({ filebridge: { command: process.execPath, args: launch.args } }, launch, null);
      expect(standing).toMatchObject({ state: 'not_connected', problem: { params: { file: tarball } } });
    } finally {
      await workspace.remove();
    }
  });

  it.each([
    ['/Volumes/Filebridge 1.0.0/Filebridge.app/Contents/MacOS/Filebridge', 'diskImage'],
    ['/private/var/folders/x/AppTranslocation/1-2/d/Filebridge.app/Contents/MacOS/Filebridge', 'translocated'],
    ['/tmp/.mount_FileAbC/filebridge', 'mount'],
    ['/Volumes/Work/Apps/Filebridge.app/Contents/MacOS/Filebridge', undefined],
    ['/Applications/Filebridge.app/Contents/MacOS/Filebridge', undefined],
    ['/opt/Filebridge/filebridge', undefined],
  ])('says whether its place goes away: %s', (execPath, temporary) => {
    expect(stdioLaunch(built, {}, { execPath, inElectron: true }).temporary).toBe(temporary);
  });
});
