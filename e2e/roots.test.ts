/** The folders that agents work in reach the servers that ask for them, each agent's its own. */
import { mkdir, readFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../shared/lib/fixtures/waiting.ts';
import { changeConfig, type Filebridge, startFilebridge, transports } from './support/filebridge.ts';
import { type ClientKind, clientKinds, type McpClient } from './support/mcp-clients.ts';
import { filesystem } from './support/upstreams.ts';

const modernServer = fileURLToPath(new URL('../electron/upstream/fixtures/modern-server.mjs', import.meta.url));

describe.each(transports)('roots over %s', (transport) => {
  let filebridge: Filebridge;
  const folder = (name: string) => filebridge.workspace.at(name);
  async function connect(kind: ClientKind, roots?: string[]): Promise<McpClient> {
    const client = await filebridge.connect(kind, roots ? { roots } : {});
    await until(async () => (await client.tools()).some(({ name }) => name === 'files__list_allowed_directories'));
    return client;
  }
  const rootOf = (name: string) => pathToFileURL(folder(name)).href;
  const allowed = async (client: McpClient) => (await client.call('files__list_allowed_directories')).text;

  /** Sends a file in the background; returns what tells the state of that. */
  async function inBackground(
    client: McpClient,
    server: string,
    tool_name: string,
    tool_args: object,
  ): Promise<() => Promise<string>> {
    const path = await filebridge.file('note.txt', 'of Ann');
    const call = { server, tool_name, path, data_key: 'content', tool_args, background: true };
    const { job_id } = (await client.call('call_tool_with_file_content', call)).json();
    return async () => (await client.call('job_status', { job_id })).text;
  }

  beforeEach(async () => {
    filebridge = await startFilebridge(transport, { expose: { fileTools: false, upstreamTools: 'companions' } });
    for (const name of ['given', 'ann', 'ben']) await mkdir(folder(name));
    const modern = { type: 'stdio', command: process.execPath, args: [modernServer] };
    await changeConfig(filebridge, { upstreams: { files: filesystem(folder('given')), modern } });
  });
  afterEach(() => filebridge?.stop());

  it.each(clientKinds)('of several agents are kept apart (%s)', async (kind) => {
    const [ann, ben, nobody] = [await connect(kind, [rootOf('ann')]), await connect(kind, [rootOf('ben')]), await connect(kind)];
    const [first, second, third] = await Promise.all([ann, ben, nobody].map(allowed));
    expect(first).toContain(folder('ann'));
    expect(first).not.toContain(folder('given'));
    expect(second).toContain(folder('ben'));
    expect(second).not.toContain(folder('ann'));
    // The official filesystem server keeps the folders of its command line then.
    expect(third).toContain(folder('given'));
    expect(await allowed(ann)).toBe(first);
  });

  it('that change are asked for again', async () => {
    const roots = [rootOf('ann')];
    const client = await connect('v1', roots);
    expect(await allowed(client)).toContain(folder('ann'));
    roots.splice(0, 1, rootOf('ben'));
    await client.notify('notifications/roots/list_changed');
    await until(async () => (await allowed(client)).includes(folder('ben')));
    expect(await allowed(client)).not.toContain(folder('ann'));
  });

  it.each(clientKinds)('hold for a call in the background (%s)', async (kind) => {
    const client = await connect(kind, [rootOf('ann')]);
    const status = await inBackground(client, 'files', 'write_file', { path: `${folder('ann')}/note.txt` });
    await until(async () => !(await status()).includes('"running"'));
    expect(await status()).toContain('done');
    expect(await readFile(`${folder('ann')}/note.txt`, 'utf8')).toBe('of Ann');
  });

  it.each(clientKinds)('hold in the background for a server of the 2026 era (%s)', async (kind) => {
    const client = await connect(kind, [rootOf('ann')]);
    await expect.poll(await inBackground(client, 'modern', 'ask', { about: 'roots' })).toContain(rootOf('ann'));
  });
});
