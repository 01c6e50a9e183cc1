import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import type { UpstreamDraft } from '../../../shared/contract/upstreams.ts';
import { until } from '../../../shared/lib/fixtures/waiting.ts';
import { fixturePath, isAlive } from '../../upstream/fixtures/support.ts';
import { type RunningApi, sealingHost, startApi } from '../fixtures/api.ts';

let api: RunningApi;
afterEach(() => api.close());

const plainServer = fixturePath('plain-server.mjs');
const everything = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url),
);
const plain = (...flags: string[]) => ({ type: 'stdio', command: process.execPath, args: [plainServer, ...flags] });

const draft = (name: string, changes: Partial<UpstreamDraft> = {}): UpstreamDraft => ({
  name,
  type: 'stdio',
  command: process.execPath,
  args: [plainServer],
  cwd: null,
  url: '',
  variables: [],
  timeoutMs: null,
  maxMessageBytes: null,
  confirm: 'never',
  ...changes,
});
const sealed = () =>
  readFile(path.join(api.services.runtime.dataDirectory, 'secrets.json'), 'utf8').catch(() => '{"secrets":{}}');
const sealedCount = async () => Object.keys(JSON.parse(await sealed()).secrets).length;
const stateOf = async (name: string) => (await api.ask('upstreams.list', {})).find((server) => server.name === name)?.state;

