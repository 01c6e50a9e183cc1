/** Filebridge's own files, and places that programs run from, attacked through every tool of a running server that lies among them. */

import { link, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { limits } from '../shared/lib/fixtures/limits.ts';
import { cliFile, openWorkspace, type Workspace } from './support/cli.ts';
import { fixtureUpstream, readAllUnder } from './support/session.ts';

const KEY = 'sk-the-key-of-a-server';
const anyResult = z.looseObject({
  content: z.array(z.looseObject({ text: z.string().optional() })),
  isError: z.boolean().optional(),
});

let workspace: Workspace;
let client: Client;
let before: Map<string, string>;
const at = (...parts: string[]) => workspace.at('folder', ...parts);

async function call(name: string, args: Record<string, unknown>): Promise<{ isError: boolean; text: string }> {
  const result = await client.request({ method: 'tools/call', params: { name, arguments: args } }, anyResult, {
    timeout: limits.wait,
  });
  return { isError: result.isError === true, text: result.content.map(({ text }) => text ?? '').join('\n') };
}

beforeAll(async () => {
  workspace = await openWorkspace();
  const servers = { mcpServers: { echo: fixtureUpstream('echo-arguments.mjs', { env: { API_KEY: KEY } }) } };
  await workspace.file('folder/servers.json', JSON.stringify(servers));
  await workspace.file('folder/servers.json.bak', KEY);
  await workspace.file('folder/.servers.json.swp', KEY);
  await workspace.file('folder/servers copy.json', KEY);
  await workspace.file('folder/settings.json', JSON.stringify({ version: 1, server: { port: 0 } }));
  await workspace.file('folder/settings.broken-20240101T000000Z.json', KEY);
  await workspace.file('folder/settings.json.lock', KEY);
  await workspace.file('folder/own/tokens.json', JSON.stringify({ version: 1, tokens: [] }));
  await workspace.file('folder/.env', KEY);
  await workspace.file('folder/notes.txt', 'notes');
  await workspace.file('folder/.git/config', '[core]');
  await workspace.file('folder/.vscode/settings.json', '{}');
  await workspace.file('folder/.bashrc', 'true');
  await symlink('servers.json', at('by-link.json'));
  await link(at('servers.json'), at('by-hard-link.json'));
  await link(at('own', 'tokens.json'), at('by-hard-link-too.json'));
  await symlink('own', at('linked'));
  client = new Client({ name: 'attacker', version: '1' });
  const args = [cliFile, 'serve', '--stdio', '--config', at('settings.json'), '--upstreams', at('servers.json'), at()];
  const env = { ...(process.env as Record<string, string>), FILEBRIDGE_DATA: at('own') };
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'pipe' }));
  before = await contents();
});
afterAll(async () => {
  await client?.close();
  await workspace.remove();
});

/** What there is, except the ledger, its journals and what is remembered of servers' tools, which the calls themselves write. */
async function contents(): Promise<Map<string, string>> {
  return new Map(
    [...(await readAllUnder(at()))].filter(
      ([file]) => !/^own[\\/](?:calls|ledger|server-tools|[^\\/]*\.lock$)/.test(path.relative(at(), file)),
    ),
  );
}

const ours = [
  'servers.json',
  'servers.json.bak',
  '.servers.json.swp',
  'servers copy.json',
  'settings.json',
  'settings.broken-20240101T000000Z.json',
  'settings.json.lock',
  'by-link.json',
  'by-hard-link.json',
  'by-hard-link-too.json',
  'own/tokens.json',
  'linked/tokens.json',
  'own/../servers.json',
  'SERVERS.JSON',
];
const closed = [...ours, '.env'];
const running = ['.git/config', '.git/hooks/pre-commit', '.vscode/settings.json', '.vscode/tasks.json', '.bashrc', '.mcp.json'];

describe('reading', () => {
  it.each(closed)('%s, by each tool that reads', async (name) => {
    const file = at(name);
    const attacks = [
      ['read_text_file', { path: file }],
      ['read_file', { path: file, head: 1 }],
      ['read_media_file', { path: file }],
      ['preview_file', { path: file }],
      ['call_tool_with_file_content', { server: 'echo', tool_name: 'anything', path: file, data_key: 'a', as: 'text' }],
      ['echo__no_list', { name_path: file }],
      ['call_tool', { server: 'echo', tool_name: 'no_list', tool_args: { name_path: file } }],
      ['edit_file', { path: file, edits: [{ oldText: 's', newText: 't' }], dryRun: true }],
      ['copy_file', { source: file, destination: at('copied.txt') }],
      ['move_file', { source: file, destination: at('moved.txt') }],
    ] as const;
    for (const [tool, args] of attacks) {
      const answer = await call(tool, args);
      expect(answer.isError, `${tool} ${answer.text}`).toBe(true);
      expect(answer.text).not.toContain(KEY);
    }
    expect((await call('read_multiple_files', { paths: [file] })).text).not.toContain(KEY);
    await expect(client.readResource({ uri: `file://${file}` })).rejects.toThrow();
    expect(await contents()).toEqual(before);
  });
});

describe('writing', () => {
  it.each([...closed, ...running])('%s, by each tool that writes', async (name) => {
    const file = at(name);
    const folder = path.dirname(file);
    const [filename, content] = [path.basename(file), 'evil'];
    const attacks = [
      ['write_file', { path: file, content }],
      ['write_file', { path: file, content, append: true }],
      ['write_file', { path: file, content, create_directories: true }],
      ['edit_file', { path: file, edits: [{ oldText: '', newText: 'evil' }] }],
      ['move_file', { source: at('notes.txt'), destination: file }],
      ['copy_file', { source: at('notes.txt'), destination: file, create_directories: true }],
      ['delete_file', { path: file, permanent: true }],
      ['move_file', { source: file, destination: at('away.txt') }],
      ['create_directory', { path: file }],
      ['call_tool_and_store', { server: 'echo', tool_name: 'anything', storage_path: folder, filename, overwrite: true }],
    ] as const;
    for (const [tool, args] of attacks) {
      // These give the name to something else, and the file itself stays as it is.
      if (tool === 'delete_file' && name === 'by-link.json') continue;
      if ('storage_path' in args && name.startsWith('by-hard-link')) continue;
      const answer = await call(tool, args);
      expect(answer.isError, `${tool} ${answer.text}`).toBe(true);
    }
    expect(await contents()).toEqual(before);
  });

  it.each([
    ['its data directory', 'own', 'elsewhere'],
    ['a repository', '.git', 'git'],
    ['a folder onto a repository', 'hooks-to-be', 'sub/.git'],
    ['a folder onto an editor’s', 'vscode', 'sub/.vscode'],
  ])('moving %s', async (_, from, to) => {
    await mkdir(at('sub'), { recursive: true });
    await mkdir(at('hooks-to-be', 'hooks'), { recursive: true });
    await workspace.file('folder/vscode/tasks.json', '{}');
    expect((await call('move_file', { source: at(from), destination: at(to) })).isError).toBe(true);
    expect(await readdir(at('sub'))).toEqual([]);
  });

  it('leaves what is read there readable, and everything else open', async () => {
    expect((await call('read_text_file', { path: at('.git', 'config') })).text).toContain('[core]');
    expect((await call('write_file', { path: at('src', 'main.ts'), content: 'ok', create_directories: true })).isError).toBe(
      false,
    );
    expect(await readFile(at('src', 'main.ts'), 'utf8')).toBe('ok');
    expect((await call('list_directory', { path: at() })).text).toContain('servers.json');
  });
});
