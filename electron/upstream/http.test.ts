import { createHash } from 'node:crypto';
import http from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../shared/lib/fixtures/waiting.ts';
import type { AppError } from '../../shared/model/errors.ts';
import type { JsonStream } from '../engine/core/payload.ts';
import { type HttpFixture, hashingServer, listen, modernServer, sessionServer, sseServer } from './fixtures/http-servers.ts';
import { argumentsOf, bigArguments, poolOf, remote, textOf } from './fixtures/support.ts';
import type { UpstreamPool } from './types.ts';

let pool: UpstreamPool | undefined;
const servers: HttpFixture[] = [];
afterEach(async () => {
  await pool?.close();
  pool = undefined;
  for (const server of servers.splice(0)) await server.close();
});
function running<T extends HttpFixture>(server: T): T {
  servers.push(server);
  return server;
}
const failureOf = async (call: Promise<unknown>): Promise<AppError> => {
  const outcome = await call.then(
    () => new Error('it did not fail'),
    (error: unknown) => error,
  );
  return outcome as AppError;
};

describe('stock servers', () => {
  it.each([
    ['Streamable HTTP with sessions', 'http', sessionServer, ''],
    ['legacy SSE', 'sse', sseServer, '/sse'],
  ] as const)('are listed and called over %s', async (_, type, start, path) => {
    const server = running<HttpFixture>(await start());
    pool = poolOf({ web: remote(type, server.url + path, { headers: { 'x-key': 'k' } }) });
    expect((await pool.tools('web')).map((tool) => tool.name)).toContain('echo');
    const result = await pool.callTool('web', 'echo', argumentsOf({ a: 'ü' }));
    expect(result).toEqual({ content: [{ type: 'text', text: '{"a":"ü"}' }], unheardOf: true });
    expect(textOf(await pool.callTool('web', 'huge', argumentsOf({})))).toHaveLength(20_000_000);
    const seen: unknown[] = [];
    await pool.callTool('web', 'slow', argumentsOf({}), { onProgress: (progress) => seen.push(progress) });
    expect(seen).toEqual([{ progress: 1, total: 1 }]);
    expect(server.requests.every((headers) => headers['x-key'] === 'k')).toBe(true);
  });

  it('are spoken to in the 2026 era where they know it, headers included', async () => {
    const server = running(await modernServer());
    pool = poolOf({ web: remote('http', server.url) });
    expect(textOf(await pool.callTool('web', 'echo', argumentsOf({ a: 1 })))).toBe('{"a":1}');
    expect(pool.status('web')).toMatchObject([{ protocolVersion: '2026-07-28', serverInfo: { name: 'modern' } }]);
    expect(server.requests.at(-1)).toMatchObject({ 'mcp-method': 'tools/call', 'mcp-name': 'echo' });
  });

  it('are greeted again when they forgot the session', async () => {
    const server = running(await sessionServer());
    pool = poolOf({ web: remote('http', server.url) });
    await pool.callTool('web', 'echo', argumentsOf({ a: 1 }));
    server.forget();
    expect(textOf(await pool.callTool('web', 'echo', argumentsOf({ a: 2 })))).toBe('{"a":2}');
  });
});

describe('streamed arguments', () => {
  it('arrive byte for byte, announced exactly', async () => {
    const server = running(await hashingServer());
    pool = poolOf({ web: remote('http', server.url) });
    const args = bigArguments(3);
    const { bytes, announced, sha256 } = JSON.parse(textOf(await pool.callTool('web', 'hash', args)));
    expect(announced).toBe(bytes);
    expect(bytes).toBeGreaterThan(args.bytes);
    expect(sha256).toBe(await hashOfMessage(args, 0));
  });

  it('keep the digits of integers that a double cannot hold', async () => {
    const server = running(await hashingServer());
    pool = poolOf({ web: remote('http', server.url) });
    const args = argumentsOf('{"id":12345678901234567890}');
    const { sha256 } = JSON.parse(textOf(await pool.callTool('web', 'hash', args)));
    expect(sha256).toBe(await hashOfMessage(args, 0));
  });

  it('break off when the file changed, without harm to the next call', async () => {
    const server = running(await hashingServer());
    pool = poolOf({ web: remote('http', server.url) });
    const shrunk = { ...bigArguments(2), bytes: 3_000_000 };
    expect((await failureOf(pool.callTool('web', 'hash', shrunk))).code).toBe('FILE_CHANGED');
    expect(textOf(await pool.callTool('web', 'hash', argumentsOf({})))).toContain('sha256');
  });

  it('break off when the caller gives up', async () => {
    const server = running(await hashingServer());
    pool = poolOf({ web: remote('http', server.url) });
    const controller = new AbortController();
    let chunks = 0;
    const endless: JsonStream = {
      bytes: 3_000_000,
      async *json() {
        for (; chunks < 300; chunks += 1) {
          if (chunks === 20) controller.abort();
          yield new Uint8Array(10_000).fill(0x20);
          await new Promise((resolve) => setImmediate(resolve));
        }
      },
    };
    expect((await failureOf(pool.callTool('web', 'hash', endless, { signal: controller.signal }))).code).toBe('CANCELLED');
    expect(chunks).toBeLessThan(300);
  });

  /** What the message of the `id`-th call must hash to: the SDK's framing around the arguments' own bytes. */
  async function hashOfMessage(args: JsonStream, index: number): Promise<string> {
    // The first request on the connection is the greeting, with id 0.
    const id = index + 1;
    const hash = createHash('sha256').update('{"method":"tools/call","params":{"name":"hash","arguments":');
    for await (const chunk of args.json()) hash.update(chunk);
    return hash.update(`,"_meta":{"progressToken":${id}}},"jsonrpc":"2.0","id":${id}}`).digest('hex');
  }
});

