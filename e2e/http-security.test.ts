/** The HTTP server: a token for every request, no foreign host or origin, and nobody beyond this machine. */
import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Filebridge, startFilebridge } from './support/filebridge.ts';

const run = promisify(execFile);

let filebridge: Filebridge;
beforeAll(async () => {
  filebridge = await startFilebridge('http');
});
afterAll(() => filebridge?.stop());

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'stranger', version: '1' } },
};

interface Reply {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: string;
}

/** A request whose every header is ours to choose: `fetch` would not let Host and Origin be lied about. */
function knock(
  headers: Record<string, string>,
  options: { method?: string; path?: string; body?: unknown } = {},
): Promise<Reply> {
  const { method = 'POST', path = '/mcp', body = initialize } = options;
  const { port } = new URL(filebridge.url);
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
      },
    );
    request.once('error', reject);
    request.end(method === 'POST' ? JSON.stringify(body) : undefined);
  });
}

const bearer = () => ({ authorization: `Bearer ${filebridge.token}` });

it('lets in who shows the token', async () => {
  const reply = await knock(bearer());
  expect(reply.status).toBe(200);
  expect(reply.body).toContain('"serverInfo"');
});

describe('without a valid token', () => {
  it.each([
    ['none', {}],
    ['a wrong one', { authorization: `Bearer ${'x'.repeat(43)}` }],
    ['an empty one', { authorization: 'Bearer ' }],
    ['another scheme', { authorization: 'Basic eDp5' }],
  ])('%s: 401, and nothing is told', async (_, headers) => {
    for (const method of ['POST', 'GET', 'DELETE']) {
      const reply = await knock(headers, { method });
      expect(reply.status, method).toBe(401);
      expect(reply.headers['www-authenticate'], method).toMatch(/^Bearer/);
      expect(reply.body, method).not.toContain('serverInfo');
    }
  });

  it('a token with one letter changed: 401', async () => {
    const { token } = filebridge;
    const changed = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A');
    expect((await knock({ authorization: `Bearer ${changed}` })).status).toBe(401);
  });

  it('the token in the address does not count', async () => {
    expect((await knock({}, { path: `/mcp?token=${filebridge.token}&access_token=${filebridge.token}` })).status).toBe(401);
  });
});

describe('with the token, but from elsewhere', () => {
  it.each(['evil.example', 'evil.example:80', '127.0.0.1.evil.example', 'localhost.evil.example'])(
    'Host %s: 403',
    async (host) => {
      expect((await knock({ ...bearer(), host })).status).toBe(403);
    },
  );

  it.each(['https://evil.example', 'http://127.0.0.1.evil.example', 'null'])('Origin %s: 403', async (origin) => {
    expect((await knock({ ...bearer(), origin })).status).toBe(403);
  });

  it('a page is never given leave to read', async () => {
    const reply = await knock(
      { ...bearer(), origin: 'https://evil.example', 'access-control-request-method': 'POST' },
      { method: 'OPTIONS' },
    );
    expect(reply.status).toBe(403);
    for (const each of [reply, await knock(bearer())])
      expect(Object.keys(each.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

it('answers on 127.0.0.1 only', async () => {
  const port = Number(new URL(filebridge.url).port);
  const others = Object.values(os.networkInterfaces())
    .flat()
    .filter((address) => address !== undefined && !address.internal && address.family === 'IPv4')
    .map((address) => address?.address ?? '');
  for (const host of [...others, '127.0.0.2']) {
    const refused = await new Promise<boolean>((resolve) => {
      const socket = net.connect({ host, port });
      socket.once('connect', () => {
        socket.destroy();
        resolve(false);
      });
      socket.once('error', () => resolve(true));
    });
    expect(refused, host).toBe(true);
  }
});

it('keeps the token where only the user can read it, and out of its log', async () => {
  if (process.platform !== 'win32') {
    const { mode } = await stat(`${filebridge.dataDirectory}/tokens.json`);
    expect((mode & 0o777).toString(8)).toBe('600');
  }
  expect(filebridge.token.length).toBeGreaterThanOrEqual(32);
  expect(filebridge.stderr()).not.toContain(filebridge.token);
  const { stdout } = await run('ps', ['-A', '-o', 'args=']);
  expect(stdout).not.toContain(filebridge.token);
});

it('refuses what is not JSON, and paths that are not there', async () => {
  expect((await knock({ ...bearer(), 'content-type': 'text/plain' })).status).toBe(415);
  expect((await knock(bearer(), { path: '/' })).status).toBe(404);
  expect((await knock(bearer(), { path: '/mcp/../etc' })).status).toBe(404);
});
