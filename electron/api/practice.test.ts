import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stdioLaunch } from '../agent-apps/agent-launch.ts';
import { kernels } from '../launch/kernels.mjs';
import { type RunningApi, startApi } from './fixtures/api.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const tables = path.join(repository, 'electron/upstream/fixtures/tables.mjs');

let built: string;
let api: RunningApi;

/** The command line as the product builds it: the practice server is another process. */
beforeAll(async () => {
  built = await mkdtemp(path.join(os.tmpdir(), 'filebridge-cli-'));
  await build({
    configFile: false,
    plugins: [kernels()],
    root: repository,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: path.join(repository, 'electron/cli/main.ts'),
      outDir: built,
      target: 'node20',
      minify: false,
      rolldownOptions: {
        external: [...builtinModules, /^node:/],
        output: { format: 'es', entryFileNames: 'cli.js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
  await writeFile(path.join(built, 'package.json'), '{"type":"module"}');
});
afterAll(() => rm(built, { recursive: true, force: true }));

beforeEach(async () => {
  api = await startApi({
    launch: stdioLaunch(built, { configPath: path.join(built, 'no-such-config.json') }),
    config: (root) => ({
      upstreams: { db: { type: 'stdio', command: process.execPath, args: [tables, path.join(root, 'diary')] } },
    }),
  });
});
afterEach(() => api.close());

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const full = path.join(api.root, name);
  await writeFile(full, content);
  return full;
}

const verify = async (name: string, content: string | Uint8Array) =>
  api.ask('welcome.verify', { path: await file(name, content), server: null, tool: null });

describe('a sample file', () => {
  it('can be tried with, and goes with the program', async () => {
    const { path: sample } = await api.ask('welcome.sample', {});
    expect(await api.ask('welcome.verify', { path: sample, server: null, tool: null })).toMatchObject({
      ok: true,
      receipt: { recordsAccepted: 200 },
    });
    await api.close();
    await expect(stat(path.dirname(sample))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe("a newcomer's first call", () => {
  it('goes to the practice server by the way of every call, with receipt, savings and ledger line', async () => {
    const full = await file('users.csv', 'name,zip\nAda,01067\nBo,80331\n');
    const sent = await api.ask('welcome.verify', { path: full, server: null, tool: null });
    expect(sent).toMatchObject({
      ok: true,
      error: null,
      answer: 'Counted 2 records with name, zip.',
      receipt: { recordsRead: 2, recordsAccepted: 2, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(sent.savings?.arguments.count).toBeGreaterThan(10);
    const [entry] = await api.ask('ledger.recent', { limit: 1 });
    expect(entry).toMatchObject({
      id: sent.entryId,
      server: 'Filebridge practice',
      tool: 'count_records',
      client: 'Filebridge app',
      outcome: 'ok',
      paths: [full],
    });
    // It is none of the user's servers.
    expect((await api.ask('upstreams.list', {})).map(({ name }) => name)).toEqual(['db']);
  });

  it('takes any file, and says what it was', async () => {
    expect((await verify('a.yaml', 'name: Ada\nzip: "01067"\n')).answer).toBe('Got one object with 2 entries.');
    expect((await verify('a.md', '# Größe')).answer).toBe('Got one text of 7 characters.');
    expect((await verify('a.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]))).answer).toBe('Got one text of 8 characters.');
    expect((await verify('a.json', 'null')).answer).toBe('Got an empty value (null).');
    expect((await verify('a.csv.gz', gzipSync('a\n1\n2\n3\n'))).answer).toBe('Counted 3 records with a.');
    expect((await verify('empty.csv', '')).answer).toBe('Counted 0 records.');
    expect((await verify('long.txt', 'x'.repeat(12 * 1024 * 1024))).answer).toBe('Got one text of 12,582,912 characters.');
  });

  it('sends a big table in parts', async () => {
    // Few rows, but longer together than one message may be.
    const note = 'some words to make the row long '.repeat(125);
    const rows = Array.from({ length: 17_500 }, (_, i) => `${i},person number ${i},${note}`);
    const sent = await verify('big.csv', `id,name,note\n${rows.join('\n')}\n`);
    expect(sent).toMatchObject({ ok: true, receipt: { recordsAccepted: 17_500 } });
    expect(sent.receipt?.batches).toMatchObject([{ batches: expect.any(Number) }]);
    expect(sent.answer).toBe('');
  });

  it('may go to a server of their own', async () => {
    const full = await file('users.csv', 'id,zip\n1,01067\n');
    expect(await api.ask('welcome.verify', { path: full, server: 'db', tool: 'insert_few' })).toMatchObject({
      ok: true,
      answer: 'took 1',
    });
    await expect(api.ask('welcome.verify', { path: full, server: 'db', tool: null })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
  });

  it('says what is wrong where it cannot be made', async () => {
    const absent = await api.ask('welcome.verify', { path: path.join(api.root, 'absent.csv'), server: null, tool: null });
    expect(absent).toMatchObject({ ok: false, entryId: null, error: { code: 'FILE_NOT_FOUND' } });
    expect(await verify('broken.json', '{"a": ')).toMatchObject({ ok: false, error: { code: 'PARSE_FAILED' } });
  });
});
