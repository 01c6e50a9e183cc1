/**
 * What our HTTP servers share: bounded connections that end when a request stops arriving, bearer tokens, JSON bodies and refusals. Answers
 * and event streams may take any time.
 */

import { createHash, timingSafeEqual } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';
import { formatBytes } from '../../shared/lib/bytes.ts';
import { ChunkList } from './line-splitter.ts';
import { fitsHeap, TOO_MUCH } from './parse-guard.ts';

export interface HttpBounds {
  /** Maximum number of connections. */
  connections: number;
  /** Time limit for the headers of a request, and for a connection without a request (milliseconds). */
  headersMs: number;
  /** How long a request may pause while it arrives (milliseconds). One that goes on may take any time. */
  pauseMs: number;
}

const httpBounds: HttpBounds = { connections: 500, headersMs: 20_000, pauseMs: 60_000 };

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

/** Bounds the open connections of a server. When there are too many, the oldest that serves no known client is closed. */
export class ConnectionBound {
  readonly #max: number;
  readonly #open = new Set<Socket>();
  /** Connections that nobody has claimed, oldest first. */
  readonly #unclaimed = new Set<Socket>();
  readonly #claims = new Map<Socket, number>();

  constructor(server: Server, max: number) {
    this.#max = max;
    server.on('connection', (socket: Socket) => this.#accept(socket));
  }

  /** Keeps a connection while a known client is served on it. Returns the function that ends the claim. */
  claim(socket: Socket): () => void {
    if (!this.#open.has(socket)) return () => undefined;
    this.#claims.set(socket, (this.#claims.get(socket) ?? 0) + 1);
    this.#unclaimed.delete(socket);
    let ended = false;
    return () => {
      if (ended || !this.#open.has(socket)) return;
      ended = true;
      const left = (this.#claims.get(socket) ?? 1) - 1;
      this.#claims.set(socket, left);
      if (left === 0) this.#unclaimed.add(socket);
    };
  }

  #accept(socket: Socket): void {
    this.#open.add(socket);
    this.#unclaimed.add(socket);
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#unclaimed.delete(socket);
      this.#claims.delete(socket);
    });
    if (this.#open.size <= this.#max) return;
    // The newcomer itself, where all others are claimed.
    const [oldest] = this.#unclaimed;
    if (!oldest) return;
    this.#open.delete(oldest);
    this.#unclaimed.delete(oldest);
    oldest.destroy();
  }
}

// JSON bodies and JSON-RPC refusals

/** An HTTP request that is refused: a status and a sentence. */
export class Refusal extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.headers = headers;
  }
}

/** JSON-RPC error codes by HTTP status; the SDKs use -32001 for an unknown session. */
const rpcCodes: Record<number, number> = { 400: -32700, 404: -32001 };

export function answerJson(response: ServerResponse, status: number, value: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers });
  response.end(JSON.stringify(value));
}

export function answerRefusal(response: ServerResponse, { status, message, headers }: Refusal): void {
  answerJson(response, status, { jsonrpc: '2.0', error: { code: rpcCodes[status] ?? -32000, message }, id: null }, headers);
}

/** Limits the bytes of all request bodies that arrive at the same time. */
export class BodyBudget {
  readonly #maxBytes: number;
  #held = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Throws Refusal when other bodies take the room. */
  take(bytes: number): void {
    this.#held += bytes;
    if (this.#held <= this.#maxBytes) return;
    throw new Refusal(503, 'Other requests take the memory for this one: try again later', {
      connection: 'close',
      'retry-after': '5',
    });
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }
}

/** Parses the body. Throws Refusal for a body over `maxBytes` or the budget, or invalid JSON. */
export async function readJson(
  request: IncomingMessage,
  maxBytes: number,
  budget: BodyBudget,
  parse: (text: string) => unknown = JSON.parse,
): Promise<unknown> {
  const tooLarge = () =>
    new Refusal(413, `The request is larger than ${formatBytes(maxBytes)}. Name files by path instead of sending their content`, {
      connection: 'close',
    });
  if (Number(request.headers['content-length']) > maxBytes) throw tooLarge();
  const body = await new Promise<Buffer>((resolve, reject) => {
    const chunks = new ChunkList<Buffer>();
    let received = 0;
    const settle = (outcome: () => void) => {
      budget.release(received);
      received = 0;
      request.off('data', take).off('end', finish).off('close', fail).off('error', fail);
      outcome();
    };
    const take = (chunk: Buffer) => {
      received += chunk.length;
      try {
        budget.take(chunk.length);
        if (received > maxBytes) throw tooLarge();
        chunks.push(chunk);
      } catch (refusal) {
        // The rest is discarded instead of closing the connection, which would lose the response.
        request.on('error', () => undefined).resume();
        settle(() => reject(refusal));
      }
    };
    const finish = () => settle(() => resolve(chunks.joined()));
    const fail = () => settle(() => reject(new Refusal(400, 'The request broke off')));
    request.on('data', take).once('end', finish).once('close', fail).once('error', fail);
  });
  if (!fitsHeap([body], body.length)) throw new Refusal(413, TOO_MUCH);
  try {
    return parse(body.toString('utf8'));
  } catch {
    throw new Refusal(400, 'The request body is not valid JSON');
  }
}

// Bearer tokens, compared in constant time

export interface ClientToken {
  token: string;
  client: string;
}

/** A caller with a valid token. `owner` is the token's hash, which can be stored safely. */
export interface KnownClient {
  owner: string;
  client: string;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The token's hash, used as an identifier so that the token itself is not stored. */
export const ownerOf = (token: string): string => digest(token).toString('hex');

/** The token of an `Authorization` header; empty when it has none. */
export const bearerOf = (authorization: string | undefined): string =>
  /^Bearer +([^\s]+) *$/i.exec(authorization ?? '')?.[1] ?? '';

/** Whether two secrets are the same, in constant time. Nothing is the same as an empty one. */
export const isSameSecret = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other)) && one !== '';

/** Returns null when the header has no valid token. Compares hashes, which have equal lengths, and checks every token. */
export function clientOf(authorization: string | undefined, tokens: readonly ClientToken[]): KnownClient | null {
  const presented = bearerOf(authorization);
  let found: KnownClient | null = null;
  for (const { token, client } of tokens) {
    if (isSameSecret(token, presented)) found = { owner: ownerOf(presented), client };
  }
  return found;
}
