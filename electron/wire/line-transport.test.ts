import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { exactJson } from '../engine/core/exact-numbers.ts';
import { type BigAnswers, LineTransport, type ReadLine, RequestLines } from './line-transport.ts';

const MB = 1024 * 1024;
const line = (message: object) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;

async function open(answer: (transport: LineTransport, message: JSONRPCMessage) => void, bigAnswers?: BigAnswers) {
  const input = new PassThrough();
  const output = new PassThrough();
  const transport = new LineTransport(input, output, 64 * MB, bigAnswers);
  transport.onmessage = (message: JSONRPCMessage) => answer(transport, message);
  await transport.start();
  return { input, output, transport };
}

/** Lets everything happen that can without more input. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) await nextTurn();
}

it('reads no more requests while a client does not read the answers', async () => {
  let answered = 0;
  const { input, output, transport } = await open((to, message) => {
    if (!('id' in message) || message.id === undefined) return;
    const { id } = message;
    setImmediate(() => {
      answered += 1;
      void to.send({ jsonrpc: '2.0', id, result: { text: 'x'.repeat(MB) } });
    });
  });
  for (let id = 0; id < 200; id += 1) input.write(line({ id, method: 'tools/list' }));
  await settle();
  expect(answered).toBeLessThan(100);
  expect(output.writableLength).toBeLessThan(100 * MB);
  output.resume();
  await expect.poll(() => answered).toBe(200);
  await transport.close();
});

it('passes on messages whose members are of other types, and stays open', async () => {
  const heard: unknown[] = [];
  const { input, transport } = await open((_, message) => void heard.push(message));
  for (const odd of [
    { id: 1, method: 5 },
    { id: {}, method: 'tools/list' },
    { id: null, method: null },
    { method: 'notifications/cancelled', params: 7 },
  ]) {
    input.write(line(odd));
  }
  input.write(line({ id: 'last', method: 'ping' }));
  await expect.poll(() => heard.length).toBe(5);
  await transport.close();
});

it('goes on when lists are cancelled, and hears what comes behind them', async () => {
  const heard: string[] = [];
  const { input, transport } = await open((_, message) => void ('method' in message && heard.push(message.method)));
  for (let id = 0; id < 100; id += 1) {
    input.write(line({ id, method: 'tools/list' }) + line({ method: 'notifications/cancelled', params: { requestId: id } }));
  }
  input.write(line({ id: 'last', method: 'ping' }));
  await expect.poll(() => heard.at(-1)).toBe('ping');
  expect(heard).toHaveLength(201);
  await transport.close();
});

it('makes few big answers at a time while a client does not read, and lets small requests pass', async () => {
  const pings: unknown[] = [];
  const bigAnswers = { max: 2, is: (message: JSONRPCMessage) => 'method' in message && message.method === 'big' };
  const { input, output, transport } = await open((to, message) => {
    if (!('id' in message) || message.id === undefined || !('method' in message)) return;
    const { id, method } = message;
    if (method === 'ping') pings.push(id);
    if (method !== 'big') return;
    setImmediate(() => void to.send({ jsonrpc: '2.0', id, result: { text: 'x'.repeat(MB) } }).catch(() => undefined));
  }, bigAnswers);
  for (let id = 0; id < 100; id += 1) input.write(line({ id, method: 'big' }));
  // The same number again, too, counts.
  for (let times = 0; times < 100; times += 1) input.write(line({ id: 0, method: 'big' }));
  input.write(line({ id: 'small', method: 'ping' }));
  await expect.poll(() => pings).toEqual(['small']);
  await settle();
  expect(output.writableLength).toBeLessThan(4 * MB);
  let answers = '';
  output.on('data', (chunk: Buffer) => {
    answers += chunk.toString().replaceAll('x', '');
  });
  const answered = () => new Set([...answers.matchAll(/"id":(\d+)/g)].map(([, id]) => id)).size;
  await expect.poll(answered).toBe(100);
  await transport.close();
});

it('makes no big answer that was cancelled while it waited, and goes on after one that was cancelled under way', async () => {
  const heard: unknown[] = [];
  const bigAnswers = { max: 1, is: (message: JSONRPCMessage) => 'method' in message && message.method === 'big' };
  const { input, transport } = await open((_, message) => {
    if ('method' in message && 'id' in message) heard.push(message.id);
  }, bigAnswers);
  const cancelled = (requestId: number) => line({ method: 'notifications/cancelled', params: { requestId } });
  input.write([1, 2, 3].map((id) => line({ id, method: 'big' })).join('') + cancelled(2) + cancelled(1));
  await expect.poll(() => heard).toEqual([1, 3]);
  await transport.close();
});

/** Feeds text in pieces of the given sizes, over and over. */
function read(text: string | Buffer, sizes: readonly number[] = [1 << 20], maxBytes = 1 << 20): ReadLine[] {
  const bytes = Buffer.from(text);
  const lines = new RequestLines(maxBytes);
  const found: ReadLine[] = [];
  for (let at = 0, i = 0; at < bytes.length; i += 1) {
    const size = sizes[i % sizes.length] ?? 1;
    found.push(...lines.push(bytes.subarray(at, at + size)));
    at += size;
  }
  return found;
}

