import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type EventMessage, reply } from '../../shared/contract/rpc.ts';
import type { Api } from '../api/api.ts';
import { type Console, startConsole } from './console-server.ts';

let directory: string;
let served: Console;
let origin: string;
let link: string;
let listeners: Set<(event: EventMessage) => void>;

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'console-'));
  await mkdir(path.join(directory, 'page', 'assets'), { recursive: true });
  await writeFile(path.join(directory, 'page', 'index.html'), '<!doctype html><title>Filebridge</title>');
  await writeFile(path.join(directory, 'page', 'assets', 'index.js'), 'export {}');
  await writeFile(path.join(directory, 'secret.html'), 'not for the browser');
});
afterAll(() => rm(directory, { recursive: true, force: true }));

beforeEach(async () => {
  listeners = new Set();
  const api: Api = {
    request: (name, input) => reply(async () => ({ name, input })),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => undefined,
  };
  served = await startConsole({ api, rendererDirectory: path.join(directory, 'page'), linkSecret: 'only-this-user-knows-it' });
  origin = `http://${served.host}`;
  link = served.newLink();
});
afterEach(() => served.close());

/** A visitor that sends exactly the path and headers given, which `fetch` would tidy up. */
function visit(target: string, options: { method?: string; headers?: Record<string, string>; body?: string } = {}) {
  return new Promise<{ status: number; headers: http.IncomingHttpHeaders; body: string }>((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    const request = http.request(
      { hostname, port, path: target, method: options.method ?? 'GET', headers: options.headers },
      (answer) => {
        let body = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          body += chunk;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }));
      },
    );
    request.on('error', reject);
    request.end(options.body);
  });
}

/** Brings the link's token, as the page does. */
const tokenOf = (url: string) => new URL(url).hash.replace('#link=', '');
const follow = (token = tokenOf(link)) =>
  visit('/session', { method: 'POST', headers: { origin, authorization: `Bearer ${token}` } });

async function opened(): Promise<string> {
  const answer = await follow();
  expect(answer.status).toBe(200);
  return `Bearer ${answer.body}`;
}

const ask = (authorization: string, more: Record<string, string> = {}) =>
  visit('/api', {
    method: 'POST',
    headers: { authorization, origin, 'content-type': 'application/json', ...more },
    body: JSON.stringify({ name: 'status.get', input: {} }),
  });

