import { mkdir, readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openWorkspace, type Workspace } from '../../shared/lib/fixtures/workspace.ts';
import { runHere } from './fixtures/examples.ts';

let home: Workspace;
beforeEach(async () => {
  home = await openWorkspace();
  for (const name of ['HOME', 'USERPROFILE']) vi.stubEnv(name, home.root);
  vi.stubEnv('FILEBRIDGE_CONFIG', home.at('config.json'));
  vi.stubEnv('FILEBRIDGE_DATA', home.at('program-data'));
  await mkdir(home.at('data'));
  await mkdir(home.at('.cursor'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await home.remove();
});

async function connect(...args: string[]) {
  const { stdout, stderr, code } = await runHere(['connect', ...args]);
  return { out: stdout.toString('utf8'), err: stderr, code };
}

const servers = { db: { command: 'db-server' } };
const writtenArgs = async (): Promise<string[]> =>
  JSON.parse(await readFile(home.at('.cursor', 'mcp.json'), 'utf8')).mcpServers.filebridge.args;

describe('filebridge connect says what the agent can do', () => {
  it('nothing yet, and how to change that', async () => {
    const { out, code } = await connect('cursor');
    expect(code).toBe(0);
    expect(out).toMatch(/^It starts: .* serve --stdio /m);
    expect(out).toContain("It can do nothing yet. Allow a folder with 'filebridge add-folder DIR'");
    expect(out).toContain("'filebridge add-server'");
  });

  it('with commands that work on the same configuration, or where to add a server to a servers file', async () => {
    const config = await home.file('my own.json', '{"version":1}');
    const file = await home.file('servers.json', '{"mcpServers":{}}');
    const { out } = await connect('cursor', '--config', config, '--print');
    expect(out).toContain(`'filebridge add-folder DIR --config "${config}"'`);
    expect(out).toContain(`'filebridge add-server --config "${config}"'`);
    expect((await connect('--config', config)).out).toContain(`'filebridge connect cursor --config "${config}"'`);
    expect((await connect('cursor', '--upstreams', file, '--print')).out).toContain(`Add a server to ${file}.`);
  });

  it('with the configured folders and servers', async () => {
    const upstreams = { ...servers, off: { command: 'x', enabled: false } };
    const folders = [{ path: home.at('data') }, { path: home.root, access: 'read-write' }];
    const typed = Object.fromEntries(Object.entries(upstreams).map(([name, each]) => [name, { type: 'stdio', ...each }]));
    await home.file('config.json', JSON.stringify({ version: 1, folders, upstreams: typed }));
    const { out } = await connect('cursor', '--print');
    expect(out).toContain(`It can read files in: ${home.at('data')}\n`);
    expect(out).toContain(`It can read and change files in: ${home.root}\n`);
    expect(out).toContain('It can call the servers: db\n');
    expect(out).not.toContain(' yet');
    expect(JSON.parse((await connect('cursor', '--json')).out)).toMatchObject({
      folders: [{ path: home.at('data'), access: 'read' }, { access: 'read-write' }],
      servers: ['db'],
    });
  });

  it('with the folders and servers file on the command line, which are written into the launch', async () => {
    const file = await home.file('servers.json', JSON.stringify({ mcpServers: servers }));
    const { out, code } = await connect('cursor', '~/data', '--upstreams', file);
    expect(code).toBe(0);
    expect(out).toContain(`It can read and change files in: ${home.at('data')}\nIt can call the servers: db\n`);
    expect((await writtenArgs()).slice(1)).toEqual([
      'serve',
      '--stdio',
      home.at('data'),
      '--config',
      home.at('config.json'),
      '--upstreams',
      file,
    ]);
    expect((await connect('cursor', '~/data', '--upstreams', file)).out).toContain('connected already');
  });

  it('and keeps what its entry had, where nothing else is named', async () => {
    const file = await home.file('servers.json', JSON.stringify({ mcpServers: servers }));
    const other = await home.file('other.json', JSON.stringify({ mcpServers: servers }));
    await mkdir(home.at('more'));
    await connect('cursor', '~/data', '--upstreams', file);
    const before = await writtenArgs();
    const { out } = await connect('cursor');
    expect(out).toContain(`Kept from the entry before: ${home.at('data')}, --upstreams ${file}. What you name replaces it`);
    expect(out).toContain(`It can read and change files in: ${home.at('data')}\nIt can call the servers: db\n`);
    expect(await writtenArgs()).toEqual(before);
    expect((await connect('cursor', '--print')).out).toContain('Kept from the entry before');
    expect(JSON.parse((await connect('cursor', '--json')).out).kept).toEqual({ folders: [home.at('data')], upstreams: file });
    // What is named replaces.
    expect((await connect('cursor', '~/more')).out).toContain(`Kept from the entry before: --upstreams ${file}.`);
    expect((await writtenArgs()).slice(3)).toEqual([home.at('more'), '--config', home.at('config.json'), '--upstreams', file]);
    expect((await connect('cursor', '~/more', '--upstreams', other)).out).not.toContain('Kept');
    expect((await connect('cursor', '--disconnect')).out).not.toContain('Kept');
    expect((await connect('cursor')).out).not.toContain('Kept');
  });

  it('keeps the configuration of its entry, too, and says what it cannot keep', async () => {
    vi.stubEnv('FILEBRIDGE_CONFIG', undefined);
    const config = await home.file('mine.json', JSON.stringify({ version: 1, folders: [{ path: home.at('data') }] }));
    await connect('cursor', '--config', config);
    const { out } = await connect('cursor');
    expect(out).toContain(`Kept from the entry before: --config ${config}.`);
    expect(out).toContain(`It can read files in: ${home.at('data')}`);
    const entry = { command: 'node', args: ['/x/cli.js', 'serve', '--stdio', '--frob'] };
    await home.file('.cursor/mcp.json', JSON.stringify({ mcpServers: { filebridge: entry } }));
    const { err, code } = await connect('cursor');
    expect(err).toContain("cannot be kept: Unknown option '--frob'. Take it out with --disconnect");
    expect(code).toBe(2);
    expect((await connect('cursor', '--disconnect')).code).toBe(0);
  });

  it('which of the two is missing', async () => {
    const { out } = await connect('cursor', home.at('data'));
    expect(out).toContain("It can call no servers yet. Add a server with 'filebridge add-server'");
  });

  it.each([
    ['a folder', ['absent'], /There is no folder '.*absent'/],
    ['a servers file', ['--upstreams', 'absent.json'], /absent\.json.* does not exist/],
  ])('and refuses %s that is not there before it writes', async (_, args, says) => {
    const { err, code } = await connect('cursor', ...args);
    expect({ err, code }).toEqual({ err: expect.stringMatching(says), code: 1 });
    await expect(writtenArgs()).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('for an app that is not installed, too', async () => {
    const { out, code } = await connect('zed', '--print');
    expect(code).toBe(0);
    expect(out).toMatch(/^Zed was not found on this computer/);
  });
});
