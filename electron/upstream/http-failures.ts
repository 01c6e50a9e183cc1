/** Errors of a server's address, worded so that the user can act on them. */
import { UnauthorizedError } from '@modelcontextprotocol/client';
import { AppError } from '../../shared/model/errors.ts';
import { type Message, say } from '../../shared/model/messages/message.ts';
import { bodyReason, causes, isOtherAnswer, statusOf, systemCode } from '../wire/error-causes.ts';
import { retryAfterOf } from '../wire/retry-after.ts';
import type { FailureContext } from './failure-context.ts';
import { hasCredentials, howToSignIn } from './sign-in/sign-ins.ts';

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
  const unreached = (why: Message, hint: Message) => failure(say('server.notReached', { server, reason: why }), hint);
  switch (systemCode(error)) {
    case 'ECONNREFUSED':
      return unreached(say('net.refused', { where }), say('net.refused.hint'));
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return unreached(say('net.unknownName', { where }), say('net.unknownName.hint'));
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return unreached(say('net.noResponse', { where }), say('net.noResponse.hint'));
    case 'ECONNRESET':
    case 'EPIPE':
      return unreached(
        say('net.broken', { where }),
        where.startsWith('http:') ? say('net.broken.hint') : say('http.log.hint', { where }),
      );
    case 'EPROTO':
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
      return unreached(say('net.notHttps', { where }), say('net.notHttps.hint'));
    case 'CERT_HAS_EXPIRED':
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return unreached(say('net.certificate', { where }), say('net.certificate.hint'));
    default:
      return null;
  }
}

/** Scheme and host: the path or query of a URL may hold a secret. */
export function host(url: string): string {
  const { protocol, host: name } = new URL(url);
  return `${protocol}//${name}`;
}
