/** The MCP server over HTTP, for local clients with a bearer token. */

import { webcrypto } from 'node:crypto';
import type http from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, isJsonContentType, isLegacyRequest } from '@modelcontextprotocol/server';
import { limitedLog } from '../../shared/lib/rate-limit.ts';
import { AppError } from '../../shared/model/errors.ts';
import { type Message, say } from '../../shared/model/messages/message.ts';
import type { CallService } from '../calls/service.ts';
import { exactBytes, exactText, parseExact } from '../engine/core/exact-numbers.ts';
import {
  answerJson,
  answerRefusal,
  BodyBudget,
  type ClientToken,
  clientOf,
  type HttpBounds,
  type KnownClient,
  openHttpServer,
  ownerOf,
  Refusal,
  readJson,
} from '../wire/http-server.ts';
import { PendingCalls } from './caller.ts';
import { BigAnswers, CallLimit, MAX_BIG_ANSWERS, wantsBigAnswer } from './client-limits.ts';
import { HttpSessions, type SessionBounds } from './http-sessions.ts';
import { createMcpServer, type ServedThings, watchLists } from './mcp-server.ts';
import type { PresentClients } from './present-clients.ts';
import type { ToolSource } from './tool-source.ts';
import { ownToolSource } from './tool-table.ts';
import type { UpstreamOffers } from './upstream-offers.ts';

/** Maximum request size, as over stdio (bytes). */
const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** Maximum messages of one JSON-RPC batch. */
const MAX_BATCH = 100;
/** Maximum bytes of all requests that arrive at the same time. */
const MAX_ARRIVING_BYTES = 4 * MAX_BODY_BYTES;
/** Maximum requests and streams of one client that are open at the same time: half of all connections. */
const MAX_OPEN_PER_CLIENT = 250;
const defaultBounds: SessionBounds = { idleMs: 30 * 60_000, max: 64 };

export interface HttpOptions {
  service: CallService;
  info: { name: string; version: string };
  /** Tools beside our own. */
  sources?: readonly ToolSource[] | undefined;
  /** Prompts and resources of upstreams. */
  offers?: UpstreamOffers | undefined;
  /** 0 lets the system choose. */
  port: number;
  host: '127.0.0.1';
  /** Read on every request, so that revoking a token takes effect at once. */
  tokens: () => readonly ClientToken[];
  sessions?: Partial<SessionBounds> | undefined;
  maxBodyBytes?: number | undefined;
  maxArrivingBytes?: number | undefined;
  maxOpenPerClient?: number | undefined;
  bounds?: Partial<HttpBounds> | undefined;
  /** Hears which clients are here. */
  present?: PresentClients | undefined;
  onLog?: ((line: string) => void) | undefined;
}

export interface HttpServing {
  port: number;
  /** URL for MCP clients. */
  url: string;
  /** Ends the sessions, streams and calls of tokens that are no longer valid. */
  tokensChanged(): Promise<void>;
  /** Ends every session and cancels what runs. */
  close(): Promise<void>;
}

/** A client that takes anything, or does not say what, takes the two kinds that the SDK wants to see named. */
function takesBoth({ headers }: IncomingMessage): void {
  const { accept = '*/*' } = headers;
  if (/\*\/\*/.test(accept)) headers.accept = 'application/json, text/event-stream';
}

