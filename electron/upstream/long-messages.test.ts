import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../shared/lib/fixtures/waiting.ts';
import { type LongMessage, LongMessages } from '../wire/long-messages.ts';
import type { JsonObject } from '../wire/message-types.ts';
import { ResultTap, rawResult } from '../wire/result-tap.ts';
import { openFilesIn } from './fixtures/support.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'filebridge-long-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** A tap that waits for the answers to these requests. */
function waitingFor(requests: Record<number, string>): ResultTap {
  const tap = new ResultTap();
  for (const [id, method] of Object.entries(requests)) {
    tap.outgoing({ jsonrpc: '2.0', id: Number(id), method, params: { name: 'dump', arguments: id } });
  }
  return tap;
}

function begin(tap: ResultTap, { onBytes = () => {}, maxBytes = Number.POSITIVE_INFINITY } = {}): LongMessage {
  return new LongMessages({ directory, tap, maxBytes: () => maxBytes }).begin(onBytes);
}

/** What the call gets when this has come, in pieces as a pipe brings them. */
async function received(tap: ResultTap, text: string, maxBytes?: number): Promise<unknown> {
  const long = begin(tap, { maxBytes });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 65_536) long.push(bytes.subarray(at, at + 65_536));
  const message = await long.end();
  return message && rawResult((tap.incoming(message) as unknown as JsonObject).result);
}

const answer = (result: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 7, result });

describe('an answer whose outline is long too', () => {
  // The outline is full in another place of a block each time: in a string, or between two.
  it.each([0, 1, 2, 3, 4, 5])('is parsed whole, many short blocks (%i)', async (shift) => {
    const content = Array.from({ length: 40_000 }, (_, i) => ({ type: 'text', text: `${'x'.repeat(shift)}${i}` }));
    expect(await received(waitingFor({ 7: 'tools/call' }), answer({ content }))).toEqual({ content });
  });

  it('is parsed whole, deeply nested', async () => {
    const deep = JSON.parse(`${'['.repeat(600)}${']'.repeat(600)}`);
    const result = { content: [], structuredContent: { deep, long: 'x'.repeat(2_000_000) } };
    expect(await received(waitingFor({ 7: 'tools/call' }), answer(result))).toEqual(result);
  });

  it('is parsed whole, of tools', async () => {
    const tools = Array.from({ length: 3000 }, (_, i) => ({ name: `tool_${i}`, description: 'does it '.repeat(50) }));
    expect(await received(waitingFor({ 7: 'tools/list' }), answer({ tools }))).toEqual({ tools });
  });
});

describe('the call is told', () => {
  const blocks = Array.from({ length: 60_000 }, (_, i) => ({ type: 'text', text: `${i}` }));
  const whole = answer({ content: blocks });

  it('of a broken answer whose outline is long', async () => {
    const tap = waitingFor({ 7: 'tools/call' });
    expect(await received(tap, whole.replace(/\]\}\}$/, '!]}}'))).toMatchObject({
      code: 'UPSTREAM_FAILED',
      message: expect.stringContaining('no valid JSON'),
    });
  });

  it('of an answer that is no message', async () => {
    const result = { content: [{ type: 'text', text: 'x'.repeat(2_000_000) }], resultType: 'input_required' };
    expect(await received(waitingFor({ 7: 'tools/call' }), JSON.stringify({ id: 7, result }))).toMatchObject({
      code: 'UPSTREAM_FAILED',
    });
  });

  it('of nothing where something else is too long', async () => {
    const params = { level: 'info', data: 'x'.repeat(2_000_000) };
    const notification = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params });
    const tap = waitingFor({ 7: 'tools/call' });
    await expect(received(tap, notification, 1_000_000)).rejects.toMatchObject({ code: 'MESSAGE_TOO_LARGE' });
  });
});

describe('of a call that was given up', () => {
  const text = answer({ content: [{ type: 'text', text: 'x'.repeat(2_000_000) }] });

  it('nothing is kept when its answer is already on its way to it', async () => {
    const tap = waitingFor({ 7: 'tools/call', 8: 'tools/call' });
    const long = begin(tap);
    long.push(Buffer.from(text));
    await long.end();
    await until(async () => (await openFilesIn(directory)) === 1);
    tap.forget('7');
    await until(async () => (await openFilesIn(directory)) === 0);
  });

  it('nothing is kept when its answer is being written', async () => {
    const tap = waitingFor({ 7: 'tools/call', 8: 'tools/call' });
    const long = begin(tap);
    long.push(Buffer.from(text));
    const end = long.end();
    tap.forget('7');
    expect(await end).toBeNull();
    await until(async () => (await openFilesIn(directory)) === 0);
  });

  it('what still comes gives no sign of life', () => {
    let signs = 0;
    const onBytes = () => {
      signs += 1;
    };
    const long = begin(waitingFor({ 7: 'tools/call' }), { onBytes });
    long.push(Buffer.from(text));
    long.discard();
    long.push(Buffer.from(text));
    expect(signs).toBe(1);
  });
});

describe('a long notification', () => {
  it('is dropped without being parsed as a whole', async () => {
    const tap = waitingFor({ 7: 'tools/call' });
    const params = { level: 'info', data: 'x'.repeat(50_000_000) };
    await expect(received(tap, JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params }))).rejects.toThrow(
      'a notification may have 1 MB',
    );
    expect(tap.awaitsAnswer(7)).toBe('tools/call');
  });
});
