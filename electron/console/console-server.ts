/** Serves the window to a browser: the built page, its requests and its events, on 127.0.0.1 behind a one-time link. */

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Writable } from 'node:stream';
import { type EventMessage, eventsMissed, requestSchema } from '../../shared/contract/rpc.ts';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import type { Api } from '../api/api.ts';
import { BodyBudget, bearerOf, type HttpBounds, isSameSecret, openHttpServer, Refusal, readJson } from '../wire/http-server.ts';
import { loadPage, pageHeaders } from './page-files.ts';

export interface ConsoleOptions {
  api: Api;
  /** The folder of the built page. */
  rendererDirectory: string;
  /** 0 or absent: any free port. */
  port?: number | undefined;
  bounds?: Partial<HttpBounds> | undefined;
  /** Who brings it gets a new link. */
  linkSecret?: string | undefined;
}

export interface Console {
  /** `127.0.0.1:43121`. */
  host: string;
  /** A link that opens the page. It works once, in the first browser that follows it; a new one ends the one before. */
  newLink(): string;
  close(): Promise<void>;
}

const MAX_REQUEST_BYTES = 1024 * 1024;
/** Of all requests that arrive at the same time. */
const MAX_ARRIVING_BYTES = 16 * MAX_REQUEST_BYTES;
const HEARTBEAT_MS = 15_000;

export async function startConsole({ api, rendererDirectory, port = 0, bounds, linkSecret }: ConsoleOptions): Promise<Console> {
  const page = await loadPage(rendererDirectory);
  let linkToken: string | null = null;
  const session = randomBytes(32).toString('base64url');
  let host = '';
  const closing = new AbortController();
  const arriving = new BodyBudget(MAX_ARRIVING_BYTES);

  /** Accepts requests only to this address and only from its own page: no other site, no DNS rebinding. */
  const checkOrigin = (request: IncomingMessage) => {
    if (request.headers.host !== host) throw new Refusal(403, `This console answers on http://${host} only.`);
    const { origin } = request.headers;
    if (origin !== undefined ? origin !== `http://${host}` : request.method === 'POST') {
      throw new Refusal(403, 'This console answers its own page only.');
    }
  };

  const send = (response: ServerResponse, code: number, type: string, body: string | Buffer) => {
    response.writeHead(code, { ...pageHeaders, 'Content-Type': type });
    response.end(body);
  };

  /**
   * The session goes to the page that brings the link's token, which keeps it and sends it as a header. A cookie would reach whatever
   * else listens on a port of this address: cookies do not know ports.
   */
  const followLink = (request: IncomingMessage, response: ServerResponse) => {
    if (linkToken === null || !isSameSecret(bearerOf(request.headers.authorization), linkToken)) {
      throw new Refusal(403, 'This link was used before or is wrong. Run `filebridge console` once more for a new one.');
    }
    linkToken = null;
    send(response, 200, 'text/plain; charset=utf-8', session);
  };

  const newLink = () => {
    linkToken = randomBytes(32).toString('base64url');
    return `http://${host}/#link=${linkToken}`;
  };

  /** To a command of the same user, which knows the secret of this run. */
  const giveLink = (request: IncomingMessage, response: ServerResponse) => {
    if (linkSecret === undefined || !isSameSecret(bearerOf(request.headers.authorization), linkSecret))
      throw new Refusal(403, 'This program gives links to its own user only.');
    send(response, 200, 'text/plain; charset=utf-8', newLink());
  };

  const streamEvents = (response: ServerResponse, page: string) => {
    response.writeHead(200, { ...pageHeaders, 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    response.write('retry: 1000\n\n');
    const outbox = openEventOutbox(response);
    const leave = api.subscribe(outbox.send, { id: page });
    const heartbeat = setInterval(outbox.beat, HEARTBEAT_MS);
    const end = () => response.end();
    closing.signal.addEventListener('abort', end);
    response.once('close', () => {
      clearInterval(heartbeat);
      leave();
      closing.signal.removeEventListener('abort', end);
    });
  };

  const answerRequest = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.headers['content-type'] !== 'application/json') throw new Refusal(415, 'Requests are JSON.');
    const parsed = requestSchema.safeParse(await readJson(request, MAX_REQUEST_BYTES, arriving));
    if (!parsed.success) throw new Refusal(400, 'A request has a name and an input.');
    send(response, 200, 'application/json', JSON.stringify(await api.request(parsed.data.name, parsed.data.input)));
  };

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    checkOrigin(request);
    // Not through URL: it would read `//name/` as another host and resolve `..`.
    const [pathname = '/', query = ''] = (request.url ?? '/').split('?', 2);
    const posting = request.method === 'POST';
    if (posting && pathname === '/session') return followLink(request, response);
    if (posting && pathname === '/link') return giveLink(request, response);
    if (!posting && request.method !== 'GET') throw new Refusal(405, 'There is nothing here to do that with.');
    // The page's files contain no user data.
    const file = posting ? undefined : page.get(pathname);
    if (file) return send(response, 200, file.type, file.body);
    if (!isSameSecret(bearerOf(request.headers.authorization), session))
      throw new Refusal(401, 'Open the link that the console printed, or run `filebridge console` once more for a new one.');
    listening.claim(request, response);
    if (posting && pathname === '/api') return answerRequest(request, response);
    if (!posting && pathname === '/api/events') return streamEvents(response, query);
    throw new Refusal(404, 'There is nothing here.');
  };

  const listening = openHttpServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (response.headersSent) return response.destroy();
      const refusal = error instanceof Refusal ? error : new Refusal(500, 'Something went wrong in Filebridge.');
      // The rest of an unread body must not be parsed as the next request.
      response.setHeader('Connection', 'close');
      send(response, refusal.status, 'text/plain; charset=utf-8', `${refusal.message}\n`);
    });
  }, bounds);
  const { server } = listening;
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw new AppError('INTERNAL', say('console.portTaken', { port }), {
      hint: say('console.portTaken.hint'),
      cause,
    });
  }
  const bound = (server.address() as AddressInfo).port;
  host = `127.0.0.1:${bound}`;
  return {
    host,
    newLink,
    async close() {
      closing.abort();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

// The events of one page: written with back-pressure, and bounded while the page reads nothing

/** Size limit of unsent events, for example while a tab is suspended. UTF-16 code units. */
const MAX_WAITING = 1024 * 1024;

export interface EventOutbox {
  send(event: EventMessage): void;
  /** Keeps an idle connection open. */
  beat(): void;
}

/** Events beyond the limit are replaced by a single one, after which the page reloads all its data. */
function openEventOutbox(stream: Writable): EventOutbox {
  let waiting = '';
  let missed = false;
  let blocked = false;
  const write = (text: string) => {
    blocked = !stream.write(text);
  };
  stream.on('drain', () => {
    blocked = false;
    const text = missed ? framed(eventsMissed) : waiting;
    waiting = '';
    missed = false;
    if (text !== '') write(text);
  });
  return {
    send(event) {
      if (missed) return;
      const text = framed(event);
      if (!blocked) return write(text);
      missed = waiting.length + text.length > MAX_WAITING;
      waiting = missed ? '' : waiting + text;
    },
    beat() {
      if (!blocked) write(':\n\n');
    },
  };
}

const framed = (event: EventMessage): string => `data: ${JSON.stringify(event)}\n\n`;
