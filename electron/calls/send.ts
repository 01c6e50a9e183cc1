/** Sends one message to a server: the whole call, unless it is cut into batches. */

import type { Receipt } from '../../shared/model/call.ts';
import type { TokenCount } from '../../shared/model/conversion.ts';
import { AppError, type ErrorCode, type RpcError, toAppError } from '../../shared/model/errors.ts';
import { type Message, say } from '../../shared/model/messages/message.ts';
import type { JsonStream } from '../engine/core/payload.ts';
import type { CallHooks, ToolResult, UpstreamTool } from '../upstream/types.ts';
import { statusOf, systemCode } from '../wire/error-causes.ts';
import { saysItFailed } from './answer.ts';
import { entryFingerprint } from './approve.ts';
import type { BatchPlan } from './batch-plan.ts';
import { headersOf, type ParameterHeaders, repeatHint } from './bind.ts';
import type { Call } from './call.ts';
import type { CheckedCall } from './check.ts';
import { restsOnceSent, type Turn } from './conversion-turns.ts';
import { contentHash, recordCount } from './convert.ts';
import type { OpenedFiles } from './open.ts';
import type { CallDeps, CallerContext, FileCallRequest } from './types.ts';

/** A checked call on its way. */
export interface Sending {
  readonly deps: CallDeps;
  readonly call: Call;
  readonly checked: CheckedCall;
  readonly opened: OpenedFiles;
  /** Held while its conversions are read. */
  readonly turn: Turn;
}

/** What became of a call that was sent. */
export interface Sent {
  /** The server's answer to a call in one message. */
  readonly answer?: ToolResult;
  readonly receipt: Receipt | null;
  readonly batched?: SentBatches;
}

/** What became of a call in batches, beside its receipt. */
export interface SentBatches {
  readonly plan: Pick<BatchPlan, 'mostCalls'>;
  /** Messages that were sent. */
  readonly calls: number;
  readonly cancelled: boolean;
  /** Why it stopped: our error, or the words of the tool that refused a batch. */
  readonly reason: AppError | string | undefined;
  /** Tokens of the answers that the receipt stands for. */
  readonly answerTokens: TokenCount;
  /** Batches whose answers tell of failures although they are no errors. */
  readonly doubtful: { readonly batches: number; readonly words: string };
  /** Outcome of the records in this call alone; the receipt also covers earlier calls. */
  readonly counts: Pick<Receipt, 'recordsAccepted' | 'recordsFailed' | 'recordsUnknown' | 'ranges'>;
}

/** `headers`: arguments that go in HTTP headers as well. */
export function hooksOf(caller: CallerContext, headers: ParameterHeaders, passProgress: boolean): CallHooks {
  return {
    signal: caller.signal,
    onLog: (params) => caller.log(params),
    elicit: caller.elicit,
    sample: caller.sample,
    roots: caller.roots,
    meta: caller.meta,
    headers,
    ...(passProgress ? { onProgress: (progress) => caller.progress(progress) } : {}),
  };
}

/** A call without files. */
export async function sendPlain(
  { deps, call }: Pick<Sending, 'deps' | 'call'>,
  request: Pick<FileCallRequest, 'server' | 'tool_name'>,
  tool: UpstreamTool,
  args: JsonStream,
): Promise<Sent> {
  const hooks = hooksOf(call.caller, await headersOf(tool, args), true);
  await call.events.tell({ type: 'sent', bytes: args.bytes });
  const answer = await callOnce(args, (sent) => deps.upstreams.callTool(request.server, request.tool_name, sent, hooks));
  return { answer, receipt: null };
}

/** All of the files in one message. */
export async function sendWhole({ deps, call, checked, opened, turn }: Sending): Promise<Sent> {
  const { request, payloads, bound, keys } = checked;
  const records = recordCount(payloads);
  await call.events.tell({ type: 'sent', bytes: bound.bytes });
  const hooks = hooksOf(call.caller, checked.headers, true);
  const answer = await callOnce(
    unchangedToTheEnd(restsOnceSent(bound, turn), opened),
    (args) => deps.upstreams.callTool(request.server, request.tool_name, args, hooks),
    keys && bound.keyAt !== undefined ? repeatHint(bound.keyAt, keys.of(0, Math.max(0, records - 1))) : undefined,
  );
  const accepted = answer.isError || saysItFailed(answer) ? 0 : records;
  const receipt: Receipt = {
    id: checked.receiptId,
    sha256: contentHash(payloads),
    recordsRead: records,
    recordsAccepted: accepted,
    recordsFailed: records - accepted,
    batches: [],
    ...(checked.sentBefore.length === 0 ? {} : { sentBefore: [...checked.sentBefore] }),
    resumeFrom: null,
  };
  return { answer, receipt };
}

// Calls that failed after they were sent: the tool may have done the work all the same.

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

/** Gives a check for the batches of one call. It throws UPSTREAM_CLOSED once they would go to another command or address. */
export function sameServerOnly({ upstreams }: Pick<CallDeps, 'upstreams'>, server: string): () => void {
  const before = entryFingerprint(upstreams.config(server));
  return () => {
    if (entryFingerprint(upstreams.config(server)) === before) return;
    throw new AppError('UPSTREAM_CLOSED', say('server.changed', { server, starting: false }));
  };
}

/** The same arguments, whose stream fails with FILE_CHANGED at its end if a file changed meanwhile: the message is never completed. */
export function unchangedToTheEnd(args: JsonStream, opened: OpenedFiles): JsonStream {
  return {
    bytes: args.bytes,
    async *json(signal, options) {
      for await (const chunk of args.json(signal, options)) yield chunk;
      await opened.assertUnchanged();
    },
  };
}
