import { afterEach, describe, expect, it } from 'vitest';
import { retryAfterSeconds } from '../wire/payload-fetch.ts';
import { type HttpFixture, listen } from './fixtures/http-servers.ts';
import { argumentsOf, bigArguments, poolOf, remote, textOf } from './fixtures/support.ts';
import type { UpstreamPool } from './types.ts';

const now = Date.parse('Wed, 21 Oct 2026 07:28:00 GMT');

describe('retryAfterSeconds', () => {
  it.each([
    ['5', 5],
    [' 0 ', 0],
    ['Wed, 21 Oct 2026 07:28:30 GMT', 30],
    ['Wednesday, 21-Oct-26 07:28:30 GMT', 30],
    ['Wed, 21 Oct 2026 07:00:00 GMT', 0],
    ['99999999999999', 604_800],
    ['-5', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['2026', 2026],
    ['', undefined],
    [null, undefined],
  ])('reads %j as %s', (header, seconds) => {
    const headers = new Headers(header === null ? {} : { 'retry-after': header });
    expect(retryAfterSeconds(headers, now)).toBe(seconds);
  });

  it.each([
    ['Wed, 21 Oct 2026 07:28:00 GMT', 30],
    ['no date', 365 * 24 * 3600],
  ])("counts a date from the server's own clock: %s", (date, seconds) => {
    const headers = new Headers({ 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT', date });
    expect(retryAfterSeconds(headers, now - 400 * 24 * 3600 * 1000)).toBe(Math.min(seconds, 604_800));
  });
});

describe('a server that asks to wait', () => {
  let pool: UpstreamPool | undefined;
  let server: HttpFixture | undefined;
  afterEach(async () => {
    await pool?.close();
    await server?.close();
  });

  /** Refuses the first `times` calls with `status`, or everything with `all`; the calls that came. */
  async function refusing(status: number, header: string | undefined, times: number, all = false): Promise<string[]> {
    const calls: string[] = [];
    let left = times;
    server = await listen(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      if (request.method !== 'POST') return void response.writeHead(405).end();
      const message = JSON.parse(Buffer.concat(chunks).toString());
      if (message.method === 'tools/call') calls.push(message.params.arguments.a);
      if ((all || message.method === 'tools/call') && left > 0) {
        left -= 1;
        return void response.writeHead(status, header === undefined ? {} : { 'retry-after': header }).end('busy');
      }
      if (message.id === undefined) return void response.writeHead(202).end();
      const results: Record<string, object> = {
        initialize: {
          protocolVersion: '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: 'busy', version: '1' },
        },
        'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
        'tools/call': { content: [{ type: 'text', text: 'done' }] },
      };
      const result = results[message.method];
      const error = { code: -32601, message: 'unknown' };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...(result ? { result } : { error }) }));
    });
    pool = poolOf({ web: remote('http', server.url) });
    return calls;
  }
  const call = () => (pool as UpstreamPool).callTool('web', 'echo', argumentsOf({ a: 'once' }));
  const failed = () =>
    call().then(
      () => new Error('it did not fail'),
      (error: unknown) => error,
    );

  it.each(['0', '1', () => new Date(Date.now() + 1000).toUTCString()])('is asked again after it: %s', async (header) => {
    const calls = await refusing(429, typeof header === 'string' ? header : header(), 2);
    expect(textOf(await call())).toBe('done');
    expect(calls).toHaveLength(3);
  });

  it('is greeted again after it', async () => {
    await refusing(503, '0', 1, true);
    expect(textOf(await call())).toBe('done');
  });

  it.each([
    ['longer than a call can wait', 429, '3600', 1],
    ['where a proxy may hide that the call was carried out', 503, '1', 1],
    ['again and again', 429, '0', 4],
  ])('%s: the agent hears how long', async (_, status, header, made) => {
    const calls = await refusing(status, header, 100);
    const error = await failed();
    expect(error).toMatchObject({
      code: 'UPSTREAM_UNREACHABLE',
      hint: `It asks to wait ${header} s before the next try`,
      details: { retryAfterSeconds: Number(header) },
    });
    expect(calls).toHaveLength(made);
  });

  it('says no time: the call fails at once', async () => {
    const calls = await refusing(429, undefined, 100);
    expect(await failed()).toMatchObject({ message: expect.stringContaining('HTTP 429'), details: {} });
    expect(calls).toHaveLength(1);
  });

  it('gets arguments that are streamed once only', async () => {
    const calls = await refusing(429, '0', 100);
    await expect((pool as UpstreamPool).callTool('web', 'echo', bigArguments(2))).rejects.toMatchObject({
      details: { retryAfterSeconds: 0 },
    });
    expect(calls.length).toBeLessThanOrEqual(1);
  });

  it('is not waited for once the caller has given up', async () => {
    const calls = await refusing(429, '10', 100);
    const abort = new AbortController();
    const outcome = (pool as UpstreamPool)
      .callTool('web', 'echo', argumentsOf({ a: 'once' }), { signal: abort.signal })
      .catch((error: unknown) => error);
    await expect.poll(() => calls.length).toBe(1);
    abort.abort();
    expect(await outcome).toMatchObject({ code: 'CANCELLED' });
    expect(calls).toHaveLength(1);
  });
});
