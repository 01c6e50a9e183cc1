/** Hands the bodies of HTTP answers to the SDK: a JSON message, or whole events, as `ArrivingAnswers` lets them pass. */
import type { ArrivingAnswers } from './arriving-answers.ts';
import { ChunkList } from './chunk-list.ts';

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

const HEAD_BYTES = 1024;

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
