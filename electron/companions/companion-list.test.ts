/** Tests which companions are offered while servers come, go, change and fail, and the configuration changes. */
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../shared/lib/fixtures/eventually.ts';
import { type Endpoint, kinds, stdioEndpoint } from '../server/fixtures/endpoints.ts';
import { hostFaults } from '../server/fixtures/host-rules.ts';
import type { PublishedTool } from '../server/tool-source.ts';
import type { JsonObject, UpstreamTool } from '../upstream/types.ts';
import { type Companions, openCompanions } from './fixtures/companions.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function open(...given: Parameters<typeof openCompanions>): Promise<Companions> {
  const companions = await openCompanions(...given);
  ends.push(() => companions.close());
  return companions;
}

const tool = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  ...more,
});
const namesOf = async ({ source }: Companions) => (await source.list()).map(({ name }) => name);
const caller = { signal: new AbortController().signal, client: 'test', progress: () => undefined, log: () => undefined };

describe.each(kinds)('a host with the %s', (kind) => {
  it('is told when tools come and go, and when a server is switched off and on', async () => {
    const companions = await open({ s: [tool('one'), tool('reload')] });
    const endpoint: Endpoint = stdioEndpoint(companions.service, [companions.source]);
    ends.push(() => endpoint.close());
    let told = 0;
    const host = await endpoint.connect(kind, { onToolsChanged: () => (told += 1) });
    ends.push(() => host.close());
    const offered = async () =>
      ((await host.request('tools/list')).tools as JsonObject[]).flatMap(({ name }) =>
        String(name).includes('__') ? [name] : [],
      );
    const toldBy = async (change: () => Promise<unknown>) => {
      const before = told;
      await change();
      await eventually(() => expect(told).toBeGreaterThan(before));
    };
    expect(await offered()).toEqual(['s__one', 's__reload']);
    expect(told).toBe(0);
    await companions.redefine('s', [tool('two'), tool('reload')]);
    await toldBy(() => host.callTool('s__reload', {}));
    expect(await offered()).toEqual(['s__two', 's__reload']);
    const enable = (enabled: boolean) =>
      companions.configure((config) => {
        const { s } = config.upstreams;
        return s ? { ...config, upstreams: { s: { ...s, enabled } } } : config;
      });
    await toldBy(() => enable(false));
    expect(await offered()).toEqual([]);
    await toldBy(() => enable(true));
    expect(await offered()).toEqual(['s__two', 's__reload']);
    await toldBy(() => companions.configure((config) => ({ ...config, expose: { ...config.expose, upstreamTools: 'search' } })));
    expect(await offered()).toEqual([]);
  });
});

it('forgets the tools of a removed server, even if one of its name returns and fails', async () => {
  const companions = await open({ s: [tool('one')], other: [tool('two')] });
  expect(await namesOf(companions)).toEqual(['s__one', 'other__two']);
  await companions.configure(({ upstreams: { s: _, ...rest }, ...config }) => ({ ...config, upstreams: rest }));
  expect(await namesOf(companions)).toEqual(['other__two']);
  const dead = {
    type: 'stdio' as const,
    command: '/no/such/program',
    args: [],
    env: {},
    cwd: null,
    enabled: true,
    confirm: 'never' as const,
  };
  await companions.configure((config) => ({ ...config, upstreams: { ...config.upstreams, s: dead } }));
  expect(await namesOf(companions)).toEqual(['other__two']);
});

it('leaves out tools that the configuration denies', async () => {
  const companions = await open({ s: [tool('one'), tool('two'), tool('three')] });
  const lists = (tools: { allow?: string[]; deny?: string[] }) =>
    companions.configure((config) => {
      const { s } = config.upstreams;
      return s ? { ...config, upstreams: { s: { ...s, tools } } } : config;
    });
  await lists({ deny: ['two'] });
  expect(await namesOf(companions)).toEqual(['s__one', 's__three']);
  expect(await companions.source.has?.('s__two')).toBe(false);
  await lists({ allow: ['two'] });
  expect(await namesOf(companions)).toEqual(['s__two']);
});

