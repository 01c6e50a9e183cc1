/** Errors of an upstream and of its address, worded so that the user can act on them. */

import { ProtocolError, SdkError, UnauthorizedError } from '@modelcontextprotocol/client';
import { AppError, type RpcError, URL_ELICITATION_REQUIRED } from '../../shared/model/errors.ts';
import { type Message, say, type Text } from '../../shared/model/messages/message.ts';
import { isJsonObject } from '../engine/core/json-object.ts';
import { bodyReason, causes, isClosed, isOtherAnswer, isTimeout, statusOf, systemCode } from '../wire/error-causes.ts';
import { retryAfterOf } from '../wire/payload-fetch.ts';
import { unreached } from './network-failures.ts';
import {
  describeExit,
  exitFailure,
  type FailureContext,
  lastWords,
  notStarted,
  spawnFailure,
  strayFailure,
} from './process-failures.ts';
import { hasCredentials, howToSignIn } from './sign-in/sign-ins.ts';

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
    return new AppError('UPSTREAM_UNREACHABLE', say('start.slow', { server: name, ms: timeoutMs }), {
      hint: (child && lastWords(child)) ?? say('server.slow.hint'),
      details,
      cause,
    });
  }
  const { pathname } = new URL(upstream.url);
  const older = upstream.type === 'http' && /\/sse\/?$/.test(pathname);
  return new AppError('UPSTREAM_UNREACHABLE', say('server.noAnswer', { server: name, ms: timeoutMs }), {
    hint: older ? say('server.older.hint', { server: name }) : say('server.noAnswer.hint', { where: host(upstream.url) }),
    details,
    cause,
  });
}

function otherFailure(cause: unknown, { name, upstream, process: child }: FailureContext): AppError {
  const text = reason(cause);
  const why = ProtocolError.isInstance(cause) ? say('server.refusedHandshake', { reason: text }) : text;
  if (upstream.type === 'stdio')
    return notStarted(name, why, (child ? lastWords(child) : undefined) ?? say('server.notStdio.hint'), cause);
  return new AppError('UPSTREAM_UNREACHABLE', say('server.notReached', { server: name, reason: why }), {
    hint: say('server.notReached.hint', { where: host(upstream.url), type: upstream.type }),
    cause,
  });
}

/** A failure of one call on an established connection. */
export function callFailure(error: unknown, tool: string, context: FailureContext): AppError {
  if (error instanceof AppError) return error;
  const { name, upstream, process: child } = context;
  if (ProtocolError.isInstance(error)) {
    const addresses = addressesToOpen(error);
    return new AppError('UPSTREAM_FAILED', say('server.failed', { tool, reason: plain(error.message) }), {
      details: { rpc: rpcErrorOf(error) },
      cause: error,
      ...(addresses.length === 0 ? {} : { hint: say('server.openAddress', { addresses: addresses.join(' ') }) }),
    });
  }
  if (child?.exit || isClosed(error)) return closedFailure(tool, context, error);
  if (upstream.type !== 'stdio') {
    if (['ECONNRESET', 'EPIPE'].includes(systemCode(error) ?? '')) return closedFailure(tool, context, error);
    const failure = httpFailure(error, context, false);
    if (failure) return failure;
  }
  return new AppError('UPSTREAM_FAILED', say('server.failed', { tool, reason: reason(error) }), {
    details: { upstream: name },
    cause: error,
  });
}

function rpcErrorOf({ code, message, data }: ProtocolError): RpcError {
  return { code, message: withoutCode(message), ...(data === undefined ? {} : { data }) };
}

/** Where a person has to go before the call can be made: `data.elicitations` of a URL_ELICITATION_REQUIRED error (MCP 2025-11-25). */
function addressesToOpen({ code, data }: ProtocolError): string[] {
  const { elicitations } = code === URL_ELICITATION_REQUIRED && isJsonObject(data) ? data : {};
  if (!Array.isArray(elicitations)) return [];
  const urls = elicitations.flatMap((each: unknown) => (isJsonObject(each) && typeof each.url === 'string' ? each.url : []));
  return urls.filter((url) => /^https?:\/\/\S+$/i.test(url) && url.length <= ADDRESS_CHARS).slice(0, MAX_ADDRESSES);
}

/** A failure to list an upstream's tools on an established connection. */
export function listFailure(error: unknown, context: FailureContext, timeoutMs: number): AppError {
  if (error instanceof AppError) return error;
  const { name, upstream, process: child } = context;
  const hint = (child && lastWords(child)) ?? undefined;
  if (isTimeout(error)) {
    return new AppError('UPSTREAM_TIMEOUT', say('tools.slow', { server: name, ms: timeoutMs }), {
      hint: hint ?? say('tools.slow.hint'),
      cause: error,
    });
  }
  if (child?.exit) {
    return new AppError('UPSTREAM_CLOSED', say('tools.ended', { server: name, exit: describeExit(child) }), {
      hint,
      cause: error,
    });
  }
  const failure = upstream.type === 'stdio' ? null : httpFailure(error, context, false);
  if (failure) return failure;
  const code = isClosed(error) ? 'UPSTREAM_CLOSED' : 'UPSTREAM_FAILED';
  return new AppError(code, say('tools.failed', { server: name, reason: reason(error) }), { hint, cause: error });
}