describe('saving a server', () => {
  it('adds it, and the page hears of it', async () => {
    api = await startApi({ host: sealingHost });
    const saved = await api.ask('upstreams.save', { draft: draft('db', { timeoutMs: 5_000 }), previousName: null });
    expect(saved).toMatchObject({ name: 'db', type: 'stdio', enabled: true, state: 'idle', fixed: false });
    expect(api.config().upstreams.db).toEqual({
      type: 'stdio',
      command: process.execPath,
      args: [plainServer],
      env: {},
      cwd: null,
      enabled: true,
      confirm: 'never',
      timeoutMs: 5_000,
    });
    expect(api.heard('upstreams.changed').at(-1)).toEqual([saved]);
    expect(await api.ask('upstreams.check', { name: 'db' })).toMatchObject({ state: 'ready', serverInfo: { name: 'plain' } });
  });

  it('keeps, changes and takes away its file of variables', async () => {
    api = await startApi({ host: sealingHost, config: () => ({ upstreams: { db: { ...plain(), envFile: '/a/.env' } } }) });
    expect(await api.ask('upstreams.get', { name: 'db' })).toMatchObject({ envFile: '/a/.env' });
    await api.ask('upstreams.save', { draft: draft('db', { envFile: '/b/.env' }), previousName: 'db' });
    expect(api.config().upstreams.db).toMatchObject({ envFile: '/b/.env' });
    const variables = [{ name: 'KEY', secret: true, value: 'hunter2' }];
    await api.ask('upstreams.save', { draft: draft('db', { envFile: '/b/.env', variables }), previousName: 'db' });
    const kept = [{ name: 'KEY', secret: true, value: null }];
    // Another file may make the program load other code, which would get the secret.
    await expect(
      api.ask('upstreams.save', { draft: draft('db', { envFile: '/evil/.env', variables: kept }), previousName: 'db' }),
    ).rejects.toThrow('/evil/.env');
    await api.ask('upstreams.save', { draft: draft('db', { variables: kept }), previousName: 'db' });
    expect(api.config().upstreams.db).not.toHaveProperty('envFile');
    // The same name in another folder is another file.
    const relative = (cwd: string) => draft('db', { command: '/opt/server', args: [], envFile: 'in/.env', cwd, variables });
    await api.ask('upstreams.save', { draft: relative('/a'), previousName: 'db' });
    await expect(
      api.ask('upstreams.save', { draft: { ...relative('/evil'), variables: kept }, previousName: 'db' }),
    ).rejects.toThrow('in/.env');
  });

  it('says before that another one is the same', async () => {
    api = await startApi({ host: sealingHost, config: () => ({ upstreams: { db: plain() } }) });
    const twin = async (changes: Partial<UpstreamDraft>, previousName: string | null = null) =>
      (await api.ask('upstreams.twin', { draft: draft('new', changes), previousName })).name;
    expect(await twin({})).toBe('db');
    expect(await twin({}, 'db')).toBeNull();
    expect(await twin({ args: [plainServer, '--other'] })).toBeNull();
    expect(await twin({ variables: [{ name: 'ACCOUNT', secret: false, value: 'two' }] })).toBeNull();
    // Unfinished.
    expect(await twin({ command: '' })).toBeNull();
    expect(api.config().upstreams).toHaveProperty('db');
    await api.ask('upstreams.save', { draft: draft('again'), previousName: null });
    expect(Object.keys(api.config().upstreams)).toEqual(['db', 'again']);
  });

  it('seals secrets, shows none, and keeps them through changes and a new name', async () => {
    api = await startApi({ host: sealingHost, config: () => ({ upstreams: { first: plain(), last: plain() } }) });
    const variables = [
      { name: 'KEY', secret: true, value: 'hunter2' },
      { name: 'LEVEL', secret: false, value: 'debug' },
      { name: 'HOME_OF', secret: false, value: '${HOME}' },
      { name: 'TOKEN', secret: true, value: '${DB_TOKEN}' },
    ];
    await api.ask('upstreams.save', { draft: draft('first', { variables }), previousName: 'first' });
    expect(JSON.stringify(api.config())).not.toContain('hunter2');
    expect(await sealed()).not.toContain('hunter2');
    const detail = await api.ask('upstreams.get', { name: 'first' });
    expect(detail.variables).toEqual([
      { name: 'KEY', kind: 'secret', value: null },
      { name: 'LEVEL', kind: 'plain', value: 'debug' },
      { name: 'HOME_OF', kind: 'reference', value: '${HOME}' },
      { name: 'TOKEN', kind: 'reference', value: '${DB_TOKEN}' },
    ]);

    const kept = { name: 'KEY', secret: true, value: null };
    const again = draft('renamed', { variables: [kept], args: [plainServer, '--say-key'], confirm: 'writes' });
    await api.ask('upstreams.save', { draft: again, previousName: 'first' });
    expect(Object.keys(api.config().upstreams)).toEqual(['renamed', 'last']);
    expect(await sealedCount()).toBe(1);
    await api.ask('upstreams.check', { name: 'renamed' });
    await until(async () =>
      (await api.ask('upstreams.log', { name: 'renamed' })).some((line) => line.text === 'using the key •••'),
    );

    // A new value takes the old one's place, and both go with the server.
    await api.ask('upstreams.save', {
      draft: draft('renamed', { variables: [{ ...kept, value: 'other' }] }),
      previousName: 'renamed',
    });
    expect(await sealedCount()).toBe(1);
    await api.ask('upstreams.remove', { name: 'renamed' });
    expect(await sealedCount()).toBe(0);
    expect(Object.keys(api.config().upstreams)).toEqual(['last']);
  });

  it('keeps what the page does not show', async () => {
    const more = { enabled: false, tools: { deny: ['crash'] }, confirmExcept: ['hash'] };
    api = await startApi({ config: () => ({ upstreams: { db: { ...plain(), ...more } } }) });
    await api.ask('upstreams.save', { draft: draft('db', { cwd: '~' }), previousName: 'db' });
    expect(api.config().upstreams.db).toMatchObject({ ...more, cwd: expect.stringMatching(/^[^~]+$/) });
  });

  it.each<[string, Partial<UpstreamDraft>]>([
    ['another program', { args: ['other.mjs'] }],
    ['another database', { variables: [{ name: 'DATABASE', secret: false, value: 'production' }] }],
    ['an address', { type: 'http', url: 'https://a.example/mcp', variables: [] }],
  ])('asks again about every tool when its name leads to %s', async (_what, changes) => {
    const server = { ...plain(), env: { DATABASE: 'test' }, confirm: 'always', confirmExcept: ['hash'] };
    api = await startApi({ config: () => ({ upstreams: { db: server } }) });
    const variables = [{ name: 'DATABASE', secret: false, value: 'test' }];
    const same = draft('db', { variables, confirm: 'always' });
    await api.ask('upstreams.save', { draft: same, previousName: 'db' });
    expect(api.config().upstreams.db?.confirmExcept).toEqual(['hash']);
    const other = { ...same, ...changes };
    await api.ask('upstreams.save', { draft: other, previousName: 'db' });
    expect(api.config().upstreams.db?.confirmExcept).toBeUndefined();
  });

  it('hides values of the configuration that look like secrets, and keeps them', async () => {
    api = await startApi({ config: () => ({ upstreams: { db: { ...plain(), env: { API_KEY: 'by-hand' } } } }) });
    expect((await api.ask('upstreams.get', { name: 'db' })).variables).toEqual([
      { name: 'API_KEY', kind: 'secret', value: null },
    ]);
    const variables = [{ name: 'API_KEY', secret: true, value: null }];
    await api.ask('upstreams.save', { draft: draft('db', { variables }), previousName: 'db' });
    expect(api.config().upstreams.db).toMatchObject({ env: { API_KEY: 'by-hand' } });
  });

  it('hands a stored secret to no other command or address, neither on trial nor for good', async () => {
    api = await startApi({ host: sealingHost });
    const key = { name: 'KEY', secret: true, value: 'hunter2' };
    await api.ask('upstreams.save', { draft: draft('db', { variables: [key] }), previousName: null });
    const kept = [{ ...key, value: null }];
    for (const elsewhere of [
      { command: '/bin/evil', variables: kept },
      { args: ['-e', 'console.error(process.env.KEY)'], variables: kept },
      { type: 'http' as const, url: 'https://evil.example/mcp', variables: kept },
    ]) {
      const wanted = { draft: draft('db', elsewhere), previousName: 'db' };
      await expect(api.ask('upstreams.save', wanted)).rejects.toThrow(/'KEY' was entered for another/);
      await expect(api.ask('upstreams.test', { id: 'try', ...wanted })).rejects.toThrow(/'KEY' was entered for another/);
    }
    const args = [plainServer, '--say-key'];
    const tried = { id: 'try', draft: draft('db', { args, variables: kept }), previousName: 'db' };
    expect(await api.ask('upstreams.test', tried)).toMatchObject({ ok: true });
    await api.ask('upstreams.save', { draft: draft('db', { args, variables: kept }), previousName: 'db' });
    expect(await api.ask('upstreams.check', { name: 'db' })).toMatchObject({ state: 'ready' });
  });

  it('asks for a stored secret again where a variable makes it go elsewhere', async () => {
    api = await startApi({ host: sealingHost });
    const key = { name: 'KEY', secret: true, value: 'hunter2' };
    const host = { name: 'API_HOST', secret: false, value: 'a.example' };
    await api.ask('upstreams.save', { draft: draft('db', { variables: [key, host] }), previousName: null });
    const save = (...variables: UpstreamDraft['variables']) =>
      api.ask('upstreams.save', {
        draft: draft('db', { variables: [{ ...key, value: null }, ...variables] }),
        previousName: 'db',
      });
    const plain = (name: string, value: string) => ({ name, secret: false, value });
    for (const [name, value] of [
      ['NODE_OPTIONS', '--require /tmp/evil.js'],
      ['LD_PRELOAD', '/tmp/evil.so'],
      ['https_proxy', 'http://evil.example'],
      ['API_HOST', 'evil.example'],
    ] as const) {
      const others = name === 'API_HOST' ? [] : [host];
      await expect(save(...others, plain(name, value))).rejects.toThrow(`'KEY' was entered before '${name}' was set`);
      const wanted = draft('db', { variables: [{ ...key, value: null }, ...others, plain(name, value)] });
      const tried = api.ask('upstreams.test', { id: 'try', draft: wanted, previousName: 'db' });
      await expect(tried).rejects.toThrow(`'KEY' was entered before '${name}' was set`);
    }
    await save(host, plain('LOG_LEVEL', 'debug'));
    expect(api.config().upstreams.db).toMatchObject({ env: { API_HOST: 'a.example', LOG_LEVEL: 'debug' } });
  });

  it('writes no secret where there is no keychain', async () => {
    api = await startApi();
    const variables = [{ name: 'KEY', secret: true, value: 'hunter2' }];
    await expect(api.ask('upstreams.save', { draft: draft('db', { variables }), previousName: null })).rejects.toMatchObject({
      code: 'SECRET_UNAVAILABLE',
      hint: expect.stringContaining('${NAME}'),
    });
    expect(api.config().upstreams).toEqual({});
  });

  it.each([
    ['no command', { command: '  ' }, /no command/],
    ['a relative working folder', { cwd: 'here' }, /not a full path/],
    ['no address', { type: 'http', url: ' ' }, /no address/],
    ['an address of another kind', { type: 'http', url: 'file:///etc/passwd' }, /not the address of a server/],
    [
      'a malformed header',
      { type: 'http', url: 'https://a.example', variables: [{ name: 'X y', secret: false, value: '1' }] },
      /name of a header/,
    ],
    [
      'a value of two lines',
      { type: 'sse', url: 'https://a.example', variables: [{ name: 'X', secret: false, value: 'a\nb' }] },
      /cannot be sent/,
    ],
    [
      'a header twice',
      {
        type: 'http',
        url: 'https://a.example',
        variables: [
          { name: 'X', secret: false, value: '1' },
          { name: 'x', secret: false, value: '2' },
        ],
      },
      /there twice/,
    ],
    ['a variable that cannot be one', { variables: [{ name: 'A=B', secret: false, value: '1' }] }, /name of a variable/],
    ['a secret that is not stored', { variables: [{ name: 'KEY', secret: true, value: null }] }, /No value is stored for 'KEY'/],
    ["another server's secret", { variables: [{ name: 'KEY', secret: false, value: '${secret:abc123}' }] }, /by its number/],
  ] as const)('refuses %s in words', async (_what, changes, words) => {
    api = await startApi({ host: sealingHost });
    const refused = api.ask('upstreams.save', { draft: draft('db', changes as Partial<UpstreamDraft>), previousName: null });
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringMatching(words) });
    expect(api.config().upstreams).toEqual({});
    expect(await sealedCount()).toBe(0);
  });

  it('refuses a name that is taken, and a server that is gone', async () => {
    api = await startApi({ host: sealingHost, config: () => ({ upstreams: { db: plain(), web: plain() } }) });
    const secret = [{ name: 'KEY', secret: true, value: 'hunter2' }];
    const save = (name: string, previousName: string | null) =>
      api.ask('upstreams.save', { draft: draft(name, { variables: secret }), previousName });
    await expect(save('web', 'db')).rejects.toMatchObject({ message: "There is a server 'web' already" });
    await expect(save('db', null)).rejects.toMatchObject({ message: "There is a server 'db' already" });
    await expect(save('new', 'gone')).rejects.toMatchObject({ code: 'UPSTREAM_UNKNOWN' });
    await expect(save('new', 'constructor')).rejects.toMatchObject({ code: 'UPSTREAM_UNKNOWN' });
    expect(await sealedCount()).toBe(0);
  });

  it('trims what comes along with pasted tokens', async () => {
    api = await startApi({ host: sealingHost });
    const web = draft('web', {
      type: 'http',
      url: ' https://a.example/mcp ',
      variables: [{ name: ' Authorization ', secret: false, value: 'Bearer ${TOKEN}\n' }],
    });
    await api.ask('upstreams.save', { draft: web, previousName: null });
    expect(api.config().upstreams.web).toMatchObject({
      url: 'https://a.example/mcp',
      headers: { Authorization: 'Bearer ${TOKEN}' },
    });
  });
});