describe('what a server listed in an earlier run', () => {
  const mute = { type: 'stdio' as const, command: process.execPath, args: ['-e', 'process.stdin.resume()'] };

  it('is published at once, although the server never answers', async () => {
    const remembered = async (name: string) => (name === 'mute' ? [tool('old') as UpstreamTool] : undefined);
    const companions = await open({ s: [tool('one')] }, { mute }, { remembered, firstWaitMs: 600_000 });
    expect(await namesOf(companions)).toEqual(['s__one', 'mute__old']);
    expect(await companions.source.has?.('mute__old')).toBe(true);
  });

  it('is replaced by what it lists now, which is announced; a call of a tool that is gone says so', async () => {
    const remembered = async () => [tool('one', { description: 'before' }), tool('gone')] as UpstreamTool[];
    const companions = await open({ s: [tool('one', { description: 'now' })] }, {}, { remembered });
    let told = 0;
    const stop = companions.source.onChange?.(() => {
      told += 1;
    });
    expect(await namesOf(companions)).toEqual(['s__one', 's__gone']);
    const gone = await companions.source.call('s__gone', {}, caller);
    expect(gone).toMatchObject({ isError: true });
    expect(String(gone?.content[0]?.text)).toContain("Server 's' has no tool that is called 's__gone' here");
    await eventually(() => expect(told).toBe(1));
    const [one, ...others] = await companions.source.list();
    expect([one?.description, others]).toEqual(['now', []]);
    expect(await companions.source.has?.('s__gone')).toBe(false);
    stop?.();
  });

  it('is not announced where nothing changed, and calls go by what the server lists now', async () => {
    const remembered = async () => [tool('one')] as UpstreamTool[];
    const companions = await open({ s: [tool('one')] }, {}, { remembered });
    let told = 0;
    const stop = companions.source.onChange?.(() => {
      told += 1;
    });
    expect(await namesOf(companions)).toEqual(['s__one']);
    expect((await companions.source.call('s__one', { text: 'x' }, caller))?.content[0]?.text).toBe('{"text":"x"}');
    expect(told).toBe(0);
    stop?.();
  });
});

describe('a server that does not answer', () => {
  const mute = { type: 'stdio' as const, command: process.execPath, args: ['-e', 'process.stdin.resume()'] };

  it('delays no list a second time, and no call of another server', async () => {
    const companions = await open(
      { s: [tool('one')] },
      { mute, dead: { type: 'stdio', command: '/no/such/program' } },
      { firstWaitMs: 1 },
    );
    expect(await companions.source.has?.('s__one')).toBe(true);
    expect(companions.upstreams.status('mute')[0]?.state).toBe('idle');
    expect(await namesOf(companions)).toEqual(['s__one']);
    expect(companions.upstreams.status('mute')[0]?.state).toBe('connecting');
    // Waiting for it would take until the connection timeout.
    for (let again = 0; again < 20; again += 1) expect(await namesOf(companions)).toEqual(['s__one']);
    expect(companions.upstreams.status('mute')[0]?.state).toBe('connecting');
  });

  it('is named by the failure of a call of its tools', async () => {
    const companions = await open({ s: [tool('one')] }, { dead: { type: 'stdio', command: '/no/such/program' } });
    expect(await companions.source.has?.('dead__insert')).toBe(true);
    const result = await companions.source.call('dead__insert', {}, caller);
    expect(result).toMatchObject({ isError: true });
    expect(JSON.parse(String(result?.content[0]?.text))).toMatchObject({
      error: expect.stringContaining("Server 'dead' could not be started"),
      tool: 'dead:insert',
    });
    expect(await companions.source.has?.('unknown__insert')).toBe(false);
    expect(await companions.source.has?.('s__insert')).toBe(false);
  });

  it('is announced once it does', async () => {
    const companions = await open({ s: [tool('one')] }, {}, { firstWaitMs: 1 });
    const { command, args } = companions.upstreams.config('s') as { command: string; args: string[] };
    const gate = path.join(companions.directory, 'gate');
    const behindGate = `const look = () => (require('fs').existsSync(${JSON.stringify(gate)}) ? import(process.argv[1]) : setTimeout(look, 20)); look();`;
    expect(await companions.source.has?.('s__one')).toBe(true);
    await companions.configure((config) => ({
      ...config,
      upstreams: {
        ...config.upstreams,
        late: { type: 'stdio', command, args: ['-e', behindGate, ...args], env: {}, cwd: null, enabled: true, confirm: 'never' },
      },
    }));
    let told = 0;
    const stop = companions.source.onChange?.(() => (told += 1));
    expect(await namesOf(companions)).toEqual(['s__one']);
    expect(told).toBe(0);
    await companions.file('gate', '');
    await eventually(() => expect(told).toBe(1));
    expect(await namesOf(companions)).toEqual(['s__one', 'late__one']);
    stop?.();
  });
});

