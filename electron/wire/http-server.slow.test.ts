/** Requests and answers that take longer than the limits of a server, in real time. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { pause } from '../../shared/lib/fixtures/waiting.ts';
import { type BoundedHttpServer, type HttpBounds, openHttpServer } from './http-server.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end();
});

type Handle = (request: IncomingMessage, response: ServerResponse, http: BoundedHttpServer) => void;

async function serve(handle: Handle, bounds: Partial<HttpBounds>): Promise<number> {
  const http = openHttpServer((request, response) => handle(request, response, http), bounds);
  http.server.listen(0, '127.0.0.1');
  await once(http.server, 'listening');
  ends.push(() => {
    http.server.close();
    http.server.closeAllConnections();
  });
  return (http.server.address() as AddressInfo).port;
}

interface Visit {
  socket: Socket;
  /** Everything received, once the connection is closed. */
  closed: Promise<string>;
  received(): string;
}

async function visit(port: number, text = ''): Promise<Visit> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString();
  });
  socket.on('error', () => undefined);
  const closed = once(socket, 'close').then(() => received);
  await once(socket, 'connect');
  if (text !== '') socket.write(text);
  ends.push(() => socket.destroy());
  return { socket, closed, received: () => received };
}

const head = (length: number) => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;

/** Answers with the number of bytes received. */
const count: Handle = (request, response) => {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  request.on('error', () => undefined);
  request.on('end', () => response.end(`bytes: ${bytes}`));
};

describe('a bounded HTTP server', () => {
  it('ends a request whose body stops arriving', async () => {
    const port = await serve(count, { pauseMs: 2_000 });
    const half = await visit(port, `${head(100)}half of it`);
    expect(await half.closed).toContain('408 Request Timeout');
  });

  it('takes a body that goes on for longer than any limit', async () => {
    const port = await serve(count, { headersMs: 4_000, pauseMs: 6_000 });
    const slow = await visit(port, head(10));
    for (let sent = 0; sent < 10; sent += 1) {
      await pause(800, 'the sender is slow');
      slow.socket.write('x');
    }
    await expect.poll(slow.received).toContain('bytes: 10');
  });

  it('leaves answers and event streams any time', async () => {
    const answers: ServerResponse[] = [];
    const port = await serve(
      (request, response) => {
        if (request.method === 'GET') response.writeHead(200).write('first ');
        answers.push(response);
        request.resume();
      },
      { headersMs: 2_000, pauseMs: 2_000 },
    );
    const call = await visit(port, `${head(2)}{}`);
    const stream = await visit(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await expect.poll(() => answers.length).toBe(2);
    await pause(5_000, 'the answer takes longer than the limits for requests');
    for (const answer of answers) answer.end('late');
    await expect.poll(call.received).toContain('late');
    await expect.poll(stream.received).toContain('late');
  });
});
