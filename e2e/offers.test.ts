/** Prompts, resources, templates and completions of servers: through Filebridge as they are directly, and never another server's. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixturePath } from '../electron/upstream/fixtures/support.ts';
import { eventually } from '../shared/lib/fixtures/eventually.ts';
import { cliFile } from './support/cli.ts';
import { changeConfig, type Home, openHome } from './support/filebridge.ts';
import { type ClientKind, type JsonObject, type McpClient, openClient } from './support/mcp-clients.ts';
import { openRawClient } from './support/raw-client.ts';
import { everything, fixtureServer } from './support/upstreams.ts';

const kinds: readonly ClientKind[] = ['v1', 'v2 negotiating'];
const environment = process.env as Record<string, string>;
let direct: McpClient;
beforeAll(async () => {
  const { command, args } = everything();
  direct = await openClient('v1', { command, args, env: environment, onStderr: () => undefined });
});
afterAll(() => direct?.close());

async function openAgent(kind: ClientKind, home: Home): Promise<McpClient> {
  return openClient(kind, {
    command: process.execPath,
    args: [cliFile, 'serve', '--stdio'],
    env: home.env,
    onStderr: () => undefined,
  });
}

/** A server that is slow to start is listed without what it offers, at first. */
const offered = (agent: McpClient, servers: number) =>
  eventually(async () => {
    const { prompts } = (await agent.request('prompts/list')) as { prompts: { name: string }[] };
    expect(new Set(prompts.map(({ name }) => name.split('__', 1)[0])).size).toBe(servers);
  });

const offeredTool = (agent: McpClient, tool: string) =>
  eventually(async () => expect((await agent.tools()).map(({ name }) => name)).toContain(tool));

const without = ({ resultType: _t, ttlMs: _l, cacheScope: _s, _meta, ...rest }: JsonObject) => {
  const { 'io.modelcontextprotocol/serverInfo': _, ...meta } = (_meta ?? {}) as JsonObject;
  return Object.keys(meta).length === 0 ? rest : { ...rest, _meta: meta };
};

describe.each(kinds)('what one server offers, to a client (%s)', (kind) => {
  let home: Home;
  let agent: McpClient;
  beforeAll(async () => {
    home = await openHome({ expose: { fileTools: false, upstreamTools: 'companions' } });
    await changeConfig(home, { upstreams: { every: everything() } });
    agent = await openAgent(kind, home);
    await offered(agent, 1);
  });
  afterAll(async () => {
    await agent?.close();
    await home?.workspace.remove();
  });
  const ask = async (method: string, params: JsonObject = {}) => without(await agent.request(method, params));

  it('are its prompts, with its name before theirs', async () => {
    const { prompts: there } = (await direct.request('prompts/list')) as { prompts: JsonObject[] };
    expect(there.length).toBeGreaterThan(2);
    expect(await ask('prompts/list')).toEqual({ prompts: there.map((each) => ({ ...each, name: `every__${each.name}` })) });
  });

  it.each([
    ['simple-prompt', undefined],
    ['args-prompt', { city: 'Ulm', state: 'BW' }],
    ['resource-prompt', { resourceType: 'Text', resourceId: '2' }],
  ])('is the prompt %s', async (name, args) => {
    const params = args === undefined ? {} : { arguments: args };
    const plain = (result: JsonObject) => JSON.stringify(result).replaceAll(/\d+:\d+:\d+[^"]*|\d{4}-\d\d-\d\dT[^"]*/g, 'time');
    expect(plain(await ask('prompts/get', { name: `every__${name}`, ...params }))).toBe(
      plain(await direct.request('prompts/get', { name, ...params })),
    );
  });

  it('are its resources and templates', async () => {
    for (const method of ['resources/list', 'resources/templates/list'])
      expect(await ask(method)).toEqual(await direct.request(method));
  });

  it('are the contents of what it lists and of what fits a template', async () => {
    const { resources } = (await direct.request('resources/list')) as { resources: { uri: string }[] };
    const uris = [resources[0]?.uri ?? '', 'demo://resource/dynamic/text/3', 'demo://resource/dynamic/blob/4'];
    for (const uri of uris) {
      const read = (result: JsonObject) => (result.contents as JsonObject[]).map(({ uri, mimeType }) => ({ uri, mimeType }));
      const there = await direct.request('resources/read', { uri });
      expect(read(await ask('resources/read', { uri }))).toEqual(read(there));
    }
    await expect(ask('resources/read', { uri: 'demo://nothing' })).rejects.toThrow('does not exist');
    await expect(ask('resources/read', { uri: 'file:///etc/passwd' })).rejects.toThrow('does not exist');
  });

  it('are its completions', async () => {
    const asked = [
      { ref: { type: 'ref/prompt', name: 'completable-prompt' }, argument: { name: 'department', value: 'E' } },
      {
        ref: { type: 'ref/resource', uri: 'demo://resource/dynamic/text/{resourceId}' },
        argument: { name: 'resourceId', value: '1' },
      },
    ];
    for (const params of asked) {
      const there = await direct.request('completion/complete', params);
      const ref = params.ref.type === 'ref/prompt' ? { ...params.ref, name: `every__${params.ref.name}` } : params.ref;
      expect(await ask('completion/complete', { ...params, ref })).toEqual(there);
    }
  });

  it('is its error, with its code', async () => {
    const params = { name: 'args-prompt', arguments: {} };
    const { code, message } = (await direct.request('prompts/get', params).catch((error: unknown) => error)) as {
      code: number;
      message: string;
    };
    const failed = (await ask('prompts/get', { ...params, name: 'every__args-prompt' }).catch((error: unknown) => error)) as {
      code: number;
      message: string;
    };
    expect(failed.code).toBe(code);
    expect(message).toContain(failed.message.replace(/^MCP error -?\d+: /, ''));
    await expect(ask('prompts/get', { name: 'every__simple-promt' })).rejects.toThrow('every__simple-prompt');
  });

  it('is nothing that the deny list names, and nothing while Filebridge is off for servers', async () => {
    await changeConfig(home, { upstreams: { every: { ...everything(), tools: { deny: ['simple-prompt'] } } } });
    await expect
      .poll(async () => ((await ask('prompts/list')).prompts as { name: string }[]).map(({ name }) => name))
      .not.toContain('every__simple-prompt');
    await expect(ask('prompts/get', { name: 'every__simple-prompt' })).rejects.toThrow('Unknown prompt');
    await changeConfig(home, { expose: { fileTools: false, upstreamTools: 'none' } });
    await expect.poll(async () => (await ask('prompts/list')).prompts).toEqual([]);
    expect(await ask('resources/list')).toEqual({ resources: [] });
  });
});

