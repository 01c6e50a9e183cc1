/** `fetch` over node:http for the SDK's HTTP transports: exact Content-Length for streamed arguments, no hidden timeouts. */
import type http from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { SdkHttpError } from '@modelcontextprotocol/client';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { exactText } from '../engine/core/exact-numbers.ts';
import { type ArrivingAnswers, eventBody, jsonBody } from './arriving-answers.ts';
import { causes } from './error-causes.ts';
import { beginRequest, type RouteFinder } from './network.ts';
import { messageChunks, type OutgoingPayload, type OutgoingPayloads, type StreamedMessage } from './outgoing-payload.ts';

/** Messages up to this size are sent as one buffer, larger ones are streamed (bytes). */
const ONE_BUFFER_BYTES = 1024 * 1024;

/** Time before the connection of a cancelled call is closed (milliseconds). */
const CANCELLED_GRACE_MS = 5_000;

/** Bytes of a response searched for an event id, with which the SDK can resume a broken stream. */
const SNIFF_BYTES = 64 * 1024;

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * A `fetch` that replaces a placeholder in the body with the streamed arguments. Global `fetch` is not used
 * because it aborts responses that take longer than five minutes. Redirects are returned, not followed.
 */
export function createPayloadFetch(payloads: OutgoingPayloads, answers: ArrivingAnswers, route: RouteFinder): Fetch {
  return async (url, init = {}) => {
    const body = init.body === undefined || init.body === null ? '' : exactText(String(init.body));
    const message = payloads.split(body);
    if (!message) {
      const request = () => exchangeTwice(new URL(url), init, Buffer.from(body), answers, route);
      return afterWaits(request, (status) => status === 429 || status === 503, [init.signal]);
    }
    // Cancelled before sending.
    if (message.payload.signal.aborted) throw new AppError('CANCELLED', say('call.cancelled'));
    if (message.bytes > ONE_BUFFER_BYTES) return exchange(new URL(url), init, message, message.payload, answers, route);
    const content = await message.payload.track(gather(message));
    // A 503 can come from a proxy after the server executed the call; a 429 always refuses it.
    const request = () => exchange(new URL(url), init, content, message.payload, answers, route);
    return afterWaits(request, (status) => status === 429, [init.signal, message.payload.signal]);
  };
}

/**
 * Repeats a request once when the server closed the kept-alive connection just before it was reused.
 * Not for tool calls, which the server may have executed.
 */
async function exchangeTwice(
  url: URL,
  init: RequestInit,
  content: Buffer,
  answers: ArrivingAnswers,
  route: RouteFinder,
): Promise<Response> {
  try {
    return await exchange(url, init, content, null, answers, route);
  } catch (error) {
    if (!(error instanceof Error) || !staleConnections.has(error)) throw error;
    return exchange(url, init, content, null, answers, route);
  }
}

/** Errors of requests on reused connections. */
const staleConnections = new WeakSet<Error>();

async function gather(message: StreamedMessage): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of messageChunks(message, message.payload.signal)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function exchange(
  url: URL,
  init: RequestInit,
  content: Buffer | StreamedMessage,
  payload: OutgoingPayload | null,
  answers: ArrivingAnswers,
  routeTo: RouteFinder,
): Promise<Response> {
  const method = init.method ?? 'GET';
  const headers: Record<string, string | number> = Object.fromEntries(new Headers(init.headers));
  const bytes = Buffer.isBuffer(content) ? content.length : content.bytes;
  if (bytes > 0 || method === 'POST') headers['content-length'] = bytes;
  const route = await routeTo(url);
  return new Promise((resolve, reject) => {
    if (init.signal?.aborted) {
      reject(init.signal.reason);
      return;
    }
    const { request, told } = beginRequest(url, { method, headers }, route);
    let received: http.IncomingMessage | undefined;
    const destroy = (reason: Error) => {
      // Node has no listener left for an error of the socket once everything has come.
      if (received?.complete) received.destroy();
      else request.destroy(reason);
    };
    const abort = () => destroy(init.signal?.reason instanceof Error ? init.signal.reason : new Error('aborted'));
    init.signal?.addEventListener('abort', abort, { once: true });
    // On cancellation, a partly sent message is aborted: the server never saw a complete call.
    // A fully sent one gets a grace period, so that the server can handle the cancellation that follows.
    const giveUp = () => {
      const end = () => destroy(new AppError('CANCELLED', say('call.cancelled')));
      if (request.writableFinished) setTimeout(end, CANCELLED_GRACE_MS).unref();
      else end();
    };
    payload?.signal.addEventListener('abort', giveUp, { once: true });
    request.once('close', () => {
      init.signal?.removeEventListener('abort', abort);
      payload?.signal.removeEventListener('abort', giveUp);
    });
    let answered = false;
    request.once('response', (response) => {
      answered = true;
      received = response;
      resolve(toResponse(request, response, payload, answers));
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')) staleConnections.add(error);
      if (!answered) reject(told(error));
    });
    if (Buffer.isBuffer(content)) request.end(content);
    else {
      content.payload.track(upload(request, content, () => answered)).catch((error: unknown) => {
        request.destroy(error instanceof Error ? error : new Error(String(error)));
      });
    }
  });
}

/** Streams a message into a request; stops when a response (a refusal) arrives early. */
async function upload(request: http.ClientRequest, message: StreamedMessage, answered: () => boolean): Promise<void> {
  for await (const chunk of messageChunks(message, message.payload.signal, { reuse: true })) {
    if (answered() || request.destroyed) return;
    await written(request, chunk);
    message.payload.onBytes();
  }
  request.end();
}

