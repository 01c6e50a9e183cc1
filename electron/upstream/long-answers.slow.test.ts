/** The memory that long answers take, measured in a process that does nothing else. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LongAnswer, type LongText } from '../wire/long-answer.ts';
import { type HttpFixture, hashingServer } from './fixtures/http-servers.ts';
import { argumentsOf, fixture, poolOf, remote } from './fixtures/support.ts';
import type { UpstreamPool } from './types.ts';

let pool: UpstreamPool;
let directory: string;
let server: HttpFixture | undefined;
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'filebridge-incoming-'));
});
afterEach(async () => {
  await pool.close();
  await server?.close();
  server = undefined;
  await rm(directory, { recursive: true, force: true });
});

/** The server's line, in JSON and as it is meant. */
const LINE = { json: 'row \\"0\\" grüße \\ud83d\\ude00\\n', text: 'row "0" grüße 😀\n' };
const CHUNK_LINES = Math.ceil(50_000 / LINE.json.length);

/** Hash of a text of so many MB, as the servers make it. */
function hashOf(megabytes: number): string {
  const hash = createHash('sha256');
  const chunks = Math.ceil((megabytes * 1_000_000) / (CHUNK_LINES * Buffer.byteLength(LINE.json)));
  for (let i = 0; i < chunks; i += 1) hash.update(LINE.text.repeat(CHUNK_LINES));
  return hash.digest('hex');
}

async function hashOfText(answer: unknown): Promise<string> {
  if (!(answer instanceof LongAnswer)) throw new Error('the answer is held');
  const hash = createHash('sha256');
  const text = answer.outline.content[0]?.text as LongText;
  for await (const chunk of text.read()) hash.update(chunk);
  await answer.close();
  return hash.digest('hex');
}

/** How far this process grows while work goes on. */
async function growth<T>(work: Promise<T>): Promise<{ value: T; bytes: number }> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  const value = await work.finally(() => clearInterval(watch));
  return { value, bytes: peak - before };
}

/** A server that answers calls with a long text, as one JSON document or as an event. */
async function flooding(kind: 'json' | 'event', megabytes: number): Promise<UpstreamPool> {
  const drained = (response: http.ServerResponse) =>
    new Promise<void>((resolve) => {
      const done = () => {
        response.off('drain', done).off('close', done);
        resolve();
      };
      response.on('drain', done).on('close', done);
    });
  const write = async (response: http.ServerResponse, id: number) => {
    const type = kind === 'json' ? 'application/json' : 'text/event-stream';
    response.writeHead(200, { 'content-type': type });
    const [before, after] = kind === 'json' ? ['', ''] : [': hello\r\n\r\nevent: message\r\ndata: ', '\r\n\r\n'];
    response.write(`${before}{"result":{"content":[{"type":"text","text":"`);
    const chunk = Buffer.from(LINE.json.repeat(CHUNK_LINES));
    const chunks = Math.ceil((megabytes * 1_000_000) / chunk.length);
    for (let i = 0; i < chunks && !response.destroyed; i += 1) {
      if (!response.write(chunk)) await drained(response);
    }
    response.end(`"}]},"jsonrpc":"2.0","id":${id}}${after}`);
  };
  server = await hashingServer((response, id) => {
    void write(response, id);
    return true;
  });
  pool = poolOf({ db: remote('http', server.url) }, { incomingDirectory: directory });
  return pool;
}

it('a long answer over stdio is never held', async () => {
  pool = poolOf({ db: fixture('plain-server.mjs') }, { incomingDirectory: directory });
  const flood = (megabytes: number) => pool.call('db', 'flood', argumentsOf({ megabytes })).then(hashOfText);
  await flood(2);
  const { value, bytes } = await growth(flood(300));
  expect(value).toBe(hashOf(300));
  expect(bytes).toBeLessThan(200_000_000);
});

it.each(['json', 'event'] as const)('a long answer over HTTP (%s) is never held', async (kind) => {
  await flooding(kind, 300);
  const { value, bytes } = await growth(pool.call('db', 'x', argumentsOf({})).then(hashOfText));
  expect(value).toBe(hashOf(300));
  // The server runs in this very process, so both ends count.
  expect(bytes).toBeLessThan(250_000_000);
});
