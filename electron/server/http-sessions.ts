/** HTTP sessions of the 2025 era: each has one transport and one server and is bound to the token that opened it. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { isInitializeRequest, type Server } from '@modelcontextprotocol/server';
import { type KnownClient, Refusal } from '../wire/http-server.ts';
import { clientInfo } from './caller.ts';
import { announceLists, createMcpServer, type ServedThings } from './mcp-server.ts';

export interface SessionBounds {
  /** Idle time after which a session ends (milliseconds). */
  idleMs: number;
  /** Maximum number of sessions. */
  max: number;
}

interface Session {
  owner: string;
  server: Server;
  /** Of the token that opened it. */
  name: string | null;
  transport: NodeStreamableHTTPServerTransport;
  /** Requests in progress. */
  calls: number;
  /** The requests that are alone on their response. */
  alone: Set<string | number>;
  /** Open streams for server notifications. */
  streams: number;
  /** By the monotonic clock, which nobody sets. */
  lastUsed: number;
  expiry: NodeJS.Timeout | undefined;
}

export class HttpSessions {
  readonly #things: ServedThings;
  readonly #bounds: SessionBounds;
  readonly #sessions = new Map<string, Session>();

  constructor(things: ServedThings, bounds: SessionBounds) {
    this.#things = things;
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Answers a request of the 2025 era. Throws Refusal. */
  async handle(request: IncomingMessage, response: ServerResponse, body: unknown, client: KnownClient): Promise<void> {
    const id = request.headers['mcp-session-id'];
    if (id === undefined && isInitializeRequest(body)) return this.#open(request, response, body, client);
    if (typeof id !== 'string') throw new Refusal(400, 'The header Mcp-Session-Id is missing: begin with an initialize request');
    const session = this.#sessions.get(id);
    // A session of another owner is reported as missing, so that ids cannot be probed.
    if (session?.owner !== client.owner)
      throw new Refusal(404, 'This session does not exist or has expired: begin anew with an initialize request');
    return this.#exchange(session, request, response, body);
  }

  async #open(request: IncomingMessage, response: ServerResponse, body: unknown, client: KnownClient): Promise<void> {
    await this.#makeRoom(client.owner);
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => {
        this.#sessions.set(id, session);
      },
    });
    const served = { era: 'legacy', transport: 'http', owner: client.owner, name: client.client } as const;
    const server = createMcpServer(this.#things, served);
    const session: Session = {
      owner: client.owner,
      server,
      name: client.client,
      transport,
      calls: 0,
      alone: new Set(),
      streams: 0,
      lastUsed: performance.now(),
      expiry: undefined,
    };
    announceLists(this.#things, server, served);
    const ended = server.onclose;
    server.onclose = () => {
      ended?.();
      clearTimeout(session.expiry);
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
    };
    await server.connect(transport);
    await this.#exchange(session, request, response, body);
    // The SDK refused the request: the new session is unused.
    if (transport.sessionId === undefined) await server.close();
  }

  async #exchange(session: Session, request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    const kind = request.method === 'GET' ? 'streams' : 'calls';
    session[kind] += 1;
    const { present } = this.#things;
    if (kind === 'streams')
      present?.seen({ ...clientInfo(session.server, undefined, session.name), transport: 'http' }, response);
    session.lastUsed = performance.now();
    clearTimeout(session.expiry);
    const ids = requestIds(body);
    const [only] = ids.length === 1 ? ids : [];
    if (only !== undefined) session.alone.add(only);
    response.once('close', () => {
      session[kind] -= 1;
      if (only !== undefined) session.alone.delete(only);
      present?.left(response);
      session.lastUsed = performance.now();
      // Answers go back on the response of their request, or nowhere: without it nobody waits for them.
      if (!response.writableFinished) for (const id of ids) cancel(session, id);
      if (session.calls + session.streams > 0) return;
      session.expiry = setTimeout(() => void session.transport.close(), this.#bounds.idleMs).unref();
    });
    await session.transport.handleRequest(request, response, body);
    // A cancelled request is not answered, so that nothing else would end its response.
    for (const id of cancelledIds(body)) if (session.alone.has(id)) session.transport.closeSSEStream(id);
  }

  /**
   * Ends a session that is not at work, of the client that has most: one without a stream before those with one, and of these the one
   * that has waited longest. So a client that opens many loses its own first.
   */
  async #makeRoom(owner: string): Promise<void> {
    if (this.#sessions.size < this.#bounds.max) return;
    const held = new Map([[owner, 1]]);
    for (const session of this.#sessions.values()) held.set(session.owner, (held.get(session.owner) ?? 0) + 1);
    const own = held.get(owner) ?? 0;
    const idle = [...this.#sessions.values()]
      // A client's session is not closed for another client that has more sessions.
      .filter((session) => session.calls === 0 && (session.owner === owner || (held.get(session.owner) ?? 0) >= own))
      .sort(
        (a, b) =>
          (held.get(b.owner) ?? 0) - (held.get(a.owner) ?? 0) ||
          Number(a.streams > 0) - Number(b.streams > 0) ||
          a.lastUsed - b.lastUsed,
      );
    if (!idle[0])
      throw new Refusal(503, `All ${this.#bounds.max} sessions are at work: try again later`, { 'retry-after': '10' });
    await idle[0].transport.close();
  }

  /** Ends the sessions whose token is no longer among these owners'. */
  async keepOnly(owners: ReadonlySet<string>): Promise<void> {
    const strangers = [...this.#sessions.values()].filter(({ owner }) => !owners.has(owner));
    await Promise.all(strangers.map(({ transport }) => transport.close()));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(({ transport }) => transport.close()));
  }
}

/** Ids of the requests in a body, which is a message or a batch of them. */
function requestIds(body: unknown): (string | number)[] {
  return [body].flat().flatMap((message) => {
    const { id, method } = (message ?? {}) as { id?: unknown; method?: unknown };
    return method !== undefined && (typeof id === 'string' || typeof id === 'number') ? [id] : [];
  });
}

/** Ids of the requests that a body cancels. */
function cancelledIds(body: unknown): (string | number)[] {
  return [body].flat().flatMap((message) => {
    const { method, params } = (message ?? {}) as { method?: unknown; params?: { requestId?: unknown } };
    const id = params?.requestId;
    return method === 'notifications/cancelled' && (typeof id === 'string' || typeof id === 'number') ? [id] : [];
  });
}

/** Sends the session's server the cancellations that a disconnecting client omitted. */
function cancel({ transport }: Session, requestId: string | number): void {
  const params = { requestId, reason: 'The client is gone' };
  transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
}
