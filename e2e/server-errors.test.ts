/** A server's JSON-RPC errors reach the agent with code and data, and the `_meta` of the agent's request reaches the server. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeConfig, type Home, openHome } from './support/filebridge.ts';
import type { JsonObject } from './support/mcp-clients.ts';
import { type Era, openRawClient, type RawClient } from './support/raw-client.ts';
import { fixtureServer } from './support/upstreams.ts';

const address = 'https://id.example.com/consent?for=calendar&state=a%20b';
const signIn = {
  code: -32042,
  message: 'This request requires more information.',
  data: { elicitations: [{ mode: 'url', elicitationId: '1', url: address, message: 'Allow access to the calendar' }] },
};
const errors = {
  sign_in: signIn,
  bad_row: { code: -32602, message: 'Row 3 is wrong', data: { row: 3, allowed: ['a', null], deep: { n: 1.5 } } },
  own_code: { code: 4711, message: 'Out of paper' },
};
type Name = keyof typeof errors;
const names = Object.keys(errors) as Name[];
const inputSchema = { type: 'object', properties: { content: { type: 'string' }, n: { type: 'number' } } };
const tools = [...names, 'look'].map((name) => ({ name, description: `Gives ${name}`, inputSchema }));
const results = {
  ...Object.fromEntries(names.map((name) => [name, { rpcError: errors[name] }])),
  look: { content: [{ type: 'text', text: 'seen' }] },
};
const meta = { 'com.example/tenant': { id: 7 }, traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
const protocols = { progressToken: 'p1', 'io.modelcontextprotocol/related-task': { taskId: 'other' } };

let home: Home;
let file: string;
beforeAll(async () => {
  home = await openHome({ expose: { fileTools: false, upstreamTools: 'companions' } });
  const entry = async (name: string, ...flags: string[]) =>
    fixtureServer('scripted.mjs', [
      await home.workspace.file(`${name}.json`, JSON.stringify({ tools, results })),
      home.workspace.at(`${name}.ndjson`),
      ...flags,
    ]);
  await changeConfig(home, { upstreams: { older: await entry('older'), newer: await entry('newer', '--modern') } });
  file = await home.file('letter.txt', 'Dear Ann');
});
afterAll(() => home?.workspace.remove());

const eras: readonly Era[] = ['2025-11-25', '2026-07-28'];

describe.each(eras.flatMap((era) => ['older', 'newer'].map((server) => [era, server] as const)))(
  'a client of %s and the %s server',
  (era, server) => {
    let client: RawClient;
    let browsing: RawClient;
    beforeAll(async () => {
      client = await openRawClient(era, home.env);
      browsing = await openRawClient(era, home.env, { elicitation: { form: {}, url: {} } });
    });
    afterAll(async () => {
      await client?.close();
      await browsing?.close();
    });
    const call = async (from: RawClient, name: string, args: JsonObject, more: JsonObject = {}) =>
      JSON.parse(await from.request('tools/call', { name, arguments: args, ...more })) as {
        result: JsonObject;
        error: JsonObject;
      };
    const sent = async () => {
      const lines = (await readFile(home.workspace.at(`${server}.ndjson`), 'utf8')).trim().split('\n');
      return (JSON.parse(lines.at(-1) ?? '') as { params: { _meta?: JsonObject } }).params;
    };
    const textOf = (result: JsonObject) => (result.content as { text: string }[])[0]?.text ?? '';

    it.each(names)('get the error of %s as it is from the tool itself', async (name) => {
      expect((await call(client, `${server}__${name}`, { n: 1 })).error).toEqual(errors[name]);
      expect((await call(client, `${server}__${name}`, { content_path: file })).error).toEqual(errors[name]);
    });

    it.each(names)('get code and data of %s from our own tools', async (name) => {
      const { code, data } = errors[name] as JsonObject;
      const requests: [string, JsonObject][] = [
        ['call_tool', { tool_args: { n: 1 } }],
        ['call_tool_with_file_content', { path: file, data_key: 'content', as: 'text' }],
      ];
      for (const [tool, rest] of requests) {
        const { result } = await call(client, tool, { server, tool_name: name, ...rest });
        expect(result.isError).toBe(true);
        const found = JSON.parse(textOf(result)) as JsonObject;
        expect(found).toMatchObject({ code: 'UPSTREAM_FAILED', rpc_code: code });
        expect(found.rpc_data).toEqual(data);
      }
    });

    it('are told which address the user has to open', async () => {
      const request = { server, tool_name: 'sign_in', tool_args: {} };
      const { result } = await call(client, 'call_tool', request);
      expect((JSON.parse(textOf(result)) as JsonObject).hint).toContain(`open this address in a browser first: ${address}.`);
      const inWords = await call(client, 'call_tool', { ...request, output_format: 'string' });
      expect(textOf(inWords.result)).toContain(address);
    });

    it('that open addresses are told in the way of the protocol', async () => {
      expect((await call(browsing, 'call_tool', { server, tool_name: 'sign_in', tool_args: {} })).error).toEqual(signIn);
      const other = await call(browsing, 'call_tool', { server, tool_name: 'bad_row', tool_args: {} });
      expect(other.result.isError).toBe(true);
    });

    it('hand on their _meta, without what belongs to the connection', async () => {
      const given = { _meta: { ...meta, ...protocols } };
      await call(client, `${server}__look`, { n: 1 }, given);
      expect((await sent())._meta).toMatchObject(meta);
      expect((await sent())._meta).not.toHaveProperty(['io.modelcontextprotocol/related-task']);
      expect((await sent())._meta?.progressToken).not.toBe('p1');
      for (const [tool, rest] of [
        ['call_tool', { tool_args: { n: 1 } }],
        ['call_tool_with_file_content', { path: file, data_key: 'content', as: 'text' }],
      ] as const) {
        await call(client, tool, { server, tool_name: 'look', ...rest }, given);
        expect((await sent())._meta).toMatchObject(meta);
      }
      await call(client, `${server}__look`, { n: 1 });
      for (const name of Object.keys(meta)) expect((await sent())._meta ?? {}).not.toHaveProperty([name]);
    });
  },
);
