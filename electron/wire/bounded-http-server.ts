/** An HTTP server whose connections are bounded, and end when a request stops arriving. Answers and event streams may take any time. */
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ConnectionBound } from './connection-bound.ts';

export interface HttpBounds {
  /** Maximum number of connections. */
  connections: number;
  /** Time limit for the headers of a request, and for a connection without a request (milliseconds). */
  headersMs: number;
  /** How long a request may pause while it arrives (milliseconds). One that goes on may take any time. */
  pauseMs: number;
}

export const httpBounds: HttpBounds = { connections: 500, headersMs: 20_000, pauseMs: 60_000 };

export interface BoundedHttpServer {
  server: http.Server;
  /** Keeps the connection of a request from a known client until its response has ended. */
  claim(request: IncomingMessage, response: ServerResponse): void;
}

export function openHttpServer(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  bounds: Partial<HttpBounds> = {},
): BoundedHttpServer {
  const { connections, headersMs, pauseMs } = { ...httpBounds, ...bounds };
  /** The latest exchange of each connection. */
  const exchanges = new WeakMap<Socket, { request: IncomingMessage; response: ServerResponse }>();
  const server = http.createServer(
    // Node's limit for a whole request would end a long upload that goes on.
    { headersTimeout: headersMs, requestTimeout: 0, connectionsCheckingInterval: Math.min(headersMs, 5_000) },
    (request, response) => {
      exchanges.set(request.socket, { request, response });
      handle(request, response);
    },
  );
  const bound = new ConnectionBound(server, connections);
  server.setTimeout(pauseMs, (socket) => {
    const exchange = exchanges.get(socket);
    const answering = exchange !== undefined && !exchange.response.writableEnded;
    // No data is expected while a complete request is answered.
    if (answering && exchange.request.complete) return;
    if (!answering || exchange.response.headersSent) return void socket.destroy();
    socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n', () => socket.destroy());
  });
  return {
    server,
    claim: (request, response) => void response.once('close', bound.claim(request.socket)),
  };
}
