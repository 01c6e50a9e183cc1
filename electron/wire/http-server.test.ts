import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { until } from '../../shared/lib/fixtures/waiting.ts';
import { count, ends, head, serve as open, type Visit, visit } from './http-server-fixture.ts';

let server: Server;
/** Lets the time of all open connections pass in which nothing came over them. */
let letPause: () => void;

const serve = (...[handle, bounds]: Parameters<typeof open>): Promise<number> =>
  open(handle, bounds, (opened) => {
    const sockets = new Set<Socket>();
    server = opened;
    server.on('connection', (socket: Socket) => sockets.add(socket));
    letPause = () => {
      for (const socket of sockets) server.emit('timeout', socket);
    };
  });

describe('a bounded HTTP server', () => {
  it('closes connections that send nothing, or never end their headers', async () => {
    const port = await serve(count, { headersMs: 100 });
    const silent = await visit(port);
    const slow = await visit(port, 'POST / HTTP/1.1\r\nX-One: ');
    const drip = setInterval(() => slow.socket.write('x'), 50);
    ends.push(() => clearInterval(drip));
    expect((await Promise.all([silent.closed, slow.closed])).join()).not.toContain('bytes');
  });

  it('ends a request whose body stops arriving', async () => {
    let begun = false;
    const port = await serve((request, response, http) => {
      begun = true;
      count(request, response, http);
    }, {});
    const half = await visit(port, `${head(100)}half of it`);
    await until(() => begun);
    letPause();
    expect(await half.closed).toContain('408 Request Timeout');
  });

  it('measures the pause by itself, also before a request', async () => {
    const port = await serve(count, { pauseMs: 20 });
    expect(await (await visit(port)).closed).toBe('');
  });

  it('closes a connection whose body stops after the answer', async () => {
    const port = await serve((_request, response) => response.end('no'), {});
    const half = await visit(port, `${head(100)}half of it`);
    await until(() => half.received().includes('no'));
    letPause();
    expect(await half.closed).toContain('200 OK');
  });

  it('takes a body that goes on for longer than any limit', async () => {
    await serve(count, { headersMs: 4_000, pauseMs: 6_000 });
    expect([server?.requestTimeout, server?.headersTimeout, server?.timeout]).toEqual([0, 4_000, 6_000]);
  });

  it('leaves answers and event streams any time', async () => {
    const answers: ServerResponse[] = [];
    const port = await serve((request, response) => {
      if (request.method === 'GET') response.writeHead(200).write('first ');
      answers.push(response);
      request.resume();
    }, {});
    const call = await visit(port, `${head(2)}{}`);
    const stream = await visit(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await expect.poll(() => answers.length).toBe(2);
    letPause();
    for (const answer of answers) answer.end('late');
    await expect.poll(call.received).toContain('late');
    await expect.poll(stream.received).toContain('late');
  });

  it('closes the oldest connections of strangers when there are too many, and none of a known client', async () => {
    const streams: ServerResponse[] = [];
    const port = await serve(
      (request, response, http) => {
        if (request.headers.authorization === undefined) return void response.end('served');
        http.claim(request, response);
        response.writeHead(200).write('first ');
        streams.push(response);
      },
      { connections: 5 },
    );
    const stream = await visit(port, 'GET / HTTP/1.1\r\nHost: x\r\nAuthorization: me\r\n\r\n');
    await expect.poll(stream.received).toContain('first');
    const idle: Visit[] = [];
    for (let opened = 0; opened < 12; opened += 1) idle.push(await visit(port));
    await idle[0]?.closed;
    const newcomer = await visit(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await expect.poll(newcomer.received).toContain('served');
    streams[0]?.end('second');
    await expect.poll(stream.received).toContain('second');
  });

  it('refuses a newcomer where known clients have every connection', async () => {
    const port = await serve(
      (request, response, http) => {
        http.claim(request, response);
        response.writeHead(200).write('first ');
      },
      { connections: 2 },
    );
    const known = [
      await visit(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'),
      await visit(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'),
    ];
    for (const each of known) await expect.poll(each.received).toContain('first');
    expect(await (await visit(port)).closed).toBe('');
  });
});
