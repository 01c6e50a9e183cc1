/** OAuth redirect target: one page on 127.0.0.1 (RFC 8252), on one of a few fixed ports, for one `state`. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type http from 'node:http';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { openHttpServer } from '../../wire/bounded-http-server.ts';

/**
 * Fixed, because an authorization server may compare redirect addresses with their port. Outside the ephemeral ranges.
 * FILEBRIDGE_SIGN_IN_PORTS, a list by commas, names others.
 */
const PORTS = (process.env.FILEBRIDGE_SIGN_IN_PORTS ?? '28637,28638,28639,28640,28641').split(',').map(Number);

const redirectUri = (port: number): string => `http://127.0.0.1:${port}/callback`;

/** All of them are registered, so that any free one can be used. */
export const redirectUris: readonly string[] = PORTS.map(redirectUri);

export interface Loopback {
  redirectUri: string;
  /** The parameters of the one redirect that carries the right `state`. Rejects when `signal` fires. */
  answer(signal: AbortSignal): Promise<URLSearchParams>;
  close(): Promise<void>;
}

/** Throws SIGN_IN_NEEDED where every port is taken. */
export async function openLoopback(state: string): Promise<Loopback> {
  let arrived = (_: URLSearchParams) => {};
  const answer = new Promise<URLSearchParams>((resolve) => {
    arrived = resolve;
  });
  const { server } = openHttpServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const isOurs = request.method === 'GET' && url.pathname === '/callback' && isLoopbackHost(request.headers.host);
    if (!isOurs) return page(response, 404, 'There is nothing here.');
    const { searchParams } = url;
    if (searchParams.getAll('state').length !== 1 || !same(searchParams.get('state') ?? '', state))
      return page(response, 400, 'This is not the sign-in that Filebridge waits for. Start it again in Filebridge.');
    if (!searchParams.has('code') && !searchParams.has('error')) return page(response, 400, 'The answer is not complete.');
    page(
      response,
      200,
      searchParams.has('error')
        ? 'The sign-in was refused. You can close this page; Filebridge shows why.'
        : 'Filebridge has the answer. You can close this page.',
    );
    arrived(searchParams);
  });
  const port = await firstFree(server);
  return {
    redirectUri: redirectUri(port),
    answer: (signal) =>
      new Promise((resolve, reject) => {
        const giveUp = () => reject(signal.reason);
        if (signal.aborted) giveUp();
        signal.addEventListener('abort', giveUp, { once: true });
        void answer.then((found) => {
          signal.removeEventListener('abort', giveUp);
          resolve(found);
        });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}

async function firstFree(server: http.Server): Promise<number> {
  for (const port of PORTS) {
    const free = await new Promise<boolean>((resolve) => {
      const taken = () => resolve(false);
      server.once('error', taken);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', taken);
        resolve(true);
      });
    });
    if (free) return port;
  }
  throw new AppError('SIGN_IN_NEEDED', say('signIn.noPort', { ports: PORTS }), {
    hint: say('signIn.noPort.hint'),
  });
}

/** A page that leads here under another name (DNS rebinding) is not the browser's way back. */
const isLoopbackHost = (host: string | undefined): boolean => /^(127\.0\.0\.1|localhost):\d+$/.test(host ?? '');

/** In constant time: what was compared first shows nothing about the rest. */
function same(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

function page(response: http.ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    connection: 'close',
  });
  response.end(`<!doctype html><title>Filebridge</title><h1>Filebridge</h1><p>${text}</p>\n`);
}
