/** Ten servers from npm behind Filebridge: what is published for them is valid, and a file reaches each, whatever the client. */
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countTokens } from '../electron/engine/tokens/tokens.ts';
import { until } from '../shared/lib/fixtures/waiting.ts';
import { openWorkspace, type Workspace } from './support/cli.ts';
import { changeConfig, type Filebridge, startFilebridge } from './support/filebridge.ts';
import { type Block, type ClientKind, clientKinds, type JsonObject, type McpClient, type Tool } from './support/mcp-clients.ts';
import { type CallPlainly, type RealUpstream, type RealUpstreams, startRealUpstreams } from './support/real-upstreams.ts';
import { schemaFaults } from './support/schema-validity.ts';
import { markdownDocument } from './support/seeded-content.ts';
import { skippedFor } from './support/skipping.ts';

/** Each of its own, so that no call can pass for another's. */
const marks: Record<ClientKind, string> = { v1: 'first', 'v2 in its default era': 'second', 'v2 negotiating': 'third' };

let place: Workspace;
let real: RealUpstreams;
let filebridge: Filebridge;
const clients = new Map<ClientKind, McpClient>();

const plainly =
  (client: McpClient, { name }: RealUpstream): CallPlainly =>
  async (tool_name, tool_args) => {
    const answer = await client.call('call_tool', { server: name, tool_name, tool_args, output_format: 'string' });
    expect(answer.isError, answer.text).toBe(false);
    return answer;
  };

beforeAll(async () => {
  place = await openWorkspace();
  real = await startRealUpstreams(place);
  for (const [name, reason] of Object.entries(real.missing)) skippedFor(`${name}: ${reason}`);
  filebridge = await startFilebridge('http', {
    upstreams: Object.fromEntries(real.upstreams.map(({ name, entry }) => [name, entry])),
    responses: { spillOverTokens: 1_000_000 },
    expose: { fileTools: false, upstreamTools: 'companions' },
  });
  for (const kind of clientKinds) clients.set(kind, await filebridge.connect(kind));
  const [client] = clients.values();
  // A list does not wait long for servers that are starting.
  await until(async () => {
    const offered = new Set((await (client as McpClient).tools()).map(({ name }) => name.split('__')[0]));
    return real.upstreams.every(({ name }) => offered.has(name));
  });
  await Promise.all(real.upstreams.map((upstream) => upstream.prepare?.(plainly(client as McpClient, upstream))));
});
afterAll(async () => {
  await filebridge?.stop();
  await real?.stop();
  await place?.remove();
});

const revisions: Record<ClientKind, string> = {
  v1: '2025-11-25',
  'v2 in its default era': '2025-11-25',
  'v2 negotiating': '2026-07-28',
};

it('would find a schema at fault', () => {
  const draft07 = 'http://json-schema.org/draft-07/schema#';
  expect(schemaFaults({ type: 'object', required: 'name' })).not.toEqual([]);
  expect(schemaFaults({ $schema: draft07, type: 'object', properties: { name: { type: 'text' } } })).not.toEqual([]);
  expect(schemaFaults({ type: 'object', properties: { name: { $ref: '#/$defs/name' } } })).not.toEqual([]);
});

describe.each(clientKinds)('%s', (kind) => {
  let client: McpClient;
  let published: Tool[];
  beforeAll(async () => {
    client = clients.get(kind) as McpClient;
    published = await client.tools();
  });

  it('speaks its era', () => {
    expect(client.revision).toBe(revisions[kind]);
  });

  it('is offered every tool of each server', async () => {
    const listed = (await client.call('list_upstream_tools', { detail: 'names' })).json() as {
      servers: { server: string; tools: string[] }[];
    };
    expect(published.map(({ name }) => name).filter((name) => name.includes('__'))).toEqual(
      listed.servers.flatMap(({ server, tools }) => tools.map((tool) => `${server}__${tool}`)),
    );
  });

  it('is offered valid schemas, in which a file may stand for the payload', () => {
    const faults = published.flatMap(({ name, inputSchema, outputSchema }) =>
      [inputSchema, ...(outputSchema === undefined ? [] : [outputSchema as JsonObject])].flatMap((schema) =>
        schemaFaults(schema).map((fault) => `${name}: ${fault}`),
      ),
    );
    expect(faults).toEqual([]);
    for (const upstream of real.upstreams) {
      const { tool, parameter } = upstream.use(marks[kind]);
      const companion = published.find(({ name }) => name === `${upstream.name}__${tool}`);
      expect(companion?.inputSchema.properties, upstream.name).toHaveProperty([`${parameter}_path`, 'type'], 'string');
      expect(companion?.inputSchema.required ?? [], upstream.name).not.toContain(parameter);
    }
  });

  it('hands a file to a tool of each server', async () => {
    for (const upstream of real.upstreams) {
      const { tool, parameter, args, file, effect } = upstream.use(marks[kind]);
      const path = await filebridge.file(`${upstream.name}/${file.name}`, file.content);
      const answer = await client.call(`${upstream.name}__${tool}`, { ...args, [`${parameter}_path`]: path });
      expect(answer.isError, `${upstream.name}: ${answer.text}`).toBe(false);
      const { found, wanted } = await effect(answer, plainly(client, upstream));
      expect(found, upstream.name).toEqual(wanted);
    }
  });
});

