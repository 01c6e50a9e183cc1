/** `Retry-After` of HTTP 429 and 503 (RFC 9110, 10.2.3): short waits are taken, long ones are passed on to the caller. */
import { setTimeout as pause } from 'node:timers/promises';
import { SdkHttpError } from '@modelcontextprotocol/client';
import { causes } from './error-causes.ts';

/** A longer wait is left to the caller. Milliseconds. */
const LONGEST_WAIT_MS = 10_000;
/** For servers that say 0. Milliseconds. */
const SHORTEST_WAIT_MS = 100;
const MAX_WAITS = 3;
/** What a server asks for beyond this is cut. Seconds. */
const MAX_SECONDS = 7 * 24 * 3600;

/** Whole seconds from now, of a header that gives seconds or an HTTP date; undefined where there is none that can be read. */
export function retryAfterSeconds(header: string | null, now = Date.now()): number | undefined {
  const text = header?.trim() ?? '';
  const seconds = /^\d+$/.test(text)
    ? Number(text)
    : /^[A-Z][a-z]{2,8},? /.test(text)
      ? (Date.parse(text) - now) / 1000
      : Number.NaN;
  if (Number.isNaN(seconds)) return undefined;
  return Math.min(Math.max(Math.ceil(seconds), 0), MAX_SECONDS);
}

/**
 * Makes a request again after the wait that its refusal asks for, a few times at most. `refused` tells of a status whether the server certainly
 * did nothing. Gives the last response.
 */
export async function afterWaits(
  request: () => Promise<Response>,
  refused: (status: number) => boolean,
  signals: readonly (AbortSignal | null | undefined)[],
): Promise<Response> {
  for (let waits = 0; ; waits += 1) {
    const response = await request();
    const seconds = refused(response.status) ? retryAfterSeconds(response.headers.get('retry-after')) : undefined;
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
    // The request itself says that it was aborted.
  } finally {
    for (const signal of signals) signal?.removeEventListener('abort', stop);
  }
}

const mark = /; retry-after=(\d+)$/;

/** The status text with the seconds in it: the SDK's errors keep it, and no header. */
export function markedStatusText(status: number, statusText: string, headers: Headers): string {
  const seconds = status === 429 || status === 503 ? retryAfterSeconds(headers.get('retry-after')) : undefined;
  return seconds === undefined ? statusText : `${statusText}; retry-after=${seconds}`;
}

/** The seconds that the server asked to wait, of an error that its answer became. */
export function retryAfterOf(error: unknown): number | undefined {
  for (const cause of causes(error)) {
    const text = SdkHttpError.isInstance(cause) ? cause.data.statusText : undefined;
    const seconds = typeof text === 'string' ? mark.exec(text)?.[1] : undefined;
    if (seconds !== undefined) return Number(seconds);
  }
  return undefined;
}