describe('what two servers offer under one name', () => {
  let home: Home;
  let agent: McpClient;
  const tool = { name: 'find', inputSchema: { type: 'object' } };
  const linking = (uri: string) => ({ content: [{ type: 'resource_link', uri, name: 'page' }] });
  beforeAll(async () => {
    home = await openHome({ expose: { fileTools: false, upstreamTools: 'companions' } });
    const scripted = async (name: string) => {
      const script = {
        tools: [tool],
        results: { find: linking('site://page/1') },
        prompts: [{ name: 'greet', description: `Greets from ${name}` }],
        resources: [{ uri: 'site://home', name: 'home' }],
        read: { 'site://home': `home of ${name}`, 'site://page/1': `page of ${name}`, 'site://hidden': 'hidden' },
      };
      return fixtureServer('scripted.mjs', [
        await home.workspace.file(`${name}.json`, JSON.stringify(script)),
        home.workspace.at(`${name}.ndjson`),
      ]);
    };
    await changeConfig(home, { upstreams: { one: await scripted('one'), two: await scripted('two') } });
    agent = await openAgent('v1', home);
    await offered(agent, 2);
  });
  afterAll(async () => {
    await agent?.close();
    await home?.workspace.remove();
  });
  const read = async (uri: string) =>
    ((await agent.request('resources/read', { uri })).contents as { uri: string; text: string }[])[0];

  it('are marked with the server, each', async () => {
    const { prompts } = (await agent.request('prompts/list')) as { prompts: { name: string }[] };
    expect(prompts.map(({ name }) => name)).toEqual(['one__greet', 'two__greet']);
    const { resources } = (await agent.request('resources/list')) as { resources: { uri: string }[] };
    const uris = resources.map(({ uri }) => uri);
    expect(uris).toEqual(['filebridge://one/site://home', 'filebridge://two/site://home']);
    for (const [index, name] of ['one', 'two'].entries())
      expect(await read(uris[index] ?? '')).toEqual({ uri: uris[index], text: `home of ${name}` });
    await expect(read('site://home')).rejects.toThrow('filebridge://two/site://home');
  });

  it('are read at the server that linked to them, once it has', async () => {
    await expect(read('site://page/1')).rejects.toThrow('does not exist');
    await agent.call('two__find', {});
    expect(await read('site://page/1')).toEqual({ uri: 'site://page/1', text: 'page of two' });
    await expect(read('site://hidden')).rejects.toThrow('does not exist');
    await expect(read('filebridge://two/site://hidden')).rejects.toThrow('does not exist');
    const other = await openAgent('v1', home);
    try {
      await expect(other.request('resources/read', { uri: 'site://page/1' })).rejects.toThrow('does not exist');
    } finally {
      await other.close();
    }
  });
});

