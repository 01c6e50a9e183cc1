import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { limits } from '../../shared/lib/fixtures/limits.ts';
import { until } from '../../shared/lib/fixtures/waiting.ts';
import type { AppError } from '../../shared/model/errors.ts';
import { LongAnswer, type LongText } from '../wire/long-answer.ts';
import { type HttpFixture, hashingServer, listen } from './fixtures/http-servers.ts';
import { argumentsOf, bytesIn, fixture, openFilesIn, poolOf, remote, textOf } from './fixtures/support.ts';
import type { UpstreamPool } from './types.ts';

let pool: UpstreamPool;
let directory: string;
let server: HttpFixture | undefined;
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'filebridge-incoming-'));
});
afterEach(async () => {
  vi.useRealTimers();
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

async function failureOf(call: Promise<unknown>): Promise<AppError> {
  return call.then(
    () => {
      throw new Error('the call succeeded');
    },
    (error: AppError) => error,
  );
}

const openTemporaryFiles = () => openFilesIn(directory);

/** Limits of which that for an answer is 2 MB. */
const bounded = () => ({ callTimeoutMs: limits.wait, upstreamIdleMs: limits.wait, maxStreamedFileBytes: 2_100_000 });

const overStdio = () => {
  pool = poolOf({ db: fixture('plain-server.mjs') }, { incomingDirectory: directory });
  return pool;
};
const flood = (args: object, signal?: AbortSignal) => pool.call('db', 'flood', argumentsOf(args), { signal });

describe('a long answer over stdio', () => {
  it.each([true, false])('waits in a file, whole, with its id last (%s)', async (idLast) => {
    overStdio();
    const answer = await flood({ megabytes: 3, idLast });
    expect(await openTemporaryFiles()).toBe(1);
    // Nobody else finds it.
    expect(await readdir(directory)).toEqual([]);
    expect(await hashOfText(answer)).toBe(hashOf(3));
    expect(await openTemporaryFiles()).toBe(0);
  });

  it('is held for those who ask for a whole one', async () => {
    overStdio();
    expect(textOf(await pool.callTool('db', 'flood', argumentsOf({ megabytes: 2 })))).toMatch(/^row "0" grüße 😀\n/);
    expect(textOf(await pool.callTool('db', 'huge', argumentsOf({ bytes: 3_000_000 })))).toHaveLength(3_000_000);
    expect(await openTemporaryFiles()).toBe(0);
  });

  it('may come while other calls are answered', async () => {
    overStdio();
    const calls = [flood({ megabytes: 2 }).then(hashOfText), flood({ megabytes: 3, idLast: false }).then(hashOfText)];
    const small = Array.from({ length: 5 }, (_, i) => pool.callTool('db', 'echo', argumentsOf({ i })).then(textOf));
    expect(await Promise.all(small)).toEqual([0, 1, 2, 3, 4].map((i) => `{"i":${i}}`));
    expect(await Promise.all(calls)).toEqual([hashOf(2), hashOf(3)]);
  });

  it('leaves nothing of one that was given up, and the connection as it was', async () => {
    overStdio();
    const { pid } = JSON.parse(textOf(await pool.callTool('db', 'whoami', argumentsOf({}))));
    const controller = new AbortController();
    const call = failureOf(flood({ megabytes: 5, half: 'stall' }, controller.signal));
    await until(async () => (await openTemporaryFiles()) === 1);
    controller.abort();
    expect((await call).code).toBe('CANCELLED');
    await until(async () => (await openTemporaryFiles()) === 0);
    // What is left of the line is let go by.
    const after = pool.callTool('db', 'whoami', argumentsOf({}));
    await pool.callTool('db', 'resume', argumentsOf({}));
    expect(JSON.parse(textOf(await after)).pid).toBe(pid);
    expect(await openTemporaryFiles()).toBe(0);
  });

  it('fails with its server', async () => {
    overStdio();
    expect((await failureOf(flood({ megabytes: 5, half: 'die' }))).code).toBe('UPSTREAM_CLOSED');
    await until(async () => (await openTemporaryFiles()) === 0);
    expect(await hashOfText(await flood({ megabytes: 2 }))).toBe(hashOf(2));
  });

  it('is refused where it is no JSON, and the next one is not', async () => {
    overStdio();
    const failure = await failureOf(flood({ megabytes: 5, half: 'garble' }));
    expect(failure).toMatchObject({ code: 'UPSTREAM_FAILED', message: expect.stringContaining('no valid JSON') });
    await until(async () => (await openTemporaryFiles()) === 0);
    expect(await hashOfText(await flood({ megabytes: 2 }))).toBe(hashOf(2));
  });

  it('has a bound', async () => {
    pool = poolOf({ db: fixture('plain-server.mjs') }, { incomingDirectory: directory, limits: bounded });
    expect(await failureOf(flood({ megabytes: 5 }))).toMatchObject({
      code: 'MESSAGE_TOO_LARGE',
      message: expect.stringContaining('limits.maxStreamedFileBytes'),
    });
    expect(await hashOfText(await flood({ megabytes: 2 }))).toBe(hashOf(2));
  });

  it('has a bound where it never ends, of which every call hears', async () => {
    pool = poolOf({ db: fixture('plain-server.mjs') }, { incomingDirectory: directory, limits: bounded });
    const calls = [flood({ megabytes: 5, half: 'stall' }), flood({ megabytes: 2 })].map(failureOf);
    for (const failure of await Promise.all(calls)) expect(failure.code).toBe('MESSAGE_TOO_LARGE');
    await until(async () => (await openTemporaryFiles()) === 0);
    expect(await hashOfText(await flood({ megabytes: 2 }))).toBe(hashOf(2));
  });

  it('is held where there is no room for it on the disk', async () => {
    pool = poolOf({ db: fixture('plain-server.mjs') }, { incomingDirectory: '/dev/null/nowhere' });
    expect(await hashOfText(await flood({ megabytes: 3 }))).toBe(hashOf(3));
    expect(textOf(await pool.callTool('db', 'flood', argumentsOf({ megabytes: 2 })))).toMatch(/^row "0" grüße 😀\n/);
  });

  it('may take as long as it comes', async () => {
    pool = poolOf({ db: fixture('plain-server.mjs') }, { incomingDirectory: directory, callTimeoutMs: 10 * limits.wait });
    await pool.callTool('db', 'echo', argumentsOf({}));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const whole = flood({ megabytes: 8, half: 'stall', parts: 4 });
    // Each part has set the clock back.
    for (const bytes of [1_500_000, 3_500_000, 5_500_000]) {
      await expect.poll(() => bytesIn(directory)).toBeGreaterThan(bytes);
      vi.advanceTimersByTime(8 * limits.wait);
      // Answered after the flood.
      void pool.callTool('db', 'resume', argumentsOf({}));
    }
    expect(await hashOfText(await whole)).toBe(hashOf(8));
    const call = failureOf(flood({ megabytes: 5, half: 'stall' }));
    await expect.poll(() => bytesIn(directory)).toBeGreaterThan(1_000_000);
    vi.advanceTimersByTime(10 * limits.wait);
    expect((await call).code).toBe('UPSTREAM_TIMEOUT');
    await expect.poll(openTemporaryFiles).toBe(0);
  });
});

/** A server that answers calls with a long text, as one JSON document or as an event. */
async function flooding(
  kind: 'json' | 'event',
  megabytes: number,
  half?: 'break' | 'garble' | 'stall',
  isBounded = half === 'stall',
): Promise<UpstreamPool> {
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
      if (half && i === chunks >> 1) {
        if (half === 'break') return void response.destroy();
        if (half === 'stall') return;
        response.write('\t');
      }
      if (!response.write(chunk)) await drained(response);
    }
    response.end(`"}]},"jsonrpc":"2.0","id":${id}}${after}`);
  };
  server = await hashingServer((response, id) => {
    void write(response, id);
    return true;
  });
  pool = poolOf({ db: remote('http', server.url) }, { incomingDirectory: directory, ...(isBounded ? { limits: bounded } : {}) });
  return pool;
}

