import { createHash } from 'node:crypto';
import { appendFile, mkdtemp, open, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { configSchema } from '../../shared/model/config.ts';
import { type Converter, inProcess, threadedConverter } from '../engine/index.ts';
import { engineThread } from '../engine/thread/fixtures/build-thread.ts';
import { createFileAccess } from '../files/file-access.ts';
import { preparePayload } from './convert.ts';
import { preview } from './inspect.ts';
import { openFiles } from './open.ts';

const MIB = 1024 * 1024;
const { limits } = configSchema.parse({ version: 1 });
const forever = new AbortController().signal;

let directory: string;
let threaded: Converter;
beforeAll(async () => {
  directory = await realpath(await mkdtemp(path.join(os.tmpdir(), 'filebridge-heavy-')));
  threaded = threadedConverter({ script: engineThread() });
});
afterAll(async () => {
  await threaded.close();
  await rm(directory, { recursive: true, force: true });
});

const files = createFileAccess({ folders: () => [{ path: directory, access: 'read' }] });

/** A table of at least so many bytes. */
async function table(name: string, bytes: number): Promise<string> {
  const file = path.join(directory, name);
  const handle = await open(file, 'w');
  await handle.write('id,name,zip,note\n');
  let block = '';
  for (let i = 0; block.length < MIB; i++) block += `${i},name ${i},0${1000 + i},"a ""note"" of ${i}"\n`;
  for (let written = 0; written < bytes; written += block.length) await handle.write(block);
  await handle.close();
  return file;
}

/** Converts and streams a file as a call does. */
async function payloadOf(file: string, converter: Converter) {
  const opened = await openFiles({ files, converter }, [
    { dataKey: undefined, sources: [{ path: file, options: {} }], combine: 'single' },
  ]);
  try {
    const [place] = opened.placed;
    if (place === undefined) throw new Error('nothing was opened');
    const payload = await preparePayload(opened, place, limits, { signal: forever });
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of payload.json()) {
      hash.update(chunk);
      bytes += chunk.length;
    }
    await opened.assertUnchanged();
    expect(bytes).toBe(payload.bytes);
    return { records: payload.records, json: hash.digest('hex'), sha256: payload.reports[0]?.sha256 };
  } finally {
    await opened.close();
  }
}

it.each(['CSV', 'YAML'])('a file gives the same payload from a thread as in process: %s', async (format) => {
  const rows = Array.from({ length: 500 }, (_, i) => `- id: ${i}\n  name: "name ${i}"\n  note: a note of ${i}\n`).join('');
  let file = path.join(directory, 'whole.yaml');
  // The tag keeps it from being read the quick way.
  if (format === 'YAML') await writeFile(file, `- !first {}\n${rows}`);
  else file = await table('big.csv', 6 * MIB);
  expect(await payloadOf(file, threaded)).toEqual(await payloadOf(file, inProcess));
});

it('a file that changes while it is read in a thread is refused as it is in process', async () => {
  const file = await table('changing.csv', 12 * MIB);
  const opened = await files.open(file);
  try {
    let grown: Promise<void> | undefined;
    const onProgress = () => {
      grown ??= appendFile(file, '1,2,3,4\n');
    };
    await expect(threaded.convert(opened.source, { bounds: limits, onProgress })).rejects.toMatchObject({
      code: 'FILE_CHANGED',
      details: { path: file },
    });
    await grown;
  } finally {
    await opened.close();
  }
});

it('a preview is the same from a thread', async () => {
  const file = await table('shown.csv', 3 * MIB);
  const shown = (converter: Converter) =>
    preview({ files, converter }, { limits, readings: {} }, { path: file, rows: 3 }, forever);
  const there = await shown(threaded);
  expect(there.rows).toHaveLength(3);
  expect(there).toEqual(await shown(inProcess));
});

it('files of one call are let go of together, also when one of them fails', async () => {
  const good = await table('good.csv', 5 * MIB);
  const bad = path.join(directory, 'bad.csv');
  await writeFile(bad, 'a\n"1\n');
  let closed = 0;
  const counting: Converter = {
    ...threaded,
    async convert(source, request) {
      const conversion = await threaded.convert(source, request);
      return {
        ...conversion,
        close() {
          closed += 1;
          conversion.close();
        },
      };
    },
  };
  const opened = await openFiles({ files, converter: counting }, [
    { dataKey: 'a', sources: [{ path: good, options: {} }], combine: 'single' },
    { dataKey: 'b', sources: [{ path: bad, options: {} }], combine: 'single' },
    { dataKey: 'c', sources: [{ path: good, options: {} }], combine: 'single' },
  ]);
  const prepared = opened.placed.map((place) => preparePayload(opened, place, limits, { signal: forever }));
  await expect(Promise.all(prepared)).rejects.toMatchObject({ code: 'PARSE_FAILED' });
  const first = await prepared[0];
  await opened.close();
  await Promise.allSettled(prepared);
  expect(closed).toBe((await Promise.allSettled(prepared)).filter(({ status }) => status === 'fulfilled').length);
  expect(closed).toBeGreaterThan(0);
  await expect(first?.json()[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'INTERNAL' });
});
