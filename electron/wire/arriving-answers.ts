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

  /** Bytes that the message now arriving may have. */
  get most(): number {
    const { tap, maxBytes } = this.#options;
    return tap.awaits ? maxBytes() : Math.min(maxBytes(), UNAWAITED_BYTES);
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
    if (!fitsHeap([message], message.length)) {
      const failure = new AppError('MESSAGE_TOO_LARGE', say('answer.overMemory', { bytes: message.length }), {
        hint: say('answer.overMemory.hint'),
        details: { bytes: message.length },
      });
      return this.#failed(idOfUnparsed([message]), args, failure);
    }
    if (!mayHoldLongNumber(message)) return null;
    const text = message.toString();
    const marked = exactNumbersMarked(text);
    return marked !== text && this.#isToolAnswer(text) ? marked : null;
  }

  /** Whether nothing in a text that holds a message has to be looked into. */
  takesAsItIs(text: Buffer): boolean {
    return fitsHeap([text], text.length) && !mayHoldLongNumber(text);
  }

  /** The JSON text of a message that fails the call which a message over the bound answers. */
  tooLong({ bytes, head, tail }: Pick<LongLine, 'bytes' | 'head' | 'tail'>, args?: unknown): string | undefined {
    return this.#failed(idOfUnparsed([head, tail]), args, this.excess(bytes));
  }

  /** The JSON text of a message that fails the call which a message that is no JSON-RPC answers, where its id can be seen. */
  malformed(message: Buffer, reason: string): string | undefined {
    const id = idOfUnparsed([message]);
    if (id === undefined || this.#options.tap.awaitsAnswer(id) === undefined) return undefined;
    const failure = new AppError('UPSTREAM_FAILED', say('answer.notJsonRpc', { bytes: message.length, reason }), {
      hint: say('answer.notJsonRpc.hint'),
    });
    return this.#failed(id, undefined, failure);
  }

  /** The error of a message with so many bytes. */
  excess(bytes: number): AppError {
    return new AppError('MESSAGE_TOO_LARGE', say('answer.overSize', { most: this.#options.maxBytes() }), {
      hint: say('answer.overSize.hint'),
      details: { bytes },
    });
  }

  #failed(id: string | number | undefined, args: unknown, failure: AppError): string | undefined {
    const { tap } = this.#options;
    const known = id !== undefined && tap.awaitsAnswer(id) !== undefined ? id : tap.onlyCall;
    const call = args === undefined ? known : tap.callWith(args);
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
