/** Several clients of one program, by token or by connection: none sees, reads or ends what another has made. */
import { readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cliFile } from './support/cli.ts';
import { type Filebridge, startFilebridge } from './support/filebridge.ts';
import { type ClientKind, clientKinds, type McpClient, openClient } from './support/mcp-clients.ts';
import { fixtureUpstream, readAllUnder } from './support/session.ts';

const OTHER = 'b'.repeat(43);
let filebridge: Filebridge;
const others: McpClient[] = [];

beforeEach(async () => {
  filebridge = await startFilebridge('http', {
    upstreams: { echo: fixtureUpstream('echo-arguments.mjs'), moody: fixtureUpstream('moody.mjs') },
    expose: { fileTools: true, upstreamTools: 'none' },
  });
  const file = path.join(filebridge.dataDirectory, 'tokens.json');
  const known = JSON.parse(await readFile(file, 'utf8')) as { tokens: unknown[] };
  await writeFile(file, JSON.stringify({ ...known, tokens: [...known.tokens, { client: 'other', token: OTHER }] }));
});
afterEach(async () => {
  for (const client of others.splice(0)) await client.close();
  await filebridge.stop();
});

async function two(kind: ClientKind): Promise<[McpClient, McpClient]> {
  const other = await openClient(kind, { url: filebridge.url, token: OTHER });
  others.push(other);
  return [await filebridge.connect(kind), other];
}

async function ledgerLines(): Promise<{ tool: string; outcome: string; paths: string[]; client: string }[]> {
  const files = [...(await readAllUnder(filebridge.dataDirectory))].filter(([file]) =>
    /^(?:calls|ledger).*\.jsonl$/.test(path.basename(file)),
  );
  return files.flatMap(([, text]) =>
    text
      .split('\n')
      .filter((line) => line.includes('"outcome"'))
      .map((line) => JSON.parse(line)),
  );
}

describe.each(clientKinds)('with the %s client', (kind) => {
  it('stored answers are listed for, and read by, the client that stored them', async () => {
    const [one, other] = await two(kind);
    const stored = await one.call('call_tool_and_store', {
      server: 'echo',
      tool_name: 'anything',
      tool_args: { secret: 'of-one' },
    });
    const uri = String(stored.blocks.find(({ type }) => type === 'resource_link')?.uri);
    const list = async (client: McpClient) => (await client.request('resources/list')).resources as { uri: string }[];
    expect((await list(one)).map((resource) => resource.uri)).toEqual([uri]);
    expect(await list(other)).toEqual([]);
    expect(JSON.stringify(await one.request('resources/read', { uri }))).toContain('of-one');
    await expect(other.request('resources/read', { uri })).rejects.toThrow(/does not exist/);
  });

  it('jobs are followed and ended by the client that started them', async () => {
    const [one, other] = await two(kind);
    const file = await filebridge.file('rows.json', '[{"id":1}]');
    const started = await one.call('call_tool_with_file_content', {
      server: 'moody',
      tool_name: 'hold',
      path: file,
      data_key: 'rows',
      tool_args: { started: filebridge.at('started'), release: filebridge.at('release') },
      background: true,
    });
    const { job_id } = started.json();
    for (const tool of ['job_status', 'cancel_job']) {
      const refused = await other.call(tool, { job_id });
      expect(refused.json()).toMatchObject({ code: 'JOB_UNKNOWN' });
      expect(refused.text).toContain('This client has started no job');
    }
    expect((await one.call('job_status', { job_id })).json()).toMatchObject({ state: 'running' });
    expect((await one.call('cancel_job', { job_id })).json()).toMatchObject({ state: 'cancelled' });
  });
});