describe('what servers said in an earlier run', () => {
  it('is offered at once at the next start, and their instructions are in ours, with their name', async () => {
    const home = await openHome({ expose: { fileTools: false, upstreamTools: 'companions' } });
    await changeConfig(home, { upstreams: { every: everything() } });
    const first = await openAgent('v1', home);
    await offered(first, 1);
    await first.tools();
    await first.close();
    const raw = await openRawClient('2025-11-25', home.env);
    try {
      expect(raw.instructions).toMatch(/\nServer every says of itself: \S.{20,400}…?$/);
      const asked = JSON.parse(await raw.request('resources/templates/list')) as { result: { resourceTemplates: unknown[] } };
      expect(asked.result.resourceTemplates.length).toBe(2);
    } finally {
      await raw.close();
      await home.workspace.remove();
    }
  });
});

describe('a resource that a client subscribed to', () => {
  it('is announced when its server announces a change, and no more after that', async () => {
    const home = await openHome({ expose: { fileTools: false, upstreamTools: 'companions' } });
    const memo = { type: 'stdio', command: process.execPath, args: [fixturePath('changing-resource.mjs')] };
    await changeConfig(home, { upstreams: { memo } });
    const updated: string[] = [];
    const agent = await openClient(
      'v1',
      { command: process.execPath, args: [cliFile, 'serve', '--stdio'], env: home.env, onStderr: () => undefined },
      { onResourceUpdated: (uri) => updated.push(uri) },
    );
    try {
      const touch = async () => (await agent.call('memo__touch')).text;
      await offeredTool(agent, 'memo__touch');
      await agent.request('resources/subscribe', { uri: 'memo://one' });
      expect(await touch()).toBe('1');
      await eventually(() => expect(updated).toEqual(['memo://one']));
      await agent.request('resources/unsubscribe', { uri: 'memo://one' });
      await eventually(async () => expect(await touch()).toBe('0'));
      await expect(agent.request('resources/subscribe', { uri: 'memo://\\' })).rejects.toThrow();
    } finally {
      await agent.close();
      await home.workspace.remove();
    }
  });
});

describe('a prompt or resource', () => {
  let home: Home;
  let agent: McpClient;
  beforeAll(async () => {
    home = await openHome({ expose: { fileTools: false, upstreamTools: 'companions' } });
    const asks = (confirm: string) => ({ ...everything(), confirm });
    await changeConfig(home, { upstreams: { every: asks('writes'), careful: asks('always') } });
    agent = await openAgent('v1', home);
    await offered(agent, 2);
  });
  afterAll(async () => {
    await agent?.close();
    await home?.workspace.remove();
  });
  const lines = async () => {
    const names = await readdir(home.dataDirectory, { recursive: true });
    const files = names.filter((name) => /(?:calls|ledger)[^/\\]*\.jsonl$/.test(name));
    const texts = await Promise.all(files.map((name) => readFile(path.join(home.dataDirectory, name), 'utf8')));
    return texts
      .flatMap((text) => text.split('\n'))
      .filter((line) => line.includes('"outcome"'))
      .map((line) => JSON.parse(line) as { server: string; tool: string; outcome: string })
      .map(({ server, tool, outcome }) => `${server} ${tool} ${outcome}`);
  };

  it('needs an approval where every call does, is refused while paused, and is in the ledger each time', async () => {
    const uri = 'demo://resource/dynamic/text/1';
    const get = (name: string) => agent.request('prompts/get', { name });
    expect(await get('every__simple-prompt')).toHaveProperty('messages');
    await expect(get('careful__simple-prompt')).rejects.toThrow(/approval|approve/i);
    await expect(agent.request('resources/read', { uri: `filebridge://careful/${uri}` })).rejects.toThrow(/approval|approve/i);
    const paused = path.join(home.dataDirectory, 'paused.json');
    await writeFile(paused, JSON.stringify({ pid: process.pid, host: os.hostname(), nonce: '0123456789abcdef' }));
    await expect(get('every__simple-prompt')).rejects.toThrow(/paused/);
    await expect
      .poll(lines)
      .toEqual([
        'every prompts/get simple-prompt ok',
        'careful prompts/get simple-prompt refused',
        `careful resources/read ${uri} refused`,
        'every prompts/get simple-prompt blocked',
      ]);
  });
});
