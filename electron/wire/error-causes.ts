/** Classifies errors of the SDK, fetch and the system by searching their cause chain. */
// The client's package has the same classes, and would be loaded before any server is used.
import { ProtocolError, SdkError, SdkHttpError } from '@modelcontextprotocol/server';

export function* causes(error: unknown): Generator<unknown> {
  for (let at: unknown = error, depth = 0; at !== undefined && at !== null && depth < 8; depth += 1) {
    yield at;
    at = (at as { cause?: unknown }).cause;
  }
}

/** The error of the event source library, known by its event. */
const isSseError = (cause: unknown): cause is Error & { code?: unknown } => cause instanceof Error && 'event' in cause;

/** HTTP status of the failed response. */
export function statusOf(error: unknown): number | undefined {
  for (const cause of causes(error)) {
    if (SdkHttpError.isInstance(cause)) return cause.data.status;
    if (isSseError(cause) && typeof cause.code === 'number') return cause.code;
    // The SDK's SSE transport reports the status of a refused POST only in its message.
    const status = cause instanceof Error ? /^Error POSTing to endpoint \(HTTP (\d{3})\)/.exec(cause.message)?.[1] : undefined;
    if (status !== undefined) return Number(status);
  }
  return undefined;
}

/** The error sentence in a refusal's body, if the server sent one. */
export function bodyReason(error: unknown): string | undefined {
  for (const cause of causes(error)) {
    const text = SdkHttpError.isInstance(cause) ? cause.data.text : undefined;
    if (typeof text !== 'string') continue;
    const found = sentenceIn(text.trim());
    if (found !== undefined) return found;
  }
  return undefined;
}

function sentenceIn(text: string): string | undefined {
  const short = (value: unknown) =>
    typeof value === 'string' && value.trim() !== '' && value.length <= 200 && !value.includes('<') ? value.trim() : undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return short(value);
    const { error, message, error_description: described, detail } = value as Record<string, unknown>;
    const inner = typeof error === 'object' && error !== null ? (error as { message?: unknown }).message : undefined;
    return short(inner) ?? short(described) ?? short(message) ?? short(detail) ?? short(error);
  } catch {
    return short(text);
  }
}

/** Patterns for system errors in messages of the event source library, which drops the original cause. */
const named: readonly (readonly [RegExp, string | null])[] = [
  [/\b(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRESET|EPROTO|EHOSTUNREACH|ENETUNREACH)\b/, null],
  [/socket hang up|other side closed/, 'ECONNRESET'],
  [/self[- ]signed certificate/, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  [/certificate has expired/, 'CERT_HAS_EXPIRED'],
  [/unable to (?:verify the first|get local issuer) certificate/, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
];

/** The operating system's error code. */
export function systemCode(error: unknown): string | undefined {
  for (const cause of causes(error)) {
    const { code, message } = cause as { code?: unknown; message?: unknown };
    if (
      typeof code === 'string' &&
      /^(E[A-Z]+|CERT_|DEPTH_|SELF_|UNABLE_|ERR_TLS|ERR_SSL)/.test(code) &&
      !SdkError.isInstance(cause)
    )
      return code;
    if (!isSseError(cause)) continue;
    for (const [pattern, meant] of named) {
      const match = pattern.exec(String(message));
      if (match) return meant ?? match[1];
    }
  }
  return undefined;
}

export function isTimeout(error: unknown): boolean {
  return SdkError.isInstance(error) && String(error.code) === 'REQUEST_TIMEOUT';
}

/** Whether the SDK or a transport reports a closed connection. */
export function isClosed(error: unknown): boolean {
  if (SdkError.isInstance(error) && ['CONNECTION_CLOSED', 'NOT_CONNECTED'].includes(String(error.code))) return true;
  return error instanceof Error && /^(the connection (is|was) closed|Not connected)/.test(error.message);
}

/** Whether the response was not JSON-RPC: the SDK reports a schema error or an unexpected content type. */
export function isOtherAnswer(error: unknown): boolean {
  for (const cause of causes(error)) {
    if (ProtocolError.isInstance(cause) || !(cause instanceof Error)) continue;
    if (cause.name === 'ZodError' || cause instanceof SyntaxError) return true;
    if (/^Unexpected content type|"invalid_(?:union|value|type)"|Unexpected token|Invalid content type/.test(cause.message))
      return true;
  }
  return false;
}
