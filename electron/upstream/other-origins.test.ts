/** A server's secrets stay at its origin: a redirect or an SSE endpoint that points elsewhere gets no request. */
import type http from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { type HttpFixture, listen, sessionServer } from './fixtures/http-servers.ts';
import { argumentsOf, poolOf, remote } from './fixtures/support.ts';
import { authorizedFetch } from './http-transport.ts';
import type { UpstreamPool } from './types.ts';

const SECRETS = { authorization: 'Bearer secret-token', 'x-api-key': 'secret-key' };

let pool: UpstreamPool | undefined;
const servers: HttpFixture[] = [];
afterEach(async () => {
  await pool?.close();
  pool = undefined;
  for (const server of servers.splice(0)) await server.close();
});
function running(server: HttpFixture): HttpFixture {
  servers.push(server);
  return server;
}

/** A working server, so that a request that reaches it would succeed. */
const elsewhere = async () => running(await sessionServer());

function redirect(response: http.ServerResponse, status: number, location: string): void {
  response.writeHead(status, { location }).end();
}

describe('a redirect to another origin is not followed', () => {
  it.each([301, 302, 303, 307, 308].flatMap((status) => [[status, 'http'] as const, [status, 'sse'] as const]))(
    '%i, %s',
    async (status, type) => {
      const other = await elsewhere();
      const server = running(
        await listen((request, response) => {
          request.resume();
          redirect(response, status, other.url);
        }),
      );
      pool = poolOf({ web: remote(type, server.url, { headers: SECRETS }) });
      await expect(pool.tools('web')).rejects.toThrow();
      expect(server.requests[0]).toMatchObject(SECRETS);
      expect(other.requests).toEqual([]);
    },
  );

  it('nor in the middle of a session', async () => {
    const other = await elsewhere();
    const inner = running(await sessionServer());
    let redirecting = false;
    const server = running(
      await listen(async (request, response) => {
        if (redirecting) {
          request.resume();
          redirect(response, 307, other.url);
          return;
        }
        const chunks: Buffer[] = [];
        for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
        const { host: _, connection: __, ...headers } = request.headers;
        const method = request.method ?? 'GET';
        if (method === 'GET') {
          response.writeHead(405).end();
          return;
        }
        const answer = await fetch(inner.url, {
          method,
          headers: Object.fromEntries(
            Object.entries(headers)
              .filter(([name]) => name !== 'content-length')
              .map(([name, value]) => [name, String(value)]),
          ),
          body: method === 'POST' ? Buffer.concat(chunks) : null,
        });
        const kept = ['content-type', 'mcp-session-id'].flatMap((name) => {
          const value = answer.headers.get(name);
          return value === null ? [] : [[name, value] as const];
        });
        response.writeHead(answer.status, Object.fromEntries(kept)).end(Buffer.from(await answer.arrayBuffer()));
      }),
    );
    pool = poolOf({ web: remote('http', server.url, { headers: SECRETS }) });
    await pool.callTool('web', 'echo', argumentsOf({ a: 1 }));
    redirecting = true;
    await expect(pool.callTool('web', 'echo', argumentsOf({ a: 2 }))).rejects.toThrow();
    expect(other.requests).toEqual([]);
  });
});

it('an SSE endpoint at another origin is refused', async () => {
  const other = await elsewhere();
  const server = running(
    await listen((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: endpoint\ndata: ${other.url}/messages?sessionId=1\n\n`);
    }),
  );
  pool = poolOf({ web: remote('sse', server.url, { headers: SECRETS }) });
  await expect(pool.tools('web')).rejects.toThrow();
  expect(server.requests[0]).toMatchObject(SECRETS);
  expect(other.requests).toEqual([]);
});

it('the token of a sign-in is added to requests to its server only', async () => {
  const sent: [string, string | null][] = [];
  const fetch = authorizedFetch(
    async (url, init) => {
      sent.push([String(url), new Headers(init?.headers).get('authorization')]);
      return new Response(null, { status: 200 });
    },
    { token: async () => 'secret-token', renewed: async () => undefined, lacking: async () => new Error() as never },
    new URL('https://mcp.example/mcp'),
  );
  for (const url of [
    'https://mcp.example/other',
    'http://mcp.example/mcp',
    'https://mcp.example:8443/mcp',
    'https://mcp.example.evil.test/mcp',
  ]) {
    await fetch(url);
  }
  expect(sent).toEqual([
    ['https://mcp.example/other', 'Bearer secret-token'],
    ['http://mcp.example/mcp', null],
    ['https://mcp.example:8443/mcp', null],
    ['https://mcp.example.evil.test/mcp', null],
  ]);
});
