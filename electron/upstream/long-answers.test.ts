import { createHash } from 'node:crypto';
import type http from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { limits } from '../../shared/lib/fixtures/limits.ts';
import { until } from '../../shared/lib/fixtures/waiting.ts';
import type { AppError } from '../../shared/model/errors.ts';
import { exactJson, parseExact } from '../engine/core/exact-numbers.ts';
import { ArrivingAnswers } from '../wire/arriving-answers.ts';
import { type HttpFixture, hashingServer, listen } from './fixtures/http-servers.ts';
import { argumentsOf, fixture, poolOf, remote, textOf } from './fixtures/support.ts';
import type { ToolResult, UpstreamPool } from './types.ts';

let pool: UpstreamPool;
let server: HttpFixture | undefined;
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await pool.close();
  await server?.close();
  server = undefined;
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

const hashOfText = (answer: ToolResult): string => createHash('sha256').update(textOf(answer)).digest('hex');

async function failureOf(call: Promise<unknown>): Promise<AppError> {
  return call.then(
    () => {
      throw new Error('the call succeeded');
    },
    (error: AppError) => error,
  );
}

/** Limits of which that for an answer is 2 MB. */
const bounded = () => ({ callTimeoutMs: limits.wait, upstreamIdleMs: limits.wait, maxAnswerBytes: 2_100_000 });

const overStdio = (options: Parameters<typeof poolOf>[1] = {}) => {
  pool = poolOf({ db: fixture('plain-server.mjs') }, options);
  return pool;
};
const flood = (args: object, signal?: AbortSignal) => pool.callTool('db', 'flood', argumentsOf(args), { signal });
const pidOf = async () => JSON.parse(textOf(await pool.callTool('db', 'whoami', argumentsOf({})))).pid;