describe('servers of the command line', () => {
  it('are shown and tried, but not changed', async () => {
    const first = await startApi();
    const file = path.join(first.root, 'servers.json');
    await writeFile(file, JSON.stringify({ mcpServers: { db: { command: process.execPath, args: [plainServer] } } }));
    api = await startApi({ upstreamsFile: file });
    await first.close();
    expect(await api.ask('upstreams.list', {})).toMatchObject([{ name: 'db', fixed: true }]);
    const change = { code: 'INVALID_REQUEST', hint: expect.stringContaining('--upstreams') };
    await expect(api.ask('upstreams.save', { draft: draft('db'), previousName: 'db' })).rejects.toMatchObject(change);
    await expect(api.ask('upstreams.remove', { name: 'db' })).rejects.toMatchObject(change);
    await expect(api.ask('upstreams.setEnabled', { name: 'db', enabled: false })).rejects.toMatchObject(change);
    expect(await api.ask('upstreams.test', { id: 'try', draft: draft('db'), previousName: 'db' })).toMatchObject({ ok: true });
  });
});

describe('testing a draft', () => {
  it('lists the tools of a real server, keeps nothing and ends it', async () => {
    api = await startApi();
    const result = await api.ask('upstreams.test', {
      id: 'try',
      draft: draft('demo', { args: [everything, 'stdio'] }),
      previousName: null,
    });
    expect(result).toMatchObject({ ok: true, error: null, serverInfo: { name: expect.stringContaining('everything') } });
    expect(result.tools.map((tool) => tool.name)).toContain('echo');
    expect(result.log.join('\n')).toContain('Starting');
    expect(await api.ask('upstreams.list', {})).toEqual([]);
  });

  it('uses new and stored secrets, word for word, and shows neither', async () => {
    api = await startApi({ host: sealingHost });
    const key = { name: 'KEY', secret: true, value: 'hunter2' };
    const saying = (value: string | null) => draft('db', { args: [plainServer, '--say-key'], variables: [{ ...key, value }] });
    await api.ask('upstreams.save', { draft: saying('hunter2'), previousName: null });
    const stored = await api.ask('upstreams.test', { id: 'try', draft: saying(null), previousName: 'db' });
    expect(stored).toMatchObject({ ok: true, log: ['using the key •••'] });
    // `${HOME}` within a secret is text.
    const fresh = await api.ask('upstreams.test', { id: 'try', draft: saying('a-${HOME}-b'), previousName: null });
    expect(fresh).toMatchObject({ ok: true, log: ['using the key •••'] });
    expect(await sealedCount()).toBe(1);
  });

  it('tells in plain words why it does not work, with what it said, and leaves no process', async () => {
    api = await startApi();
    const script = 'console.error(process.pid); console.error("cannot open the database"); process.exit(3)';
    const result = await api.ask('upstreams.test', {
      id: 'try',
      draft: draft('db', { args: ['-e', script] }),
      previousName: null,
    });
    expect(result).toMatchObject({
      ok: false,
      tools: [],
      error: {
        code: 'UPSTREAM_UNREACHABLE',
        message: expect.stringContaining('exit code 3'),
        hint: expect.stringContaining('cannot open'),
      },
    });
    expect(result.log.at(-1)).toBe('cannot open the database');
    expect(isAlive(Number(result.log[0]))).toBe(false);
  });

  it('ends with its server as soon as nobody waits for it', async () => {
    api = await startApi();
    const pidFile = path.join(api.root, 'pid');
    const script = `require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); setInterval(() => {}, 1000)`;
    const silent = draft('db', { args: ['-e', script] });
    const test = api.ask('upstreams.test', { id: 'one', draft: silent, previousName: null });
    await until(async () => (await readFile(pidFile, 'utf8').catch(() => '')) !== '');
    const pid = Number(await readFile(pidFile, 'utf8'));
    await api.ask('upstreams.endTest', { id: 'another' });
    expect(isAlive(pid)).toBe(true);
    expect(await api.ask('upstreams.endTest', { id: 'one' })).toEqual({});
    expect(await test).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    expect(isAlive(pid)).toBe(false);
    expect(await api.ask('upstreams.endTest', { id: 'one' })).toEqual({});
  });

  it('says that a stored secret cannot be read here', async () => {
    api = await startApi({ config: () => ({ upstreams: { db: { ...plain(), env: { KEY: '${secret:0123456789ab}' } } } }) });
    const variables = [{ name: 'KEY', secret: true, value: null }];
    const result = await api.ask('upstreams.test', { id: 'try', draft: draft('db', { variables }), previousName: 'db' });
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'SECRET_UNAVAILABLE', message: expect.stringMatching(/'db'.*'KEY'/) },
    });
  });
});

