import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { type BigAnswers, LineTransport } from './line-transport.ts';

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
