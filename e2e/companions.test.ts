/** Servers' own tools by file as both eras of clients meet them in the built program, found by search, and audited. */
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runCli } from './support/cli.ts';
import { type Filebridge, openHome, type Setup, startFilebridge, transports } from './support/filebridge.ts';
import { clientKinds } from './support/mcp-clients.ts';
import { everything, fixtureServer } from './support/upstreams.ts';

let filebridge: Filebridge | undefined;
afterEach(async () => {
  await filebridge?.stop();
  filebridge = undefined;
});

const dead = { type: 'stdio', command: '/no/such/program' };
const setup = (upstreamTools: string): Setup => ({
  upstreams: { everything: { ...everything(), tools: { deny: ['get-env'] } }, echo: fixtureServer('echo-arguments.mjs'), dead },
  expose: { fileTools: false, upstreamTools },
});
const text = '# A "note"\n\n`ticks`, \\ and\ttabs\n'.repeat(300);

describe.each(transports)('over %s', (transport) => {
  describe.each(clientKinds)('the %s client', (kind) => {
    it('is offered what the server has, and gives it a file', async () => {
      filebridge = await startFilebridge(transport, setup('companions'));
      const client = await filebridge.connect(kind);
      // A server that is slow to start is listed without its tools, at first.
      await expect.poll(async () => (await client.tools()).map(({ name }) => name)).toContain('everything__echo');
      const tools = await client.tools();
      const names = tools.map(({ name }) => name);
      expect(names).not.toContain('everything__get-env');
      expect(names.some((name) => name.startsWith('dead__'))).toBe(false);
      const listed = (name: string) => tools.find((tool) => tool.name === name)?.inputSchema.properties ?? {};
      // A short message takes no file, and costs no tokens for one.
      expect(Object.keys(listed('everything__echo'))).toEqual(['message']);
      const { files } = listed('echo__push_files') as { files: { items: { properties: object } } };
      expect(Object.keys(files.items.properties)).toEqual(['path', 'content', 'content_path']);

      const content_path = await filebridge.file('note.md', text);
      const answer = await client.call('echo__push_files', { files: [{ path: 'a', content_path }] });
      expect(answer.isError, answer.text).toBe(false);
      expect(answer.json()).toEqual({ files: [{ path: 'a', content: text }] });
      expect((await client.call('everything__get-tiny-image')).blocks.map(({ type }) => type)).toContain('image');

      const twice = await client.call('echo__push_files', { files: [{ path: 'a', content: 'x', content_path }] });
      expect(twice.isError).toBe(true);
      expect(twice.json()).toMatchObject({
        error: "files[0] 'a': give content or content_path, not both",
        tool: 'echo:push_files',
      });
    });

    it('finds a tool and calls it by call_tool, and has the answer stored', async () => {
      filebridge = await startFilebridge(transport, setup('search'));
      const client = await filebridge.connect(kind);
      const names = (await client.tools()).map(({ name }) => name);
      expect(names).toContain('find_tools');
      expect(names.some((name) => name.includes('__'))).toBe(false);
      const find = async () => (await client.call('find_tools', { query: 'push files', limit: 1 })).json();
      await expect.poll(async () => ((await find()) as { tools: unknown[] }).tools.length).toBe(1);
      const found = await find();
      expect(found).toMatchObject({
        tools: [{ server: 'echo', tool_name: 'push_files', parameters: { properties: { files_path: { type: 'string' } } } }],
        unavailable: { dead: expect.stringContaining('could not be started') },
      });
      await mkdir(filebridge.at('out'));
      const tool_args = { files: [{ path: 'a', content_path: await filebridge.file('note.md', text) }] };
      const place = { storage_path: filebridge.at('out'), filename: 'echo.json' };
      const stored = await client.call('call_tool_and_store', { server: 'echo', tool_name: 'push_files', tool_args, ...place });
      expect(stored.isError, stored.text).toBe(false);
      const kept = await readFile(filebridge.at(path.join('out', 'echo.json')), 'utf8');
      expect(JSON.parse(kept)).toEqual({ files: [{ path: 'a', content: text }] });
    });
  });
});

describe('filebridge audit', () => {
  it('lists parameters that take a file, for people and for programs', async () => {
    const home = await openHome(setup('companions'));
    try {
      const table = await runCli(['audit', 'echo'], { env: home.env });
      expect(table.code, table.stderr).toBe(0);
      expect(table.stdout.toString()).toMatch(
        /^echo: 11 tools, \d+ with parameters for files\n {2}TOOL +PARAMETER +FILE IN +READ AS\n/,
      );
      expect(table.stdout.toString()).toMatch(/^ +files\[\]\.content +files\[\]\.content_path +text$/m);

      const json = await runCli(['audit', '--json'], { env: home.env });
      // A server that cannot be asked is told of, and makes the run a failed one.
      expect(json.code).toBe(1);
      const { servers } = JSON.parse(json.stdout.toString()) as {
        servers: { server: string; tools?: unknown[]; error?: string }[];
      };
      const echoTools = servers.find(({ server }) => server === 'echo')?.tools;
      expect(echoTools).toContainEqual({
        tool: 'one_list',
        companion: 'echo__one_list',
        parameters: [{ parameter: 'rows', companion: 'rows_path', reading: 'json' }],
      });
      expect(servers.find(({ server }) => server === 'dead')?.error).toContain('could not be started');

      const unknown = await runCli(['audit', 'everythin'], { env: home.env });
      expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining("'everything'") });
    } finally {
      await home.workspace.remove();
    }
  });
});