describe('a server in use', () => {
  it('is switched off and on, restarted, and heard of', async () => {
    api = await startApi({ config: () => ({ upstreams: { db: plain() } }) });
    await api.ask('upstreams.check', { name: 'db' });
    expect(await api.ask('upstreams.setEnabled', { name: 'db', enabled: false })).toMatchObject({
      enabled: false,
      state: 'disabled',
    });
    await expect(api.ask('upstreams.restart', { name: 'db' })).rejects.toMatchObject({ code: 'UPSTREAM_DISABLED' });
    await api.ask('upstreams.setEnabled', { name: 'db', enabled: true });
    expect(await api.ask('upstreams.restart', { name: 'db' })).toMatchObject({ state: 'ready', toolCount: expect.any(Number) });
    const states = api.heard('upstreams.changed').map(([server]) => server?.state);
    expect(states).toEqual(expect.arrayContaining(['connecting', 'ready', 'disabled']));
    const log = (await api.ask('upstreams.log', { name: 'db' })).map((line) => line.text);
    expect(log).toEqual(expect.arrayContaining(['Restarting', expect.stringContaining('Connected: plain 1.2.3')]));
  });

  it('tells of a death nobody asked about, without being looked at', async () => {
    api = await startApi({ config: () => ({ upstreams: { db: plain('--say-key') } }) });
    await api.ask('upstreams.check', { name: 'db' });
    expect(await stateOf('db')).toBe('ready');
    const before = api.heard('upstreams.changed').length;
    await api.services.runtime.upstreams
      .callTool('db', 'crash', {
        bytes: 2,
        json: async function* () {
          yield Buffer.from('{}');
        },
      })
      .catch(() => undefined);
    await until(() => api.heard('upstreams.changed').length > before);
    expect(api.heard('upstreams.changed').at(-1)).toMatchObject([{ name: 'db', state: expect.not.stringMatching('ready') }]);
  });

  it('offers all its tools, switched off ones marked', async () => {
    api = await startApi({
      config: () => ({
        upstreams: {
          db: { ...plain(), tools: { allow: ['echo', 'hash'] } },
          all: { type: 'stdio', command: process.execPath, args: [everything, 'stdio'] },
        },
      }),
    });
    const enabled = async () =>
      (await api.ask('upstreams.tools', { name: 'db' })).filter((tool) => tool.enabled).map((tool) => tool.name);
    expect((await api.ask('upstreams.tools', { name: 'db' })).length).toBeGreaterThan(10);
    expect(await enabled()).toEqual(['hash', 'echo']);
    await api.ask('upstreams.setTool', { name: 'db', tool: 'hash', enabled: false });
    await api.ask('upstreams.setTool', { name: 'db', tool: 'odd', enabled: true });
    expect(await enabled()).toEqual(['echo', 'odd']);
    expect(api.config().upstreams.db?.tools).toEqual({ allow: ['echo', 'odd'] });
    const pid = async () =>
      (await api.ask('upstreams.log', { name: 'db' })).filter((line) => line.text.startsWith('Starting')).length;
    expect(await pid()).toBe(1);

    await api.ask('upstreams.setTool', { name: 'all', tool: 'echo', enabled: false });
    expect(api.config().upstreams.all?.tools).toEqual({ deny: ['echo'] });
    const echo = (await api.ask('upstreams.tools', { name: 'all' })).find((tool) => tool.name === 'echo');
    expect(echo).toMatchObject({
      enabled: false,
      parameters: [{ name: 'message', type: 'string', required: true }],
      dataKeys: ['message'],
      // A short message takes no file from an agent, though a person may send one.
      payloads: [],
    });
    await api.ask('upstreams.setTool', { name: 'all', tool: 'echo', enabled: true });
    expect(api.config().upstreams.all?.tools).toBeUndefined();
  });

  it('is asked about as its owner wants', async () => {
    api = await startApi({
      config: () => ({ upstreams: { db: { ...plain(), confirm: 'always', confirmExcept: ['hash', 'echo'] } } }),
    });
    expect(await api.ask('upstreams.setConfirm', { name: 'db', confirm: 'writes' })).toMatchObject({ confirm: 'writes' });
    await api.ask('upstreams.askAgain', { name: 'db', tool: 'hash' });
    expect((await api.ask('upstreams.get', { name: 'db' })).confirmExcept).toEqual(['echo']);
    expect((await api.ask('upstreams.list', {})).map(({ exceptions }) => exceptions)).toEqual([1]);
    await api.ask('upstreams.askAgain', { name: 'db', tool: 'echo' });
    expect(api.config().upstreams.db?.confirmExcept).toBeUndefined();
  });

  it('keeps secrets out of its shown command line', async () => {
    const args = ['server.js', '--token', 'hunter2', 'postgres://ann:pw@localhost/db'];
    api = await startApi({
      config: () => ({
        upstreams: {
          db: { type: 'stdio', command: 'node', args },
          web: { type: 'http', url: 'https://ann:pw@a.example/mcp?api_key=hunter2' },
        },
      }),
    });
    expect((await api.ask('upstreams.list', {})).map((server) => server.target)).toEqual([
      'node server.js --token ••• postgres://•••@localhost/db',
      'https://•••@a.example/mcp?api_key=•••',
    ]);
  });
});

