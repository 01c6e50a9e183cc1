/** An answer that is stored over a file: only where the folder's settings do not ask a person about that. */
import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { configSchema, type Folder } from '../../shared/model/config.ts';
import { inProcess } from '../engine/index.ts';
import { createFileAccess } from '../files/file-access.ts';
import { fixture, fixturePath, poolOf } from '../upstream/fixtures/support.ts';
import { createCallService } from './service.ts';

let root: string;
/** What the server was sent. */
let calls: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'filebridge-stored-')));
  calls = await mkdtemp(path.join(os.tmpdir(), 'filebridge-stored-calls-'));
});
afterEach(async () => {
  for (const directory of [root, calls]) await rm(directory, { recursive: true, force: true });
});

const caller = { signal: new AbortController().signal, client: 'agent', progress: () => undefined, log: () => undefined };

async function store(folder: Partial<Folder>, filename: string, from: 'configuration' | 'command line' = 'configuration') {
  const pool = poolOf({ plain: fixture('', { args: [fixturePath('recording-server.mjs'), path.join(calls, 'log')] }) });
  const service = createCallService({
    config: () => configSchema.parse({ version: 1 }),
    files: createFileAccess({ folders: () => [{ path: root, access: 'read-write', ...folder }], foldersFrom: () => from }),
    converter: inProcess,
    upstreams: pool,
    ledger: { append: async () => undefined },
    responsesDirectory: path.join(root, 'answers'),
    log: () => undefined,
  });
  try {
    const request = { server: 'plain', tool_name: 'take', tool_args: {}, storage_path: root, filename, overwrite: true };
    const { content, isError } = await service.callAndStore(request, caller);
    return { isError: isError === true, text: String(content[0]?.text) };
  } finally {
    await service.close();
    await pool.close();
  }
}

it('replaces the file where the folder does not ask about that, or was named on the command line', async () => {
  await writeFile(path.join(root, 'kept.txt'), 'precious');
  expect((await store({}, 'kept.txt')).isError).toBe(false);
  expect(await readFile(path.join(root, 'kept.txt'), 'utf8')).not.toBe('precious');
  await writeFile(path.join(root, 'kept.txt'), 'precious');
  expect((await store({ approve: { overwrite: true } }, 'kept.txt', 'command line')).isError).toBe(false);
  expect(await readFile(path.join(root, 'kept.txt'), 'utf8')).not.toBe('precious');
});

it('leaves the file alone where the folder asks, and says so before anything is sent', async () => {
  await writeFile(path.join(root, 'kept.txt'), 'precious');
  const { isError, text } = await store({ approve: { overwrite: true } }, 'kept.txt');
  expect(isError).toBe(true);
  expect(text).toContain('The user is asked before a file in this folder is overwritten');
  expect(await readFile(path.join(root, 'kept.txt'), 'utf8')).toBe('precious');
  expect(await readdir(root)).toEqual(['kept.txt']);
  expect(await readdir(calls)).toEqual([]);
});

it('stores under a new name there', async () => {
  expect((await store({ approve: { overwrite: true } }, 'new.txt')).isError).toBe(false);
  expect(await readdir(root)).toEqual(['new.txt']);
});
