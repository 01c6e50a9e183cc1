/** Clients with tokens of their own on one server: none sees, reads or ends what another has made. */
import { readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Filebridge, startFilebridge } from './support/filebridge.ts';
import { type ClientKind, clientKinds, type McpClient, openClient } from './support/mcp-clients.ts';
import { fixtureUpstream, readAllUnder } from './support/session.ts';

const OTHER = 'b'.repeat(43);
let filebridge: Filebridge;
const others: McpClient[] = [];

beforeEach(async () => {
  filebridge = await startFilebridge('http', {
    upstreams: { echo: fixtureUpstream('echo-arguments.mjs'), moody: fixtureUpstream('moody.mjs') },
    expose: { fileTools: false, upstreamTools: 'none' },
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
  const files = [...(await readAllUnder(filebridge.dataDirectory))].filter(([file]) => /calls/.test(path.basename(file)));
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
    await expect.poll(reads, { timeout: 20_000 }).toEqual(['ok', 'refused']);
  });
});
