import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeFileAtomic } from './atomic-file.ts';
import { thisProcess } from './file-lock.ts';
import { clearLeftovers } from './leftovers.ts';
import { hasEnded, processMark } from './process-mark.ts';

let root: string;
let data: string;
let config: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'filebridge-leftovers-'));
  data = path.join(root, 'data');
  config = path.join(root, 'settings', 'config.json');
  await mkdir(path.join(data, 'locks'), { recursive: true });
  await mkdir(path.dirname(config));
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** A process id that was in use, and no longer is. */
const endedPid = () => spawnSync(process.execPath, ['-e', '']).pid;
const endedMark = () => processMark().replace(/\d+$/, String(endedPid()));
const ended = (subject?: string) => JSON.stringify({ ...thisProcess(), pid: endedPid(), subject });
const digits = (length: number) => 'a'.repeat(length);

describe('what a crash left', () => {
  it('goes: half-written files, locks and claims of processes that have ended', async () => {
    await writeFile(path.join(data, `.tokens.json.${digits(12)}-${endedMark()}.tmp`), 'half');
    await writeFile(path.join(data, 'ledger.lock'), ended());
    await writeFile(path.join(data, `secrets.json.lock.${digits(16)}`), ended());
    await writeFile(`${config}.lock`, ended());
    await writeFile(path.join(path.dirname(config), `.config.json.${digits(12)}-${endedMark()}.tmp`), 'half');
    await writeFile(path.join(data, 'locks', `${digits(32)}.lock`), ended('/home/ann/report.csv'));
    await mkdir(path.join(data, 'server-tools'));
    await writeFile(path.join(data, 'server-tools', `${digits(32)}.json.lock`), ended());
    await writeFile(path.join(data, 'server-tools', `.${digits(32)}.json.${digits(12)}-${endedMark()}.tmp`), 'half');
    expect(await clearLeftovers(config, data)).toEqual(['/home/ann/report.csv']);
    expect((await readdir(data, { recursive: true })).sort()).toEqual(['locks', 'server-tools']);
    expect(await readdir(path.dirname(config))).toEqual([]);
  });

  it('goes at the next writing of the same file, too', async () => {
    await writeFile(path.join(data, `.tokens.json.${digits(12)}-${endedMark()}.tmp`), 'half');
    await writeFileAtomic(path.join(data, 'tokens.json'), 'whole');
    expect((await readdir(data)).sort()).toEqual(['locks', 'tokens.json']);
  });

  it('does not take along what a live process holds, nor files of others beside the configuration', async () => {
    const mine = [`.tokens.json.${digits(12)}-${processMark()}.tmp`, 'ledger.lock'];
    for (const name of mine) await writeFile(path.join(data, name), JSON.stringify(thisProcess()));
    const theirs = ['yarn.lock', 'other.json.lock', `.other.json.${digits(12)}-${endedMark()}.tmp`];
    for (const name of theirs) {
      await writeFile(path.join(path.dirname(config), name), ended());
      await utimes(path.join(path.dirname(config), name), new Date(0), new Date(0));
    }
    expect(await clearLeftovers(config, data)).toEqual([]);
    expect((await readdir(data)).sort()).toEqual([...mine, 'locks'].sort());
    expect((await readdir(path.dirname(config))).sort()).toEqual([...theirs].sort());
    expect(await readFile(path.join(data, 'ledger.lock'), 'utf8')).toContain(String(process.pid));
  });
});

it('a mark tells a process that has ended from one that runs, or that belongs to another machine', () => {
  expect(hasEnded(processMark())).toBe(false);
  expect(hasEnded(endedMark())).toBe(true);
  expect(hasEnded(`${'0'.repeat(16)}-${endedPid()}`)).toBe(false);
});