const call = (args: string, name = 'call_tool') =>
  `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;

describe('arguments', () => {
  it.each([
    ['digits that no double holds', '{"id":12345678901234567890,"x":1.00000000000000000001,"e":1E400}'],
    ['names that objects have anyway', '{"__proto__":{"a":1},"constructor":null,"hasOwnProperty":[]}'],
    ['all of Unicode', '{"ü":"日本 😀"}'],
    ['nothing', '{}'],
    ['much', JSON.stringify({ rows: Array.from({ length: 3000 }, (_, i) => ({ i, a: `"${i}" \\ü` })) })],
  ])('keep %s', (_, text) => {
    const line = call(`{"server":"db","tool_args":${text},"tool_name":"insert"}`);
    for (const sizes of [[1], [3, 7], [65_536]]) {
      const [found] = read(`${line}\n`, sizes);
      expect(found && 'message' in found && exactJson(found.message)).toBe(line);
    }
  });

  it('of a cancellation name the call by the same id', () => {
    const id = '12345678901234567890';
    const [asked, ended] = read(
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{}}\n{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}\n`,
    ) as { message: { id?: unknown; params?: { requestId?: unknown } } }[];
    expect(asked?.message.id).toBe(ended?.message.params?.requestId);
  });

  it('of other methods are what JSON makes of them', () => {
    const line = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":12345678901234567890}}';
    expect(read(`${line}\n`)).toEqual([{ message: JSON.parse(line) }]);
  });
});

describe('lines', () => {
  it('are messages, each by itself, blank ones aside', () => {
    const one = '{"jsonrpc":"2.0","method":"a"}';
    const two = call('{"tool_args":{"b":"ä"}}');
    const found = read(`${one}\n\r\n\n${two}\r\n${one}\nnot yet`, [4]);
    expect(found).toHaveLength(3);
    expect(found.map((line) => 'error' in line || ((line.message as { method?: string }).method ?? ''))).toEqual([
      'a',
      'tools/call',
      'a',
    ]);
  });

  it.each([
    '{',
    '[]',
    '7',
    'null',
    'hello',
    '{"jsonrpc":"1.0","id":1}',
    `\uFEFF${call('{}')}`,
    call('{"tool_args":{"a":01}}'),
    call('{"tool_args":{"a":"\t"}}'),
  ])('that are no message are told, and the next is read: %s', (text) => {
    const found = read(`${text}\n{"jsonrpc":"2.0","method":"a"}\n`, [6]);
    expect(found).toEqual([{ error: expect.any(Error) }, { message: { jsonrpc: '2.0', method: 'a' } }]);
  });

  it('may be as long as the bound, each by itself', () => {
    const line = `{"jsonrpc":"2.0","method":"${'a'.repeat(970)}"}`;
    expect(read(`${line}\n${line}\n`, [64], 1000)).toHaveLength(2);
    expect(() => read('x'.repeat(1001), [64], 1000)).toThrow(/longer than 1000 bytes/);
  });
});