describe('a long answer over stdio', () => {
  it.each([true, false])('arrives whole, with its id last (%s)', async (idLast) => {
    overStdio();
    expect(hashOfText(await flood({ megabytes: 3, idLast }))).toBe(hashOf(3));
  });

  it('may come while other calls are answered', async () => {
    overStdio();
    const calls = [flood({ megabytes: 2 }), flood({ megabytes: 3, idLast: false })];
    const small = Array.from({ length: 5 }, (_, i) => pool.callTool('db', 'echo', argumentsOf({ i })).then(textOf));
    expect(await Promise.all(small)).toEqual([0, 1, 2, 3, 4].map((i) => `{"i":${i}}`));
    expect((await Promise.all(calls)).map(hashOfText)).toEqual([hashOf(2), hashOf(3)]);
  });

  it('that was given up leaves the connection as it was', async () => {
    overStdio();
    const pid = await pidOf();
    const controller = new AbortController();
    const call = failureOf(flood({ megabytes: 5, half: 'stall' }, controller.signal));
    const echo = pool.callTool('db', 'echo', argumentsOf({}));
    controller.abort();
    expect((await call).code).toBe('CANCELLED');
    // What is left of the line is let go by.
    await pool.callTool('db', 'resume', argumentsOf({}));
    await echo;
    expect(await pidOf()).toBe(pid);
  });

  it('fails with its server', async () => {
    overStdio();
    expect((await failureOf(flood({ megabytes: 5, half: 'die' }))).code).toBe('UPSTREAM_CLOSED');
    expect(hashOfText(await flood({ megabytes: 2 }))).toBe(hashOf(2));
  });

  it('is refused where it is no JSON, and the next one is not', async () => {
    overStdio();
    const failure = await failureOf(flood({ megabytes: 5, half: 'garble', idLast: false }));
    expect(failure).toMatchObject({ code: 'UPSTREAM_FAILED', message: expect.stringContaining('no valid JSON') });
    expect(hashOfText(await flood({ megabytes: 2 }))).toBe(hashOf(2));
  });

  it.each([true, false])('over the bound fails its own call, with its id last (%s), and the server goes on', async (idLast) => {
    overStdio({ limits: bounded });
    const pid = await pidOf();
    const others = [1, 2].map((i) => pool.callTool('db', 'echo', argumentsOf({ i })).then(textOf));
    expect(await failureOf(flood({ megabytes: 5, idLast }))).toMatchObject({
      code: 'MESSAGE_TOO_LARGE',
      message: expect.stringContaining('limits.maxAnswerBytes'),
      hint: expect.stringMatching(/^Ask the tool for less at once/),
    });
    expect(await Promise.all(others)).toEqual(['{"i":1}', '{"i":2}']);
    expect(hashOfText(await flood({ megabytes: 2 }))).toBe(hashOf(2));
    expect(await pidOf()).toBe(pid);
  });

  it('over the bound that nobody asked for fails no call', async () => {
    overStdio({ limits: bounded });
    expect(textOf(await pool.callTool('db', 'talk', argumentsOf({ bytes: 3_000_000 })))).toBe('asked for');
  });

  it('that comes when its only call was given up is let go by', async () => {
    // Its line goes on after everything else was answered; the log, which holds the command as well, tells when.
    const late = `const send = (message) => JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n';
      let held;
      require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method, params } = JSON.parse(line);
        const result = (text) => ({ content: [{ type: 'text', text }] });
        const write = (message, then) => process.stdout.write(send(message), then);
        if (method === 'initialize')
          write({ id, result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'db', version: '1' } } });
        else if (method === 'notifications/cancelled') write({ id: held, result: result('x'.repeat(20e6)) }, () => console.error(['all', 'written'].join(' ')));
        else if (method === 'tools/call' && params.name === 'wait') held = id;
        else if (method === 'tools/call') write({ id, result: result(String(process.pid)) });
        else if (id !== undefined) write({ id, error: { code: -32601, message: 'unknown' } });
      });`;
    pool = poolOf({ db: fixture('', { args: ['-e', late] }) });
    const controller = new AbortController();
    const call = failureOf(pool.callTool('db', 'wait', argumentsOf({}), { signal: controller.signal }));
    const pid = async () => textOf(await pool.callTool('db', 'pid', argumentsOf({})));
    const before = await pid();
    controller.abort();
    expect((await call).code).toBe('CANCELLED');
    await until(() => pool.log('db').some(({ text }) => text.includes('all written')));
    expect(await pid()).toBe(before);
  });

  it('that never ends ends its server, and every call hears of it', async () => {
    overStdio({ limits: bounded });
    const calls = [flood({ megabytes: 40, half: 'stall' }), flood({ megabytes: 2 })].map(failureOf);
    for (const failure of await Promise.all(calls)) expect(failure.code).toBe('MESSAGE_TOO_LARGE');
    expect(hashOfText(await flood({ megabytes: 2 }))).toBe(hashOf(2));
  });

  it('may take as long as it comes', async () => {
    overStdio({ callTimeoutMs: 10 * limits.wait });
    await pool.callTool('db', 'echo', argumentsOf({}));
    const came = vi.spyOn(ArrivingAnswers.prototype, 'came');
    const cameOf = (bytes: number) => expect.poll(() => came.mock.calls.some(([each]) => each > bytes)).toBe(true);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const whole = flood({ megabytes: 8, half: 'stall', parts: 4 });
    // Each part has set the clock back.
    for (const bytes of [1_500_000, 3_500_000, 5_500_000]) {
      await cameOf(bytes);
      vi.advanceTimersByTime(8 * limits.wait);
      // Answered after the flood.
      void pool.callTool('db', 'resume', argumentsOf({}));
    }
    expect(hashOfText(await whole)).toBe(hashOf(8));
    came.mockClear();
    const call = failureOf(flood({ megabytes: 5, half: 'stall' }));
    await cameOf(1_000_000);
    vi.advanceTimersByTime(10 * limits.wait);
    expect((await call).code).toBe('UPSTREAM_TIMEOUT');
  });
});

