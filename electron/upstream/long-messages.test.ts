import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LongMessage, LongMessages } from './long-messages.ts';
import { ResultTap, rawResult } from './result-tap.ts';
import type { JsonObject } from './types.ts';

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

function begin(tap: ResultTap): LongMessage {
  return new LongMessages({ directory, tap, maxBytes: () => Number.POSITIVE_INFINITY }).begin(() => {});
}

/** What the call gets when this has come, in pieces as a pipe brings them. */
async function received(tap: ResultTap, text: string): Promise<unknown> {
  const long = begin(tap);
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