describe('names', () => {
  it('tell servers and tools apart that read alike, and are never too long', async () => {
    const long = 'a_tool_whose_name_goes_on_and_on_and_on_and_on_and_on_and_on_x';
    const companions = await open({
      'my db': [tool('get')],
      my_db: [tool('get'), tool('get.all'), tool('get all'), tool(long), tool(`${long}y`)],
      my: [tool('db__get')],
      my__db: [tool('get')],
    });
    const names = await namesOf(companions);
    expect(new Set(names).size).toBe(8);
    for (const name of names) expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,46}$/);
    expect(names).toContain('my_db__get');
    // Two pairs could have that name, so neither has it.
    expect(names).not.toContain('my__db__get');
    const texts = await Promise.all(
      names.map(async (name) => (await companions.source.call(name, { text: name }, caller))?.content[0]?.text),
    );
    expect(texts).toEqual(names.map((name) => JSON.stringify({ text: name })));
    expect(companions.ledger.map(({ server, tool: called }) => `${server}/${called}`).sort()).toEqual(
      [
        'my db/get',
        'my/db__get',
        'my__db/get',
        'my_db/get',
        'my_db/get all',
        'my_db/get.all',
        `my_db/${long}`,
        `my_db/${long}y`,
      ].sort(),
    );
  });
});

it('offers a tool with annotations even if its server gives none, and never as a task', async () => {
  const companions = await open({ s: [tool('one', { execution: { taskSupport: 'optional' } })] });
  const [one] = await companions.source.list();
  expect(one).not.toHaveProperty('execution');
  expect(one?.annotations).toEqual({ readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true });
});

describe('a definition that strict clients refuse', () => {
  const good = { type: 'object', properties: { rows: { type: 'array', items: { type: 'object' } } } };
  const odd: JsonObject[] = [
    { outputSchema: { type: 'object', properties: { a: { $ref: '#/$defs/none' } } } },
    { outputSchema: { type: 'object', properties: { a: { type: 'colour' } } } },
    { outputSchema: { type: 'object', properties: { a: { type: 'string', pattern: '(' } } } },
    { outputSchema: { type: 'object', properties: { a: true }, $id: 'https://example.com/same' } },
    { outputSchema: { type: 'object', properties: { a: { type: 'string' } }, $id: 'https://example.com/same' } },
    { outputSchema: { type: 'array', items: {} } },
    {
      outputSchema: {
        type: 'object',
        properties: { a: { type: 'string', nullable: true }, b: { nullable: true }, c: { id: '#c' } },
      },
    },
    { inputSchema: { type: 'object', properties: { a: true } } },
    { inputSchema: { type: 'object', properties: { a: { type: 'array' }, b: { type: 'colour' }, c: { const: 1 } } } },
    { inputSchema: { type: 'object', properties: { 'a[b]': { type: 'string' }, $top: { type: 'number' } } } },
    { description: 'Long. '.repeat(400) },
    { title: 5, icons: 'none', _meta: 7, annotations: { readOnlyHint: 'yes' } },
  ];

  it.each(kinds)('costs the %s no tool', async (kind) => {
    const tools = odd.map((more, index) => ({ name: `odd${index}`, inputSchema: good, ...more }));
    const companions = await open({ s: [...tools, tool('last')] });
    const endpoint: Endpoint = stdioEndpoint(companions.service, [companions.source]);
    ends.push(() => endpoint.close());
    const host = await endpoint.connect(kind);
    ends.push(() => host.close());
    const listed = (await host.request('tools/list')).tools as PublishedTool[];
    expect(listed.filter(({ name }) => name.startsWith('s__'))).toHaveLength(odd.length + 1);
    expect(hostFaults(listed)).toEqual([]);
    expect(await host.toolNames()).toEqual(listed.map(({ name }) => name));
    const [long] = listed.filter(({ description = '' }) => description.startsWith('Long.'));
    expect(long?.description).toMatch(/Long\.… \(describe_upstream_tool has the rest\)$/);
    const [left] = listed.filter(({ description = '' }) => description.includes('Also takes'));
    expect(left?.description).toBe('Also takes "a[b]", "$top", by call_tool');
  });
});