describe('numbers that a double does not hold', () => {
  const digits = '12345678901234567890';

  it.each(['stdio', 'json', 'event'] as const)('keep their digits (%s)', async (kind) => {
    // Its white space ends a line in JavaScript, and in no protocol.
    const result = `{"content":[{"type":"text","text":"\u2028${digits}"}],"structuredContent":{"id":${digits},"x":1.5}}`;
    if (kind === 'stdio') overStdio();
    else await answering(kind, result);
    const answer =
      kind === 'stdio'
        ? await pool.callTool('db', 'verbatim', argumentsOf({ result }))
        : await pool.callTool('db', 'x', argumentsOf({}));
    expect(exactJson(answer)).toBe(result);
  });

  it('keep their digits where the server answers with its id as a text', async () => {
    overStdio();
    const result = `{"content":[],"structuredContent":{"id":${digits}}}`;
    expect(exactJson(await pool.callTool('db', 'verbatim', argumentsOf({ result, idAsText: true })))).toBe(result);
  });

  it.each(['stdio', 'http'] as const)('go to the server as numbers, beside the arguments too (%s)', async (kind) => {
    const meta = parseExact(`{"example.com/trace":${digits}}`) as Record<string, unknown>;
    if (kind === 'stdio') {
      overStdio();
      const told = JSON.parse(textOf(await pool.callTool('db', 'meta', argumentsOf({}), { meta }))) as object;
      expect(told).toMatchObject({ 'example.com/trace': Number(digits) });
      return;
    }
    const bodies: string[] = [];
    server = await listen((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        bodies.push(body);
        const { id, method } = JSON.parse(body || '{}') as { id?: number; method?: string };
        const result =
          method === 'initialize'
            ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'db', version: '1' } }
            : { content: [] };
        response.writeHead(id === undefined ? 202 : 200, { 'content-type': 'application/json' });
        response.end(id === undefined ? '' : JSON.stringify({ jsonrpc: '2.0', id, result }));
      });
    });
    pool = poolOf({ db: remote('http', server.url) });
    await pool.callTool('db', 'x', argumentsOf({}), { meta });
    expect(bodies.find((body) => body.includes('tools/call'))).toContain(`"example.com/trace":${digits}`);
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
  pool = poolOf({ db: remote('http', server.url) }, isBounded ? { limits: bounded } : {});
  return pool;
}

/** A server that answers calls with this result, as one JSON document or as an event. */
async function answering(kind: 'json' | 'event', result: string): Promise<void> {
  server = await hashingServer((response, id) => {
    const type = kind === 'json' ? 'application/json' : 'text/event-stream';
    response.writeHead(200, { 'content-type': type });
    const message = `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
    response.end(kind === 'json' ? message : `id: 12345678901234567890\ndata: ${message}\n\n`);
    return true;
  });
  pool = poolOf({ db: remote('http', server.url) });
}

describe.each(['json', 'event'] as const)('a long answer over HTTP (%s)', (kind) => {
  const call = (signal?: AbortSignal) => pool.callTool('db', 'x', argumentsOf({}), { signal });

  it('arrives whole', async () => {
    await flooding(kind, 3);
    expect(hashOfText(await call())).toBe(hashOf(3));
  });

  it.each(['break', 'garble'] as const)('fails where the server should %s it', async (half) => {
    await flooding(kind, 4, half);
    const failure = await failureOf(call());
    expect(['UPSTREAM_CLOSED', 'UPSTREAM_FAILED', 'UPSTREAM_UNREACHABLE']).toContain(failure.code);
  });

  it('has a bound where it never ends', async () => {
    await flooding(kind, 5, 'stall');
    const calls = [1, 2].map(() => failureOf(call()));
    for (const failure of await Promise.all(calls)) expect(failure.code).toBe('MESSAGE_TOO_LARGE');
  });

  it('is given up at once', async () => {
    const controller = new AbortController();
    const came = vi.spyOn(ArrivingAnswers.prototype, 'came');
    await flooding(kind, 5, 'stall', false);
    const failed = failureOf(call(controller.signal));
    await expect.poll(() => came.mock.calls.some(([bytes]) => bytes > 1_000_000)).toBe(true);
    controller.abort();
    expect((await failed).code).toBe('CANCELLED');
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
  pool = poolOf({ db: remote('http', server.url) });
  expect(await pool.callTool('db', 'x', argumentsOf({}))).toEqual({
    content: [{ type: 'text', text: long }],
    structuredContent: { a: 1 },
  });
});
