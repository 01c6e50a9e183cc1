import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readMcpServersFile } from './mcp-servers-file.ts';

let root: string;
let file: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'filebridge-servers-'));
  file = path.join(root, 'mcp.json');
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function read(content: unknown) {
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  const { upstreams, refused } = await readMcpServersFile(file);
  expect(refused).toEqual([]);
  return upstreams;
}

describe('readMcpServersFile', () => {
  it.each(['mcpServers', 'mcp_servers', 'servers'])('reads a block called %s', async (key) => {
    expect(await read({ [key]: { db: { command: 'npx', args: ['-y', 'db'], env: { A: 'b' } } }, other: 1 })).toEqual({
      db: { type: 'stdio', command: 'npx', args: ['-y', 'db'], env: { A: 'b' }, cwd: null, enabled: true, confirm: 'never' },
    });
  });

  it('reads JSON with comments and trailing commas', async () => {
    const text = `{
      // VS Code writes such files
      "servers": { /* one */ "web": { "type": "http", "url": "https://example.com/mcp", }, },
    }`;
    expect(await read(text)).toMatchObject({ web: { type: 'http', url: 'https://example.com/mcp', headers: {} } });
  });

  it.each([
    [{ url: 'https://a.example/mcp' }, 'http'],
    [{ url: 'https://a.example/mcp', type: 'streamable-http' }, 'http'],
    [{ url: 'https://a.example/mcp', type: 'streamableHttp' }, 'http'],
    [{ url: 'https://a.example/sse', type: 'sse' }, 'sse'],
    [{ url: 'https://a.example/sse' }, 'sse'],
    [{ serverUrl: 'https://a.example/mcp' }, 'http'],
    [{ httpUrl: 'https://a.example/mcp' }, 'http'],
  ])('understands %j as %s', async (entry, type) => {
    expect((await read({ mcpServers: { a: entry } })).a?.type).toBe(type);
  });

  it('takes headers, and our own keys beside those of other clients', async () => {
    const entry = {
      url: 'https://a.example/mcp',
      headers: { Authorization: 'Bearer secret' },
      timeoutMs: 5000,
      maxMessageBytes: 1000,
      tools: { deny: ['drop'] },
      confirm: 'writes',
      autoApprove: ['x'],
      icon: 'x.png',
    };
    expect(await read({ mcpServers: { a: entry } })).toEqual({
      a: {
        type: 'http',
        url: 'https://a.example/mcp',
        headers: { Authorization: 'Bearer secret' },
        timeoutMs: 5000,
        maxMessageBytes: 1000,
        tools: { deny: ['drop'] },
        confirm: 'writes',
        enabled: true,
      },
    });
  });

  it('keeps a switched-off server switched off, and numbers in an environment as text', async () => {
    const servers = await read({ mcpServers: { a: { command: 'x', disabled: true, env: { PORT: 5432, TLS: true } } } });
    expect(servers.a).toMatchObject({ enabled: false, env: { PORT: '5432', TLS: 'true' } });
  });

  it.each<[unknown, RegExp]>([
    ['{"mcpServers": {', /mcp\.json.*closing \} is missing at line 1/],
    [{ other: {} }, /no block 'mcpServers'/],
    [[], /no block/],
  ])('names what is wrong with %j', async (content, message) => {
    await expect(read(content)).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringMatching(message) });
  });

  it.each<[{ mcpServers: object }, RegExp]>([
    [{ mcpServers: { db: {} } }, /server 'db'.*neither 'command' nor 'url'/],
    [{ mcpServers: { db: { command: 7 } } }, /server 'db': command/],
    [{ mcpServers: { db: { command: 'x', args: 'y' } } }, /server 'db': args/],
    [{ mcpServers: { web: { url: 'nowhere' } } }, /server 'web': url/],
    [{ mcpServers: { web: { url: 'https://a.example', type: 'carrier-pigeon' } } }, /server 'web': type: 'carrier-pigeon'/],
    [{ mcpServers: { web: { url: 'https://a.example', type: { toString: 'x' } } } }, /server 'web': type: ''/],
    [{ mcpServers: { web: 'https://a.example' } }, /server 'web' is not an object/],
    [{ mcpServers: { ' a': { command: 'x' } } }, /server name ' a'/],
  ])('leaves out a server that is not valid, by name, and keeps the others: %j', async ({ mcpServers }, message) => {
    await writeFile(file, JSON.stringify({ mcpServers: { one: { command: 'a' }, ...mcpServers, two: { command: 'b' } } }));
    const { upstreams, refused } = await readMcpServersFile(file);
    expect(Object.keys(upstreams)).toEqual(['one', 'two']);
    expect(refused).toMatchObject([
      { name: Object.keys(mcpServers)[0], error: { code: 'CONFIG_INVALID', message: expect.stringMatching(message) } },
    ]);
    expect(refused[0]?.error.message).toContain(file);
  });

  it('says that a file is absent', async () => {
    await expect(readMcpServersFile(path.join(root, 'none.json'))).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('does not exist'),
    });
  });
});
