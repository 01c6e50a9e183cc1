/** Errors of an upstream, worded so that the user can act on them. */
import { ProtocolError, SdkError } from '@modelcontextprotocol/client';
import { AppError } from '../../shared/model/errors.ts';
import { isClosed, isTimeout, statusOf, systemCode } from '../wire/error-causes.ts';
import type { FailureContext } from './failure-context.ts';
import { host, httpFailure } from './http-failures.ts';
import { describeExit, exitFailure, lastWords, spawnFailure, strayFailure } from './process-failures.ts';

/** A failure to start or reach an upstream. */
export function connectFailure(error: unknown, context: FailureContext, timeoutMs: number): AppError {
  if (error instanceof AppError) return error;
  const known =
    context.upstream.type === 'stdio'
      ? (spawnFailure(error, context) ?? exitFailure(error, context) ?? strayFailure(error, context))
      : httpFailure(error, context, true);
  if (known) return known;
  return isTimeout(error) ? silence(error, context, timeoutMs) : otherFailure(error, context);
}

/** Timeout error. `details.timedOut` tells the pool to try another handshake. */
function silence(cause: unknown, { name, upstream, process: child }: FailureContext, timeoutMs: number): AppError {
  const details = { timedOut: true };
  if (upstream.type === 'stdio') {
    return new AppError('UPSTREAM_UNREACHABLE', `Server '${name}' did not finish starting within ${seconds(timeoutMs)}`, {
      hint:
        (child && lastWords(child)) ??
        'Check that the command is an MCP server that speaks over stdio, and, where npx or uvx fetches it first, that they reach their registry',
      details,
      cause,
    });
  }
  const { pathname } = new URL(upstream.url);
  const older = upstream.type === 'http' && /\/sse\/?$/.test(pathname);
  return new AppError('UPSTREAM_UNREACHABLE', `Server '${name}' did not answer within ${seconds(timeoutMs)}`, {
    hint: older
      ? `Try type "sse" for '${name}': its URL ends as those of older servers do`
      : `Check that the server at ${host(upstream.url)} is running`,
    details,
    cause,
  });
}

function otherFailure(cause: unknown, { name, upstream, process: child }: FailureContext): AppError {
  const stdio = upstream.type === 'stdio';
  const what = ProtocolError.isInstance(cause) ? `it refused the greeting: ${reason(cause)}` : reason(cause);
  return new AppError('UPSTREAM_UNREACHABLE', `Server '${name}' could not be ${stdio ? 'started' : 'reached'}: ${what}`, {
    hint:
      upstream.type === 'stdio'
        ? ((child ? lastWords(child) : undefined) ?? 'Check that the command is an MCP server that speaks over stdio')
        : `Check that ${host(upstream.url)} is an MCP server of type '${upstream.type}'`,
    cause,
  });
}

/** A failure of one call on an established connection. */
export function callFailure(error: unknown, tool: string, context: FailureContext): AppError {
  if (error instanceof AppError) return error;
  const { name, upstream, process: child } = context;
  if (ProtocolError.isInstance(error)) {
    return new AppError('UPSTREAM_FAILED', `Upstream tool '${tool}' failed: ${plain(error.message)}`, {
      details: { rpcCode: error.code },
      cause: error,
    });
  }
  if (child?.exit || isClosed(error)) return closedFailure(tool, context, error);
  if (upstream.type !== 'stdio') {
    if (['ECONNRESET', 'EPIPE'].includes(systemCode(error) ?? '')) return closedFailure(tool, context, error);
    const failure = httpFailure(error, context, false);
    if (failure) return failure;
  }
  return new AppError('UPSTREAM_FAILED', `Upstream tool '${tool}' failed: ${reason(error)}`, {
    details: { upstream: name },
    cause: error,
  });
}

/** A failure to list an upstream's tools on an established connection. */
export function listFailure(error: unknown, context: FailureContext, timeoutMs: number): AppError {
  if (error instanceof AppError) return error;
  const { name, upstream, process: child } = context;
  const hint = (child && lastWords(child)) ?? undefined;
  if (isTimeout(error)) {
    return new AppError('UPSTREAM_TIMEOUT', `Server '${name}' did not say within ${seconds(timeoutMs)} which tools it has`, {
      hint: hint ?? 'Restart it; where it stays silent, its own instructions may tell what it waits for',
      cause: error,
    });
  }
  if (child?.exit) {
    return new AppError('UPSTREAM_CLOSED', `Server '${name}' ended when asked for its tools (${describeExit(child)})`, {
      hint,
      cause: error,
    });
  }
  const failure = upstream.type === 'stdio' ? null : httpFailure(error, context, false);
  if (failure) return failure;
  const code = isClosed(error) ? 'UPSTREAM_CLOSED' : 'UPSTREAM_FAILED';
  return new AppError(code, `Server '${name}' did not say which tools it has: ${reason(error)}`, { hint, cause: error });
}

export function closedFailure(tool: string, { name, upstream, process: child }: FailureContext, cause?: unknown): AppError {
  const how = child?.exit ? ` (${describeExit(child)})` : '';
  const verb = upstream.type === 'stdio' ? 'ended' : 'broke the connection';
  const words = child ? lastWords(child) : undefined;
  return new AppError('UPSTREAM_CLOSED', `Server '${name}' ${verb} while '${tool}' was running${how}`, {
    hint: `${words ? `${words}. ` : ''}The next call ${upstream.type === 'stdio' ? 'starts it again' : 'connects again'}`,
    cause,
  });
}

export function timeoutFailure(name: string, tool: string, timeoutMs: number, ownSetting: boolean): AppError {
  const setting = ownSetting ? `upstreams.${name}.timeoutMs` : 'limits.callTimeoutMs';
  return new AppError(
    'UPSTREAM_TIMEOUT',
    `Server '${name}' did not answer within ${seconds(timeoutMs)} while '${tool}' was running (${setting})`,
    { hint: `Raise ${setting}, or make the call with background: true`, details: { timeoutMs, setting } },
  );
}

/** Timeout error for a server that answered nothing and was ended. */
export function silentFailure(name: string, tool: string, timeoutMs: number): AppError {
  return new AppError(
    'UPSTREAM_TIMEOUT',
    `Server '${name}' did not answer within ${seconds(timeoutMs)} while '${tool}' was running, and has stopped answering at all`,
    { hint: 'It was ended, and the next call starts it again', details: { timeoutMs } },
  );
}

/** HTTP 404 with a session: the server lost the session and did not process the request, so it can be repeated. */
export function isSessionLost(error: unknown): boolean {
  return statusOf(error) === 404;
}

/** Whether the server may support only the 2025 handshake. */
export function isNegotiationFailure(error: unknown): boolean {
  if (systemCode(error) !== undefined) return false;
  const status = statusOf(error);
  if (status === 401 || status === 403) return false;
  return SdkError.isInstance(error) && (String(error.code) === 'ERA_NEGOTIATION_FAILED' || isTimeout(error));
}

function reason(error: unknown): string {
  return plain(error instanceof Error ? error.message : String(error));
}

/** Older SDKs put the code into the message: 'MCP error -32602: …'. */
function plain(message: string): string {
  return message.replace(/^(MCP error -?\d+: )+/, '').trim() || 'it gave no reason';
}

function seconds(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`;
}
