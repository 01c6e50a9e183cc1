import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AppError } from '../../shared/model/errors.ts';
import { openChangeLocks } from './change-locks.ts';

let data: string;
let logged: string[];
beforeEach(async () => {
  data = await mkdtemp(path.join(os.tmpdir(), 'filebridge-changes-'));
  logged = [];
});
afterEach(() => rm(data, { recursive: true, force: true }));
const busy = () => new AppError('FILE_CHANGED', 'busy');
const open = () => openChangeLocks(data, (line) => void logged.push(line), 100);
const nothing = async () => undefined;

it('lets one process at a time change what has one key, and leaves nothing behind', async () => {
  const [mine, theirs] = [open(), open()];
  const order: string[] = [];
  await mine(
    '/data/a.csv',
    async () => {
      await expect(theirs('/data/a.csv', nothing, busy)).rejects.toThrow('busy');
      await theirs('/data/b.csv', async () => void order.push('another file'), busy);
      order.push('done');
    },
    busy,
  );
  await theirs('/data/a.csv', async () => void order.push('next'), busy);
  expect(order).toEqual(['another file', 'done', 'next']);
  expect(await readdir(path.join(data, 'locks'))).toEqual([]);
});

it('takes failures of the work for what they are', async () => {
  await expect(open()('key', () => Promise.reject(new Error('full')), busy)).rejects.toThrow('full');
  expect(logged).toEqual([]);
});

it('refuses no change because its own directory cannot be used, and says so in the log', async () => {
  await writeFile(path.join(data, 'locks'), 'no directory');
  expect(await open()('key', async () => 'done', busy)).toBe('done');
  expect(logged).toEqual([expect.stringContaining('changes wait for no other process')]);
});