describe('beyond one parameter', () => {
  let client: McpClient;
  beforeAll(() => {
    client = clients.get('v2 negotiating') as McpClient;
  });
  const text = markdownDocument(20_000);

  it('a file stands for a text in an item of a list', async () => {
    const target = await place.file('files/edited.md', 'first\nSECOND\nthird\n');
    const answer = await client.call('files__edit_file', {
      path: target,
      edits: [
        { oldText: 'SECOND\n', newText_path: await filebridge.file('second.md', text) },
        { oldText_path: await filebridge.file('first.txt', 'first\n'), newText: '' },
      ],
    });
    expect(answer.isError, answer.text).toBe(false);
    expect(await readFile(target, 'utf8')).toBe(`${text}third\n`);
  });

  it('a text that is given twice, or not at all, is named with its item', async () => {
    const path = await filebridge.file('twice.md', text);
    const chunks = [
      { id: 'whole', text },
      { id: 'both', text, text_path: path },
    ];
    const request = { project: 'people', category: 'all' };
    const twice = await client.call('dataset__bulk_add_chunks', { ...request, chunks });
    expect(twice).toMatchObject({ isError: true, text: expect.stringMatching(/chunks\[1\] 'both'.*text.*text_path.*not both/) });
    const neither = await client.call('dataset__bulk_add_chunks', { ...request, chunks: [{ id: 'none' }] });
    expect(neither).toMatchObject({ isError: true, text: expect.stringMatching(/chunks\[0\] 'none'.*text or text_path/) });
  });

  // Its schema takes `data` for a place, so that no companion's parameter stands beside it: the general call reaches it all the same.
  it('bytes arrive as a data URI where a server fetches one', async () => {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => (index * index) >> 3);
    const answer = await client.call('call_tool_with_file_content', {
      server: 'everything',
      tool_name: 'gzip-file-as-resource',
      path: await filebridge.file('bytes.bin', bytes),
      as: 'data_uri',
      data_key: 'data',
      tool_args: { name: 'bytes.bin.gz', outputType: 'resource' },
      output_format: 'raw',
    });
    expect(answer.isError, answer.text).toBe(false);
    const [{ resource }] = answer.blocks as [Block & { resource: { blob: string } }];
    expect(gunzipSync(Buffer.from(resource.blob, 'base64')).equals(bytes)).toBe(true);
  });

  it('an answer goes to a file, and only its place to the client', async () => {
    const source = await place.file('files/long.md', text);
    const answer = await client.call('call_tool_and_store', {
      ...{ server: 'files', tool_name: 'read_text_file', tool_args: { path: source } },
      ...{ storage_path: filebridge.at(''), filename: 'kept.md' },
    });
    expect(answer.isError, answer.text).toBe(false);
    expect(await readFile(filebridge.at('kept.md'), 'utf8')).toBe(text);
    expect(answer.blocks).toContainEqual(expect.objectContaining({ type: 'resource_link', name: 'kept.md' }));
    expect(await countTokens(JSON.stringify(answer.result))).toBeLessThan(1000);
  });
});

describe('with a search instead of a list', () => {
  let client: McpClient;
  beforeAll(async () => {
    client = clients.get('v1') as McpClient;
    await changeConfig(filebridge, { expose: { fileTools: false, upstreamTools: 'search' } });
    await until(async () => (await client.tools()).every(({ name }) => !name.includes('__')));
  });

  it('lists little more than its own tools, however many servers there are', async () => {
    const published = await client.tools();
    expect(published.map(({ name }) => name)).toContain('find_tools');
    expect(await countTokens(JSON.stringify(published))).toBeLessThan(4000);
  });

  it('finds the tool of each server with the parameter for a file, and hands it one', async () => {
    for (const upstream of real.upstreams) {
      const { tool, parameter, args, file, effect } = upstream.use('fourth');
      const { tools } = (await client.call('find_tools', { query: tool, server: upstream.name })).json() as {
        tools: JsonObject[];
      };
      expect(tools, upstream.name).toContainEqual(
        expect.objectContaining({
          server: upstream.name,
          tool_name: tool,
          parameters: expect.objectContaining({
            properties: expect.objectContaining({ [`${parameter}_path`]: expect.anything() }),
          }),
        }),
      );
      const path = await filebridge.file(`${upstream.name}/${file.name}`, file.content);
      const answer = await client.call('call_tool', {
        server: upstream.name,
        tool_name: tool,
        tool_args: { ...args, [`${parameter}_path`]: path },
        output_format: 'string',
      });
      expect(answer.isError, `${upstream.name}: ${answer.text}`).toBe(false);
      const { found, wanted } = await effect(answer, plainly(client, upstream));
      expect(found, upstream.name).toEqual(wanted);
    }
  });
});