/** Starts the server. Throws CONFIG_INVALID when the port is unavailable. */
export async function serveMcpHttp(options: HttpOptions): Promise<HttpServing> {
  const { service, info, tokens, maxBodyBytes = MAX_BODY_BYTES } = options;
  const onLog = limitedLog(options.onLog ?? (() => undefined));
  const { maxOpenPerClient = MAX_OPEN_PER_CLIENT } = options;
  const bigAnswers = new BigAnswers();
  const budget = new BodyBudget(options.maxArrivingBytes ?? MAX_ARRIVING_BYTES);
  provideWebCrypto();
  const pending = new PendingCalls();
  const things: ServedThings = {
    service,
    info,
    sources: [ownToolSource(service), ...(options.sources ?? [])],
    offers: options.offers,
    pending,
    present: options.present,
    callLimit: new CallLimit(),
    log: onLog,
  };
  const sessions = new HttpSessions(things, { ...defaultBounds, ...options.sessions });
  const modern = createMcpHandler(
    ({ authInfo }) =>
      createMcpServer(things, {
        era: 'modern',
        transport: 'http',
        owner: authInfo?.token ?? '',
        name: authInfo?.clientId ?? null,
      }),
    { legacy: 'reject', onerror: (error) => onLog(`MCP: ${error.message}`), maxRequestBodySize: maxBodyBytes },
  );
  const serveModern = toNodeHandler(modern, { maxRequestBodySize: maxBodyBytes });
  const unwatch = watchLists(things, (list) => modern.notify[`${list}Changed`]());
  const hostIsLocal = localhostHostValidation();
  const originIsLocal = localhostOriginValidation();
  /** Responses that are still open, by whom they are for. */
  const open = new Map<ServerResponse, string>();

  function openOf(owner: string): number {
    let count = 0;
    for (const each of open.values()) if (each === owner) count += 1;
    return count;
  }

  async function serveMcp(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const client = identified(request);
    if (openOf(client.owner) >= maxOpenPerClient)
      throw new Refusal(429, `This client has ${maxOpenPerClient} requests open, which is the limit: wait for answers`, {
        connection: 'close',
        'retry-after': '1',
      });
    listening.claim(request, response);
    takesBoth(request);
    open.set(response, client.owner);
    response.once('close', () => open.delete(response));
    const posted = request.method === 'POST';
    if (posted && !isJsonContentType(request.headers['content-type'] ?? null))
      throw new Refusal(415, 'The content type must be application/json', { connection: 'close' });
    const body = posted ? await readJson(request, maxBodyBytes, budget, parseExact) : undefined;
    if (Array.isArray(body) && body.length > MAX_BATCH) throw new Refusal(400, `A batch may hold ${MAX_BATCH} messages`);
    const big = [body].flat().filter(wantsBigAnswer).length;
    if (big > MAX_BIG_ANSWERS) throw new Refusal(400, `A batch may ask for ${MAX_BIG_ANSWERS} big answers`);
    if (big > 0 && !(await bigAnswers.turn(client.owner, response))) return;
    if (await isLegacyRequest(headOf(request), body)) return sessions.handle(request, response, body, client);
    // The SDK keeps this for its handlers: the hash is enough to tell clients apart.
    const auth = { token: client.owner, clientId: client.client, scopes: [] };
    return serveModern(Object.assign(request, { auth }), response, body);
  }

  function identified(request: IncomingMessage): KnownClient {
    const { authorization } = request.headers;
    const client = clientOf(authorization, tokens());
    if (client) return client;
    throw authorization === undefined
      ? new Refusal(401, 'A token is needed: send it in the header "Authorization: Bearer <token>"', {
          'www-authenticate': 'Bearer realm="filebridge"',
        })
      : new Refusal(401, 'This token is not valid. Connect the client again to give it a new one', {
          'www-authenticate': 'Bearer realm="filebridge", error="invalid_token"',
        });
  }

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!hostIsLocal(request, response) || !originIsLocal(request, response)) return;
    const path = (request.url ?? '/').split('?', 1)[0];
    if (path === '/health') {
      if (request.method !== 'GET') throw new Refusal(405, 'Only GET is answered here', { allow: 'GET' });
      return answerJson(response, 200, { ok: true });
    }
    if (path !== '/mcp') throw new Refusal(404, 'There is nothing here: MCP is served at /mcp');
    if (!['GET', 'POST', 'DELETE'].includes(request.method ?? ''))
      throw new Refusal(405, 'Only GET, POST and DELETE are answered here', { allow: 'GET, POST, DELETE' });
    return serveMcp(request, response);
  }

  const listening = openHttpServer((request, response) => {
    withExactNumbers(response);
    route(request, response).catch((error: unknown) => {
      if (!(error instanceof Refusal)) onLog(`MCP: ${error instanceof Error ? error.message : String(error)}`);
      if (response.headersSent) response.destroy();
      else
        answerRefusal(response, error instanceof Refusal ? error : new Refusal(500, 'Filebridge failed to answer; see its log'));
    });
  }, options.bounds);
  const { server } = listening;
  const port = await listen(server, options.port, options.host);
  server.on('error', (error) => onLog(`HTTP: ${error.message}`));

  return {
    port,
    url: `http://${options.host}:${port}/mcp`,
    async tokensChanged() {
      const owners = new Set(tokens().map(({ token }) => ownerOf(token)));
      pending.keepOnly(owners);
      await sessions.keepOnly(owners);
      for (const [response, owner] of open) if (!owners.has(owner)) response.destroy();
    },
    async close() {
      unwatch();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      pending.close();
      await Promise.all([sessions.close(), modern.close()]);
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The SDK writes its answers by itself, each message with one write: long numbers get their digits there. */
function withExactNumbers(response: ServerResponse): void {
  const exact = (chunk: unknown) => {
    if (typeof chunk === 'string') return exactText(chunk);
    return chunk instanceof Uint8Array ? exactBytes(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)) : chunk;
  };
  const { write, end } = response;
  response.write = ((chunk: unknown, ...rest: unknown[]) =>
    Reflect.apply(write, response, [exact(chunk), ...rest])) as typeof write;
  response.end = ((chunk: unknown, ...rest: unknown[]) => Reflect.apply(end, response, [exact(chunk), ...rest])) as typeof end;
}

/** Headers with which the SDK distinguishes the eras, besides the body. */
function headOf(request: IncomingMessage): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) if (value !== undefined) headers.set(name, String(value));
  return new Request('http://localhost/mcp', { method: request.method ?? 'GET', headers });
}

function listen(server: http.Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(
        new AppError('CONFIG_INVALID', portFault(cause, port, host), {
          hint: say('port.hint'),
          cause,
        }),
      );
    });
    server.listen(port, host, () => {
      server.removeAllListeners('error');
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

/** The SDK expects a global `crypto`, which Node 18 lacks. */
function provideWebCrypto(): void {
  if (globalThis.crypto === undefined) Object.defineProperty(globalThis, 'crypto', { value: webcrypto, configurable: true });
}

function portFault({ code, message }: NodeJS.ErrnoException, port: number, host: string): Message {
  if (code === 'EADDRINUSE') return say('port.inUse', { port, host });
  return code === 'EACCES' ? say('port.notAllowed', { port, host }) : say('port.closed', { port, host, reason: message });
}
