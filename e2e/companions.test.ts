/** Servers' own tools by file as both eras of clients meet them in the built program, found by search, and audited. */
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runCli } from './support/cli.ts';
import { type Filebridge, openHome, type Setup, startFilebridge, transports } from './support/filebridge.ts';
import { clientKinds } from './support/mcp-clients.ts';
import { everything } from './support/upstreams.ts';

let filebridge: Filebridge | undefined;
afterEach(async () => {
  await filebridge?.stop();
  filebridge = undefined;
});

const dead = { type: 'stdio', command: '/no/such/program' };
const setup = (upstreamTools: string): Setup => ({
  upstreams: { everything: { ...everything(), tools: { deny: ['get-env'] } }, dead },
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
      const echo = tools.find(({ name }) => name === 'everything__echo');
      expect(Object.keys(echo?.inputSchema.properties ?? {})).toEqual(['message', 'message_path', '_file', '_save_as']);
      expect(echo?.inputSchema.required).toBeUndefined();

      const message_path = await filebridge.file('note.md', text);
      const answer = await client.call('everything__echo', { message_path });
      expect(answer.isError, answer.text).toBe(false);
      expect(answer.result).toMatchObject({ content: [{ type: 'text', text: `Echo: ${text}` }] });
      expect((await client.call('everything__get-tiny-image')).blocks.map(({ type }) => type)).toContain('image');

      const twice = await client.call('everything__echo', { message: 'x', message_path });
      expect(twice.isError).toBe(true);
      expect(twice.json()).toMatchObject({ error: 'give message or message_path, not both', tool: 'everything:echo' });
    });

    it('finds a tool and calls it by call_tool, and has the answer stored', async () => {
      filebridge = await startFilebridge(transport, setup('search'));
      const client = await filebridge.connect(kind);
      const names = (await client.tools()).map(({ name }) => name);
      expect(names).toContain('find_tools');
      expect(names.some((name) => name.includes('__'))).toBe(false);
      const find = async () => (await client.call('find_tools', { query: 'echo', limit: 1 })).json();
      await expect.poll(async () => ((await find()) as { tools: unknown[] }).tools.length).toBe(1);
      const found = await find();
      expect(found).toMatchObject({
        tools: [{ server: 'everything', tool_name: 'echo', parameters: { properties: { message_path: { type: 'string' } } } }],
        unavailable: { dead: expect.stringContaining('could not be started') },
      });
      await mkdir(filebridge.at('out'));
      const place = filebridge.at(path.join('out', 'echo.txt'));
      const tool_args = { message_path: await filebridge.file('note.md', text), _save_as: place };
      const stored = await client.call('call_tool', { server: 'everything', tool_name: 'echo', tool_args });
      expect(stored.isError, stored.text).toBe(false);
      expect(await readFile(place, 'utf8')).toBe(`Echo: ${text}`);
    });
  });
});

describe('filebridge audit', () => {
  it('lists long parameters and what takes a file instead, for people and for programs', async () => {
    const home = await openHome(setup('companions'));
    try {
      const table = await runCli(['audit', 'everything'], { env: home.env });
      expect(table.code, table.stderr).toBe(0);
      expect(table.stdout.toString()).toMatch(
        /^everything: 15 tools, \d+ with long parameters\n {2}TOOL +PARAMETER +CAN HOLD +FILE IN +READ AS\n/,
      );
      expect(table.stdout.toString()).toMatch(/^ {2}echo +message +any length +message_path +text$/m);

      const json = await runCli(['audit', '--json'], { env: home.env });
      // A server that cannot be asked is told of, and makes the run a failed one.
      expect(json.code).toBe(1);
      const { servers } = JSON.parse(json.stdout.toString()) as {
        servers: { server: string; tools?: unknown[]; error?: string }[];
      };
      const everythingTools = servers.find(({ server }) => server === 'everything')?.tools;
      expect(everythingTools).toContainEqual({
        tool: 'echo',
        companion: 'everything__echo',
        parameters: [{ parameter: 'message', companion: 'message_path', reading: 'text', longest: null }],
      });
      expect(servers.find(({ server }) => server === 'dead')?.error).toContain('could not be started');

      const unknown = await runCli(['audit', 'everythin'], { env: home.env });
      expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining("'everything'") });
    } finally {
      await home.workspace.remove();
    }
  });
});
