import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { EventMessage } from '../../shared/contract/wire.ts';
import { reply } from '../../shared/contract/wire.ts';
import type { Api } from './api.ts';
import { type Console, startConsole } from './console-server.ts';

let directory: string;
let served: Console;
let origin: string;
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
    attended: () => listeners.size > 0,
    close: async () => undefined,
  };
  served = await startConsole({ api, rendererDirectory: path.join(directory, 'page') });
  origin = new URL(served.url).origin;
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

async function openedCookie(): Promise<string> {
  const answer = await visit(`/${new URL(served.url).search}`);
  expect(answer.status).toBe(303);
  return String(answer.headers['set-cookie']?.[0]).split(';')[0] ?? '';
}

const ask = (cookie: string, more: Record<string, string> = {}) =>
  visit('/api', {
    method: 'POST',
    headers: { cookie, origin, 'content-type': 'application/json', ...more },
    body: JSON.stringify({ name: 'status.get', input: {} }),
  });

describe('the console server', () => {
  it('lets in whoever follows the link, once, with a cookie scripts cannot read', async () => {
    const first = await visit(`/${new URL(served.url).search}`);
    expect(first.headers.location).toBe('/');
    expect(first.headers['set-cookie']?.[0]).toMatch(/; HttpOnly; SameSite=Strict; Path=\/$/);
    const second = await visit(`/${new URL(served.url).search}`);
    expect(second.status).toBe(403);
    expect(second.body).toMatch(/used before/);
  });

  it('takes the link again from the browser that is in already', async () => {
    const cookie = await openedCookie();
    const again = await visit(`/${new URL(served.url).search}`, { headers: { cookie } });
    expect(again).toMatchObject({ status: 303, headers: { location: '/' } });
  });

  it('shows nothing without the cookie, and refuses a wrong token', async () => {
    for (const target of ['/', '/assets/index.js', '/api/events']) expect((await visit(target)).status).toBe(401);
    expect((await ask('')).status).toBe(401);
    expect((await visit('/?token=guess')).status).toBe(403);
  });

  it('serves the page under a strict policy', async () => {
    const page = await visit('/', { headers: { cookie: await openedCookie() } });
    expect(page.body).toContain('Filebridge');
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toContain('unsafe');
  });

  it('serves nothing beside the page, however the path is written', async () => {
    const cookie = await openedCookie();
    for (const target of [
      '/../secret.html',
      '/assets/../../secret.html',
      '/..%2fsecret.html',
      '/%2e%2e/secret.html',
      '//secret.html',
    ]) {
      const answer = await visit(target, { headers: { cookie } });
      expect(answer.status).toBe(404);
      expect(answer.body).not.toContain('not for the browser');
    }
  });

  it('answers requests of its own page only', async () => {
    const cookie = await openedCookie();
    expect(JSON.parse((await ask(cookie)).body)).toEqual({ ok: true, value: { name: 'status.get', input: {} } });
    expect((await ask(cookie, { origin: 'http://evil.example' })).status).toBe(403);
    expect((await ask(cookie, { origin: 'null' })).status).toBe(403);
    expect((await ask(cookie, { host: 'rebound.example' })).status).toBe(403);
    expect((await ask(cookie, { 'content-type': 'text/plain' })).status).toBe(415);
    const noOrigin = { cookie, 'content-type': 'application/json' };
    expect((await visit('/api', { method: 'POST', headers: noOrigin, body: '{}' })).status).toBe(403);
  });

  it('refuses a request that is too large or not a request', async () => {
    const headers = { cookie: await openedCookie(), origin, 'content-type': 'application/json' };
    expect((await visit('/api', { method: 'POST', headers, body: '{' })).status).toBe(400);
    expect((await visit('/api', { method: 'POST', headers, body: '{"name":1}' })).status).toBe(400);
    expect((await visit('/api', { method: 'POST', headers, body: JSON.stringify('x'.repeat(1_100_000)) })).status).toBe(413);
  });

  it('sends events as they happen and lets go of listeners that leave', async () => {
    const cookie = await openedCookie();
    const received = await new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(origin);
      const request = http.get({ hostname, port, path: '/api/events', headers: { cookie } }, (answer) => {
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
});
