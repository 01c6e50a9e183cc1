/** Paths as clients, people and agents write them without a shell: `~`, and the places named when one is refused. */
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliFile, runCli } from './support/cli.ts';
import { type Home, openHome } from './support/filebridge.ts';
import { type McpClient, openClient } from './support/mcp-clients.ts';
import { fixtureUpstream } from './support/session.ts';

let home: Home;
const clients: McpClient[] = [];
beforeAll(async () => {
  home = await openHome({
    expose: { fileTools: true, upstreamTools: 'companions' },
    upstreams: { echo: fixtureUpstream('echo-arguments.mjs') },
  });
  await home.workspace.file('home/docs/a.csv', 'id\n1\n');
  await home.workspace.file('home/docs/.env', 'KEY=1');
  await home.workspace.file('home/servers.json', '{"mcpServers": {}}');
});
afterAll(async () => {
  for (const client of clients) await client.close();
  await home.workspace.remove();
});

/** `filebridge serve --stdio`, as a client starts it: through no shell. */
async function serve(...args: string[]): Promise<McpClient> {
  const way = {
    command: process.execPath,
    args: [cliFile, 'serve', '--stdio', ...args],
    env: home.env,
    onStderr: () => undefined,
  };
  const client = await openClient('v1', way);
  clients.push(client);
  return client;
}

describe('the home folder', () => {
  it('is what ~ stands for in folders and files named to the server', async () => {
    const client = await serve('~/docs', '--upstreams', '~/servers.json');
    const read = await client.call('read_text_file', { path: '~/docs/a.csv' });
    expect(read.text).toBe('id\n1\n');
    expect(read.isError).toBe(false);
  });

  it.each(['convert', 'preview'])('is what ~ stands for in the file to %s', async (command) => {
    const { stdout, stderr, code } = await runCli([command, '~/docs/a.csv'], { env: home.env });
    expect(stderr).toBe('');
    expect(stdout.toString()).toContain('id');
    expect(code).toBe(0);
  });

  it('is what ~ stands for in folders that doctor looks at', async () => {
    const { stdout } = await runCli(['doctor', '~/docs'], { env: home.env });
    expect(stdout.toString()).toContain(`folder ${home.workspace.at('home', 'docs')}: read-write`);
  });
});

describe('the URL of a file', () => {
  it('that an answer links to is taken wherever a path is, to read and to store', async () => {
    const url = (...parts: string[]) => pathToFileURL(home.workspace.at(...parts)).href;
    const client = await serve(home.workspace.at('data'));
    const stored = await client.call('call_tool_and_store', {
      ...{ server: 'echo', tool_name: 'anything', tool_args: { colour: 'topaz' }, output_format: 'string' },
      ...{ storage_path: url('data', 'stored answers'), filename: 'a b.json' },
    });
    const uri = stored.blocks.find(({ type }) => type === 'resource_link')?.uri;
    expect(uri).toBe(url('data', 'stored answers', 'a b.json'));
    const texts = [
      await client.call('preview_file', { path: uri }),
      await client.call('read_text_file', { path: uri }),
      await client.call('call_tool_with_file_content', { server: 'echo', tool_name: 'anything', path: uri }),
      await client.call('echo__push_files', { files: [{ path: 'a', content_path: uri }] }),
    ];
    for (const { text, isError } of texts) {
      expect(isError, text).toBe(false);
      expect(text).toContain('topaz');
    }
    const place = { storage_path: url('data'), filename: 'b c.json' };
    const saved = await client.call('call_tool_and_store', {
      server: 'echo',
      tool_name: 'one_list',
      tool_args: { count: 8 },
      ...place,
    });
    expect(saved.isError, saved.text).toBe(false);
    expect(await readFile(home.at('b c.json'), 'utf8')).toContain('8');
  });

  it('on another machine is refused in words', async () => {
    const client = await serve(home.workspace.at('data'));
    for (const tool of ['read_text_file', 'preview_file']) {
      const { text, isError } = await client.call(tool, { path: 'file://server/share/a.csv' });
      expect(isError).toBe(true);
      expect(text).toContain("names no file of this machine: it names the machine 'server'");
    }
  });
});

describe('a refusal', () => {
  it('names a folder that is not there', async () => {
    const client = await serve('~/absent');
    const { text } = await client.call('read_text_file', { path: home.at('a.csv') });
    expect(text).toContain(`not in ${home.workspace.at('home', 'absent')} (which is not there)`);
  });

  it('of doctor says where a folder that is not there was named', async () => {
    const { stdout } = await runCli(['doctor', '~/absent'], { env: home.env });
    expect(stdout.toString()).toContain('is not there. Create it or take it off the command line');
  });
});
