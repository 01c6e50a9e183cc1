/** Real races for a place that another thread exchanges as fast as it can. `exchanged.test.ts` has every step of them in turn. */
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileAccess } from './file-access.ts';
import type { FileAccess } from './types.ts';

let root: string;
let data: string;
let outside: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'filebridge-races-')));
  data = path.join(root, 'data');
  outside = path.join(root, 'data-secret');
  await mkdir(data);
  await mkdir(outside);
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function read(access: FileAccess, file: string): Promise<string> {
  const opened = await access.open(file);
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of opened.source.read()) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  } finally {
    await opened.close();
  }
}

async function write(directory: string, name: string): Promise<void> {
  const file = await createFileAccess({ folders: () => [{ path: data, access: 'read-write' }] }).create(directory, name);
  await file.write(Buffer.from('x'));
  await file.commit();
}

/** Exchanges `name` between a file, a link out and a directory link out, as fast as it can, until it is told to stop. */
const fileSwapper = `
  const { workerData, parentPort } = require('node:worker_threads');
  const fs = require('node:fs');
  const { spot, secret, plain } = workerData;
  let run = true;
  parentPort.on('message', () => { run = false; });
  (async () => {
    for (let i = 0; run; i += 1) {
      const next = spot + '.next';
      if (i % 2) fs.symlinkSync(secret, next); else if (plain === null) fs.mkdirSync(next); else fs.writeFileSync(next, plain);
      if (plain === null) {
        if (!(i % 2)) fs.writeFileSync(next + '/users.csv', 'name\\nAda\\n');
        fs.rmSync(spot, { recursive: true, force: true });
      }
      fs.renameSync(next, spot);
      if (i % 50 === 0) await new Promise(setImmediate);
    }
    parentPort.postMessage('done');
  })();
`;

describe.skipIf(process.platform === 'win32')('races', () => {
  it.each<[string, NodeJS.Platform, boolean]>([
    ['a file, by handle', 'linux', false],
    ['a directory, by handle', 'linux', true],
    ['a file, by name', 'darwin', false],
  ])('never leak through %s', async (_, platform, directory) => {
    await writeFile(path.join(outside, 'users.csv'), 'SECRET');
    const spot = path.join(data, 'spot');
    const secret = directory ? outside : path.join(outside, 'users.csv');
    const worker = new Worker(fileSwapper, { eval: true, workerData: { spot, secret, plain: directory ? null : 'name\nAda\n' } });
    const access = createFileAccess({ folders: () => [{ path: data, access: 'read' }], platform });
    const outcomes = { safe: 0, leaked: 0 };
    const file = directory ? path.join(spot, 'users.csv') : spot;
    try {
      for (let round = 0; round < 3000; round += 1) {
        const text = await read(access, file).catch(() => undefined);
        if (text?.includes('SECRET')) outcomes.leaked += 1;
        else outcomes.safe += 1;
      }
    } finally {
      const ended = new Promise((resolve) => worker.once('message', resolve));
      worker.postMessage('stop');
      await ended;
      await worker.terminate();
    }
    expect(outcomes.leaked).toBe(0);
  });
});

const directorySwapper = `
  const { workerData, parentPort } = require('node:worker_threads');
  const fs = require('node:fs');
  const { spot, outside } = workerData;
  const attempt = (step) => { try { step(); } catch {} };
  let run = true;
  parentPort.on('message', () => { run = false; });
  (async () => {
    for (let i = 0; run; i += 1) {
      // The writer makes the directory anew in between, so any step may find it there already.
      attempt(() => fs.symlinkSync(outside, spot + '.link'));
      attempt(() => fs.renameSync(spot, spot + '.aside' + i));
      attempt(() => fs.renameSync(spot + '.link', spot));
      attempt(() => fs.unlinkSync(spot));
      attempt(() => fs.mkdirSync(spot));
      if (i % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    parentPort.postMessage('done');
  })();
`;

describe.skipIf(process.platform !== 'linux')('a directory exchanged for a link out', () => {
  it('never lets a file out', async () => {
    const spot = path.join(data, 'spot');
    await mkdir(spot);
    const worker = new Worker(directorySwapper, { eval: true, workerData: { spot, outside } });
    for (let round = 0; round < 2000; round += 1) {
      await write(path.join(spot, `d${round % 3}`), `${round}.txt`).catch(() => undefined);
    }
    const ended = new Promise((resolve) => worker.once('message', resolve));
    worker.postMessage('stop');
    await ended;
    await worker.terminate();
    expect(await readdir(outside)).toEqual([]);
  });
});
