/** The bytes of an open file, with memory of their own or by turns. */
import { execFile } from 'node:child_process';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { limits } from '../../shared/lib/fixtures/limits.ts';
import { convert } from '../engine/convert/convert.ts';
import { testBounds } from '../engine/fixtures/conversion-fixture.ts';
import { buildThread } from '../engine/thread/fixtures/build-thread.ts';
import { openFileOf } from './handle-source.ts';
import type { OpenFile } from './types.ts';

const bytes = Buffer.from(Array.from({ length: 600_000 }, (_, i) => (i * 7919) >> 3));
let folder: string;
let file: OpenFile;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'filebridge-source-'));
  const name = path.join(folder, 'a.bin');
  await writeFile(name, Buffer.concat([bytes, bytes, bytes, bytes]));
  file = await openFileOf(await open(name), name, name);
});
afterAll(async () => {
  await file.close();
  await rm(folder, { recursive: true, force: true });
});

it.each([0, 1, 599_999, 2_399_999])('gives the same bytes from %i on, whether memory is reused or not', async (offset) => {
  const expected = Buffer.concat([bytes, bytes, bytes, bytes]).subarray(offset);
  for (const reuse of [false, true]) {
    const copies: Uint8Array[] = [];
    for await (const chunk of file.source.readFrom?.(offset, undefined, { reuse }) ?? []) copies.push(new Uint8Array(chunk));
    expect(Buffer.concat(copies).equals(expected)).toBe(true);
  }
});

it('gives every chunk its own memory, unless reuse is allowed', async () => {
  const own = new Set<ArrayBufferLike>();
  const shared = new Set<ArrayBufferLike>();
  let chunks = 0;
  for await (const chunk of file.source.read()) {
    own.add(chunk.buffer);
    chunks += 1;
  }
  let seen = 0;
  for await (const chunk of file.source.read(undefined, { reuse: true })) {
    seen += chunk.length;
    // Chunks grow, and memory with them, until one is of full size.
    if (seen > 1024 * 1024) shared.add(chunk.buffer);
  }
  expect(own.size).toBe(chunks);
  expect(shared.size).toBe(2);
});

it('lets the receiver be done with a chunk before it is overwritten', async () => {
  const seen: Buffer[] = [];
  const all = Buffer.concat([bytes, bytes, bytes, bytes]);
  let at = 0;
  for await (const chunk of file.source.read(undefined, { reuse: true })) {
    // The next chunk is being read meanwhile.
    await readFile(path.join(folder, 'a.bin'));
    seen.push(Buffer.from(chunk));
    expect(seen.at(-1)?.equals(all.subarray(at, at + chunk.length))).toBe(true);
    at += chunk.length;
  }
  expect(at).toBe(all.length);
});

it('reports a closed file to the next read, and ends nothing else', async () => {
  const name = path.join(folder, 'a.bin');
  const closing = await openFileOf(await open(name), name, name);
  const failures: unknown[] = [];
  const note = (error: unknown) => failures.push(error);
  process.on('unhandledRejection', note);
  try {
    const chunks = closing.source.read()[Symbol.asyncIterator]();
    await chunks.next();
    const waiting = chunks.next();
    await closing.close();
    await waiting.catch(() => undefined);
    for (let turn = 0; turn < 5; turn += 1) await setImmediate();
    expect(failures).toEqual([]);
    await expect(chunks.next()).rejects.toThrow('was read after it had been closed');
  } finally {
    process.off('unhandledRejection', note);
  }
});

it('is closed in a while though somebody still reads it, also when nothing else keeps the program alive', async () => {
  const program = await buildThread(folder, '../../files/fixtures/closes.ts', 'es');
  const { stdout } = await promisify(execFile)(process.execPath, [program, path.join(folder, 'a.bin')], { timeout: limits.wait });
  expect(stdout).toBe('closed\n');
});

it('gives no Buffers, whose slices would share memory that is used again', async () => {
  for await (const chunk of file.source.read(undefined, { reuse: true })) expect(Buffer.isBuffer(chunk)).toBe(false);
});

it('is read as UTF-8 when chunk boundaries split characters', async () => {
  const name = path.join(folder, 'dense.csv');
  await writeFile(name, `name,text\n${Array.from({ length: 100_000 }, (_, i) => `${i} Größe 🙂,日本語テキスト\n`).join('')}`);
  const dense = await openFileOf(await open(name), name, name);
  const { report } = await convert(dense.source, { bounds: testBounds });
  expect(report).toMatchObject({ encoding: 'utf-8', records: 100_000, warnings: [] });
  await dense.close();
});
