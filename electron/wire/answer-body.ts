/** Passes HTTP response bodies to the SDK and replaces each long message with a short placeholder. */
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { AppError } from '../../shared/model/errors.ts';
import { LONG_MESSAGE_BYTES, type LongMessage } from './long-messages.ts';

/** Starts receiving a long message. */
export type BeginLong = () => LongMessage;

type Chunks = AsyncIterable<Uint8Array>;

/** Passes on a body that is a single JSON message. */
export async function* jsonBody(chunks: Chunks, begin: BeginLong): AsyncGenerator<Uint8Array> {
  const held: Uint8Array[] = [];
  let bytes = 0;
  let long: LongMessage | null = null;
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (!long && bytes > LONG_MESSAGE_BYTES) {
        long = begin();
        for (const each of held.splice(0)) long.push(each);
      }
      if (long) {
        long.push(chunk);
        const excess = long.cutOff();
        if (excess) {
          yield Buffer.from(JSON.stringify(placeholderFor(long, excess)));
          return;
        }
        await long.room;
      } else held.push(chunk);
    }
    if (!long) {
      yield* held;
      return;
    }
    const message = await long.end();
    long = null;
    // Without a message the call was cancelled: the SDK fails to parse the empty body, and nothing waits for it.
    if (message) yield Buffer.from(JSON.stringify(message));
  } finally {
    long?.discard();
  }
}

/** The placeholder for a message that exceeded the size limit. Throws the error when no call can be identified. */
function placeholderFor(long: LongMessage, excess: AppError): JSONRPCMessage {
  const placeholder = long.placeholder(excess);
  if (!placeholder) throw excess;
  return placeholder;
}

const LF = 0x0a;
const CR = 0x0d;
const DATA_LABEL = 'data: ';
/** Limit for the non-data fields of a long event; the rest is dropped (bytes). */
const FIELDS_BYTES = 64 * 1024;

/** Passes on a stream of server-sent events, one complete event at a time (HTML standard, section 9.2.6). */
export async function* eventBody(chunks: Chunks, begin: BeginLong, onLost: (error: Error) => void): AsyncGenerator<Uint8Array> {
  const events = new EventCutter(begin);
  try {
    for await (const chunk of chunks) {
      for (const piece of events.push(chunk)) {
        if (!(piece instanceof Promise)) {
          yield piece;
          continue;
        }
        try {
          yield await piece;
        } catch (error) {
          onLost(error as Error);
        }
      }
      const last = events.cutOff();
      if (last) {
        yield last;
        return;
      }
      await events.room;
    }
    // The reader decides what an incomplete last event means.
    yield* events.rest();
  } finally {
    events.close();
  }
}

/** Splits a stream after each blank line. A long event becomes a promise of an event with a placeholder. */
class EventCutter {
  readonly #begin: BeginLong;
  /** The current event so far; for a long event, only its non-data fields. */
  #held: Uint8Array[] = [];
  #bytes = 0;
  /** Length of the current line in bytes. */
  #column = 0;
  #afterCr = false;
  #long: LongMessage | null = null;
  /** State for a long event: kind of the current line, its first characters until the kind is known, number of data lines. */
  #kind: 'data' | 'comment' | 'other' | null = null;
  #label = '';
  #dataLines = 0;
  #fieldBytes = 0;

  constructor(begin: BeginLong) {
    this.#begin = begin;
  }

  get room(): Promise<void> | undefined {
    return this.#long?.room;
  }

  push(chunk: Uint8Array): (Uint8Array | Promise<Uint8Array>)[] {
    const pieces: (Uint8Array | Promise<Uint8Array>)[] = [];
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
      this.#take(chunk.subarray(start, at));
      start = at;
      pieces.push(...this.#finish());
    }
    if (start < chunk.length) this.#take(chunk.subarray(start));
    return pieces;
  }

  /** The final event, sent when the arriving event exceeds the size limit. */
  cutOff(): Uint8Array | undefined {
    const long = this.#long;
    const excess = long?.cutOff();
    return long && excess ? Buffer.from(eventOf([], placeholderFor(long, excess))) : undefined;
  }

  rest(): Uint8Array[] {
    return this.#long ? [] : this.#held.splice(0);
  }

  close(): void {
    this.#long?.discard();
    this.#long = null;
  }

  #take(part: Uint8Array): void {
    if (this.#long) {
      this.#fields(part, this.#long);
      return;
    }
    this.#held.push(part);
    this.#bytes += part.length;
    if (this.#bytes <= LONG_MESSAGE_BYTES) return;
    const long = this.#begin();
    this.#long = long;
    for (const each of this.#held.splice(0)) this.#fields(each, long);
  }

  /** Separates the data of a long event from its other fields. */
  #fields(part: Uint8Array, long: LongMessage): void {
    const lines = new LineEnds(part);
    for (let at = 0; at < part.length; ) {
      const end = lines.after(at);
      const ended = end < part.length;
      if (this.#kind === null) {
        const begins = part.subarray(at, Math.min(end, at + DATA_LABEL.length - this.#label.length));
        this.#label += Buffer.from(begins).toString('latin1');
        at += begins.length;
        if (ended || this.#label.length === DATA_LABEL.length) this.#beginLine(long);
      }
      if (this.#kind === 'data') long.push(part.subarray(at, end));
      else if (this.#kind === 'other') this.#keep(part.subarray(at, end));
      if (ended) {
        this.#keep(Uint8Array.of(LF));
        this.#kind = null;
        this.#label = '';
      }
      at = ended ? end + 1 : end;
    }
  }

  /** Keeps part of a field other than data. */
  #keep(part: Uint8Array): void {
    this.#fieldBytes += part.length;
    if (this.#fieldBytes <= FIELDS_BYTES) this.#held.push(part);
  }

  #beginLine(long: LongMessage): void {
    const label = this.#label;
    if (label.startsWith(':')) {
      this.#kind = 'comment';
      return;
    }
    this.#kind = label === 'data' || label.startsWith('data:') ? 'data' : 'other';
    if (this.#kind === 'other') {
      this.#keep(Buffer.from(label, 'latin1'));
      return;
    }
    if (this.#dataLines > 0) long.push(Uint8Array.of(LF));
    this.#dataLines += 1;
    // The data starts after one optional space that follows the colon.
    long.push(Buffer.from(label.slice(label === DATA_LABEL ? DATA_LABEL.length : 'data:'.length), 'latin1'));
  }

  #finish(): (Uint8Array | Promise<Uint8Array>)[] {
    const fields = this.#held.splice(0);
    const long = this.#long;
    this.#long = null;
    this.#bytes = 0;
    this.#kind = null;
    this.#label = '';
    this.#dataLines = 0;
    this.#fieldBytes = 0;
    if (!long) return fields;
    const text = Buffer.concat(fields)
      .toString()
      .split(/\r\n|\r|\n/)
      .filter((line) => line !== '');
    return [long.end().then((message) => Buffer.from(eventOf(text, message)))];
  }
}

/** Builds an event from its non-data fields and the message, if there is one. */
function eventOf(fields: readonly string[], message: JSONRPCMessage | null): string {
  const data = message ? [`data: ${JSON.stringify(message)}`] : [];
  return `${[...fields, ...data].join('\n')}\n\n`;
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
