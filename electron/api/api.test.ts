import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Approval } from '../../shared/contract/approvals.ts';
import { createClient, type Client as WindowClient } from '../../shared/contract/client.ts';
import type { HostPort } from './host.ts';
import { consoleHost } from './host.ts';
import { type Services, startServices } from './services.ts';

const plainServer = fileURLToPath(new URL('../upstream/fixtures/plain-server.mjs', import.meta.url));
const db = { type: 'stdio', command: process.execPath, args: [plainServer], confirm: 'never' };

let directory: string;
let services: Services;
let agents: Client[] = [];

const at = (...parts: string[]) => path.join(directory, ...parts);

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'api-'));
  vi.stubEnv('FILEBRIDGE_DATA', at('data'));
  await mkdir(at('files'));
  await writeFile(at('files', 'users.csv'), 'name,zip\nAnn,00501\nBob,10001\n');
});

afterEach(async () => {
  for (const agent of agents) await agent.close();
  agents = [];
  await services.close();
  vi.unstubAllEnvs();
  await rm(directory, { recursive: true, force: true });
});

const desktop: HostPort = { ...consoleHost, kind: 'desktop' };

/** The program with a configuration, and a page's client on it, everything crossing as JSON. */
async function open(config: object = {}, host: HostPort = consoleHost): Promise<WindowClient> {
  await writeFile(
    at('config.json'),
    JSON.stringify({
      version: 1,
      folders: [{ path: at('files'), access: 'read' }],
      upstreams: { db },
      server: { port: 0 },
      ...config,
    }),
  );
  services = await startServices({
    configPath: at('config.json'),
    host,
    launch: { command: 'filebridge', args: [] },
    log: () => undefined,
  });
  const { api } = services;
  return createClient({
    request: async (name, input) => JSON.parse(JSON.stringify(await api.request(name, JSON.parse(JSON.stringify(input))))),
    subscribe: (listener) => api.subscribe((event) => listener(JSON.parse(JSON.stringify(event)))),
  });
}

/** A real agent over HTTP. */
async function agent(capabilities: object = {}): Promise<Client> {
  const { url } = services.server.state();
  const token = await services.server.tokens.issue('default');
  const client = new Client({ name: 'an agent', version: '1.0.0' }, { capabilities });
  agents.push(client);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url ?? ''), { requestInit: { headers: { Authorization: `Bearer ${token}` } } }),
  );
  return client;
}

const echo = { server: 'db', tool_name: 'echo', tool_args: { said: 'hello' }, output_format: 'string' };

async function call(client: Client, name: string, args: Record<string, unknown>): Promise<{ text: string; isError: boolean }> {
  const result = await client.callTool({ name, arguments: args });
  const [block] = result.content as { text?: string }[];
  return { text: block?.text ?? '', isError: result.isError === true };
}

describe('pausing', () => {
  it('refuses calls until resumed, says so to the agent, and tells pages', async () => {
    const page = await open();
    const client = await agent();
    const states: string[] = [];
    page.on('status.changed', ({ state }) => {
      if (states.at(-1) !== state) states.push(state);
    });
    expect((await page.call('server.pause', {})).state).toBe('paused');
    const refused = await call(client, 'call_tool', echo);
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain('Filebridge is paused by the user');
    expect((await client.listTools()).tools.length).toBeGreaterThan(5);
    await page.call('server.resume', {});
    expect((await call(client, 'call_tool', echo)).isError).toBe(false);
    expect(states).toEqual(['paused', 'running']);
    const { entries } = await page.call('ledger.find', { filter: {}, offset: 0, limit: 10 });
    expect(entries.map(({ outcome, errorCode }) => [outcome, errorCode])).toEqual([
      ['ok', null],
      ['refused', 'PAUSED'],
    ]);
  });
});

