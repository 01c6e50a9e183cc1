import { describe, expect, it } from 'vitest';
import type { EventMessage } from '../../shared/contract/wire.ts';
import type { LedgerEntry, Totals } from '../../shared/model/call.ts';
import { type Config, configSchema } from '../../shared/model/config.ts';
import { AppError } from '../../shared/model/errors.ts';
import type { UpstreamStatus } from '../upstream/types.ts';
import { type AgentServer, type ApiDeps, createApi } from './api.ts';

const token = 'a-token-that-nobody-should-see-unasked';
const idle: UpstreamStatus = {
  name: 'db',
  type: 'stdio',
  state: 'idle',
  lastError: null,
  serverInfo: null,
  protocolVersion: null,
  toolCount: null,
};
const entry: LedgerEntry = {
  id: '1',
  time: '2026-11-21T10:00:00.000Z',
  client: 'Claude',
  kind: 'file_call',
  server: 'db',
  tool: 'bulk_insert',
  paths: ['/data/users.csv'],
  inputBytes: 10,
  sentBytes: 20,
  records: 2,
  calls: 1,
  durationMs: 5,
  outcome: 'ok',
  errorCode: null,
  savings: { arguments: { count: 7, method: 'measured' }, answer: { count: 0, method: 'measured' } },
  storedPath: null,
};
const none: Totals = { calls: 0, failed: 0, inputBytes: 0, sentBytes: 0, records: 0, tokensMeasured: 0, tokensEstimated: 0 };

/** The services reduced to what the API asks of them, with handles to make things happen. */
function opened(parts: { server?: AgentServer; tools?: () => Promise<UpstreamStatus>; problems?: string[] } = {}) {
  let state: UpstreamStatus = idle;
  const hooks: { append?: (entry: LedgerEntry) => void; config?: (config: Config) => void } = {};
  const refuse = async (): Promise<never> => {
    throw new Error('not asked for here');
  };
  const deps: ApiDeps = {
    config: {
      path: '/home/ann/config.json',
      problems: parts.problems ?? [],
      current: () => configSchema.parse({ version: 1 }),
      update: refuse,
      onChange(listener) {
        hooks.config = listener;
        return () => undefined;
      },
    },
    ledger: {
      append: refuse,
      totals: async () => ({ all: none, today: none }),
      recent: async (limit) => [entry, { ...entry, id: '0' }].slice(0, limit),
      onAppend(listener) {
        hooks.append = listener;
        return () => undefined;
      },
      close: async () => undefined,
    },
    files: {
      folders: async () => [
        { path: '/data', access: 'read', realPath: '/data' },
        { path: '/gone', access: 'read-write', realPath: null },
      ],
      open: refuse,
      create: refuse,
    },
    upstreams: {
      names: () => ['db'],
      config(name) {
        if (name !== 'db') throw new AppError('UPSTREAM_UNKNOWN', `No server '${name}'`);
        return configSchema.parse({ version: 1, upstreams: { db: { type: 'stdio', command: 'x' } } }).upstreams.db as never;
      },
      status: () => [state],
      async tools() {
        state = await (parts.tools?.() ?? refuse());
        return [];
      },
      tool: refuse,
      maxMessageBytes: () => 1,
      callTool: refuse,
      onToolsChanged: () => () => undefined,
      configure: refuse,
      close: async () => undefined,
    },
    server: () => parts.server ?? { url: 'http://127.0.0.1:7337/mcp', port: 7337, problem: null },
    agentToken: async () => token,
    launch: { command: 'node', args: ['/app/cli.js', 'serve', '--stdio'] },
    version: '1.2.3',
    log: () => undefined,
    pollMs: 5,
  };
  return { api: createApi(deps), hooks, become: (next: UpstreamStatus) => (state = next) };
}

describe('the API', () => {
  it('says whether and where agents can connect', async () => {
    expect(await opened().api.request('status.get', {})).toMatchObject({
      ok: true,
      value: { state: 'running', url: 'http://127.0.0.1:7337/mcp', version: '1.2.3' },
    });
    const stopped = opened({ server: { url: null, port: 7337, problem: 'Port 7337 is taken' }, problems: ['config was broken'] });
    expect(await stopped.api.request('status.get', {})).toMatchObject({
      value: { state: 'stopped', url: null, problems: ['config was broken', 'Port 7337 is taken'] },
    });
  });

  it('lists folders with their access and whether they are there', async () => {
    expect(await opened().api.request('folders.list', {})).toEqual({
      ok: true,
      value: [
        { path: '/data', access: 'read', exists: true },
        { path: '/gone', access: 'read-write', exists: false },
      ],
    });
  });

  it('keeps the token to itself until it is asked for', async () => {
    const { api } = opened();
    expect(JSON.stringify(await api.request('agent.snippet', { reveal: false }))).not.toContain(token);
    const shown = await api.request('agent.snippet', { reveal: true });
    expect(shown).toMatchObject({ ok: true, value: { http: { config: expect.stringContaining(`Bearer ${token}`) } } });
  });

  it('gives a stdio block an agent can start as it stands', async () => {
    const answer = await opened().api.request('agent.snippet', { reveal: false });
    if (!answer.ok) throw new Error(answer.error.message);
    const { stdio } = answer.value as { stdio: string };
    expect(JSON.parse(stdio)).toEqual({
      mcpServers: { filebridge: { command: 'node', args: ['/app/cli.js', 'serve', '--stdio'] } },
    });
  });

  it('reports a server that fails its check as a state, and an unknown one as an error', async () => {
    const failing = opened({
      tools: async () => {
        throw new AppError('UPSTREAM_UNREACHABLE', 'spawn npx ENOENT');
      },
    });
    expect(await failing.api.request('upstreams.check', { name: 'db' })).toMatchObject({ ok: true, value: { name: 'db' } });
    expect(await failing.api.request('upstreams.check', { name: 'nope' })).toMatchObject({ error: { code: 'UPSTREAM_UNKNOWN' } });
    const well = opened({ tools: async () => ({ ...idle, state: 'ready', toolCount: 3 }) });
    expect(await well.api.request('upstreams.check', { name: 'db' })).toMatchObject({ value: { state: 'ready', toolCount: 3 } });
  });

  it('tells listeners of new calls, changed servers and changed settings, until they leave', async () => {
    const { api, hooks, become } = opened();
    const heard: EventMessage[] = [];
    const leave = api.subscribe((event) => heard.push(event));
    hooks.append?.(entry);
    hooks.config?.(configSchema.parse({ version: 1 }));
    expect(heard.map(({ name }) => name)).toEqual(['ledger.appended', 'status.changed']);
    become({ ...idle, state: 'failed', lastError: 'it ended' });
    await expect.poll(() => heard.at(-1)).toMatchObject({ name: 'upstreams.changed', payload: [{ lastError: 'it ended' }] });
    leave();
    hooks.append?.(entry);
    expect(heard).toHaveLength(3);
    api.close();
  });
});