describe.each(['json', 'event'] as const)('a long answer over HTTP (%s)', (kind) => {
  it('waits in a file, whole', async () => {
    await flooding(kind, 3);
    expect(await hashOfText(await pool.call('db', 'x', argumentsOf({})))).toBe(hashOf(3));
    expect(await openTemporaryFiles()).toBe(0);
    expect(textOf(await pool.callTool('db', 'x', argumentsOf({})))).toMatch(/^row "0" grüße 😀\n/);
  });

  it.each(['break', 'garble'] as const)('leaves nothing where the server should %s it', async (half) => {
    await flooding(kind, 4, half);
    const failure = await failureOf(pool.call('db', 'x', argumentsOf({})));
    expect(['UPSTREAM_CLOSED', 'UPSTREAM_FAILED', 'UPSTREAM_UNREACHABLE']).toContain(failure.code);
    await until(async () => (await openTemporaryFiles()) === 0);
  });

  it('has a bound where it never ends', async () => {
    await flooding(kind, 5, 'stall');
    const calls = [1, 2].map(() => failureOf(pool.call('db', 'x', argumentsOf({}))));
    for (const failure of await Promise.all(calls)) expect(failure.code).toBe('MESSAGE_TOO_LARGE');
    await until(async () => (await openTemporaryFiles()) === 0);
  });

  it('is given up at once', async () => {
    const controller = new AbortController();
    await flooding(kind, 5, 'stall', false);
    const call = failureOf(pool.call('db', 'x', argumentsOf({}), { signal: controller.signal }));
    await until(async () => (await openTemporaryFiles()) === 1);
    controller.abort();
    expect((await call).code).toBe('CANCELLED');
    await until(async () => (await openTemporaryFiles()) === 0);
  });
});

it('an event whose data is spread over lines is one message', async () => {
  const long = 'y'.repeat(2_000_000);
  const rows = [
    `{"jsonrpc":"2.0","id":0,`,
    `"result":{"content":[{"type":"text","text":"${long}"}],`,
    `"structuredContent":{"a":1}}}`,
  ];
  server = await listen(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method } = JSON.parse(Buffer.concat(chunks).toString());
    if (id === undefined) return void response.writeHead(202).end();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const greeting = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } };
    if (method === 'tools/call') {
      const lines = rows.map((row) => `data:${row.replace('"id":0', `"id":${id}`)}\r`).join('');
      response.end(
        `data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}\n\nid: 7\r${lines}\r`,
      );
    } else if (method === 'initialize') response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: greeting })}\n\n`);
    else response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } })}\n\n`);
  });
  pool = poolOf({ db: remote('http', server.url) }, { incomingDirectory: directory });
  expect(await pool.callTool('db', 'x', argumentsOf({}))).toEqual({
    content: [{ type: 'text', text: long }],
    structuredContent: { a: 1 },
  });
});
