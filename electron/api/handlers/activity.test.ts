import { mkdirSync, writeFileSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../../shared/lib/fixtures/eventually.ts';
import { openRuntime } from '../../app/runtime.ts';
import { type Agent, connectAgent, connectByPipes } from '../fixtures/agents.ts';
import { type RunningApi, startApi } from '../fixtures/api.ts';

const plainServer = fileURLToPath(new URL('../../upstream/fixtures/plain-server.mjs', import.meta.url));
const db = { type: 'stdio', command: process.execPath, args: [plainServer] };
const echo = { server: 'db', tool_name: 'echo', tool_args: { said: 'hello' }, output_format: 'string' };

let running: RunningApi;
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  vi.unstubAllEnvs();
});

async function open(): Promise<RunningApi> {
  running = await startApi({
    config: (root) => {
      const files = path.join(root, 'files');
      mkdirSync(files);
      writeFileSync(path.join(files, 'users.csv'), 'name,zip\nAnn,00501\nBob,10001\nCid,20002\n');
      return { folders: [{ path: files }], upstreams: { db } };
    },
  });
  ends.push(running.close);
  return running;
}

async function connect(): Promise<Agent> {
  const agent = await connectAgent(running.services);
  ends.push(() => agent.close());
  return agent;
}

const fileCall = (more: object = {}) => ({
  server: 'db',
  tool_name: 'echo',
  path: path.join(running.root, 'files', 'users.csv'),
  data_key: 'rows',
  output_format: 'string',
  ...more,
});
const find = (filter = {}) => running.ask('ledger.find', { filter, offset: 0, limit: 100 });

