import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../upstream/types.ts';
import { info } from './fixtures/endpoints.ts';
import { type MemoryTool, memoryCallService, text } from './fixtures/memory-call-service.ts';
import { serveMcpStdio } from './stdio.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'host', version: '1' } },
};
const callOf = (tool_name: string, tool_args: JsonObject = {}) => ({
  jsonrpc: '2.0',
  id: 2,
  method: 'tools/call',
  params: { name: 'call_tool', arguments: { server: 'db', tool_name, tool_args } },
});

/** The pipes of a process, and what came out of it so far. */
function serve(tools: Record<string, MemoryTool> = {}) {
  const service = memoryCallService(tools);
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  let written = '';
  stdout.on('data', (chunk: Buffer) => {
    written += chunk.toString();
  });
  const closed = { times: 0 };
  const whenClosed = new Promise<void>((resolve) => {
    const handle = serveMcpStdio({
      service,
      info,
      stdin,
      stdout,
      onClosed: () => {
        closed.times += 1;
        resolve();
      },
    });
    ends.push(() => handle.close());
  });
  return {
    service,
    stdin,
    closed,
    whenClosed,
    send: (message: unknown) => stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`),
    /** The answer to the request of this id. */
    async answer(id: number): Promise<JsonObject> {
      for (;;) {
        const found = messages(written).find((message) => message.id === id);
        if (found) return found;
        await once(stdout, 'data');
      }
    },
    messages: () => messages(written),
  };
}

/** Fails where anything but whole lines of JSON was written. */
const messages = (written: string): JsonObject[] =>
  written
    .slice(0, written.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JsonObject);

describe('serveMcpStdio', () => {
  it('introduces itself and says what it is for', async () => {
    const { send, answer } = serve();
    send(initialize);
    expect((await answer(1)).result).toMatchObject({
      protocolVersion: '2025-06-18',
      serverInfo: info,
      capabilities: { tools: { listChanged: true }, resources: { listChanged: true }, logging: {} },
      instructions: expect.stringContaining('call_tool_with_file_content'),
    });
    const { instructions } = (await answer(1)).result as { instructions: string };
    expect(encode(instructions).length).toBeLessThanOrEqual(120);
  });

  it('closes once when its input ends, and cancels what runs', async () => {
    let began = () => undefined as unknown;
    const running = new Promise<void>((resolve) => {
      began = resolve;
    });
    let aborted = false;
    const { send, stdin, whenClosed, closed } = serve({
      hang: async (_args, caller) => {
        began();
        await once(caller.signal, 'abort');
        aborted = true;
        return text('too late');
      },
    });
    send(initialize);
    send(callOf('hang'));
    await running;
    stdin.end();
    await whenClosed;
    await new Promise(setImmediate);
    expect(aborted).toBe(true);
    expect(closed.times).toBe(1);
  });

  it.each([undefined, new Error('EIO')])('closes when its input is gone without an end (%s)', async (why) => {
    const { stdin, whenClosed } = serve();
    stdin.destroy(why);
    await whenClosed;
  });

  it('says nothing unasked before the host is ready, and something as soon as it is', async () => {
    const { service, send, answer, messages } = serve();
    const news = () => messages().filter((message) => message.method === 'notifications/resources/list_changed').length;
    const store = () => service.store({ uri: 'a', name: 'a', path: '/a', mimeType: 'text/plain', size: 1 }, 'a');
    send(initialize);
    await answer(1);
    store();
    send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    send({ jsonrpc: '2.0', id: 5, method: 'ping' });
    await answer(5);
    expect(news()).toBe(0);
    store();
    send({ jsonrpc: '2.0', id: 6, method: 'ping' });
    await answer(6);
    expect(news()).toBe(1);
  });

  it('goes on after a line that is not a message', async () => {
    const { send, answer, messages } = serve({ echo: (args) => text(args) });
    send(initialize);
    await answer(1);
    send('this is not JSON');
    send('{"jsonrpc":"2.0","nonsense":true}');
    send(callOf('echo', { a: 1 }));
    expect((await answer(2)).result).toEqual({ content: [{ type: 'text', text: '{"a":1}' }] });
    expect(messages().every((message) => message.jsonrpc === '2.0')).toBe(true);
  });

  it('takes arguments beyond the 10 MiB that the SDK allows by default, in whatever pieces they come', async () => {
    const { send, stdin, answer } = serve({ measure: ({ content }) => text(String(String(content).length)) });
    send(initialize);
    const line = Buffer.from(`${JSON.stringify(callOf('measure', { content: 'é'.repeat(8 * 1024 * 1024) }))}\n`);
    // Pieces of an odd size cut characters in two.
    for (let at = 0; at < line.length; at += 65_537) stdin.write(line.subarray(at, at + 65_537));
    expect((await answer(2)).result).toEqual({ content: [{ type: 'text', text: String(8 * 1024 * 1024) }] });
  });

  it('passes a message of the 2026 era on as the upstream wrote it', async () => {
    const { send, answer } = serve({ odd: () => ({ content: [{ type: 'hologram', cubes: 3 }], vendor: { a: null } }) });
    const request = callOf('odd');
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'host', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    send({ ...request, params: { ...request.params, _meta } });
    expect((await answer(2)).result).toMatchObject({ content: [{ type: 'hologram', cubes: 3 }], vendor: { a: null } });
  });
});
