/** What can go wrong with an upstream, in words its user can act on. */
import { existsSync } from 'node:fs';
import { ProtocolError, SdkError, SdkHttpError, SseError, UnauthorizedError } from '@modelcontextprotocol/client';
import type { Upstream } from '../../shared/model/config.ts';
import { AppError } from '../../shared/model/errors.ts';
import type { UpstreamProcess } from './upstream-process.ts';

/** Where a failure happened. */
export interface FailureContext {
  name: string;
  upstream: Upstream;
  process: UpstreamProcess | null;
}

/** Lines of stderr worth repeating in an error. */
const STDERR_LINES = 5;

/** A failure to start or reach an upstream. */
export function connectFailure(error: unknown, context: FailureContext, timeoutMs: number): AppError {
  if (error instanceof AppError) return error;
  const { name, upstream, process: child } = context;
  if (upstream.type === 'stdio') {
    const spawn = spawnFailure(error, name, upstream);
    if (spawn) return spawn;
    if (isTimeout(error)) {
      return new AppError('UPSTREAM_UNREACHABLE', `Upstream '${name}' did not finish starting within ${seconds(timeoutMs)}`, {
        hint:
          (child && lastWords(child)) ??
          'Check that the command is an MCP server that speaks over stdio, and, where npx or uvx fetches it first, that they reach their registry',
        cause: error,
      });
    }
    if (child?.exit) {
      return new AppError('UPSTREAM_UNREACHABLE', `Upstream '${name}' could not be started: ${describeExit(child)}`, {
        hint: lastWords(child) ?? `Run '${[upstream.command, ...upstream.args].join(' ')}' in a terminal to see what is wrong`,
        cause: error,
      });
    }
    return new AppError('UPSTREAM_UNREACHABLE', `Upstream '${name}' could not be started: ${reason(error)}`, {
      hint: child ? lastWords(child) : undefined,
      cause: error,
    });
  }
  return (
    httpFailure(error, context) ??
    (isTimeout(error)
      ? new AppError('UPSTREAM_UNREACHABLE', `Upstream '${name}' did not answer within ${seconds(timeoutMs)}`, {
          hint: `Check that the server at ${host(upstream.url)} is running`,
          cause: error,
        })
      : new AppError('UPSTREAM_UNREACHABLE', `Upstream '${name}' could not be reached: ${reason(error)}`, {
          hint: `Check that ${host(upstream.url)} is an MCP server of type '${upstream.type}'`,
          cause: error,
        }))
  );
}

/** A failure of one call on a connection that stood. */
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
    const failure = httpFailure(error, context);
    if (failure) return failure;
  }
  return new AppError('UPSTREAM_FAILED', `Upstream tool '${tool}' failed: ${reason(error)}`, {
    details: { upstream: name },
    cause: error,
  });
}

export function closedFailure(tool: string, { name, upstream, process: child }: FailureContext, cause?: unknown): AppError {
  const how = child?.exit ? ` (${describeExit(child)})` : '';
  const verb = upstream.type === 'stdio' ? 'ended' : 'broke the connection';
  const words = child ? lastWords(child) : undefined;
  return new AppError('UPSTREAM_CLOSED', `Upstream '${name}' ${verb} while '${tool}' was running${how}`, {
    hint: `${words ? `${words}. ` : ''}It may have done part of the work; the next call ${upstream.type === 'stdio' ? 'starts it again' : 'connects again'}`,
    cause,
  });
}

export function timeoutFailure(name: string, tool: string, timeoutMs: number, ownSetting: boolean): AppError {
  const setting = ownSetting ? `upstreams.${name}.timeoutMs` : 'limits.callTimeoutMs';
  return new AppError(
    'UPSTREAM_TIMEOUT',
    `Upstream '${name}' did not answer within ${seconds(timeoutMs)} while '${tool}' was running (${setting})`,
    { hint: `Raise ${setting}, or make the call with background: true`, details: { timeoutMs, setting } },
  );
}

/** HTTP 404 with a session: the server forgot it and never looked at the request, so that it may be made again. */
export function isSessionLost(error: unknown): boolean {
  return statusOf(error) === 404;
}

/** The server gave no sign that it knows the 2026 era; the 2025 handshake is worth a try. */
export function isNegotiationFailure(error: unknown): boolean {
  if (systemCode(error) !== undefined) return false;
  const status = statusOf(error);
  if (status === 401 || status === 403) return false;
  return SdkError.isInstance(error) && (String(error.code) === 'ERA_NEGOTIATION_FAILED' || isTimeout(error));
}

