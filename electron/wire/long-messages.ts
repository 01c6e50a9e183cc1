/** Receives long messages into temporary files, keeps only their envelopes in memory, and drops messages no call waits for. */
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { formatBytes } from '../../shared/lib/bytes.ts';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { Utf8Repair } from '../engine/input/utf8.ts';
import { LongAnswer, messageOf, outlineOf } from './long-answer.ts';
import { MessageEnvelope } from './message-envelope.ts';
import { isObject, type ResultTap } from './result-tap.ts';
import { TemporaryFile } from './temporary-file.ts';

/** Messages of at least this size go to a temporary file (bytes). */
export const LONG_MESSAGE_BYTES = 1024 * 1024;

export interface LongMessagesOptions {
  /** Directory for the temporary files. */
  directory: string;
  tap: ResultTap;
  /** Maximum size of a message (bytes). */
  maxBytes: () => number;
}

export class LongMessages {
  readonly #options: LongMessagesOptions;
  readonly #arriving = new Set<LongMessage>();

  constructor(options: LongMessagesOptions) {
    this.#options = options;
    options.tap.onIdle = () => this.discard();
  }

  /** Whether any pending request could be answered by a long message. */
  get awaited(): boolean {
    return this.#options.tap.awaits;
  }

  /** Starts a message. `onBytes` is called for each chunk; `args` identify the call it answers, if known. */
  begin(onBytes: () => void, args?: unknown): LongMessage {
    const message = new LongMessage(this.#options, onBytes, args, () => this.#arriving.delete(message));
    this.#arriving.add(message);
    return message;
  }

  /** Discards all arriving messages. */
  discard(): void {
    for (const message of this.#arriving) message.discard();
  }
}

export class LongMessage {
  readonly #options: LongMessagesOptions;
  readonly #onBytes: () => void;
  readonly #args: unknown;
  readonly #onDone: () => void;
  readonly #file: TemporaryFile;
  readonly #envelope = new MessageEnvelope();
  readonly #repair = new Utf8Repair();
  #bytes = 0;
  #discarded = false;
  #cutOff = false;
  /** Id of the request this message answers, once known. */
  #id: string | number | undefined;

  constructor(options: LongMessagesOptions, onBytes: () => void, args: unknown, onDone: () => void) {
    this.#options = options;
    this.#onBytes = onBytes;
    this.#args = args;
    this.#onDone = onDone;
    this.#file = new TemporaryFile(options.directory);
  }

  /** Takes ownership of the chunk: the caller must not change it afterwards. */
  push(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    if (this.#discarded) return;
    this.#onBytes();
    this.#take(this.#repair.push(chunk));
  }

  /** Call after each chunk. Returns an error once, when the message exceeds the maximum; the message is then discarded. */
  cutOff(): AppError | undefined {
    const most = this.#options.maxBytes();
    if (this.#cutOff || this.#bytes <= most) return undefined;
    this.#cutOff = true;
    this.discard();
    return tooLong(this.#bytes, most);
  }

  /** A placeholder that fails the waiting call; undefined when that call is unknown. */
  placeholder(failure: AppError): JSONRPCMessage | undefined {
    const { tap } = this.#options;
    const call = this.#id ?? this.#call;
    return call === undefined || tap.awaitsAnswer(call) === undefined ? undefined : tap.placeholder(call, failure);
  }

  /** Resolves when the producer may continue; undefined when it need not wait. */
  get room(): Promise<void> | undefined {
    return this.#discarded ? undefined : this.#file.room;
  }

  /** Drops the stored part and ignores further chunks. */
  discard(): void {
    this.#onDone();
    if (this.#discarded) return;
    this.#discarded = true;
    this.#envelope.close();
    this.#file.close().catch(() => undefined);
  }

  /**
   * Returns the message, or a placeholder registered with the tap; null when no call waits for it. Rejects when it is not a valid
   * message or could not be stored, and no waiting call is known.
   */
  async end(): Promise<JSONRPCMessage | null> {
    if (this.#discarded) return null;
    this.#take(this.#repair.end());
    this.#onDone();
    let answer: LongAnswer | undefined;
    try {
      const arrived = await this.#arrived();
      if (!(arrived instanceof LongAnswer)) return arrived;
      answer = arrived;
      // The answer now owns the file.
      this.#discarded = true;
      return this.#options.tap.placeholder(arrived.id, arrived);
    } catch (error) {
      const placeholder = this.placeholder(failureOf(error, this.#bytes));
      if (!placeholder) throw error;
      return placeholder;
    } finally {
      if (!answer) this.discard();
    }
  }

  async #arrived(): Promise<JSONRPCMessage | LongAnswer | null> {
    const { tap, maxBytes } = this.#options;
    const { bytes } = this.#file;
    const envelope = this.#envelope.end();
    const outline = envelope?.message;
    const id = answeredId(outline);
    this.#id = id;
    const givenUp = () => id !== undefined && tap.awaitsAnswer(id) === undefined;
    if (givenUp()) return null;
    if (bytes > maxBytes()) throw tooLong(bytes, maxBytes());
    if (isNotification(outline)) throw new SyntaxError(`a notification may have ${formatBytes(LONG_MESSAGE_BYTES)}`);
    await this.#file.settled();
    if (givenUp()) return null;
    if (
      envelope &&
      id !== undefined &&
      isObject(outline) &&
      tap.awaitsAnswer(id) === 'tools/call' &&
      !isQuestion(outline.result)
    ) {
      const result = outlineOf(outline.result, envelope.passages, this.#file);
      if (result) return new LongAnswer(id, this.#file, result);
    }
    const message = await messageOf(this.#file);
    if (!isObject(message) || message.jsonrpc !== '2.0') throw new SyntaxError('it lacks "jsonrpc": "2.0"');
    return message as unknown as JSONRPCMessage;
  }

  /** The call this message answers, if identifiable; none before the message contains a result. */
  get #call(): string | number | undefined {
    const { tap } = this.#options;
    if (!this.#envelope.sawResult) return undefined;
    return this.#args === undefined ? tap.onlyCall : tap.callWith(this.#args);
  }

  #take(chunk: Uint8Array): void {
    if (this.#discarded || chunk.length === 0) return;
    this.#file.write(chunk);
    this.#envelope.push(chunk);
  }
}

/** Messages without a waiting request are dropped, because they would be parsed as a whole. */
const isNotification = (message: unknown): boolean => isObject(message) && 'method' in message && !('id' in message);

/** The id of the request that a message answers. */
function answeredId(message: unknown): string | number | undefined {
  if (!isObject(message) || 'method' in message) return undefined;
  const { id } = message;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

const isQuestion = (result: unknown): boolean => isObject(result) && result.resultType === 'input_required';

function failureOf(error: unknown, bytes: number): AppError {
  if (error instanceof AppError) return error;
  return error instanceof SyntaxError ? malformed(bytes, error) : notKept(error, bytes);
}

function malformed(bytes: number, cause: SyntaxError): AppError {
  return new AppError('UPSTREAM_FAILED', say('answer.notJsonRpc', { bytes, reason: cause.message }), {
    hint: say('answer.notJsonRpc.hint'),
    cause,
  });
}

function tooLong(bytes: number, most: number): AppError {
  return new AppError('MESSAGE_TOO_LARGE', say('answer.overStreamLimit', { most }), {
    hint: say('answer.overStreamLimit.hint'),
    details: { bytes },
  });
}

function notKept(cause: unknown, bytes: number): AppError {
  const full = ['ENOSPC', 'EDQUOT'].includes(String((cause as NodeJS.ErrnoException).code));
  const reason = full ? say('answer.diskFull') : (cause as Error).message;
  return new AppError('FILE_WRITE_FAILED', say('answer.notKept', { bytes, reason }), {
    hint: say('answer.notKept.hint'),
    cause,
  });
}
