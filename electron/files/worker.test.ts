/** Files that are read in the thread that converts them, while somebody else has them open. */
import { appendFile, mkdtemp, readdir, readlink, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonText, testBounds } from '../engine/fixtures/conversion-fixture.ts';
import { type Converter, inProcess, threadedConverter } from '../engine/index.ts';
import { engineThread } from '../engine/thread/fixtures/build-thread.ts';
import { createFileAccess } from './file-access.ts';

let folder: string;
let converter: Converter;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'filebridge-shared-')));
  converter = threadedConverter({ script: engineThread() });
});
afterAll(async () => {
  await converter.close();
  await rm(folder, { recursive: true, force: true });
});

const files = createFileAccess({ folders: () => [{ path: folder, access: 'read' }] });
const rows = `id,name,zip\n${Array.from({ length: 200_000 }, (_, i) => `${i},Näme ${i},0${i % 9}\n`).join('')}`;

async function written(name: string, content = rows): Promise<string> {
  await writeFile(path.join(folder, name), content);
  return path.join(folder, name);
}

/** How many descriptors of this process lead to the file; undefined where the system does not tell. */
async function descriptorsOf(file: string): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined;
  const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
  return (await Promise.all(links)).filter((link) => link === file).length;
}

describe('a file that a thread reads', () => {
  it('gives what it gives in this thread, and is closed with its conversion', async () => {
    // Long enough for its hash to be taken beside.
    const file = await written('same.csv', rows.repeat(4));
    const [here, there] = await Promise.all([files.open(file), files.open(file)]);
    const expected = await inProcess.convert(here.source, { bounds: testBounds });
    const conversion = await converter.convert(there.source, { bounds: testBounds });
    expect(conversion.report).toEqual(expected.report);
    const text = await jsonText(expected);
    expect(await jsonText(conversion)).toBe(text);
    const parts: Buffer[] = [];
    for await (const chunk of conversion.json(undefined, { reuse: true })) parts.push(Buffer.from(chunk));
    expect(Buffer.concat(parts).equals(Buffer.from(text))).toBe(true);
    conversion.close();
    await Promise.all([here.close(), there.close()]);
    expect((await descriptorsOf(file)) ?? 0).toBe(0);
  });

  it('is read through the descriptor that is open now when its conversion is wanted again', async () => {
    const file = await written('again.csv');
    const texts: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const opened = await files.open(file);
      // As it is for a file that nobody has touched for a while.
      const source = { ...opened.source, identity: 'again' };
      const conversion = await converter.convert(source, { bounds: testBounds });
      texts.push(await jsonText(conversion));
      conversion.close();
      await opened.close();
      expect((await descriptorsOf(file)) ?? 0).toBe(0);
    }
    expect(new Set(texts).size).toBe(1);
  });

  it('stays open for the thread when it is closed amid reading, and no longer', async () => {
    const file = await written('amid.csv', rows.repeat(8));
    const opened = await files.open(file);
    const conversion = await converter.convert(opened.source, { bounds: testBounds });
    const reading = conversion.json()[Symbol.asyncIterator]();
    await reading.next();
    await opened.close();
    if ((await descriptorsOf(file)) !== undefined) expect(await descriptorsOf(file)).toBe(1);
    let bytes = 0;
    for await (const chunk of conversion.json()) bytes += chunk.length;
    expect(bytes).toBe(conversion.bytes);
    conversion.close();
    await expect(reading.next()).rejects.toThrow('The conversion was closed');
    await expect.poll(async () => (await descriptorsOf(file)) ?? 0).toBe(0);
  });

  it('is noticed to have changed between the scan and the second reading', async () => {
    const file = await written('changed.csv', rows.repeat(2));
    const opened = await files.open(file);
    const conversion = await converter.convert(opened.source, { bounds: testBounds });
    await appendFile(file, '1,2,3\n');
    await expect(jsonText(conversion)).rejects.toMatchObject({ code: 'FILE_CHANGED', message: expect.stringContaining(file) });
    conversion.close();
    await opened.close();
  });

  it('is let go of when the thread ends amid reading', async () => {
    const file = await written('ended.csv', rows.repeat(8));
    const ending = threadedConverter({ script: engineThread() });
    const opened = await files.open(file);
    const converting = ending.convert(opened.source, { bounds: testBounds });
    const failing = expect(converting).rejects.toMatchObject({ code: 'CANCELLED' });
    await ending.close();
    await failing;
    await opened.close();
    await expect.poll(async () => (await descriptorsOf(file)) ?? 0).toBe(0);
  });
});
