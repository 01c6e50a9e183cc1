import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../shared/lib/fixtures/waiting.ts';
import { testBounds } from '../engine/fixtures/conversion-fixture.ts';
import { type Converter, threadedConverter } from '../engine/index.ts';
import { engineThread } from '../engine/thread/fixtures/build-thread.ts';
import { createFileAccess, createPersonFileAccess } from '../files/file-access.ts';
import { Previews } from './previews.ts';

let root: string;
let full: string;
let script: string;
let converter: Converter;
let previews: Previews;
const ROWS = 300_000;

beforeAll(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'filebridge-previews-')));
  full = path.join(root, 'big.csv');
  const rows = Array.from({ length: ROWS }, (_, i) => `${i},"line ${i}\nand another",${1000 + (i % 9000)}`);
  await writeFile(full, `id,text,zip\n${rows.join('\n')}\n`);
  script = engineThread();
});
afterAll(async () => {
  await rm(root, { recursive: true, force: true });
});
beforeEach(() => {
  converter = threadedConverter({ script });
  const options = { folders: () => [] };
  previews = new Previews({
    files: createPersonFileAccess(options, createFileAccess(options)),
    bounds: () => testBounds,
    converter,
    onChange: () => undefined,
  });
});
afterEach(async () => {
  await previews.closeAll();
  await converter.close();
});

async function done(id: string): Promise<void> {
  await until(async () => (await previews.get(id)).state !== 'reading');
}

const heldFiles = async () => {
  const links = await readdir('/proc/self/fd');
  const places = await Promise.all(links.map((link) => realpath(`/proc/self/fd/${link}`).catch(() => '')));
  return places.filter((place) => place === full).length;
};

describe('a preview whose file is read in another thread', () => {
  it('gives rows from the beginning, then from anywhere', async () => {
    const { id, state, rows } = await previews.open(randomUUID(), full, {});
    expect(state).toBe('reading');
    expect(await previews.session(id).rows(rows - 1, 10)).toHaveLength(1);
    // Rows are asked for while the file is read, and while the beginning gives way to the whole.
    const asking = setInterval(
      () =>
        void previews
          .session(id)
          .rows(3, 2)
          .then((some) => expect(some).toHaveLength(2)),
      5,
    );
    await done(id);
    clearInterval(asking);
    const starts = [0, 1, 150_000, 77_777, ROWS - 1];
    const windows = await Promise.all(starts.map((start) => previews.session(id).rows(start, 1)));
    expect(windows.flat().map((row) => JSON.parse(row))).toEqual(
      starts.map((i) => ({ id: i, text: `line ${i}\nand another`, zip: 1000 + (i % 9000) })),
    );
    expect((await previews.session(id).json(10)).text).toBe('[{"id":0,"');
  });

  it('is shared with calls, with the types a schema wants', async () => {
    const items = { type: 'object', properties: { zip: { type: 'string' } } };
    const place = { inputSchema: { type: 'object', properties: { rows: { type: 'array', items } } }, segments: ['rows'] };
    const { id } = await previews.open(randomUUID(), full, {});
    const first = await previews.use(full, {}, async (session) => {
      const typed = await session.convert({ place });
      await previews.close(id);
      for await (const { data, ends } of typed.elements({ start: ROWS - 1 }))
        return Buffer.from(data.subarray(0, ends[0])).toString();
      return '';
    });
    expect(JSON.parse(first)).toMatchObject({ id: ROWS - 1, zip: expect.any(String) });
  });

  it.skipIf(process.platform !== 'linux')('lets go of the file whenever it is closed', async () => {
    const early = await previews.open(randomUUID(), full, {});
    await previews.close(early.id);
    await expect.poll(heldFiles).toBe(0);
    const late = await previews.open(randomUUID(), full, {});
    await done(late.id);
    const asked = previews
      .session(late.id)
      .rows(200_000, 100)
      .catch((error: { code: string }) => error.code);
    await previews.close(late.id);
    expect(['INVALID_REQUEST', 100]).toContain(await asked.then((rows) => (typeof rows === 'string' ? rows : rows.length)));
    await expect.poll(heldFiles).toBe(0);
  });
});
