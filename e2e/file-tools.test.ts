/** The built program in the official filesystem server's place, by changing the command. */
import { link, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ListRootsRequestSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cliFile, openWorkspace, runCli, type Workspace } from './support/cli.ts';

let workspace: Workspace;
const clients: Client[] = [];
beforeEach(async () => {
  workspace = await openWorkspace();
  await workspace.file('given/a.txt', 'given');
  await workspace.file('rooted/b.txt', 'rooted');
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await workspace.remove();
});

async function connect(args: string[], config: object, roots?: string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '0' }, { capabilities: roots ? { roots: { listChanged: true } } : {} });
  if (roots)
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: roots.map((root) => ({ uri: pathToFileURL(root).href })) }));
  const env = {
    ...(process.env as Record<string, string>),
    FILEBRIDGE_CONFIG: await workspace.file('config.json', JSON.stringify({ version: 1, ...config })),
    FILEBRIDGE_DATA: workspace.at('state'),
  };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [cliFile, 'serve', '--stdio', ...args], env, stderr: 'ignore' }),
  );
  clients.push(client);
  return client;
}

const textOf = async (client: Client, name: string, args: Record<string, unknown> = {}) =>
  ((await client.callTool({ name, arguments: args })).content as { text: string }[])[0]?.text ?? '';

/** Roots come after the client is ready, at some moment. */
async function untilListed(client: Client, wanted: string): Promise<void> {
  await expect.poll(() => textOf(client, 'list_allowed_directories')).toBe(wanted);
}

it.each(['words.txt', 'another name of it'])('loses no edit where two processes edit a file, the second as %s', async (name) => {
  const words = Array.from({ length: 40 }, (_, index) => `<${index}>`);
  const file = await workspace.file('given/words.txt', words.join('\n'));
  if (name !== 'words.txt') await link(file, workspace.at('given', name));
  const agents: { as: string; client: Client }[] = [];
  for (const as of [file, workspace.at('given', name)]) agents.push({ as, client: await connect([workspace.at('given')], {}) });
  const answers = words.flatMap((word, index) => {
    const { as, client } = agents[index % 2] ?? {};
    const edits = [{ oldText: word, newText: `${index}` }];
    return client ? [client.callTool({ name: 'edit_file', arguments: { path: as, edits } })] : [];
  });
  expect((await Promise.all(answers)).filter(({ isError }) => isError)).toEqual([]);
  expect(await readFile(file, 'utf8')).toBe([...words.keys()].join('\n'));
});

describe('serve --stdio DIR', () => {
  it('reads and writes in the folder, and lists it as the official server does', async () => {
    const given = workspace.at('given');
    const client = await connect([given], {});
    await client.listTools();
    expect(await textOf(client, 'list_allowed_directories')).toBe(`Allowed directories:\n${given}`);
    expect(await textOf(client, 'read_text_file', { path: 'a.txt' })).toBe('given');
    expect(await textOf(client, 'write_file', { path: path.join(given, 'new.txt'), content: 'x' })).toBe(
      `Successfully wrote to ${path.join(given, 'new.txt')}`,
    );
    expect(await readFile(path.join(given, 'new.txt'), 'utf8')).toBe('x');
  });

  it('takes the roots of its client for its folders, and new ones when they change', async () => {
    const roots = [workspace.at('rooted'), workspace.at('nothing')];
    const client = await connect([workspace.at('given')], {}, roots);
    await untilListed(client, `Allowed directories:\n${workspace.at('rooted')}`);
    expect(await textOf(client, 'read_text_file', { path: workspace.at('rooted/b.txt') })).toBe('rooted');
    expect(await textOf(client, 'read_text_file', { path: workspace.at('given/a.txt') })).toContain('Access denied');
    await mkdir(workspace.at('later'));
    roots.splice(0, 2, workspace.at('later'));
    await client.sendRootsListChanged();
    await untilListed(client, `Allowed directories:\n${workspace.at('later')}`);
  });

  it('lets no roots widen the folders that the user chose in the app', async () => {
    const folders = [{ path: workspace.at('given'), access: 'read' }];
    const client = await connect([], { folders }, [workspace.at('rooted')]);
    await client.sendRootsListChanged();
    await client.listTools();
    expect(await textOf(client, 'list_allowed_directories')).toBe(`Allowed directories:\n${workspace.at('given')}`);
    expect(await textOf(client, 'read_text_file', { path: workspace.at('rooted/b.txt') })).toContain('Access denied');
  });

  it('says which folders are none, and serves the others', async () => {
    const [missing, file] = [workspace.at('missing'), workspace.at('given/a.txt')];
    const env = { FILEBRIDGE_CONFIG: workspace.at('none.json'), FILEBRIDGE_DATA: workspace.at('state') };
    const { code, stderr } = await runCli(['serve', '--stdio', missing, file, workspace.at('given')], { env });
    expect(code).toBe(0);
    expect(stderr).toContain(`the folder '${missing}' does not exist`);
    expect(stderr).toContain(`'${file}' is not a directory: agents can reach nothing but it`);
    expect(stderr.trim().split('\n')).toHaveLength(2);
  });

  it('offers no file tools where the user switched them off, and tells when they are back', async () => {
    const client = await connect([workspace.at('given')], { expose: { fileTools: false } });
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('write_file');
    await expect(client.callTool({ name: 'write_file', arguments: { path: 'x', content: '' } })).rejects.toThrow('Unknown tool');
    const told = new Promise((resolve) => client.setNotificationHandler(ToolListChangedNotificationSchema, resolve));
    await workspace.file('config.json', JSON.stringify({ version: 1, expose: { fileTools: true } }));
    await told;
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('write_file');
  });
});