describe('the console server', () => {
  it('closes connections that send nothing and bodies that stop', async () => {
    const api: Api = {
      request: (name, input) => reply(async () => ({ name, input })),
      subscribe: () => () => undefined,
      close: async () => undefined,
    };
    const bounds = { headersMs: 300, pauseMs: 300 };
    const strict = await startConsole({ api, rendererDirectory: path.join(directory, 'page'), bounds });
    try {
      const { host } = strict;
      const port = host.split(':')[1];
      const head = `POST /api HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nContent-Length: 100\r\n\r\n`;
      const sockets = ['', 'GET / HTTP/1.1\r\nX: ', `${head}half`].map((text) => {
        const socket = connect(Number(port), '127.0.0.1', () => socket.write(text));
        return socket.on('error', () => undefined).resume();
      });
      await Promise.all(sockets.map((socket) => once(socket, 'close')));
    } finally {
      await strict.close();
    }
  });

  it('gives a new link to who knows the secret of this run, and to nobody else', async () => {
    const first = await opened();
    const asked = (secret: string) => visit('/link', { method: 'POST', headers: { origin, authorization: `Bearer ${secret}` } });
    for (const wrong of ['', 'no', tokenOf(link), first.replace('Bearer ', '')]) expect((await asked(wrong)).status).toBe(403);
    const { status, body } = await asked('only-this-user-knows-it');
    expect(status).toBe(200);
    expect(new URL(body).host).toBe(served.host);
    const second = await follow(tokenOf(body));
    expect(second.status).toBe(200);
    expect((await follow(tokenOf(body))).status).toBe(403);
    // The page that was open stays open.
    for (const session of [first, `Bearer ${second.body}`]) expect((await ask(session)).status).toBe(200);
  });

  it('admits the first visitor of the link, once', async () => {
    const authorization = await opened();
    expect((await ask(authorization)).status).toBe(200);
    const second = await follow();
    expect(second.status).toBe(403);
    expect(second.body).toMatch(/used before/);
    expect(second.body).not.toContain(authorization.replace('Bearer ', ''));
  });

  it('puts nothing into cookies, which programs on other ports would get, and takes nothing from them', async () => {
    const answer = await follow();
    const seen = [answer, await visit('/'), await ask(`Bearer ${answer.body}`)];
    expect(seen.map(({ headers }) => headers['set-cookie'])).toEqual([undefined, undefined, undefined]);
    const port = new URL(origin).port;
    expect((await ask('', { cookie: `filebridge-${port}=${answer.body}` })).status).toBe(401);
  });

  it('answers nobody without the session, and refuses a wrong token', async () => {
    expect((await visit('/api/events')).status).toBe(401);
    expect((await visit('/secret.html')).status).toBe(401);
    for (const wrong of ['', 'Bearer ', 'Bearer guess', 'Basic guess']) expect((await ask(wrong)).status).toBe(401);
    expect((await follow('guess')).status).toBe(403);
    const token = tokenOf(link);
    const foreign = { authorization: `Bearer ${token}`, origin: 'http://127.0.0.1:1' };
    expect((await visit('/session', { method: 'POST', headers: foreign })).status).toBe(403);
    // Asked from elsewhere, it is still there for the person.
    expect((await follow()).status).toBe(200);
  });

  it('serves the page under a strict policy', async () => {
    const page = await visit('/');
    expect(page.body).toContain('Filebridge');
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toContain('unsafe');
  });

  it('serves nothing beside the page, however the path is written', async () => {
    const authorization = await opened();
    for (const target of [
      '/../secret.html',
      '/assets/../../secret.html',
      '/..%2fsecret.html',
      '/%2e%2e/secret.html',
      '//secret.html',
    ]) {
      const answer = await visit(target, { headers: { authorization } });
      expect(answer.status).toBe(404);
      expect(answer.body).not.toContain('not for the browser');
    }
  });

  it('answers requests of its own page only', async () => {
    const authorization = await opened();
    expect(JSON.parse((await ask(authorization)).body)).toEqual({ ok: true, value: { name: 'status.get', input: {} } });
    expect((await ask(authorization, { origin: 'http://evil.example' })).status).toBe(403);
    expect((await ask(authorization, { origin: 'null' })).status).toBe(403);
    expect((await ask(authorization, { host: 'rebound.example' })).status).toBe(403);
    expect((await ask(authorization, { 'content-type': 'text/plain' })).status).toBe(415);
    const noOrigin = { authorization, 'content-type': 'application/json' };
    expect((await visit('/api', { method: 'POST', headers: noOrigin, body: '{}' })).status).toBe(403);
  });

  it('refuses a request that is too large or not a request', async () => {
    const headers = { authorization: await opened(), origin, 'content-type': 'application/json' };
    expect((await visit('/api', { method: 'POST', headers, body: '{' })).status).toBe(400);
    expect((await visit('/api', { method: 'POST', headers, body: '{"name":1}' })).status).toBe(400);
    expect((await visit('/api', { method: 'POST', headers, body: JSON.stringify('x'.repeat(1_100_000)) })).status).toBe(413);
  });

  it('sends events as they happen and lets go of listeners that leave', async () => {
    const authorization = await opened();
    const received = await new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(origin);
      const request = http.get({ hostname, port, path: '/api/events', headers: { authorization } }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
          if (text.includes('retry:'))
            for (const listener of listeners) listener({ name: 'ledger.appended', payload: 'line\nbreak' });
          if (text.includes('data:')) {
            request.destroy();
            resolve(text);
          }
        });
      });
      request.on('error', reject);
    });
    expect(received).toContain('data: {"name":"ledger.appended","payload":"line\\nbreak"}\n\n');
    await expect.poll(() => listeners.size).toBe(0);
  });

  it('keeps a page that takes no events for a while, and tells it then that it missed some', async () => {
    const { hostname, port } = new URL(origin);
    const request = http.get({ hostname, port, path: '/api/events', headers: { authorization: await opened() } });
    const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
    answer.pause();
    const payload = 'x'.repeat(64 * 1024);
    const tell = (name: string) => {
      for (const listener of listeners) listener({ name, payload });
    };
    for (let sent = 0; sent < 2000; sent += 1) {
      tell('ledger.appended');
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(listeners.size).toBe(1);
    let text = '';
    answer.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    answer.resume();
    await expect.poll(() => text).toContain('data: {"name":"events.missed","payload":{}}\n\n');
    tell('status.changed');
    await expect.poll(() => text).toContain('"status.changed"');
    // Far fewer than were sent: the rest was not kept.
    expect(text.split('"ledger.appended"').length).toBeLessThan(1000);
    request.destroy();
    await expect.poll(() => listeners.size).toBe(0);
  });
});
