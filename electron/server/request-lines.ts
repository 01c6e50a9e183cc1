/** Reads JSON-RPC messages line by line, each parsed once; the arguments of a call pass by unparsed, as the client wrote them. */
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { JsonScanner } from '../engine/formats/json-scanner.ts';
import { Utf8Check } from '../engine/utf8.ts';
import type { LongArguments } from './long-arguments.ts';
import { MemberSpan, type Span } from './member-span.ts';

const NEWLINE = 0x0a;

/** Tools that hand `tool_args` on without looking inside. */
const passingOn = new Set(['call_tool', 'call_tool_and_store']);
const ARGUMENTS = ['params', 'arguments', 'tool_args'];
/** In the place of what passes by. */
const EMPTY = Buffer.from('{}');

/** From this many bytes on, a line's arguments are worth a kernel. */
const LONG_BYTES = 64 * 1024;
/** Undefined before it is asked for, null until it is there. */
let longArguments: typeof LongArguments | null | undefined;

/** Deeper arguments are parsed like anything else. */
const MAX_NESTING = 512;

export interface ReadRequest {
  message: JSONRPCMessage;
  /** The JSON text of `tool_args` in pieces, of which the message holds an empty object only. */
  toolArgs?: Buffer[];
}

/** What a line is: a message, or why it is none. */
export type ReadLine = ReadRequest | { error: Error };

export class RequestLines {
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #held = 0;
  #span = new MemberSpan(ARGUMENTS);
  /** Null once the line was seen to be no valid JSON, or a deep one. */
  #scanner: JsonScanner | null = newScanner();
  /** Takes over inside of long arguments, of which the span and the scanner saw so many bytes of the line. */
  #long: { args: LongArguments; since: number } | null = null;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The lines that `chunk` completes. Throws RangeError for a line beyond the bound. */
  push(chunk: Buffer): ReadLine[] {
    const lines: ReadLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#hold(chunk.subarray(start, end));
      const line = this.#finish();
      if (line) lines.push(line);
      start = end + 1;
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start));
    return lines;
  }

  /** Long lines come in pieces: each is looked at while the next is on its way. */
  #hold(part: Buffer): void {
    this.#held += part.length;
    if (this.#held > this.#maxBytes) throw new RangeError(`a message is longer than ${this.#maxBytes} bytes`);
    this.#parts.push(part);
    if (this.#long) {
      this.#long.args.push(part);
      return;
    }
    if (this.#scanner === null) return;
    try {
      this.#scanner.push(part, 0, part.length, null);
      this.#span.feed(part);
    } catch {
      this.#scanner = null;
    }
    if (this.#held >= LONG_BYTES) this.#handOver();
  }

  #handOver(): void {
    const start = this.#span.insideOf;
    if (start === -1 || this.#scanner === null) return;
    if (longArguments === undefined) {
      // Not loaded before it is needed: this line goes without.
      longArguments = null;
      import('./long-arguments.ts').then(
        (module) => {
          longArguments = module.LongArguments;
        },
        () => undefined,
      );
    }
    const args = longArguments?.begin(MAX_NESTING);
    if (!args) return;
    for (const part of cut(this.#parts, start, this.#held)) args.push(part);
    this.#long = { args, since: this.#held };
  }

  #finish(): ReadLine | undefined {
    const parts = this.#parts;
    const bytes = this.#held;
    const span = this.#long ? this.#longSpan(this.#long) : this.#valid() ? this.#span.span : undefined;
    this.#parts = [];
    this.#held = 0;
    this.#span = new MemberSpan(ARGUMENTS);
    this.#scanner = newScanner();
    this.#long?.args.close();
    this.#long = null;
    if (bytes === 0 || (bytes === 1 && parts[0]?.[0] === 0x0d)) return undefined;
    try {
      return (span && passedBy(parts, span)) ?? { message: messageOf(parts) };
    } catch (error) {
      return { error: error as Error };
    }
  }

  /** Follows the line from where it was read to, and has the end of the arguments read. What is around them is parsed anyway. */
  #longSpan({ args, since }: { args: LongArguments; since: number }): Span | undefined {
    const start = this.#span.insideOf;
    const readTo = start + args.read;
    if (readTo > since) this.#span.resume(readTo, args.state);
    for (const part of cut(this.#parts, Math.max(readTo, since), this.#held)) this.#span.feed(part);
    const { span } = this.#span;
    return span && span.end >= readTo && args.endsWith(cut(this.#parts, readTo, span.end)) ? span : undefined;
  }

  #valid(): boolean {
    try {
      this.#scanner?.end('line');
      return this.#scanner !== null;
    } catch {
      return false;
    }
  }
}

const newScanner = () => new JsonScanner({ label: 'JSON', maxNesting: MAX_NESTING, spread: false });

/** The message without the bytes of its arguments; undefined where it is no call that passes them on, or they are no UTF-8. */
function passedBy(parts: readonly Buffer[], { start, end }: Span): ReadRequest | undefined {
  const message = messageOf([...cut(parts, 0, start), EMPTY, ...cut(parts, end, Number.POSITIVE_INFINITY)]);
  const { method, params } = message as { method?: unknown; params?: { name?: unknown } };
  if (method !== 'tools/call' || typeof params?.name !== 'string' || !passingOn.has(params.name)) return undefined;
  const toolArgs = cut(parts, start, end);
  const check = new Utf8Check();
  for (const part of toolArgs) check.push(part);
  return check.firstBad === -1 ? { message, toolArgs } : undefined;
}

/** The bytes from `start` to `end` of what lies in pieces. */
function cut(parts: readonly Buffer[], start: number, end: number): Buffer[] {
  const found: Buffer[] = [];
  let at = 0;
  for (const part of parts) {
    const piece = part.subarray(Math.max(0, start - at), Math.max(0, end - at));
    if (piece.length > 0) found.push(piece);
    at += part.length;
  }
  return found;
}

function messageOf(parts: readonly Buffer[]): JSONRPCMessage {
  const [only, ...more] = parts;
  const value: unknown = JSON.parse((only && more.length === 0 ? only : Buffer.concat(parts)).toString());
  if (typeof value !== 'object' || value === null || (value as { jsonrpc?: unknown }).jsonrpc !== '2.0') {
    throw new Error('a line is no JSON-RPC 2.0 message');
  }
  return value as JSONRPCMessage;
}