describe('exporting', () => {
  it('names a variable in place of each secret, and no two alike', async () => {
    api = await startApi({
      host: sealingHost,
      config: () => ({
        upstreams: {
          off: { ...plain(), enabled: false, env: { API_KEY: 'plain-key', LEVEL: 'debug' } },
          'my db': { type: 'stdio', command: 'db', args: ['--token', 'hunter2'], env: { API_KEY: '${MY_KEY}' }, cwd: '/srv' },
        },
      }),
    });
    const web = draft('web', {
      type: 'http',
      url: 'https://a.example/mcp',
      variables: [
        { name: 'Authorization', secret: true, value: 'Bearer s3cret' },
        { name: 'X-Trace', secret: false, value: 'on' },
      ],
    });
    await api.ask('upstreams.save', { draft: web, previousName: null });
    await api.ask('upstreams.save', {
      draft: draft('one', { variables: [{ name: 'DB_PASSWORD', secret: true, value: 'pw123' }] }),
      previousName: null,
    });
    const { text } = await api.ask('upstreams.export', {});
    expect(JSON.parse(text)).toEqual({
      mcpServers: {
        off: {
          command: process.execPath,
          args: [plainServer],
          env: { API_KEY: '${OFF_API_KEY}', LEVEL: 'debug' },
          disabled: true,
        },
        'my db': { command: 'db', args: ['--token', '${MY_DB_SECRET}'], env: { API_KEY: '${MY_KEY}' }, cwd: '/srv' },
        web: { type: 'http', url: 'https://a.example/mcp', headers: { Authorization: '${WEB_TOKEN}', 'X-Trace': 'on' } },
        one: { command: process.execPath, args: [plainServer], env: { DB_PASSWORD: '${DB_PASSWORD}' } },
      },
    });
    expect(text).not.toMatch(/hunter2|s3cret|pw123|plain-key/);
  });
});
