import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import type { PresentAgent } from '../../../shared/contract/agents.ts';
import { eventually } from '../../../shared/lib/fixtures/eventually.ts';
import { stdioEndpoint } from '../../server/fixtures/endpoints.ts';
import { type Agent, connectAgent, eras } from '../fixtures/agents.ts';
import { type RunningApi, startApi } from '../fixtures/api.ts';
import { openTestHome } from '../fixtures/home.ts';

const plainServer = fileURLToPath(new URL('../../upstream/fixtures/plain-server.mjs', import.meta.url));
const db = { type: 'stdio', command: process.execPath, args: [plainServer] };

let running: RunningApi;
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function open(): Promise<RunningApi> {
  running = await startApi({
    config: (root) => {
      const files = path.join(root, 'files');
      mkdirSync(files);
      writeFileSync(path.join(files, 'users.csv'), `name\n${'Ann\n'.repeat(50)}`);
      return { folders: [{ path: files }], upstreams: { db } };
    },
  });
  ends.push(running.close);
  return running;
}

const present = async (): Promise<PresentAgent[]> => (await running.ask('agents.present', {})).agents;
const send = (agent: Agent) =>
  agent.call('call_tool_with_file_content', {
    server: 'db',
    tool_name: 'echo',
    path: path.join(running.root, 'files', 'users.csv'),
    data_key: 'rows',
  });

describe.each(eras)('an agent of %s over HTTP', (era) => {
  it('is here once it has introduced itself, with its calls and what they saved', async () => {
    const { services, heard } = await open();
    expect(await present()).toEqual([]);
    const agent = await connectAgent(services, era, { name: 'cursor-vscode' });
    ends.push(() => agent.close());
    await agent.tools();
    await eventually(async () => expect(await present()).toHaveLength(1));
    expect(await present()).toMatchObject([
      { name: 'Cursor', version: '1', app: 'cursor', connected: true, transports: ['http'], calls: 0 },
    ]);
    expect(heard('agents.moved').length).toBeGreaterThan(0);
    await send(agent);
    const [agentNow] = await present();
    expect(agentNow).toMatchObject({ calls: 1, since: expect.any(String) });
    expect((agentNow?.tokensMeasured ?? 0) + (agentNow?.tokensEstimated ?? 0)).toBeGreaterThan(20);
  });
});

it('is gone when its stream over HTTP ends, and stays in the list', async () => {
  const { services } = await open();
  const agent = await connectAgent(services, '2025', { name: 'listener' });
  await agent.tools();
  await eventually(async () => expect(await present()).toMatchObject([{ connected: true }]));
  await agent.close();
  await eventually(async () => expect(await present()).toMatchObject([{ name: 'listener', connected: false, since: null }]));
});

it.each(['v1 SDK, 2025', 'v2 SDK, 2026'] as const)('an agent over stdio (%s) is here until its pipes close', async (kind) => {
  const { runtime } = (await open()).services;
  const endpoint = stdioEndpoint(runtime.calls, runtime.sources, runtime.present);
  const host = await endpoint.connect(kind, { name: 'claude-code' });
  await host.request('tools/list');
  await eventually(async () =>
    expect(await present()).toMatchObject([{ name: 'Claude Code', app: 'claude-code', connected: true, transports: ['stdio'] }]),
  );
  await host.close();
  await endpoint.close();
  await eventually(async () => expect(await present()).toMatchObject([{ name: 'Claude Code', connected: false }]));
});

it('knows agents of earlier days by their calls, and the person is none', async () => {
  const { services } = await open();
  const line = (client: string, tokens: number) =>
    JSON.stringify({
      id: client,
      time: '2026-01-02T03:04:05.000Z',
      client,
      kind: 'file_call',
      server: 'db',
      tool: 'echo',
      paths: [],
      inputBytes: 1,
      sentBytes: 1,
      records: 1,
      calls: 1,
      durationMs: 1,
      outcome: 'ok',
      errorCode: null,
      savings: { arguments: { count: tokens, method: 'measured' }, answer: { count: 5, method: 'estimated' } },
      storedPath: null,
    });
  appendFileSync(
    path.join(services.runtime.dataDirectory, 'ledger.jsonl'),
    `${line('Zed', 100)}\n${line('Zed', 20)}\n${line('Filebridge app', 1)}\n`,
  );
  expect(await present()).toEqual([
    {
      name: 'Zed',
      version: null,
      app: 'zed',
      connected: false,
      transports: [],
      since: null,
      lastSeen: '2026-01-02T03:04:05.000Z',
      calls: 2,
      tokensMeasured: 120,
      tokensEstimated: 10,
    },
  ]);
});

it('waits for an app that was set up, until it connects', async () => {
  const home = await openTestHome();
  ends.push(home.close);
  await home.file('.cursor/mcp.json', '{}');
  const { ask, services } = await open();
  const awaited = async () => (await ask('agents.present', {})).awaited;
  await ask('agents.connect', { id: 'cursor' });
  expect(await awaited()).toEqual(['cursor']);
  const agent = await connectAgent(services, '2025', { name: 'cursor-vscode' });
  ends.push(() => agent.close());
  await eventually(async () => expect(await awaited()).toEqual([]));
  await ask('agents.connect', { id: 'cursor' });
  await ask('agents.disconnect', { id: 'cursor' });
  expect(await awaited()).toEqual([]);
});
