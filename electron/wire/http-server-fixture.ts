/** Bounded HTTP servers for tests, and connections to them in plain bytes. All end with the test. */
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach } from 'vitest';
import { type BoundedHttpServer, type HttpBounds, openHttpServer } from './http-server.ts';

export const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end();
});

type Handle = (request: IncomingMessage, response: ServerResponse, http: BoundedHttpServer) => void;

/** Returns the port. `opened` hears of the server before it listens. */
export async function serve(handle: Handle, bounds: Partial<HttpBounds>, opened?: (server: Server) => void): Promise<number> {
  const http = openHttpServer((request, response) => handle(request, response, http), bounds);
  opened?.(http.server);
  http.server.listen(0, '127.0.0.1');
  await once(http.server, 'listening');
  ends.push(() => {
    http.server.close();
    http.server.closeAllConnections();
  });
  return (http.server.address() as AddressInfo).port;
}

export interface Visit {
  socket: Socket;
  /** Everything received, once the connection is closed. */
  closed: Promise<string>;
  received(): string;
}

export async function visit(port: number, text = ''): Promise<Visit> {
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

export const head = (length: number) => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;

/** Answers with the number of bytes received. */
export const count: Handle = (request, response) => {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  request.on('error', () => undefined);
  request.on('end', () => response.end(`bytes: ${bytes}`));
};
