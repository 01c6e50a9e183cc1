/** MCP over Streamable HTTP or legacy SSE: the SDK's transports with streamed arguments and untouched results. */
import {
  extractWWWAuthenticateParams,
  type JSONRPCMessage,
  SSEClientTransport,
  SseError,
  StreamableHTTPClientTransport,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';
import { within } from '../../shared/lib/within.ts';
import type { ArrivingAnswers } from '../wire/arriving-answers.ts';
import type { RouteFinder } from '../wire/network.ts';
import type { OutgoingPayloads } from '../wire/outgoing-payload.ts';
import { createPayloadFetch, type Fetch } from '../wire/payload-fetch.ts';
import type { ResultTap } from '../wire/result-tap.ts';
import type { Authorization } from './sign-in/sign-ins.ts';

/** Time limit for a server to confirm the end of a session (milliseconds). */
const FAREWELL_MS = 1_000;

export interface HttpTransportOptions {
  type: 'http' | 'sse';
  url: URL;
  headers: Record<string, string>;
  /** Sign-in tokens; absent when the headers contain the credentials. */
  authorization?: Authorization | undefined;
  route: RouteFinder;
  payloads: OutgoingPayloads;
  tap: ResultTap;
  answers: ArrivingAnswers;
}

export class HttpTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];
  readonly #inner: StreamableHTTPClientTransport | SSEClientTransport;
  readonly #tap: ResultTap;

  constructor({ type, url, headers, authorization, route, payloads, tap, answers }: HttpTransportOptions) {
    const fetch = createPayloadFetch(payloads, answers, route);
    const options = { fetch: authorization ? authorizedFetch(fetch, authorization, url) : fetch, requestInit: { headers } };
    this.#tap = tap;
    this.#inner = type === 'http' ? new StreamableHTTPClientTransport(url, options) : new SSEClientTransport(url, options);
    this.#inner.onclose = () => {
      tap.close();
      this.onclose?.();
    };
    this.#inner.onmessage = (message) => this.onmessage?.(tap.incoming(message));
    this.#inner.onerror = (error) => {
      this.onerror?.(error);
      // Answers come over the event stream alone: when it breaks, those under way are lost even if it reconnects.
      if (SseError.isInstance(error)) void this.#inner.close();
    };
  }

  get hasPerRequestStream(): boolean {
    return this.#inner instanceof StreamableHTTPClientTransport;
  }

  get sessionId(): string | undefined {
    return this.#inner instanceof StreamableHTTPClientTransport ? this.#inner.sessionId : undefined;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version);
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    this.#tap.outgoing(message);
    return this.#inner instanceof StreamableHTTPClientTransport ? this.#inner.send(message, options) : this.#inner.send(message);
  }

  async close(): Promise<void> {
    if (this.#inner instanceof StreamableHTTPClientTransport) {
      await within(
        FAREWELL_MS,
        this.#inner.terminateSession().catch(() => {}),
      );
    }
    await this.#inner.close();
  }
}

/** Adds a server's token to requests to that server only, and renews a refused token once. */
export function authorizedFetch(fetch: Fetch, authorization: Authorization, server: URL): Fetch {
  return async (url, init = {}) => {
    if (new URL(url).origin !== server.origin) return fetch(url, init);
    const token = await authorization.token();
    if (token === undefined) return fetch(url, init);
    const response = await fetch(url, withToken(init, token));
    if (response.status === 403) {
      const { error, scope } = extractWWWAuthenticateParams(response);
      if (error !== 'insufficient_scope' || scope === undefined) return response;
      await response.body?.cancel();
      throw await authorization.lacking(scope);
    }
    if (response.status !== 401) return response;
    // The server did not look at the request, so that it may be made again.
    const renewed = await authorization.renewed(token);
    if (renewed === undefined) return response;
    await response.body?.cancel();
    return fetch(url, withToken(init, renewed));
  };
}

function withToken(init: RequestInit, token: string): RequestInit {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${token}`);
  return { ...init, headers };
}