/** Every way in which a client may try to reach a file, by its path or through the folders above it. */
async function reached(client: McpClient, file: string): Promise<string[]> {
  const folder = path.dirname(file);
  const copy = filebridge.at('copy');
  const stored = { server: 'echo', tool_name: 'anything', overwrite: true, filename: path.basename(file) };
  const tries: [string, Record<string, unknown>][] = [
    ['preview_file', { path: file }],
    ['call_tool_with_file_content', { server: 'echo', tool_name: 'anything', path: file, data_key: 'rows' }],
    ['call_tool_with_file_content', { server: 'echo', tool_name: 'anything', files: [{ path: file, data_key: 'rows' }] }],
    ['call_tool_with_file_content', { server: 'echo', tool_name: 'anything', path: file, data_key: 'rows', background: true }],
    ['call_tool_and_store', { ...stored, storage_path: folder }],
    ['read_text_file', { path: file }],
    ['read_media_file', { path: file }],
    ['read_multiple_files', { paths: [file] }],
    ['get_file_info', { path: file }],
    ['copy_file', { source: file, destination: copy }],
    ['move_file', { source: file, destination: copy }],
    ['edit_file', { path: file, edits: [{ oldText: 'of-one', newText: '' }], dryRun: true }],
    ['delete_file', { path: file, permanent: true }],
    ['list_directory', { path: folder }],
    ...[folder, path.dirname(folder)].flatMap((root): [string, Record<string, unknown>][] => [
      ['list_directory_with_sizes', { path: root }],
      ['directory_tree', { path: root }],
      ['search_files', { path: root, pattern: '**/*' }],
    ]),
  ];
  const before = await readFile(file, 'utf8');
  const found: string[] = [];
  for (const [tool, args] of tries) {
    const { text } = await client.call(tool, args);
    // What it gave itself, it knows.
    const told = text.replaceAll(file, '').replaceAll(folder, '');
    if (told.includes('of-one') || told.includes(path.basename(folder)) || told.includes('job_id')) found.push(tool);
  }
  if ((await readFile(file, 'utf8').catch(() => '')) !== before) found.push('changed');
  return found;
}

async function storedBy(client: McpClient): Promise<string> {
  const stored = await client.call('call_tool_and_store', {
    server: 'echo',
    tool_name: 'anything',
    tool_args: { secret: 'of-one' },
  });
  return fileURLToPath(String(stored.blocks.find(({ type }) => type === 'resource_link')?.uri));
}

describe('a stored answer', () => {
  it('is out of reach by its path for another token, and stays in reach for its own', async () => {
    const [one, other] = await two('v1');
    const file = await storedBy(one);
    expect(await reached(other, file)).toEqual([]);
    const again = await filebridge.connect('v2 in its default era');
    expect((await again.call('read_text_file', { path: file })).text).toContain('of-one');
    expect((await again.call('preview_file', { path: file })).isError).toBe(false);
  });

  it('over stdio is out of reach while its connection is open, and then in reach for the same app', async () => {
    const agent = () =>
      openClient('v1', {
        command: process.execPath,
        args: [cliFile, 'serve', '--stdio'],
        env: filebridge.env,
        onStderr: () => undefined,
      });
    const one = await agent();
    const other = await agent();
    others.push(other);
    const file = await storedBy(one);
    expect((await one.call('read_text_file', { path: file })).text).toContain('of-one');
    expect(await reached(other, file)).toEqual([]);
    expect(await reached(await filebridge.connect('v1'), file)).toEqual([]);
    await one.close();
    await expect.poll(async () => (await other.call('read_text_file', { path: file })).text).toContain('of-one');
  });

  it('in a folder that is allowed for both is read by both', async () => {
    const [one, other] = await two('v1');
    await one.call('call_tool_and_store', {
      server: 'echo',
      tool_name: 'anything',
      tool_args: { shared: 'for all' },
      storage_path: filebridge.at('.'),
      filename: 'shared.json',
    });
    expect((await other.call('read_text_file', { path: filebridge.at('shared.json') })).text).toContain('for all');
  });

  it('of before there were folders for clients is read by all', async () => {
    const [one, other] = await two('v1');
    const old = path.join(path.dirname(path.dirname(await storedBy(one))), 'old.json');
    await writeFile(old, '{"old":true}');
    for (const client of [one, other]) expect((await client.call('read_text_file', { path: old })).text).toContain('old');
  });
});

describe('resources/read', () => {
  it('serves no file that was not stored, in an allowed folder neither', async () => {
    const client = await filebridge.connect('v1');
    const file = await filebridge.file('private.txt', 'nobody stored this');
    await expect(client.request('resources/read', { uri: pathToFileURL(file).href })).rejects.toThrow(/does not exist/);
  });

  it('is refused while paused, and written to the ledger either way', async () => {
    const client = await filebridge.connect('v1');
    const stored = await client.call('call_tool_and_store', { server: 'echo', tool_name: 'anything' });
    const uri = String(stored.blocks.find(({ type }) => type === 'resource_link')?.uri);
    await client.request('resources/read', { uri });
    const paused = path.join(filebridge.dataDirectory, 'paused.json');
    await writeFile(paused, JSON.stringify({ pid: process.pid, host: os.hostname(), nonce: '0123456789abcdef' }));
    await expect(client.request('resources/read', { uri })).rejects.toThrow(/paused/);
    const reads = async () => (await ledgerLines()).filter(({ tool }) => tool === 'resources/read').map(({ outcome }) => outcome);
    await expect.poll(reads).toEqual(['ok', 'blocked']);
  });
});
