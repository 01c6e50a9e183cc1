/** Bounds what a server sends, and hands its answers on with all of their digits. */
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { exactNumbersMarked, mayHoldLongNumber } from '../engine/core/exact-numbers.ts';
import type { LongLine } from './line-splitter.ts';
import { fitsHeap, idOfUnparsed } from './parse-guard.ts';
import { isObject, type ResultTap } from './result-tap.ts';

/** A message that nobody waits for may have this size (bytes). */
const UNAWAITED_BYTES = 1024 * 1024;
/** Bytes that may come of a message after which a call's clock starts again with each part of it. */
const SIGN_OF_LIFE_BYTES = 64 * 1024;

/** The first of the members that tell a request or notification from an answer, and where it is looked for. */
const FIRST_MEMBER = /"(method|result|error)"\s*:/;
const HEAD_BYTES = 1024;

export interface ArrivingAnswersOptions {
  tap: ResultTap;
  /** Maximum size of a message (bytes): `limits.maxAnswerBytes`. */
  maxBytes: () => number;
  /** Called for each part of a long message: the server is at work. */
  onBytes: () => void;
}

export class ArrivingAnswers {
  readonly #options: ArrivingAnswersOptions;

  constructor(options: ArrivingAnswersOptions) {
    this.#options = options;
  }

  /** Bytes that an answer may have. */
  get limit(): number {
    return this.#options.maxBytes();
  }

  /** Bytes that the message now arriving may have. */
  get most(): number {
    return this.#options.tap.awaits ? this.limit : Math.min(this.limit, UNAWAITED_BYTES);
  }

  /** Call for each part that comes, with the bytes of its message so far. */
  came(bytes: number, onBytes = this.#options.onBytes): void {
    if (bytes > SIGN_OF_LIFE_BYTES) onBytes();
  }

  /**
   * The JSON text of a message for the parser; null where it is the message as it is. A message that does not fit into memory is replaced with one
   * that fails its call; undefined where nobody knows which call that is. `args` identify the call, if known.
   */
  instead(message: Buffer, args?: unknown): string | null | undefined {
    if (!fitsHeap([message], message.length)) return this.#overMemory(message, args);
    if (!mayHoldLongNumber(message)) return null;
    try {
      const text = message.toString();
      const marked = exactNumbersMarked(text);
      return marked !== text && this.#isToolAnswer(text) ? marked : null;
    } catch (error) {
      // Marks are longer than their numbers: the text may become longer than a string can be.
      if (error instanceof RangeError) return this.#overMemory(message, args);
      throw error;
    }
  }

  /** Whether nothing in a text that holds a message has to be looked into. */
  takesAsItIs(text: Buffer): boolean {
    return fitsHeap([text], text.length) && !mayHoldLongNumber(text);
  }

  /** The JSON text of a message that fails the call which a message over the bound answers. */
  tooLong({ bytes, head, tail }: Pick<LongLine, 'bytes' | 'head' | 'tail'>, args?: unknown): string | undefined {
    return this.#failed([head, tail], args, this.excess(bytes));
  }

  /** The JSON text of a message that fails the call which a message that is no JSON-RPC answers, where its id can be seen. */
  malformed(message: Buffer, reason: string): string | undefined {
    const id = idOfUnparsed([message]);
    if (id === undefined || this.#options.tap.awaitsAnswer(id) === undefined) return undefined;
    const failure = new AppError('UPSTREAM_FAILED', say('answer.notJsonRpc', { bytes: message.length, reason }), {
      hint: say('answer.notJsonRpc.hint'),
    });
    return this.#failed([message], undefined, failure);
  }

  /** The error of a message with so many bytes. */
  excess(bytes: number): AppError {
    return new AppError('MESSAGE_TOO_LARGE', say('answer.overSize', { most: this.#options.maxBytes() }), {
      hint: say('answer.overSize.hint'),
      details: { bytes },
    });
  }

  #overMemory(message: Buffer, args: unknown): string | undefined {
    const failure = new AppError('MESSAGE_TOO_LARGE', say('answer.overMemory', { bytes: message.length }), {
      hint: say('answer.overMemory.hint'),
      details: { bytes: message.length },
    });
    return this.#failed([message], args, failure);
  }

  /** `ends`: the beginning and end of the message. One without a visible id answers the only call, unless it is a request or notification. */
  #failed(ends: readonly Buffer[], args: unknown, failure: AppError): string | undefined {
    const { tap } = this.#options;
    const id = idOfUnparsed(ends);
    const asks = FIRST_MEMBER.exec(ends[0]?.toString('latin1', 0, HEAD_BYTES) ?? '')?.[1] === 'method';
    const meant = id === undefined ? (asks ? undefined : tap.onlyCall) : tap.awaited(id);
    const call = args === undefined ? meant : tap.callWith(args);
    return call === undefined ? undefined : JSON.stringify(tap.placeholder(call, failure));
  }

  /** Only results of tools go on as they are: the SDK and we read the others, such as limits in a schema. */
  #isToolAnswer(text: string): boolean {
    try {
      const message: unknown = JSON.parse(text);
      if (!isObject(message) || 'method' in message) return false;
      return this.#options.tap.awaitsAnswer(message.id as string | number) === 'tools/call';
    } catch {
      return false;
    }
  }
}