describe('problems', () => {
  it('tells of a taken port, and takes a free one', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => blocker.once('listening', resolve));
    const { port } = blocker.address() as { port: number };
    try {
      const page = await open({ server: { port } });
      const { state, problems } = await page.call('status.get', {});
      expect(state).toBe('stopped');
      expect(problems).toMatchObject([{ id: 'port', message: expect.stringContaining(String(port)) }]);
      const mended = await page.call('problems.mend', { id: 'port', remedy: 'use_free_port' });
      expect(mended).toMatchObject({ state: 'running', problems: [] });
      expect(JSON.parse(await readFile(at('config.json'), 'utf8')).server.port).toBe(mended.port);
      expect((await call(await agent(), 'call_tool', echo)).isError).toBe(false);
    } finally {
      blocker.close();
    }
  });

  it('tells by itself of a folder that vanished, and makes it again', async () => {
    const page = await open();
    const seen: string[][] = [];
    page.on('status.changed', ({ problems }) => seen.push(problems.map(({ id }) => id)));
    await rm(at('files'), { recursive: true });
    const id = `folder:${at('files')}`;
    await vi.waitFor(() => expect(seen).toContainEqual([id]), 8000);
    const mended = await page.call('problems.mend', { id, remedy: 'create_folder' });
    expect(mended.problems).toEqual([]);
    await expect(page.call('problems.mend', { id, remedy: 'create_folder' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('tells of an edit it cannot take over, and keeps what is in force', async () => {
    const page = await open();
    await writeFile(at('config.json'), '{ "version": 1, "folders": 3 }');
    await vi.waitFor(async () => expect((await page.call('status.get', {})).problems).toHaveLength(1), 5000);
    const [problem] = (await page.call('status.get', {})).problems;
    expect(problem).toMatchObject({ id: 'config:ignored', message: expect.stringContaining('folders') });
    expect((await page.call('problems.mend', { id: 'config:ignored', remedy: 'reset_config' })).problems).toEqual([]);
    expect(JSON.parse(await readFile(at('config.json'), 'utf8')).folders).toEqual([{ path: at('files'), access: 'read' }]);
  });

  it('tells of a server that does not work', async () => {
    const page = await open({ upstreams: { db: { ...db, args: [plainServer, '--crash-at-start'] } } });
    await page.call('upstreams.check', { name: 'db' });
    const { problems } = await page.call('status.get', {});
    expect(problems).toMatchObject([{ id: 'upstream:db', subject: 'db', hint: expect.stringContaining('exit code 3') }]);
  });
});

describe('approvals', () => {
  const asking = { upstreams: { db: { ...db, confirm: 'always' } } };

  /** The next question that reaches the page. */
  const question = (page: WindowClient): Promise<Approval> =>
    new Promise((resolve) => {
      const leave = page.on('approvals.changed', ([first]) => {
        if (!first) return;
        leave();
        resolve(first);
      });
    });

  it('shows where a file would go and what is in it, and lets it through once', async () => {
    const page = await open(asking);
    const client = await agent();
    const asked = question(page);
    const answered = call(client, 'call_tool_with_file_content', {
      server: 'db',
      tool_name: 'echo',
      path: at('files', 'users.csv'),
      data_key: 'rows',
    });
    const approval = await asked;
    expect(approval).toMatchObject({
      client: 'an agent',
      server: 'db',
      tool: 'echo',
      paths: [at('files', 'users.csv')],
      records: 2,
      firstRecords: ['{"name":"Ann","zip":"00501"}', '{"name":"Bob","zip":"10001"}'],
    });
    expect(approval.target).toContain('plain-server.mjs');
    await page.call('approvals.answer', { id: approval.id, decision: 'once' });
    expect((await answered).isError).toBe(false);
    expect(await page.call('approvals.list', {})).toEqual([]);
    const again = question(page);
    const second = call(client, 'call_tool', echo);
    await page.call('approvals.answer', { id: (await again).id, decision: 'refuse' });
    expect((await second).text).toContain('was refused by the user');
  });

  it('asks no more about a tool that is allowed for good, until it is told to', async () => {
    const page = await open(asking);
    const client = await agent();
    const asked = question(page);
    const first = call(client, 'call_tool', echo);
    await page.call('approvals.answer', { id: (await asked).id, decision: 'always' });
    expect((await first).isError).toBe(false);
    expect((await call(client, 'call_tool', echo)).isError).toBe(false);
    expect(JSON.parse(await readFile(at('config.json'), 'utf8')).upstreams.db.confirmExcept).toEqual(['echo']);
  });

  it('refuses a call that nobody answers, with a message that says so', async () => {
    const page = await open({ ...asking, limits: { approvalTimeoutMs: 300 } }, desktop);
    const refused = await call(await agent(), 'call_tool', echo);
    expect(refused).toMatchObject({
      isError: true,
      text: expect.stringContaining('nobody answered within 1 second in the Filebridge app'),
    });
    expect(await page.call('approvals.list', {})).toEqual([]);
  });

  it('takes back the question of a call that was cancelled', async () => {
    const page = await open(asking);
    const client = await agent();
    const asked = question(page);
    const ended = new AbortController();
    const gone = client.callTool({ name: 'call_tool', arguments: echo }, { signal: ended.signal }).catch(() => 'cancelled');
    const { id } = await asked;
    ended.abort();
    expect(await gone).toBe('cancelled');
    await vi.waitFor(async () => expect(await page.call('approvals.list', {})).toEqual([]), 5000);
    await expect(page.call('approvals.answer', { id, decision: 'once' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('asks the agent itself where no page is open', async () => {
    await open(asking);
    const client = await agent({ elicitation: {} });
    client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { confirm: true } }));
    expect((await call(client, 'call_tool', echo)).isError).toBe(false);
  });
});

describe('settings', () => {
  it('keeps a change, and leaves the rest as it was', async () => {
    const page = await open();
    const before = await page.call('settings.get', {});
    const after = await page.call('settings.update', {
      changes: { app: { appearance: 'dark' }, limits: { maxFileBytes: 1000 } },
    });
    expect(after).toEqual({
      ...before,
      app: { ...before.app, appearance: 'dark' },
      limits: { ...before.limits, maxFileBytes: 1000 },
    });
    expect(await page.call('settings.get', {})).toEqual(after);
  });

  it('moves the server to another port, or stays where it is', async () => {
    const page = await open();
    const old = services.server.state();
    const blocker = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => blocker.once('listening', resolve));
    const { port } = blocker.address() as { port: number };
    await expect(page.call('settings.update', { changes: { port } })).rejects.toThrow(String(port));
    expect(services.server.state()).toEqual(old);
    await new Promise((resolve) => blocker.close(resolve));
    await page.call('settings.update', { changes: { port } });
    expect(services.server.state().port).toBe(port);
    expect((await call(await agent(), 'call_tool', echo)).isError).toBe(false);
  });

  it('renews a token: the old one opens nothing any more, and its session ends', async () => {
    const page = await open();
    const client = await agent();
    const token = await services.server.tokens.issue('default');
    const { tokens } = await page.call('tokens.rotate', { client: 'default' });
    expect(tokens[0]?.shown).not.toBe(`…${token.slice(-4)}`);
    await expect(client.callTool({ name: 'call_tool', arguments: echo })).rejects.toThrow();
    expect((await call(await agent(), 'call_tool', echo)).isError).toBe(false);
    expect(JSON.stringify(tokens)).not.toContain(token);
  });

  it('refuses a folder for answers that is a file, and one that is no full path', async () => {
    const page = await open();
    for (const folder of [at('files', 'users.csv'), 'answers']) {
      await expect(page.call('settings.update', { changes: { responses: { folder } } })).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
      });
    }
    expect((await page.call('settings.get', {})).responses.folder).toBeNull();
  });

  it('goes back to defaults and keeps folders and servers, or forgets them too', async () => {
    const page = await open();
    await page.call('settings.update', { changes: { app: { language: 'de', welcomed: true } } });
    const reset = await page.call('settings.reset', { everything: false });
    expect(reset.app).toMatchObject({ language: 'system', welcomed: true });
    expect(await page.call('folders.list', {})).toHaveLength(1);
    const gone = await page.call('settings.reset', { everything: true });
    expect(gone.app.welcomed).toBe(false);
    expect(await page.call('folders.list', {})).toEqual([]);
    expect(await page.call('upstreams.list', {})).toEqual([]);
  });

  it('says where starting at login can be set', async () => {
    const page = await open();
    await expect(page.call('settings.setStartAtLogin', { enabled: true })).rejects.toMatchObject({ hint: expect.any(String) });
  });
});

describe('activity', () => {
  it('tells of a call as it happens, with its receipt, its place and the words of its failure', async () => {
    const page = await open();
    const client = await agent();
    const heard: string[] = [];
    page.on('ledger.appended', (entry) => heard.push(`${entry.tool} ${entry.outcome}`));
    await call(client, 'call_tool_with_file_content', {
      server: 'db',
      tool_name: 'echo',
      path: at('files', 'users.csv'),
      data_key: 'rows',
    });
    await call(client, 'call_tool', { ...echo, tool_name: 'no_such_tool' });
    await vi.waitFor(() => expect(heard).toEqual(['echo ok', 'no_such_tool failed']));
    const { entries, total } = await page.call('ledger.find', { filter: { text: 'users' }, offset: 0, limit: 10 });
    expect(total).toBe(1);
    expect(entries[0]).toMatchObject({ dataKeys: ['rows'], receipt: { recordsAccepted: 2, recordsFailed: 0, batches: 1 } });
    const failed = await page.call('ledger.find', { filter: { outcomes: ['failed'] }, offset: 0, limit: 1 });
    const detail = await page.call('ledger.get', { id: failed.entries[0]?.id ?? '' });
    expect(detail.message).toContain('no_such_tool');
    expect(await readFile(at('data', 'ledger.jsonl'), 'utf8')).not.toContain('00501');
    const { all } = await page.call('ledger.totals', {});
    expect(all.tokensTyped + all.tokensRead).toBe(all.tokensMeasured + all.tokensEstimated);
    const csv = await page.call('ledger.export', { filter: {}, format: 'csv' });
    expect(csv.text.split('\r\n')).toHaveLength(4);
    const json = await page.call('ledger.export', { filter: { servers: ['db'] }, format: 'json' });
    expect(JSON.parse(json.text)).toHaveLength(2);
  });
});