export function closedFailure(tool: string, { name, upstream, process: child }: FailureContext, cause?: unknown): AppError {
  if (upstream.type !== 'stdio') {
    const hint = say('server.connectsAgain');
    return new AppError('UPSTREAM_CLOSED', say('server.disconnected', { server: name, tool }), { hint, cause });
  }
  const exit = child?.exit ? describeExit(child) : null;
  return new AppError('UPSTREAM_CLOSED', say('server.ended', { server: name, tool, exit }), {
    hint: say('server.startsAgain', { said: (child && lastWords(child)) ?? null }),
    cause,
  });
}

export function timeoutFailure(name: string, tool: string, timeoutMs: number, ownSetting: boolean): AppError {
  const setting = ownSetting ? `upstreams.${name}.timeoutMs` : 'limits.callTimeoutMs';
  return new AppError('UPSTREAM_TIMEOUT', say('server.timeout', { server: name, tool, ms: timeoutMs, setting }), {
    hint: say('server.timeout.hint', { setting }),
    details: { timeoutMs, setting },
  });
}

/** Timeout error for a server that answered nothing and was ended. */
export function silentFailure(name: string, tool: string, timeoutMs: number): AppError {
  return new AppError('UPSTREAM_TIMEOUT', say('server.silent', { server: name, tool, ms: timeoutMs }), {
    hint: say('server.silent.hint'),
    details: { timeoutMs },
  });
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

/** Longer addresses, and more of them, are only in the error's data. */
const ADDRESS_CHARS = 2_000;
const MAX_ADDRESSES = 3;

/** More would fill a model's context (characters). */
const REASON_CHARS = 20_000;

function reason(error: unknown): Text {
  return plain(error instanceof Error ? error.message : String(error));
}

/** Without the code that older SDKs begin a message with, as in `MCP error -32602: …`. */
function plain(message: string): Text {
  const text = withoutCode(message).trim();
  if (text.length > REASON_CHARS) return `${text.slice(0, REASON_CHARS)}…`;
  return text || say('server.noReason');
}

const withoutCode = (message: string): string => message.replace(/^(MCP error -?\d+: )+/, '');

// Errors of its address

/**
 * Null where neither an HTTP status nor the network is to blame. `quote` repeats the server's own reason, which may quote what it was
 * sent: not for calls, whose errors are logged.
 */
export function httpFailure(error: unknown, { name, upstream }: FailureContext, quote: boolean): AppError | null {
  if (upstream.type === 'stdio') return null;
  for (const cause of causes(error)) if (cause instanceof AppError) return cause;
  const where = host(upstream.url);
  const wait = retryAfterOf(error);
  const details = wait === undefined ? {} : { retryAfterSeconds: wait };
  const server = name;
  const failure = (message: Message, hint: Message) =>
    new AppError('UPSTREAM_UNREACHABLE', message, { hint, details, cause: error });
  const otherType = upstream.type === 'http' ? 'sse' : 'http';
  const status = statusOf(error);
  const reason = (quote ? bodyReason(error) : undefined) ?? null;
  if (status === 401 || UnauthorizedError.isInstance(error)) {
    const message = say('http.signIn', { server });
    if (hasCredentials(upstream)) return failure(message, say('http.credentials.hint', { server }));
    const hint = say('http.signIn.hint', { how: howToSignIn(name) });
    return new AppError('SIGN_IN_NEEDED', message, { hint, details, cause: error });
  }
  if ((status === 200 && upstream.type === 'sse') || (status === undefined && isOtherAnswer(error)))
    return failure(say('http.notMcp', { server }), say('http.notMcp.hint', { server, type: otherType }));
  switch (status) {
    case undefined:
      break;
    case 301:
    case 302:
    case 303:
    case 307:
    case 308:
      return failure(say('http.elsewhere', { server, status }), say('http.elsewhere.hint', { server }));
    case 403:
      return failure(say('http.forbidden', { server }), say('http.forbidden.hint', { server }));
    case 404:
      return failure(say('http.nothing', { server }), say('http.nothing.hint', { server }));
    case 405:
      return failure(say('http.otherKind', { server }), say('http.otherKind.hint', { server, type: otherType }));
    case 400:
    case 406:
    case 415:
      return failure(say('http.handshake', { server, status, reason }), say('http.handshake.hint', { server, type: otherType }));
    case 407:
      return failure(say('server.notReached', { server, reason: say('proxy.signIn') }), say('proxy.signIn.hint'));
    case 413:
      return new AppError('MESSAGE_TOO_LARGE', say('http.tooLarge', { server }), {
        hint: say('http.tooLarge.hint', { server }),
        cause: error,
      });
    case 429:
      return failure(
        say('http.tooOften', { server }),
        wait === undefined ? say('http.tooOften.hint') : say('http.wait.hint', { wait }),
      );
    case 502:
    case 503:
    case 504:
      return failure(
        say('http.unavailable', { server, status, reason }),
        wait === undefined ? say('http.unavailable.hint', { where }) : say('http.wait.hint', { wait }),
      );
    default:
      return failure(say('http.status', { server, status, reason }), say('http.log.hint', { where }));
  }
  const network = unreached(error, where);
  return network && failure(say('server.notReached', { server, reason: network.why }), network.hint);
}

/** Scheme and host: the path or query of a URL may hold a secret. */
export function host(url: string): string {
  const { protocol, host: name } = new URL(url);
  return `${protocol}//${name}`;
}
