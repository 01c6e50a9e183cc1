/** Bounds what a server sends, and hands its answers on with all of their digits. */

import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { exactNumbersMarked, mayHoldLongNumber } from '../engine/core/exact-numbers.ts';
import { isJsonObject } from '../engine/core/json-object.ts';
import { ChunkList, type LongLine } from './line-splitter.ts';
import { fitsHeap, idOfUnparsed } from './parse-guard.ts';
import type { ResultTap } from './result-tap.ts';

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
      if (!isJsonObject(message) || 'method' in message) return false;
      return this.#options.tap.awaitsAnswer(message.id as string | number) === 'tools/call';
    } catch {
      return false;
    }
  }
}

// Bodies of HTTP answers, as the SDK gets them: a JSON message, or whole events.

export interface BodyOptions {
  answers: ArrivingAnswers;
  /** The arguments of the call that is answered, if it is one. */
  args?: unknown;
  /** Called for each part of a long message; by default, of any call. */
  onBytes?: (() => void) | undefined;
}

type Chunks = AsyncIterable<Uint8Array>;

/** Passes on a body that is a single JSON message. Throws MESSAGE_TOO_LARGE where no call waits for it. */
export async function* jsonBody(chunks: Chunks, { answers, args, onBytes }: BodyOptions): AsyncGenerator<Uint8Array> {
  const held = new ChunkList();
  for await (const chunk of chunks) {
    held.push(chunk);
    answers.came(held.bytes, onBytes);
    if (held.bytes <= answers.most) continue;
    yield Buffer.from(answers.tooLong(endsOf(held), args) ?? thrown(answers, held.bytes));
    return;
  }
  if (held.bytes === 0) return;
  const whole = held.joined();
  const instead = answers.instead(whole, args);
  if (instead === undefined) throw answers.excess(held.bytes);
  yield instead === null ? whole : Buffer.from(instead);
}

/** Passes on a stream of server-sent events, one complete event at a time (HTML standard, section 9.2.6). One that is too long ends it. */
export async function* eventBody(chunks: Chunks, { answers, args, onBytes }: BodyOptions): AsyncGenerator<Uint8Array> {
  const events = new EventCutter();
  for await (const chunk of chunks) {
    for (const event of events.push(chunk)) yield passed(event, answers, args);
    answers.came(events.held.bytes, onBytes);
    if (events.held.bytes <= answers.most) continue;
    yield eventOf([], answers.tooLong(endsOf(events.held), args) ?? thrown(answers, events.held.bytes));
    return;
  }
  // The reader decides what an incomplete last event means.
  if (events.held.bytes > 0) yield events.held.joined();
}

function thrown(answers: ArrivingAnswers, bytes: number): never {
  throw answers.excess(bytes);
}

/** Of a message that was cut off, what may hold its id; of an event, from its data on. */
function endsOf(held: ChunkList): { bytes: number; head: Buffer; tail: Buffer } {
  const begun = Buffer.from(held.parts[0] ?? [])
    .subarray(0, HEAD_BYTES)
    .toString('latin1');
  const head = begun.replace(/^(?:[^{]*\n|[^{]*\r)?data: ?/, '');
  return { bytes: held.bytes, head: Buffer.from(head, 'latin1'), tail: Buffer.alloc(0) };
}

/** An event as it came, or with other data. */
function passed(event: Buffer, answers: ArrivingAnswers, args: unknown): Uint8Array {
  if (answers.takesAsItIs(event)) return withWholeEnd(event);
  const lines = event.toString().split(/\r\n|\r|\n/);
  const data = lines.flatMap((line) => /^data(?::[ ]?|$)(.*)$/s.exec(line)?.[1] ?? []);
  const instead = data.length === 0 ? null : answers.instead(Buffer.from(data.join('\n')), args);
  if (instead === undefined) throw answers.excess(event.length);
  const fields = lines.filter((line) => line !== '' && !/^data(?::|$)/.test(line));
  return instead === null ? withWholeEnd(event) : eventOf(fields, instead);
}

/** A parser waits behind a CR for the LF that may follow, and nothing may follow for long. */
const withWholeEnd = (event: Buffer): Buffer => (event.at(-1) === CR ? Buffer.concat([event, Buffer.of(LF)]) : event);

/** Builds an event from its other fields and its data. */
function eventOf(fields: readonly string[], text: string): Buffer {
  return Buffer.from(`${[...fields, ...text.split('\n').map((line) => `data: ${line}`)].join('\n')}\n\n`);
}

const LF = 0x0a;
const CR = 0x0d;

/** Splits a stream after each blank line. */
class EventCutter {
  /** The event that has not ended yet. */
  held = new ChunkList();
  /** Length of the current line in bytes. */
  #column = 0;
  #afterCr = false;

  push(chunk: Uint8Array): Buffer[] {
    const events: Buffer[] = [];
    const lines = new LineEnds(chunk);
    let start = 0;
    let at = 0;
    while (at < chunk.length) {
      const end = lines.after(at);
      const ended = end < chunk.length;
      if (this.#afterCr && end === at && chunk[at] === LF) {
        // LF of a CRLF whose CR already ended the line.
        this.#afterCr = false;
        at += 1;
        continue;
      }
      if (end > at) this.#afterCr = false;
      this.#column += end - at;
      at = end;
      if (!ended) break;
      this.#afterCr = chunk[at] === CR;
      at += 1;
      const blank = this.#column === 0;
      this.#column = 0;
      if (!blank) continue;
      this.held.push(chunk.subarray(start, at));
      start = at;
      events.push(this.held.joined());
      this.held = new ChunkList();
    }
    if (start < chunk.length) this.held.push(chunk.subarray(start));
    return events;
  }
}

/** Finds the line ends of a chunk in linear time when queried from left to right. */
class LineEnds {
  readonly #bytes: Uint8Array;
  #lf = -1;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** End of the line that starts at `from`, or the chunk's length when the line continues in the next chunk. */
  after(from: number): number {
    const bytes = this.#bytes;
    if (this.#lf < from) {
      const lf = bytes.indexOf(LF, from);
      this.#lf = lf === -1 ? bytes.length : lf;
    }
    const cr = bytes.subarray(from, this.#lf).indexOf(CR);
    return cr === -1 ? this.#lf : from + cr;
  }
}
