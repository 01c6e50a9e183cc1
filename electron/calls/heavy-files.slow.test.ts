/** How long a thread that serves calls is blocked while another converts; bench/event-loop.run.ts measures it with CSV. */

import { createHash } from 'node:crypto';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { configSchema } from '../../shared/model/config.ts';
import { type Converter, inProcess, threadedConverter } from '../engine/index.ts';
import { engineThread } from '../engine/thread/fixtures/build-thread.ts';
import { createFileAccess } from '../files/file-access.ts';
import { preparePayload } from './convert.ts';
import { openFiles } from './open.ts';

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

/** The longest time that this thread was blocked (milliseconds). */
async function stallOf<T>(run: () => Promise<T>): Promise<{ result: T; longest: number }> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const result = await run();
  delay.disable();
  return { result, longest: delay.max / 1e6 };
}

it('this thread is free while a file is parsed that is parsed in one go', async () => {
  const file = path.join(directory, 'whole.yaml');
  await writeFile(
    file,
    // The tag keeps it from being read the quick way.
    `- !first {}\n${Array.from({ length: 100_000 }, (_, i) => `- id: ${i}\n  name: "name ${i}"\n  note: a note of ${i}\n`).join('')}`,
  );
  const here = await stallOf(() => payloadOf(file, inProcess));
  const there = await stallOf(() => payloadOf(file, threaded));
  expect(there.result).toEqual(here.result);
  expect(there.longest).toBeLessThan(here.longest / 2);
});
