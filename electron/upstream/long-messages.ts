/** Takes long messages in: each goes to a file while its outline is gathered, and only what calls wait for is handed on. */
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { formatBytes } from '../../shared/model/bytes.ts';
import { AppError } from '../../shared/model/errors.ts';
import { Utf8Mend } from '../engine/utf8.ts';
import { LongAnswer, messageOf, outlineOf } from './long-answer.ts';
import { MessageSkeleton } from './message-skeleton.ts';
import { isObject, type ResultTap } from './result-tap.ts';
import { Spool } from './spool.ts';

/** Messages from this size on are long. Bytes. */
export const LONG_MESSAGE_BYTES = 1024 * 1024;

export interface LongMessagesOptions {
  /** Where they are kept while they are used. */
  directory: string;
  tap: ResultTap;
  /** The longest that is taken. Bytes. */
  maxBytes: () => number;
}

export class LongMessages {
  readonly #options: LongMessagesOptions;
  readonly #arriving = new Set<LongMessage>();

  constructor(options: LongMessagesOptions) {
    this.#options = options;
    options.tap.onIdle = () => this.discard();
  }

  /** Whether there is a request whose answer a long message might be. */
  get awaited(): boolean {
    return this.#options.tap.awaits;
  }

  /** `onBytes` hears that more of it has come. */
  begin(onBytes: () => void): LongMessage {
    const message = new LongMessage(this.#options, onBytes, () => this.#arriving.delete(message));
    this.#arriving.add(message);
    return message;
  }

  /** Gives up what is arriving. */
  discard(): void {
    for (const message of this.#arriving) message.discard();
  }
}

export class LongMessage {
  readonly #options: LongMessagesOptions;
  readonly #onBytes: () => void;
  readonly #onDone: () => void;
  readonly #spool: Spool;
  readonly #skeleton = new MessageSkeleton();
  readonly #mend = new Utf8Mend();
  #discarded = false;

  constructor(options: LongMessagesOptions, onBytes: () => void, onDone: () => void) {
    this.#options = options;
    this.#onBytes = onBytes;
    this.#onDone = onDone;
    this.#spool = new Spool(options.directory);
  }

  /** Takes bytes over, which must not change any more. */
  push(chunk: Uint8Array): void {
    this.#onBytes();
    this.#take(this.#mend.push(chunk));
  }

  /** Resolves when more may be brought; undefined while it may. */
  get room(): Promise<void> | undefined {
    return this.#discarded ? undefined : this.#spool.room;
  }

  /** Nobody waits for it any more: what was kept is given up, and what comes is let go by. */
  discard(): void {
    this.#onDone();
    if (this.#discarded) return;
    this.#discarded = true;
    this.#skeleton.close();
    this.#spool.close().catch(() => undefined);
  }

  /**
   * The message, whole or with a stand-in for its result, which the tap knows; null where nobody waits for it. Rejects with SyntaxError
   * for what is no message, and with AppError for one that could not be kept.
   */
  async end(): Promise<JSONRPCMessage | null> {
    if (this.#discarded) return null;
    this.#take(this.#mend.end());
    this.#onDone();
    let answer: LongAnswer | undefined;
    try {
      const arrived = await this.#arrived();
      if (!(arrived instanceof LongAnswer)) return arrived;
      answer = arrived;
      // Its bytes are the answer's now.
      this.#discarded = true;
      return this.#options.tap.standIn(arrived.id, arrived);
    } finally {
      if (!answer) this.discard();
    }
  }

  async #arrived(): Promise<JSONRPCMessage | LongAnswer | null> {
    const { tap, maxBytes } = this.#options;
    const { bytes } = this.#spool;
    let skeleton: ReturnType<MessageSkeleton['end']>;
    try {
      skeleton = this.#skeleton.end();
    } catch (error) {
      const call = tap.onlyCall;
      // What is not even the beginning of an answer is no matter of a call.
      if (call === undefined || !this.#skeleton.sawResult) throw error;
      return tap.standIn(call, malformed(bytes, error));
    }
    const outline = skeleton?.message;
    const id = answeredId(outline);
    // A cancelled call's answer.
    if (id !== undefined && tap.awaitsAnswer(id) === undefined) return null;
    const failure = await this.#spool.settled().catch((error: unknown) => notKept(error, bytes));
    const refusal = bytes > maxBytes() ? tooLong(bytes, maxBytes()) : failure;
    if (refusal) {
      const call = id ?? tap.onlyCall;
      if (call === undefined) throw refusal;
      return tap.standIn(call, refusal);
    }
    if (
      skeleton &&
      id !== undefined &&
      isObject(outline) &&
      tap.awaitsAnswer(id) === 'tools/call' &&
      !isQuestion(outline.result)
    ) {
      const result = outlineOf(outline.result, skeleton.passages, this.#spool);
      if (result) return new LongAnswer(id, this.#spool, result);
    }
    const message = await messageOf(this.#spool);
    if (!isObject(message) || message.jsonrpc !== '2.0') throw new SyntaxError('it is no JSON-RPC message');
    return message as unknown as JSONRPCMessage;
  }

  #take(chunk: Uint8Array): void {
    if (this.#discarded || chunk.length === 0) return;
    this.#spool.write(chunk);
    this.#skeleton.push(chunk);
  }
}

/** The id of the request that a message answers. */
function answeredId(message: unknown): string | number | undefined {
  if (!isObject(message) || 'method' in message) return undefined;
  const { id } = message;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

const isQuestion = (result: unknown): boolean => isObject(result) && result.resultType === 'input_required';

function malformed(bytes: number, cause: unknown): AppError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new AppError('UPSTREAM_FAILED', `The server's answer of ${formatBytes(bytes)} is no valid JSON: ${why}`, {
    hint: 'The call was carried out; what came back cannot be read',
    cause,
  });
}

function tooLong(bytes: number, most: number): AppError {
  return new AppError(
    'MESSAGE_TOO_LARGE',
    `The server's answer of ${formatBytes(bytes)} exceeds the ${formatBytes(most)} that are taken (limits.maxStreamedFileBytes)`,
    { hint: 'Ask the tool for less at once, or ask the user to raise limits.maxStreamedFileBytes', details: { bytes } },
  );
}

function notKept(cause: unknown, bytes: number): AppError {
  const full = ['ENOSPC', 'EDQUOT'].includes(String((cause as NodeJS.ErrnoException).code));
  const why = full ? 'the disk is full' : (cause as Error).message;
  return new AppError('FILE_WRITE_FAILED', `The server's answer of ${formatBytes(bytes)} could not be kept: ${why}`, {
    hint: 'The call was carried out. Ask the user to make room on the disk before the answer is asked for again',
    cause,
  });
}
