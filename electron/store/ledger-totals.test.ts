/** Reading while another process rotates the files. */
import { appendFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { entry } from './fixtures/ledger-entries.ts';
import { headLine } from './ledger-files.ts';
import { noTotals, openLedgerReading, withEntry } from './ledger-totals.ts';

const disk = vi.hoisted(() => ({ beforeListing: undefined as (() => Promise<void>) | undefined }));

// What another process does at the worst moment: after the current file was opened, before the rotated ones are listed.
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  return {
    ...real,
    readdir: async (...args: Parameters<typeof real.readdir>) => {
      const { beforeListing } = disk;
      disk.beforeListing = undefined;
      await beforeListing?.();
      return real.readdir(...args);
    },
  };
});

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'filebridge-ledger-'));
});
afterEach(() => rm(directory, { recursive: true }));

const current = () => path.join(directory, 'ledger.jsonl');
let rotations = 0;
const rotate = () => rename(current(), path.join(directory, `ledger-20240101T00000000${++rotations}Z.jsonl`));
const line = (index: number) => `${JSON.stringify(entry(index))}\n`;
/** A new current file after `count` entries, with the next ones. */
const begin = (count: number, ...indexes: number[]) => {
  const all = Array.from({ length: count }, (_, index) => entry(index)).reduce(withEntry, noTotals);
  return writeFile(current(), headLine({ ledger: 1, id: `after-${count}`, all, days: {} }) + indexes.map(line).join(''));
};

it.each([1, 2, 3])('gives every entry once while the file is rotated %i times', async (times) => {
  await begin(0, 0);
  const reading = await openLedgerReading(directory, () => new Date());
  await appendFile(current(), line(1));
  await rotate();
  await begin(2, 2);
  disk.beforeListing = async () => {
    for (let round = 0; round < times; round += 1) {
      await rotate();
      await begin(round + 3, round + 3);
    }
  };
  const heard = [...(await reading.catchUp()), ...(await reading.catchUp())].map(({ id }) => id);
  expect(disk.beforeListing).toBeUndefined();
  expect(heard).toEqual(Array.from({ length: times + 2 }, (_, index) => String(index + 1)));
  expect(reading.all().calls).toBe(times + 3);
  expect(await reading.catchUp()).toEqual([]);
});
