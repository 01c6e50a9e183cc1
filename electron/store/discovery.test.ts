import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer, Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { announce, connectTo, findRunning, forget, type RunningProgram, sameScope, scopeOf } from './discovery.ts';
import { thisProcess } from './file-lock.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'discovery-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const program = (changes: Partial<RunningProgram> = {}): RunningProgram => ({
  holder: thisProcess(),
  kind: 'desktop',
  version: '1.0.0',
  scope: { configPath: '/c.json', folders: [], upstreamsFile: null },
  address: path.join(directory, 'a.sock'),
  token: 'one',
  ...changes,
});

/** The holder of a process that has ended, and a socket it has left. */
async function dead(address: string): Promise<RunningProgram['holder']> {
  const script = `require('node:net').createServer().listen(${JSON.stringify(address)}, () => process.kill(process.pid, 'SIGKILL'))`;
  const child = spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
  await once(child, 'exit');
  return { ...thisProcess(), pid: child.pid ?? 0 };
}

const ends: (() => unknown)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

async function listening(address: string): Promise<void> {
  const server = createServer().listen(address);
  await once(server, 'listening');
  ends.push(() => server.close());
}

describe('finding the program that runs', () => {
  it('finds nobody in an empty directory, or in none', async () => {
    expect(await findRunning(directory)).toBeUndefined();
    expect(await findRunning(path.join(directory, 'not', 'there'))).toBeUndefined();
  });

  it('finds what was announced, until it withdraws and leaves nothing', async () => {
    const announced = await announce(directory, program());
    expect(await findRunning(directory)).toEqual(program({ holder: expect.anything() }));
    await announced?.withdraw();
    expect(await findRunning(directory)).toBeUndefined();
    expect(await readdir(directory)).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('tells the token to this user only', async () => {
    const home = path.join(directory, 'new');
    await announce(home, program());
    expect((await stat(path.join(home, 'running.json'))).mode & 0o777).toBe(0o600);
    expect((await stat(home)).mode & 0o777).toBe(0o700);
  });

  it.skipIf(process.platform === 'win32')(
    'tells one that listens from one that is gone, whatever process numbers say',
    async () => {
      const address = path.join(directory, 'a.sock');
      await dead(address);
      // Its number has gone to a program that runs: this one.
      const left = program({ address });
      await announce(directory, left);
      expect(await connectTo(left)).toBe('gone');
      expect(await connectTo({ ...left, address: path.join(directory, 'never.sock') })).toBe('gone');
      // Its socket cannot be reached from here, or by this user: that says nothing about it.
      expect(await connectTo({ ...left, holder: { ...left.holder, host: 'another' } })).toBe('unreachable');
      const plain = path.join(directory, 'plain');
      await writeFile(plain, '');
      expect(await connectTo({ ...left, address: path.join(plain, 'a.sock') })).toBe('unreachable');
      await forget(directory, left);
      expect(await readdir(directory)).toEqual(['plain']);
      // A sandbox does not know its number.
      await listening(address);
      const socket = await connectTo(program({ address, holder: { ...thisProcess(), pid: 2 ** 22 + 1 } }));
      expect(socket).toBeInstanceOf(Socket);
      (socket as Socket).destroy();
    },
  );

  it.skipIf(process.platform === 'win32')('takes the place of one whose process number has gone to another program', async () => {
    const address = path.join(directory, 'dead.sock');
    await dead(address);
    await announce(directory, program({ address }));
    expect(await announce(directory, program({ token: 'two' }))).toBeDefined();
    expect((await findRunning(directory))?.token).toBe('two');
    expect(await readdir(directory)).toEqual(['running.json']);
  });

  it.skipIf(process.platform === 'win32')("takes nobody's place who listens, though its number is not known here", async () => {
    const address = path.join(directory, 'live.sock');
    await listening(address);
    await announce(directory, program({ address, holder: { ...thisProcess(), pid: 2 ** 22 + 1 } }));
    expect(await announce(directory, program({ token: 'two' }))).toBeUndefined();
    expect((await findRunning(directory))?.token).toBe('one');
    expect(await readdir(directory)).toEqual(['live.sock', 'running.json']);
  });

  it.skipIf(process.platform === 'win32')('takes the place of one that has died', async () => {
    const address = path.join(directory, 'dead.sock');
    const holder = await dead(address);
    await writeFile(path.join(directory, 'running.json'), JSON.stringify(program({ holder, address })));
    await announce(directory, program({ token: 'two' }));
    expect((await findRunning(directory))?.token).toBe('two');
    expect(await readdir(directory)).toEqual(['running.json']);
  });

  it('removes nothing that is no socket', async () => {
    const address = path.join(directory, 'precious.txt');
    await writeFile(address, 'kept');
    await (await announce(directory, program({ address })))?.withdraw();
    expect(await readFile(address, 'utf8')).toBe('kept');
  });

  it.skipIf(process.platform === 'win32')('gives the app precedence over a console, and to nobody over the app', async () => {
    await listening(path.join(directory, 'a.sock'));
    const console_ = await announce(directory, program({ kind: 'console', token: 'console' }));
    expect(await announce(directory, program({ kind: 'console', token: 'another' }))).toBeUndefined();
    await announce(directory, program({ kind: 'desktop', token: 'app' }));
    expect(await announce(directory, program({ kind: 'desktop', token: 'second' }))).toBeUndefined();
    // What the console leaves is no longer its own.
    await console_?.withdraw();
    expect((await findRunning(directory))?.token).toBe('app');
  });

  it('leaves alone who came in the place of one that did not answer', async () => {
    await announce(directory, program({ token: 'new' }));
    await forget(directory, program({ token: 'old' }));
    expect((await findRunning(directory))?.token).toBe('new');
  });

  it.each(['', '{"pid":1', '{"holder":null}', '[]'])('takes %j for nobody', async (text) => {
    await writeFile(path.join(directory, 'running.json'), text);
    expect(await findRunning(directory)).toBeUndefined();
    expect(await announce(directory, program())).toBeDefined();
  });
});

describe('what a program works with', () => {
  it('is the same under another name', async () => {
    await writeFile(path.join(directory, 'c.json'), '{}');
    await mkdir(path.join(directory, 'a'));
    await symlink(directory, path.join(directory, 'a', 'link'), 'junction');
    const one = await scopeOf({ configPath: path.join(directory, 'c.json'), folders: ['/x', directory] });
    const other = await scopeOf({ configPath: path.join(directory, 'a', 'link', 'c.json'), folders: [directory, '/x'] });
    expect(sameScope(one, other)).toBe(true);
  });

  it('stays the same when the configuration is written for the first time', async () => {
    await symlink(directory, path.join(directory, 'link'), 'junction');
    const started = { configPath: path.join(directory, 'link', 'new', 'c.json') };
    const before = await scopeOf(started);
    await mkdir(path.join(directory, 'new'));
    await writeFile(path.join(directory, 'new', 'c.json'), '{}');
    expect(sameScope(before, await scopeOf(started))).toBe(true);
  });

  it('is another with other folders, servers or configuration', async () => {
    const one = await scopeOf({ configPath: '/c.json' });
    for (const other of [
      { configPath: '/d.json' },
      { configPath: '/c.json', folders: ['/x'] },
      { configPath: '/c.json', upstreamsFile: '/u.json' },
    ]) {
      expect(sameScope(one, await scopeOf(other))).toBe(false);
    }
  });
});