/** Resolves when the system accepted the chunk, or the request closed or was answered. */
function written(request: http.ClientRequest, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      request.off('close', done);
      request.off('response', done);
      resolve();
    };
    request.write(chunk, done);
    request.once('close', done);
    request.once('response', done);
  });
}

function toResponse(
  request: http.ClientRequest,
  response: http.IncomingMessage,
  payload: OutgoingPayload | null,
  answers: ArrivingAnswers,
): Response {
  const status = response.statusCode ?? 500;
  const headers = new Headers();
  for (let i = 0; i + 1 < response.rawHeaders.length; i += 2) {
    headers.append(response.rawHeaders[i] ?? '', response.rawHeaders[i + 1] ?? '');
  }
  const type = headers.get('content-type') ?? '';
  const events = type.includes('event-stream');
  let start = '';
  async function* sniffed(): AsyncGenerator<Buffer> {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      if (start.length < SNIFF_BYTES) start += chunk.toString('latin1', 0, SNIFF_BYTES);
      yield chunk;
    }
  }
  let reading = false;
  const tellEnd = () => {
    // The last chunk may still be in transit.
    if (payload && status === 200 && events && response.closed && !reading) payload.onAnswerEnd(/(^|\n)id:/.test(start));
  };
  response.once('close', () => {
    // The server answered without reading the whole message: stop sending.
    if (!request.writableFinished) request.destroy();
    tellEnd();
  });
  const init = { status, statusText: markedStatusText(status, response.statusMessage ?? '', headers), headers };
  if (status === 204 || status === 205 || status === 304) {
    response.resume();
    return new Response(null, init);
  }
  if (status !== 200) return new Response(Readable.toWeb(response) as ReadableStream<Uint8Array>, init);
  const options = { answers, args: payload?.placeholder, onBytes: payload ? () => payload.onBytes() : undefined };
  // What is passed on may have another length.
  headers.delete('content-length');
  async function* body(): AsyncGenerator<Uint8Array> {
    reading = true;
    try {
      yield* events ? eventBody(sniffed(), options) : jsonBody(sniffed(), options);
    } finally {
      reading = false;
      tellEnd();
    }
  }
  return new Response(Readable.toWeb(Readable.from(body(), { objectMode: false })) as ReadableStream<Uint8Array>, init);
}

// `Retry-After` of HTTP 429 and 503 (RFC 9110, 10.2.3): waits when it is short, otherwise reports it to the caller.

/** Longer waits are reported to the caller instead (milliseconds). */
const LONGEST_WAIT_MS = 10_000;
/** Minimum wait, for servers that send 0 (milliseconds). */
const SHORTEST_WAIT_MS = 100;
const MAX_WAITS = 3;
/** Upper bound for the reported wait (seconds). */
const MAX_SECONDS = 7 * 24 * 3600;

/**
 * Parses the header (seconds or an HTTP date) to whole seconds; undefined when missing or invalid. A date is compared with the answer's
 * own `Date`, so that a wrong local clock does not matter.
 */
export function retryAfterSeconds(headers: Headers, localNow = Date.now()): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  const sent = Date.parse(headers.get('date') ?? '');
  const now = Number.isNaN(sent) ? localNow : sent;
  const seconds = /^\d+$/.test(text)
    ? Number(text)
    : /^[A-Z][a-z]{2,8},? /.test(text)
      ? (Date.parse(text) - now) / 1000
      : Number.NaN;
  if (Number.isNaN(seconds)) return undefined;
  return Math.min(Math.max(Math.ceil(seconds), 0), MAX_SECONDS);
}

/**
 * Repeats a refused request after the requested wait, at most MAX_WAITS times. `refused` says whether a status proves that the server
 * did nothing. Returns the last response.
 */
async function afterWaits(
  request: () => Promise<Response>,
  refused: (status: number) => boolean,
  signals: readonly (AbortSignal | null | undefined)[],
): Promise<Response> {
  for (let waits = 0; ; waits += 1) {
    const response = await request();
    const seconds = refused(response.status) ? retryAfterSeconds(response.headers) : undefined;
    if (waits === MAX_WAITS || seconds === undefined || seconds * 1000 > LONGEST_WAIT_MS) return response;
    await response.body?.cancel();
    await pauseUnlessAborted(Math.max(seconds * 1000, SHORTEST_WAIT_MS), signals);
  }
}

async function pauseUnlessAborted(ms: number, signals: readonly (AbortSignal | null | undefined)[]): Promise<void> {
  const abort = new AbortController();
  const stop = () => abort.abort();
  for (const signal of signals) {
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
  }
  try {
    await pause(ms, undefined, { signal: abort.signal });
  } catch {
    // Aborted: the next request reports it.
  } finally {
    for (const signal of signals) signal?.removeEventListener('abort', stop);
  }
}

const mark = /; retry-after=(\d+)$/;

/** Appends the seconds to the status text, because the SDK's errors keep the status text but no headers. */
function markedStatusText(status: number, statusText: string, headers: Headers): string {
  const seconds = status === 429 || status === 503 ? retryAfterSeconds(headers) : undefined;
  return seconds === undefined ? statusText : `${statusText}; retry-after=${seconds}`;
}

/** The wait in seconds requested by the server, read from the SDK's error. */
export function retryAfterOf(error: unknown): number | undefined {
  for (const cause of causes(error)) {
    const text = SdkHttpError.isInstance(cause) ? cause.data.statusText : undefined;
    const seconds = typeof text === 'string' ? mark.exec(text)?.[1] : undefined;
    if (seconds !== undefined) return Number(seconds);
  }
  return undefined;
}
