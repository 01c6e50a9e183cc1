/** Calls that failed after they were sent: the tool may have done the work all the same. */
import { AppError, type ErrorCode, type RpcError, toAppError } from '../../shared/model/errors.ts';
import { type Message, say } from '../../shared/model/messages/message.ts';
import type { JsonStream } from '../engine/core/payload.ts';
import { statusOf, systemCode } from '../wire/error-causes.ts';

/** Whether a stream has begun to be read in order to be sent. */
export interface SendingWatch {
  watch(stream: JsonStream): JsonStream;
  sent(): boolean;
}

export function sendingWatch(): SendingWatch {
  let begun = false;
  return {
    watch: (stream) => ({
      ...stream,
      json: (...options) => {
        begun = true;
        return stream.json(...options);
      },
    }),
    sent: () => begun,
  };
}

/** Makes a call. An error after which its work may have been done says so, in its hint and its details; `repeat` says how to call again. */
export async function callOnce<T>(args: JsonStream, call: (args: JsonStream) => Promise<T>, repeat?: Message): Promise<T> {
  const { watch, sent } = sendingWatch();
  try {
    return await call(watch(args));
  } catch (error) {
    const known = toAppError(error);
    throw sent() && mayHaveRun(known) ? warned(known, repeat) : error;
  }
}

/** Other failures leave the message incomplete, so that no server can act on it. */
const afterSending: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'CANCELLED',
  'FILE_WRITE_FAILED',
  'INTERNAL',
  'MESSAGE_TOO_LARGE',
  'SIGN_IN_NEEDED',
  'UPSTREAM_CLOSED',
  'UPSTREAM_FAILED',
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_UNREACHABLE',
]);

const neverConnected: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/**
 * What a call that was being sent came to: `refused` where the server itself said so, `not_sent` where the message never reached the server whole,
 * otherwise `unknown`.
 */
export function outcomeAfterSending(error: AppError): 'refused' | 'not_sent' | 'unknown' {
  const { rpc } = error.details;
  if (rpc !== undefined) return saysThatItGaveUp(rpc) ? 'unknown' : 'refused';
  return afterSending.has(error.code) && !neverConnected.has(systemCode(error.cause) ?? '') ? 'unknown' : 'not_sent';
}

/** Errors by which a message itself is refused (JSON-RPC 2.0, section 5.1). */
const refusals: ReadonlySet<number> = new Set([-32700, -32600, -32601, -32602]);
/** What the SDKs answer where a request of theirs took too long. */
const REQUEST_TIMEOUT = -32001;
const givenUp =
  /\btime(?:d)?[ -]?out\b|\bconnection (?:was |is )?(?:closed|lost|reset|aborted)\b|socket hang up|ECONNRESET|ETIMEDOUT|EPIPE/i;

/** A gateway that gave up waiting answers with an error: the server behind it may go on. */
const saysThatItGaveUp = ({ code, message }: RpcError): boolean =>
  !refusals.has(code) && (code === REQUEST_TIMEOUT || givenUp.test(message));

/** A single call needs no warning after an HTTP status by which servers refuse a request. Batches keep it as unknown: a proxy may have sent it. */
function mayHaveRun(error: AppError): boolean {
  const status = statusOf(error.cause);
  if (status !== undefined && status >= 400 && status < 500 && status !== 408) return false;
  return outcomeAfterSending(error) === 'unknown';
}

function warned({ code, asText, hintAsText, details, cause }: AppError, repeat: Message | undefined): AppError {
  return new AppError(code, asText, {
    hint: say('call.mayHaveRun', { repeat: repeat ?? null, hint: hintAsText ?? null }),
    details: { ...details, mayHaveRun: true },
    cause,
  });
}
