import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPauseSwitch } from './pause-switch.ts';

let directory: string;
const log: string[] = [];

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'pause-'));
  log.length = 0;
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const open = (at = directory) => openPauseSwitch(at, (line) => log.push(line));

describe('the pause switch', () => {
  it('is one for everybody on the same directory, who may each switch it off', () => {
    const [app, agent] = [open(), open()];
    expect([app.on(), agent.on()]).toEqual([false, false]);
    app.set(true);
    expect([app.on(), agent.on(), open().on()]).toEqual([true, true, true]);
    agent.set(false);
    expect([app.on(), agent.on()]).toEqual([false, false]);
  });

  it('ends with the process that switched it on, and removes its file', async () => {
    const [app, agent] = [open(), open()];
    app.set(true);
    agent.close();
    expect(agent.on()).toBe(true);
    app.close();
    expect(agent.on()).toBe(false);
    expect(await readdir(directory)).toEqual([]);
  });

  it('does not outlive a process that was killed', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    const holder = { pid: child.pid, host: os.hostname(), nonce: '0123456789abcdef' };
    await writeFile(path.join(directory, 'paused.json'), JSON.stringify(holder));
    expect(open().on()).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(open().on()).toBe(false);
  });

  it('ends with a reboot, even if another process has the process number now', async () => {
    const app = open();
    app.set(true);
    const file = path.join(directory, 'paused.json');
    const holder = JSON.parse(await readFile(file, 'utf8'));
    if (process.platform === 'linux') expect(holder.boot).toMatch(/^[0-9a-f-]{36}$/);
    await writeFile(file, JSON.stringify({ ...holder, boot: 'another' }));
    expect(open().on()).toBe(process.platform !== 'linux');
  });

  it.skipIf(process.platform !== 'linux')(
    'holds in a sandbox that numbers processes otherwise, but not on another machine',
    async () => {
      const here = { pid: 2 ** 22 + 1, host: os.hostname(), nonce: '0123456789abcdef' };
      const pause = (holder: object) => writeFile(path.join(directory, 'paused.json'), JSON.stringify(holder));
      await pause(here);
      expect(open().on()).toBe(false);
      await pause({ ...here, pidNamespace: 'pid:[1]' });
      expect(open().on()).toBe(true);
      await pause({ ...here, pidNamespace: 'pid:[1]', host: 'another' });
      expect(open().on()).toBe(false);
    },
  );

  it('is off where its file is damaged', async () => {
    await writeFile(path.join(directory, 'paused.json'), '{"pid":');
    expect(open().on()).toBe(false);
  });

  it('holds here even where nothing can be written', () => {
    const alone = open(path.join(directory, 'not', 'there'));
    alone.set(true);
    expect(alone.on()).toBe(true);
    expect(log).toEqual([expect.stringContaining('other processes cannot be paused')]);
    alone.set(false);
    expect(alone.on()).toBe(false);
  });
});
