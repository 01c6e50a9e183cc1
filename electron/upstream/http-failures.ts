/** Errors of a server's address, worded so that the user can act on them. */
import { UnauthorizedError } from '@modelcontextprotocol/client';
import { AppError } from '../../shared/model/errors.ts';
import { bodyReason, causes, isOtherAnswer, statusOf, systemCode } from '../wire/error-causes.ts';
import { retryAfterOf } from '../wire/retry-after.ts';
import type { FailureContext } from './failure-context.ts';
import { capitalised, hasCredentials, howToSignIn } from './sign-in/sign-ins.ts';

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
  const failure = (message: string, hint: string) =>
    new AppError('UPSTREAM_UNREACHABLE', `Server '${name}' ${message}`, { hint, details, cause: error });
  const otherType = upstream.type === 'http' ? 'sse' : 'http';
  const status = statusOf(error);
  const reason = quote ? bodyReason(error) : undefined;
  const said = reason === undefined ? '' : `: ${reason}`;
  if (status === 401 || UnauthorizedError.isInstance(error)) {
    const what = 'asks for a sign-in that was not given (HTTP 401)';
    if (hasCredentials(upstream)) return failure(what, `Check the Authorization header or token configured for '${name}'`);
    const hint = `${capitalised(howToSignIn(name))}. A server without such a sign-in wants a token in its headers`;
    return new AppError('SIGN_IN_NEEDED', `Server '${name}' ${what}`, { hint, details, cause: error });
  }
  if ((status === 200 && upstream.type === 'sse') || (status === undefined && isOtherAnswer(error))) {
    return failure(
      'answers, but not as an MCP server does',
      `Check the URL of '${name}': it may lead to a web page. Many servers answer at /mcp or /sse; or try type "${otherType}"`,
    );
  }
  switch (status) {
    case undefined:
      break;
    case 301:
    case 302:
    case 303:
    case 307:
    case 308:
      return failure(
        `sends to another address (HTTP ${status})`,
        `Enter that address as the URL of '${name}'; it may also want a sign-in`,
      );
    case 403:
      return failure('refused access (HTTP 403)', `Check that the token configured for '${name}' has the rights it needs`);
    case 404:
      return failure('has nothing at this address (HTTP 404)', `Check the URL of '${name}'; many servers answer at /mcp or /sse`);
    case 405:
      return failure('does not take this kind of connection (HTTP 405)', `Try type "${otherType}" for '${name}'`);
    case 400:
    case 406:
    case 415:
      return failure(
        `did not understand the greeting (HTTP ${status}${said})`,
        `Check the URL of '${name}', or try type "${otherType}"`,
      );
    case 413:
      return new AppError('MESSAGE_TOO_LARGE', `Server '${name}' refused the call as too large (HTTP 413)`, {
        hint: `Send less in one call: a list can go in several, with batch: {"max_bytes": 250000}; the user can lower maxMessageBytes of '${name}' in Filebridge to what the server takes`,
        cause: error,
      });
    case 429:
      return failure(
        'is asked too often (HTTP 429)',
        wait === undefined ? 'Wait a little, then try again' : `It asks to wait ${wait} s before the next try`,
      );
    case 502:
    case 503:
    case 504:
      return failure(
        `is not available at the moment (HTTP ${status}${said})`,
        wait === undefined
          ? `Try again later, or see whether the server at ${where} is running`
          : `It asks to wait ${wait} s before the next try`,
      );
    default:
      return failure(`answered with HTTP ${status}${said}`, `See the log of the server at ${where}`);
  }
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
      return failure(
        `could not be reached: ${where} broke the connection`,
        where.startsWith('http:')
          ? `See the log of the server, or try https:// in the URL`
          : `See the log of the server at ${where}`,
      );
    case 'EPROTO':
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
      return failure(`could not be reached: ${where} does not speak https`, 'Try http:// in the URL');
    case 'CERT_HAS_EXPIRED':
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
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

/** Scheme and host: the path or query of a URL may hold a secret. */
export function host(url: string): string {
  const { protocol, host: name } = new URL(url);
  return `${protocol}//${name}`;
}
