/** `fetch` over node:http for the SDK's HTTP transports: exact Content-Length for streamed arguments, no hidden timeouts. */
import http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { AppError } from '../../shared/model/errors.ts';
import { type BeginLong, eventBody, jsonBody } from './answer-body.ts';
import type { LongMessages } from './long-messages.ts';
import { messageChunks, type OutgoingPayload, type OutgoingPayloads, type StreamedMessage } from './outgoing-payload.ts';
import { afterWaits, markedStatusText } from './retry-after.ts';

/** Messages up to this size are sent as one buffer, larger ones as a stream. Bytes. */
const ONE_BUFFER_BYTES = 1024 * 1024;

/** How long an answer that nobody waits for may still come before its connection is closed. Milliseconds. */
const CANCELLED_GRACE_MS = 5_000;

/** An answer's first bytes, searched for an event id: with one the SDK can take a broken stream up again. */
const SNIFF_BYTES = 64 * 1024;

/** Below the five seconds after which many servers drop an idle connection without a word. Milliseconds. */
const KEEP_ALIVE_MS = 4_000;

const agents = {
  'http:': new http.Agent({ keepAlive: true, timeout: KEEP_ALIVE_MS }),
  'https:': new https.Agent({ keepAlive: true, timeout: KEEP_ALIVE_MS }),
};

/** What takes long answers in. */
export interface Answers {
  longMessages: LongMessages;
  /** Hears that more of a long message has come, of which nobody knows whose it is. */
  onBytes: () => void;
  /** Hears of a long message that is none. */
  onLost: (error: Error) => void;
}

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * A `fetch` that replaces a payload's placeholder in the body by the streamed arguments. Global `fetch` is not used
 * because it ends every exchange whose answer takes longer than five minutes. Redirects are returned, not followed.
 */
export function createPayloadFetch(payloads: OutgoingPayloads, answers: Answers): Fetch {
  return async (url, init = {}) => {
    const body = init.body === undefined || init.body === null ? '' : String(init.body);
    const message = payloads.split(body);
    if (!message) {
      const request = () => exchangeTwice(new URL(url), init, Buffer.from(body), answers);
      return afterWaits(request, (status) => status === 429 || status === 503, [init.signal]);
    }
    // Nobody waits for the answer any more: not even begun, or broken off below.
    if (message.payload.signal.aborted) throw new AppError('CANCELLED', 'The call was cancelled');
    if (message.bytes > ONE_BUFFER_BYTES) return exchange(new URL(url), init, message, message.payload, answers);
    const content = await message.payload.track(gather(message));
    // A 503 may come from a proxy whose server has carried the call out; a 429 refuses it.
    const request = () => exchange(new URL(url), init, content, message.payload, answers);
    return afterWaits(request, (status) => status === 429, [init.signal, message.payload.signal]);
  };
}

/**
 * A kept connection may have been closed by the server just as it is used again: such a request is made once more.
 * Never so for a call, of which nobody can tell whether it was carried out.
 */
async function exchangeTwice(url: URL, init: RequestInit, content: Buffer, answers: Answers): Promise<Response> {
  try {
    return await exchange(url, init, content, null, answers);
  } catch (error) {
    if (!(error instanceof Error) || !staleConnections.has(error)) throw error;
    return exchange(url, init, content, null, answers);
  }
}

/** Errors of requests that were made over a connection kept from before. */
const staleConnections = new WeakSet<Error>();

async function gather(message: StreamedMessage): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of messageChunks(message, message.payload.signal)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function exchange(
  url: URL,
  init: RequestInit,
  content: Buffer | StreamedMessage,
  payload: OutgoingPayload | null,
  answers: Answers,
): Promise<Response> {
  const method = init.method ?? 'GET';
  const headers: Record<string, string | number> = Object.fromEntries(new Headers(init.headers));
  const bytes = Buffer.isBuffer(content) ? content.length : content.bytes;
  if (bytes > 0 || method === 'POST') headers['content-length'] = bytes;
  const secure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    if (init.signal?.aborted) {
      reject(init.signal.reason);
      return;
    }
    const request = (secure ? https : http).request(url, { method, headers, agent: secure ? agents['https:'] : agents['http:'] });
    const abort = () => request.destroy(init.signal?.reason instanceof Error ? init.signal.reason : new Error('aborted'));
    init.signal?.addEventListener('abort', abort, { once: true });
    // A message that has not been sent whole is broken off when the caller gives up: the server never saw the call.
    // One that has is left a while, for the server to act on the cancellation that follows it.
    const giveUp = () => {
      const end = () => request.destroy(new AppError('CANCELLED', 'The call was cancelled'));
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
      resolve(toResponse(request, response, payload, answers));
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')) staleConnections.add(error);
      if (!answered) reject(error);
    });
    if (Buffer.isBuffer(content)) request.end(content);
    else {
      content.payload.track(upload(request, content, () => answered)).catch((error: unknown) => {
        request.destroy(error instanceof Error ? error : new Error(String(error)));
      });
    }
  });
}

/** Streams a message into a request; stops early once an answer (a refusal) has come. */
async function upload(request: http.ClientRequest, message: StreamedMessage, answered: () => boolean): Promise<void> {
  for await (const chunk of messageChunks(message, message.payload.signal, { reuse: true })) {
    if (answered() || request.destroyed) return;
    await written(request, chunk);
    message.payload.onBytes();
  }
  request.end();
}

/** Resolves when the system has taken the chunk, or nobody wants it any more. */
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
  answers: Answers,
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
    // What was read last may still be on its way.
    if (payload && status === 200 && events && response.closed && !reading) payload.onAnswerEnd(/(^|\n)id:/.test(start));
  };
  response.once('close', () => {
    // A server may refuse without reading the rest of a long message; nothing more is owed to it.
    if (!request.writableFinished) request.destroy();
    tellEnd();
  });
  const init = { status, statusText: markedStatusText(status, response.statusMessage ?? '', headers), headers };
  if (status === 204 || status === 205 || status === 304) {
    response.resume();
    return new Response(null, init);
  }
  if (status !== 200) return new Response(Readable.toWeb(response) as ReadableStream<Uint8Array>, init);
  const begin: BeginLong = () => {
    const message = answers.longMessages.begin(payload ? payload.onBytes : answers.onBytes, payload?.placeholder);
    payload?.signal.addEventListener('abort', () => message.discard(), { once: true });
    return message;
  };
  // It is short by now, whatever it was.
  headers.delete('content-length');
  async function* body(): AsyncGenerator<Uint8Array> {
    reading = true;
    try {
      yield* events ? eventBody(sniffed(), begin, answers.onLost) : jsonBody(sniffed(), begin);
    } finally {
      reading = false;
      tellEnd();
    }
  }
  return new Response(Readable.toWeb(Readable.from(body(), { objectMode: false })) as ReadableStream<Uint8Array>, init);
}