describe('what goes wrong', () => {
  it.each([
    [401, 'asks for a sign-in that was not given (HTTP 401)', 'SIGN_IN_NEEDED'],
    [403, 'refused access (HTTP 403)', 'UPSTREAM_UNREACHABLE'],
    [404, 'has nothing at this address (HTTP 404)', 'UPSTREAM_UNREACHABLE'],
    [500, 'answered with HTTP 500', 'UPSTREAM_UNREACHABLE'],
  ])('says what HTTP %i means', async (status, words, code) => {
    const server = running(
      await listen((request, response) => {
        request.resume();
        response.writeHead(status).end();
      }),
    );
    pool = poolOf({ web: remote('http', server.url), old: remote('sse', server.url) });
    expect(await failureOf(pool.tools('web'))).toMatchObject({ code, message: `Server 'web' ${words}` });
    expect(await failureOf(pool.tools('old'))).toMatchObject({ code, message: `Server 'old' ${words}` });
  });

  it('says that nothing listens', async () => {
    const server = await listen(() => {});
    await server.close();
    pool = poolOf({ web: remote('http', server.url), old: remote('sse', server.url) });
    for (const name of ['web', 'old']) {
      const failure = await failureOf(pool.tools(name));
      expect(failure.code).toBe('UPSTREAM_UNREACHABLE');
      expect(failure.message).toContain(`nothing listens at ${server.url}`);
    }
  });

  it('says that a server does not answer', async () => {
    const server = running(await listen(() => {}));
    pool = poolOf({ web: remote('http', server.url), old: remote('sse', server.url) }, { connectTimeoutMs: 200 });
    expect((await failureOf(pool.tools('web'))).message).toContain("Server 'web' did not answer within 200 ms");
    expect((await failureOf(pool.tools('old'))).message).toContain("Server 'old' did not answer within 200 ms");
  });

  it('fails a call whose answer stream breaks, at once', async () => {
    const server = running(
      await hashingServer((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(': still here\n\n');
        setTimeout(() => response.destroy(), 50);
        return true;
      }),
    );
    pool = poolOf({ web: remote('http', server.url) });
    expect(await failureOf(pool.callTool('web', 'hash', argumentsOf({})))).toMatchObject({
      code: 'UPSTREAM_CLOSED',
      message: "Server 'web' broke the connection while 'hash' was running",
    });
  });

  it('fails the calls of a broken SSE connection, and connects again for the next', async () => {
    const server = running(await sseServer());
    pool = poolOf({ old: remote('sse', `${server.url}/sse`) });
    await pool.tools('old');
    const call = failureOf(pool.callTool('old', 'never', argumentsOf({})));
    const posts = server.requests.length;
    await until(() => server.requests.length > posts);
    server.breakConnections();
    expect((await call).code).toBe('UPSTREAM_CLOSED');
    expect(textOf(await pool.callTool('old', 'echo', argumentsOf({ a: 1 })))).toBe('{"a":1}');
  });

  it('times out although the server never begins an answer', async () => {
    const server = running(await hashingServer(() => true));
    pool = poolOf({ web: remote('http', server.url, { timeoutMs: 50 }) });
    expect(await failureOf(pool.callTool('web', 'hash', argumentsOf({})))).toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    expect((await failureOf(pool.callTool('web', 'hash', bigArguments(2)))).code).toBe('UPSTREAM_TIMEOUT');
  });

  it('says that a server takes no message of this size', async () => {
    const server = running(
      await hashingServer((response) => {
        response.writeHead(413).end('too large');
        return true;
      }),
    );
    pool = poolOf({ web: remote('http', server.url) });
    expect(await failureOf(pool.callTool('web', 'hash', argumentsOf({})))).toMatchObject({ code: 'MESSAGE_TOO_LARGE' });
  });

  it('hears a refusal that comes before the message is sent whole', async () => {
    const greeter = running(await hashingServer());
    const server = running(
      await listen((request, response) => {
        if (Number(request.headers['content-length']) > 1_000_000) {
          response.writeHead(413, { connection: 'close' }).end('too large');
          return;
        }
        const { method, headers } = request;
        request.pipe(
          http.request(greeter.url, { method, headers }, (answer) => {
            response.writeHead(answer.statusCode ?? 500, answer.headers);
            answer.pipe(response);
          }),
        );
      }),
    );
    pool = poolOf({ web: remote('http', server.url, { maxMessageBytes: 50_000_000 }) });
    expect(await failureOf(pool.callTool('web', 'hash', bigArguments(8)))).toMatchObject({ code: 'MESSAGE_TOO_LARGE' });
  });
});