function httpFailure(error: unknown, { name, upstream }: FailureContext): AppError | null {
  if (upstream.type === 'stdio') return null;
  const where = host(upstream.url);
  const failure = (message: string, hint: string) =>
    new AppError('UPSTREAM_UNREACHABLE', `Upstream '${name}' ${message}`, { hint, cause: error });
  const status = statusOf(error);
  if (status === 401 || UnauthorizedError.isInstance(error)) {
    return failure(
      'asks for a sign-in that was not given (HTTP 401)',
      `Check the Authorization header or token configured for '${name}'`,
    );
  }
  if (status === 403)
    return failure('refused access (HTTP 403)', `Check that the token configured for '${name}' has the rights it needs`);
  if (status === 404)
    return failure('has nothing at this address (HTTP 404)', `Check the URL of '${name}'; many servers answer at /mcp or /sse`);
  if (status === 405) {
    return failure(
      'does not take this kind of connection (HTTP 405)',
      `Try type "${upstream.type === 'http' ? 'sse' : 'http'}" for '${name}'`,
    );
  }
  if (status === 413) {
    return new AppError('MESSAGE_TOO_LARGE', `Upstream '${name}' refused the call as too large (HTTP 413)`, {
      hint: `Use batch: "auto", or lower maxMessageBytes of '${name}' to what the server takes`,
      cause: error,
    });
  }
  if (status !== undefined) return failure(`answered with HTTP ${status}`, `See the log of the server at ${where}`);
  switch (systemCode(error)) {
    case 'ECONNREFUSED':
      return failure(`could not be reached: nothing listens at ${where}`, 'Start the server, or correct its URL');
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return failure(`could not be reached: the name of ${where} is not known`, 'Check the URL and the network connection');
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return failure(
        `could not be reached: ${where} does not respond`,
        'Check the network connection and whether a VPN is needed',
      );
    case 'ECONNRESET':
    case 'EPIPE':
      return failure(`could not be reached: ${where} broke the connection`, `See the log of the server at ${where}`);
    case 'CERT_HAS_EXPIRED':
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return failure(
        `could not be reached: the certificate of ${where} is not trusted`,
        'Have the certificate renewed or corrected',
      );
    default:
      return null;
  }
}

function spawnFailure(error: unknown, name: string, upstream: Upstream & { type: 'stdio' }): AppError | null {
  const failure = (what: string, hint: string) =>
    new AppError('UPSTREAM_UNREACHABLE', `Upstream '${name}' could not be started: ${what}`, { hint, cause: error });
  switch (systemCode(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      // The system says ENOENT for a missing working folder too.
      if (upstream.cwd !== null && !existsSync(upstream.cwd)) {
        return failure(`its working folder '${upstream.cwd}' does not exist`, `Correct cwd of '${name}'`);
      }
      return failure(
        `command '${upstream.command}' was not found`,
        `Install it, or give its full path: it was looked for in the PATH of this program and of your login shell`,
      );
    case 'EACCES':
      return failure(`command '${upstream.command}' may not be run`, 'Check that the file is executable');
    default:
      return null;
  }
}

export function describeExit({ exit }: UpstreamProcess): string {
  if (exit?.signal) return `ended by ${exit.signal}`;
  return exit?.code === 0 ? 'it ended at once' : `exit code ${exit?.code}`;
}

/** The lines that name the error where there are any, the last ones otherwise; of a stack trace, the frames say nothing to a person. */
function lastWords(child: UpstreamProcess): string | undefined {
  const lines = child.stderrTail
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^at .+[:)]\d*|^Node\.js v\d|^[\^~{}]+$/.test(line));
  const errors = lines.filter((line) => /\b\w*(Error|Exception)\b|\berror:/i.test(line));
  const told = (errors.length > 0 ? errors : lines).slice(-STDERR_LINES);
  return told.length === 0 ? undefined : `It said: ${told.join(' / ')}`;
}

function* causes(error: unknown): Generator<unknown> {
  for (let at: unknown = error, depth = 0; at !== undefined && at !== null && depth < 8; depth += 1) {
    yield at;
    at = (at as { cause?: unknown }).cause;
  }
}

function statusOf(error: unknown): number | undefined {
  for (const cause of causes(error)) {
    if (SdkHttpError.isInstance(cause)) return cause.data.status;
    if (SseError.isInstance(cause)) {
      const { code } = cause;
      if (code !== undefined) return code;
    }
    // The SDK's SSE transport tells a refused POST's status in its text alone.
    const status = cause instanceof Error ? /^Error POSTing to endpoint \(HTTP (\d{3})\)/.exec(cause.message)?.[1] : undefined;
    if (status !== undefined) return Number(status);
  }
  return undefined;
}

/** The operating system's error code, wherever it hides in the chain of causes. */
function systemCode(error: unknown): string | undefined {
  for (const cause of causes(error)) {
    const { code, message } = cause as { code?: unknown; message?: unknown };
    if (typeof code === 'string' && /^(E[A-Z]+|CERT_|DEPTH_|SELF_|UNABLE_|ERR_TLS)/.test(code) && !SdkError.isInstance(cause))
      return code;
    // The event source library keeps only the text of its cause.
    const named =
      SseError.isInstance(cause) && /\b(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRESET)\b/.exec(String(message));
    if (named) return named[1];
  }
  return undefined;
}

export function isTimeout(error: unknown): boolean {
  return SdkError.isInstance(error) && String(error.code) === 'REQUEST_TIMEOUT';
}

/** The connection ended, as the SDK or a transport tells it. */
export function isClosed(error: unknown): boolean {
  if (SdkError.isInstance(error) && ['CONNECTION_CLOSED', 'NOT_CONNECTED'].includes(String(error.code))) return true;
  return error instanceof Error && /^(the connection (is|was) closed|Not connected)/.test(error.message);
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

/** Scheme and host: the path or query of a URL may hold a secret. */
function host(url: string): string {
  const { protocol, host: name } = new URL(url);
  return `${protocol}//${name}`;
}
