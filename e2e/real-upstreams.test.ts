/** Ten servers from npm behind Filebridge: what is published for them is valid, and a file reaches each, whatever the client. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkspace, type Workspace } from './support/cli.ts';
import { type Filebridge, startFilebridge } from './support/filebridge.ts';
import { type ClientKind, clientKinds, type McpClient } from './support/mcp-clients.ts';
import { type CallPlainly, type RealUpstream, type RealUpstreams, startRealUpstreams } from './support/real-upstreams.ts';
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

describe.each(clientKinds)('%s', (kind) => {
  it('speaks its era', () => {
    expect(clients.get(kind)?.revision).toBe(revisions[kind]);
  });

  it('hands a file to a tool of each server', async () => {
    const client = clients.get(kind) as McpClient;
    for (const upstream of real.upstreams) {
      const { tool, parameter, args, file, effect } = upstream.use(marks[kind]);
      const path = await filebridge.file(`${upstream.name}/${file.name}`, file.content);
      const answer = await client.call('call_tool_with_file_content', {
        server: upstream.name,
        tool_name: tool,
        path,
        data_key: parameter,
        tool_args: args,
        output_format: 'string',
      });
      expect(answer.isError, `${upstream.name}: ${answer.text}`).toBe(false);
      const { found, wanted } = await effect(answer, plainly(client, upstream));
      expect(found, upstream.name).toEqual(wanted);
    }
  });
});
