import { mkdir, readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../shared/lib/fixtures/eventually.ts';
import { openWorkspace, type Workspace } from '../../shared/lib/fixtures/workspace.ts';
import { manifest, writeBundle } from '../adding/bundle-fixture.ts';
import { openConfigStore } from '../store/config-store.ts';
import { runHere } from './fixtures/examples.ts';

let home: Workspace;
beforeEach(async () => {
  home = await openWorkspace();
  for (const name of ['HOME', 'USERPROFILE']) vi.stubEnv(name, home.root);
  vi.stubEnv('FILEBRIDGE_CONFIG', home.at('config', 'config.json'));
  vi.stubEnv('FILEBRIDGE_DATA', home.at('program-data'));
  await mkdir(home.at('data', 'in'), { recursive: true });
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await home.remove();
});

async function run(...args: string[]) {
  const { stdout, stderr, code } = await runHere(args);
  return { out: stdout.toString('utf8'), err: stderr, code };
}

const configured = async () => JSON.parse(await readFile(home.at('config', 'config.json'), 'utf8'));

describe('folders', () => {
  it('are allowed for reading, or for changing too, listed and removed', async () => {
    expect(await run('add-folder', '~/data')).toEqual({ out: `Agents can read files in ${home.at('data')}\n`, err: '', code: 0 });
    expect((await configured()).folders).toEqual([{ path: home.at('data'), access: 'read' }]);
    expect((await run('add-folder', home.at('data'), '--write')).out).toContain('can read and change files in');
    expect((await run('list')).out).toContain(`  read-write  ${home.at('data')}\n`);
    expect(JSON.parse((await run('list', '--json')).out)).toEqual({
      folders: [{ path: home.at('data'), access: 'read-write', exists: true }],
      servers: [],
    });
    expect(await run('remove-folder', home.at('data'))).toMatchObject({ err: '', code: 0 });
    expect((await configured()).folders).toEqual([]);
    expect((await run('list')).out).toContain("Allow a folder with 'filebridge add-folder DIR'");
  });

  it('reach a program that runs', async () => {
    const store = await openConfigStore(home.at('config', 'config.json'));
    try {
      await run('add-folder', home.at('data'));
      await eventually(() => expect(store.current().folders).toHaveLength(1));
    } finally {
      store.close();
    }
  });

  it('of a whole home are allowed with a warning that says how to close it', async () => {
    const { out, err, code } = await run('add-folder', '~');
    expect({ out, code }).toEqual({ out: `Agents can read files in ${home.root}\n`, code: 0 });
    expect(err).toMatch(/^filebridge: this is your whole home folder\. .*keys and passwords/);
    expect(err).toContain(`'filebridge remove-folder ${home.root}'`);
    expect((await run('remove-folder', home.root)).code).toBe(0);
    expect((await configured()).folders).toEqual([]);
  });

  it.each([
    ['one that is not there', ['add-folder', '~/absent'], 1, /There is no folder/],
    ['the whole disk', ['add-folder', '/'], 1, /whole disk/],
    ['the home for writing', ['add-folder', '~', '--write'], 1, /for reading only/],
    ['its own', ['add-folder', '~/program-data'], 1, /belongs to Filebridge/],
    ['to remove one that is not listed', ['remove-folder', '~/data'], 1, /is not among the allowed folders/],
    ['two', ['add-folder', 'a', 'b'], 2, /add-folder takes one DIR/],
    ['none', ['remove-folder'], 2, /remove-folder takes one DIR/],
    ['an argument of list', ['list', 'x'], 2, /list takes no argument/],
  ])('are refused: %s', async (_, args, code, says) => {
    await mkdir(home.at('program-data'), { recursive: true });
    expect(await run(...args)).toEqual({ out: '', err: expect.stringMatching(says), code });
  });

  it('are listed with commands that work on the same configuration', async () => {
    const config = home.at('other.json');
    for (const command of ['list', 'doctor', 'audit']) {
      const { out } = await run(command, '--config', config);
      expect(out).toContain(`'filebridge add-server --config ${config}'`);
      if (command !== 'audit') expect(out).toContain(`'filebridge add-folder DIR --config ${config}'`);
    }
    const servers = await home.file('servers.json', '{"mcpServers":{}}');
    expect((await run('list', '--upstreams', servers)).out).toContain(`Add a server to ${servers}`);
  });

  it('leave a broken configuration as it is', async () => {
    await home.file('config/config.json', '{');
    expect((await run('add-folder', home.at('data'))).code).toBe(1);
    expect(await readFile(home.at('config', 'config.json'), 'utf8')).toBe('{');
  });
});

describe('servers', () => {
  it('are listed with their state and what they start, without secrets', async () => {
    const upstreams = {
      db: { type: 'stdio', command: 'db-server', args: ['--token', 'sk-1234567890abcdef'] },
      gh: { type: 'http', url: 'https://example.com/mcp', enabled: false },
    };
    await home.file('config/config.json', JSON.stringify({ version: 1, upstreams }));
    const { out } = await run('list');
    expect(out).toMatch(/^ {2}on {3}db {2}db-server --token •••$/m);
    expect(out).toMatch(/^ {2}off {2}gh {2}https:\/\/example\.com\/mcp$/m);
  });
});

describe('servers are added from what their instructions give', () => {
  const upstreams = async () => (await configured()).upstreams;
  const add = (...args: string[]) => run('add-server', '--no-test', ...args);

  it('a command line, quoted or after --', async () => {
    expect((await add('node /srv/db.js --fast')).out).toBe("Added the server 'db': node /srv/db.js --fast\n");
    expect((await add('--name', 'two', '--', 'node', '/srv/my server.js')).out).toContain("'two'");
    expect(await upstreams()).toMatchObject({
      db: { type: 'stdio', command: 'node', args: ['/srv/db.js', '--fast'] },
      two: { args: ['/srv/my server.js'] },
    });
    expect((await run('list')).out).toContain('on   db ');
    expect(await run('remove-server', 'db')).toEqual({ out: "Removed the server 'db'\n", err: '', code: 0 });
    expect(Object.keys(await upstreams())).toEqual(['two']);
  });

  it('an address, with its headers', async () => {
    expect((await add('https://example.com/mcp', '--env', 'Authorization=Bearer ${TOKEN}')).code).toBe(0);
    expect(Object.values(await upstreams())).toMatchObject([
      { url: 'https://example.com/mcp', headers: { Authorization: 'Bearer ${TOKEN}' } },
    ]);
  });

  it('a bundle, unpacked beside the data of the program', async () => {
    const file = await writeBundle(home.at('weather.mcpb'), manifest(), [
      { name: 'server/index.mjs', content: 'console.log(1)' },
    ]);
    expect(await add(file)).toMatchObject({ out: expect.stringContaining("Added the server 'weather'"), err: '', code: 0 });
    const [script = ''] = (await upstreams()).weather.args;
    expect(script.startsWith(home.at('program-data'))).toBe(true);
    expect(await readFile(script, 'utf8')).toBe('console.log(1)');
    expect((await run('remove-server', 'weather')).code).toBe(0);
    expect(await upstreams()).toEqual({});
  });

  it('a snippet in a file or on standard input, with several servers', async () => {
    const snippet = { mcpServers: { one: { command: 'node', args: ['a.js'] }, two: { command: 'absent-program' } } };
    const file = await home.file('snippet.json', JSON.stringify(snippet));
    const { err, code } = await add('--file', file);
    expect(code).toBe(0);
    expect(err).toContain("It needs the program 'absent-program', which was not found");
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([JSON.stringify({ three: { command: 'node' } })]) as never);
    expect((await add('--json')).out).toBe('{"added":["three"],"refused":[],"tested":[]}\n');
    vi.restoreAllMocks();
    expect(Object.keys(await upstreams())).toEqual(['one', 'two', 'three']);
  });

  it('not under a name that another server has', async () => {
    expect((await add('node a.js', '--name', 'mine')).code).toBe(0);
    const again = await add('node b.js', '--name', 'mine', '--config', home.at('config', 'config.json'));
    expect(again).toMatchObject({ code: 2, err: expect.stringContaining("There is a server 'mine' already") });
    expect(again.err).toContain(`'filebridge remove-server mine --config ${home.at('config', 'config.json')}'`);
  });

  it('with the values that only a person has', async () => {
    const snippet = JSON.stringify({
      a: { command: 'node', env: { API_KEY: '<your key>' }, args: ['--folder', '/path/to/files'] },
    });
    const lacking = await run('add-server', snippet);
    expect(lacking).toMatchObject({ out: '', code: 1 });
    expect(lacking.err).toContain("The server 'a' needs a value for 'API_KEY', 'folder'");
    expect(lacking.err).toContain("set the environment variable API_KEY and give --env API_KEY='${API_KEY}'");
    expect((await run('add-server', 'npx -y b --token YOUR_TOKEN')).err).toMatch(
      /needs a value for 'token'\. Give .*--env token=VALUE/,
    );
    const given = ['--env', 'API_KEY=${API_KEY}', '--env', `folder=${home.root}`, '--env', 'LEVEL=debug'];
    expect((await add(snippet, ...given)).err).toBe('');
    expect(await upstreams()).toMatchObject({
      a: { args: ['--folder', home.root], env: { API_KEY: '${API_KEY}', LEVEL: 'debug' } },
    });
  });

  it.each([
    ['node /srv/dist/cli.js practice-server', 'practice'],
    ['/opt/bin/filebridge practice-server --tables', 'practice'],
    ['npx -y filebridge@0.1.0 practice-server', 'practice'],
    ['node /srv/weather/index.js --port 1', 'index'],
    ['node /srv/weather/index.js stdio', 'index'],
    ['{"cli":{"command":"node","args":["db.js","x"]}}', 'cli'],
  ])('named by what a nameless script is asked for: %s', async (text, name) => {
    expect(await add(text)).toMatchObject({ code: 0, out: expect.stringContaining(`Added the server '${name}'`) });
  });

  const answering = `
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      const tools = [{ name: 'a', inputSchema: { type: 'object' } }, { name: 'b', inputSchema: { type: 'object' } }];
      const { protocolVersion } = params ?? {};
      const result = method === 'initialize' ? { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } } : { tools };
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });`;

  it('and started once, to say how many tools they have', async () => {
    const script = await home.file('server.js', answering);
    expect(await run('add-server', `"${process.execPath}" "${script}"`, '--name', 'db')).toMatchObject({
      err: '',
      out: expect.stringMatching(/^Added the server 'db': .*\nIt works: 2 tools\n$/),
      code: 0,
    });
  });

  it('and stay where they do not start, which is said with what to do', async () => {
    const config = home.at('config', 'config.json');
    const { out, err, code } = await run('add-server', '/srv/absent-program --fast', '--name', 'db', '--config', config);
    expect(out).toMatch(/^Added the server 'db'/);
    expect(err).toMatch(/^filebridge: 'db' is added, but does not work yet: .*absent-program/);
    expect(err).toContain(`Try it again with 'filebridge audit db --config ${config}'`);
    expect(code).toBe(1);
    expect(Object.keys(await upstreams())).toEqual(['db']);
    const other = await run('add-server', '/srv/other-absent', '--json');
    expect(JSON.parse(other.out)).toMatchObject({ added: ['other-absent'], tested: [{ name: 'other-absent', tools: null }] });
    expect(other.code).toBe(1);
  });

  it.each(['good morning', '', "node 'a.js", 'node a.js | tee log', 'git clone x', '[[1]]', '{"a":'])(
    'and what is not understood was not pasted: %s',
    async (text) => {
      const { err, code } = await run('add-server', text);
      expect(code).toBe(1);
      expect(err).not.toMatch(/paste/i);
    },
  );

  const choosing = JSON.stringify({
    inputs: [{ id: 'LEVEL', type: 'pickString', options: ['low', 'high'] }],
    servers: { c: { command: 'node', args: ['--level', '${input:LEVEL}'] } },
  });
  it.each([
    ['a secret', ['add-server', 'API_KEY=sk-1234567890 node a.js'], 1, /cannot be kept here.*--env NAME='\$\{NAME\}'/],
    ['a secret by option', ['add-server', 'node a.js', '--env', 'API_KEY=sk-123'], 1, /has secrets \(API_KEY\)/],
    ['a value outside the choices', ['add-server', choosing, '--env', 'LEVEL=9'], 1, /takes one of: low, high/],
    ['Filebridge itself', ['add-server', 'npx -y filebridge serve --stdio'], 1, /This is Filebridge itself/],
    ['a text without a server', ['add-server', 'good morning'], 1, /not understood/],
    ['a file that is not there', ['add-server', '--file', 'absent.json'], 1, /absent\.json' does not exist/],
    ['a bundle that is not there', ['add-server', 'absent.mcpb'], 1, /absent\.mcpb' does not exist/],
    ['one name for two servers', ['add-server', '{"a":{"command":"x"},"b":{"command":"y"}}', '--name', 'c'], 2, /several: a, b/],
    [
      'a command without quotes',
      ['add-server', 'npx', '-y', 'db'],
      2,
      /option '-y'\. Put the command in quotes, or -- before it/,
    ],
    ['a value without a name', ['add-server', 'node a.js', '--env', 'sk-123'], 2, /--env takes NAME=VALUE/],
    ['to remove one that is not there', ['remove-server', 'absent'], 1, /There is no server 'absent'/],
  ])('but not %s', async (_, args, code, says) => {
    expect(await run(...args)).toEqual({ out: '', err: expect.stringMatching(says), code });
    await expect(configured()).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