describe('activity', () => {
  it('tells of a call as it happens, with its place and its receipt', async () => {
    const { heard } = await open();
    const agent = await connect();
    await agent.call('call_tool_with_file_content', fileCall());
    await agent.call('call_tool_with_file_content', fileCall({ batch: { size: 2 } }));
    await eventually(() => expect(heard('ledger.appended')).toHaveLength(2));
    const { entries, total } = await find({ text: 'USERS' });
    expect(total).toBe(2);
    expect(entries).toEqual([...heard('ledger.appended')].reverse());
    const sha256 = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(entries).toMatchObject([
      { dataKeys: ['rows'], calls: 2, receipt: { recordsAccepted: 3, recordsFailed: 0, batches: 2, sha256 } },
      { dataKeys: ['rows'], calls: 1, receipt: { recordsAccepted: 3, recordsFailed: 0, batches: 1, sha256 } },
    ]);
  });

  it('keeps a line short, whatever an agent names', async () => {
    const { services } = await open();
    const agent = await connect();
    const long = 'x'.repeat(200_000);
    await agent.call('call_tool', { ...echo, server: long, tool_name: long });
    const files = { path: Array.from({ length: 50 }, (_, index) => `/${index}/${long}`), data_key: long };
    await agent.call('call_tool_with_file_content', fileCall(files));
    const { entries } = await find();
    expect(entries.map(({ outcome }) => outcome)).toEqual(['blocked', 'failed']);
    expect(entries[1]?.tool).toMatch(/^x{50}/);
    const { size } = await stat(path.join(services.runtime.dataDirectory, 'ledger.jsonl'));
    expect(size).toBeLessThan(50_000);
  });

  it('has the words of a failure for as long as the program runs, and never on disk', async () => {
    const { ask, services } = await open();
    const agent = await connect();
    await agent.call('call_tool_with_file_content', fileCall({ tool_name: 'soft_error', output_format: 'json' }));
    await agent.call('call_tool', { ...echo, tool_name: 'no_such_tool' });
    const { entries } = await find({ outcomes: ['failed', 'tool_error'] });
    const details = await Promise.all(entries.map(({ id }) => ask('ledger.get', { id })));
    expect(details.map(({ entry }) => entry)).toEqual(entries);
    expect(details.map(({ message }) => message)).toEqual([
      expect.stringContaining("Server 'db' has no tool 'no_such_tool'"),
      'no such table',
    ]);
    await expect(ask('ledger.get', { id: 'unheard-of' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    const directory = services.runtime.dataDirectory;
    const names = (await readdir(directory, { withFileTypes: true })).filter((each) => each.isFile()).map(({ name }) => name);
    const written = (await Promise.all(names.map((name) => readFile(path.join(directory, name), 'utf8')))).join('');
    expect(written).toContain('soft_error');
    for (const words of ['no such table', 'has no tool', '00501']) expect(written).not.toContain(words);
  });

  it('keeps the facts of a call that failed: file, place, shape of the arguments, words and what to do', async () => {
    const { ask, services, root } = await open();
    const agent = await connect();
    const missing = path.join(root, 'files', 'usres.csv');
    const tool_args = { table: 'secret-name', rows: [1, 2, 3], options: { upsert: true }, limit: 5, dry: false, none: null };
    await agent.call('call_tool_with_file_content', fileCall({ path: missing, tool_args }));
    await agent.call('call_tool', { ...echo, tool_name: 'soft_error', tool_args: { table: 'secret-name' } });
    const { entries } = await find();
    expect(entries).toMatchObject([
      { tool: 'soft_error', outcome: 'tool_error', shape: [{ name: 'table', kind: 'text', size: 11 }] },
      {
        outcome: 'failed',
        errorCode: 'FILE_NOT_FOUND',
        paths: [missing],
        shape: [
          { name: 'table', kind: 'text', size: 11 },
          { name: 'rows', kind: 'list', size: 3 },
          { name: 'options', kind: 'object', size: 1 },
          { name: 'limit', kind: 'number', size: null },
          { name: 'dry', kind: 'boolean', size: null },
          { name: 'none', kind: 'null', size: null },
        ],
      },
    ]);
    const [tool, failed] = await Promise.all(entries.map(({ id }) => ask('ledger.get', { id })));
    expect(tool).toMatchObject({ trouble: null, message: expect.stringContaining('no such table') });
    expect(failed?.trouble).toMatchObject({ code: 'FILE_NOT_FOUND', hint: expect.stringContaining('Check the name') });
    const written = await readFile(path.join(services.runtime.dataDirectory, 'ledger.jsonl'), 'utf8');
    expect(written).not.toContain('secret-name');
    await agent.call('call_tool_with_file_content', fileCall());
    expect((await find()).entries[0]).not.toHaveProperty('shape');
  });

  it('recognises another try of the same call', async () => {
    await open();
    const agent = await connect();
    await agent.call('call_tool_with_file_content', fileCall({ tool_name: 'soft_error' }));
    await agent.call('call_tool_with_file_content', fileCall());
    await agent.call('call_tool_with_file_content', fileCall({ tool_name: 'soft_error', dry_run: true }));
    await agent.call('call_tool_with_file_content', fileCall({ tool_name: 'soft_error' }));
    const { entries } = await find();
    expect(entries.map(({ attempt }) => attempt)).toEqual([2, undefined, undefined, undefined]);
    expect(entries[0]?.retryOf).toBe(entries[3]?.id);
  });

  it('includes the calls of servers that agents started themselves', async () => {
    const { ask, heard, services, root } = await open();
    vi.stubEnv('FILEBRIDGE_DATA', path.join(root, 'program-data'));
    const own = await openRuntime({ configPath: services.runtime.config.path, log: () => undefined });
    ends.push(own.close);
    const agent = await connectByPipes(own);
    ends.push(agent.close);
    await agent.call('call_tool', echo);
    await eventually(() => expect(heard('ledger.appended')).toHaveLength(1));
    const { entries } = await find();
    expect(entries).toEqual(heard('ledger.appended'));
    expect((await ask('ledger.totals', {})).today.calls).toBe(1);
    // Its words stayed in that process.
    expect(await ask('ledger.get', { id: entries[0]?.id ?? '' })).toEqual({ entry: entries[0], message: null, trouble: null });
    // Arguments over stdio are passed on unparsed.
    await agent.call('call_tool', { ...echo, tool_name: 'soft_error', tool_args: { table: 'people', rows: [1, 2] } });
    await eventually(() => expect(heard('ledger.appended')).toHaveLength(2));
    const [failed] = (await find({ text: 'soft_error' })).entries;
    expect(failed?.shape).toEqual([
      { name: 'table', kind: 'text', size: 6 },
      { name: 'rows', kind: 'list', size: 2 },
    ]);
  });

  it('adds up by day, by name, and by what was not typed and not read', async () => {
    const { ask } = await open();
    const agent = await connect();
    await agent.call('call_tool_with_file_content', fileCall());
    await agent.call('call_tool_and_store', echo);
    const { all, today } = await ask('ledger.totals', {});
    expect(today).toEqual(all);
    expect(all.tokensTyped).toBeGreaterThan(0);
    expect(all.tokensTyped + all.tokensRead).toBe(all.tokensMeasured + all.tokensEstimated);
    const days = await ask('ledger.days', { days: 7 });
    expect(days).toHaveLength(7);
    expect(days.at(-1)).toMatchObject({ calls: 2, tokensMeasured: all.tokensMeasured, tokensEstimated: all.tokensEstimated });
    expect(days.slice(0, 6).every(({ calls }) => calls === 0)).toBe(true);
    expect(await ask('ledger.names', {})).toEqual({ servers: ['db'], clients: ['host-of-2025'] });
  });

  it('can be taken along, filtered, without what was in the files', async () => {
    const { ask } = await open();
    const agent = await connect();
    await agent.call('call_tool_with_file_content', fileCall());
    await agent.call('call_tool', { ...echo, tool_name: 'none' });
    expect((await ask('ledger.export', { filter: {} })).entries).toHaveLength(2);
    const { entries } = await ask('ledger.export', { filter: { outcomes: ['ok'] } });
    expect(entries).toEqual((await find({ outcomes: ['ok'] })).entries);
    expect(JSON.stringify(entries)).not.toContain('00501');
  });
});
