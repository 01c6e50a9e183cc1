/** Handles `Retry-After` of HTTP 429 and 503 (RFC 9110, 10.2.3): waits when it is short, otherwise reports it to the caller. */
import { setTimeout as pause } from 'node:timers/promises';
import { SdkHttpError } from '@modelcontextprotocol/client';
import { causes } from './error-causes.ts';

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
export async function afterWaits(
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
export function markedStatusText(status: number, statusText: string, headers: Headers): string {
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
