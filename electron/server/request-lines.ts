/** Reads JSON-RPC messages line by line, each parsed once; the arguments of a call pass by unparsed, as the client wrote them. */
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { JsonScanner } from '../engine/formats/json-scanner.ts';
import { Utf8Check } from '../engine/utf8.ts';
import type { LongArguments } from './long-arguments.ts';
import { MemberSpan, type Span } from './member-span.ts';

const NEWLINE = 0x0a;

/** Tools that hand `tool_args` on without looking inside. */
const passingOn = new Set(['call_tool', 'call_tool_and_store']);
const ARGUMENTS = ['params', 'arguments'];
const TOOL_ARGS = [...ARGUMENTS, 'tool_args'];
/** Tools that hand all of their arguments on if those name no files: by its name one can be a companion. */
const mayBeCompanion = (name: string): boolean => name.includes('__');
/** Shorter arguments of companions are read in any case. Bytes. */
const COMPANION_BYTES = 16 * 1024;
/** In the place of what passes by. */
const EMPTY = Buffer.from('{}');

/** From this many bytes on, a line's arguments are worth a kernel. */
const LONG_BYTES = 32 * 1024;
/** Of a piece as long, so much is looked at to see whether they have begun. */
const LOOK_BYTES = 2 * 1024;
/** Undefined before it is asked for, null until it is there. */
let longArguments: typeof LongArguments | null | undefined;

/** Deeper arguments are parsed like anything else. */
const MAX_NESTING = 512;

export interface ReadRequest {
  message: JSONRPCMessage;
  /** The JSON text of `tool_args`, or of all arguments of a companion, in pieces; the message holds an empty object in its place. */
  toolArgs?: Buffer[];
}

/** What a line is: a message, or why it is none. */
export type ReadLine = ReadRequest | { error: Error };

/** What may pass by, which calls it is handed on by, and the object as it is found. */
interface Follower {
  readonly fits: (tool: string, bytes: number) => boolean;
  readonly span: MemberSpan;
}

interface Found extends Span, Pick<Follower, 'fits'> {}

interface Long {
  readonly args: LongArguments;
  readonly follower: Follower;
  /** Bytes of the line that the followers and the scanner saw. */
  readonly since: number;
}

export class RequestLines {
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #held = 0;
  #followers = newFollowers();
  /** Null once the line was seen to be no valid JSON, or a deep one. */
  #scanner: JsonScanner | null = newScanner();
  /** Takes over inside of long arguments. */
  #long: Long | null = null;

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
    if (this.#long || part.length < LONG_BYTES) {
      this.#take(part);
      if (this.#held >= LONG_BYTES) this.#handOver();
      return;
    }
    this.#take(part.subarray(0, LOOK_BYTES));
    this.#handOver();
    this.#take(part.subarray(LOOK_BYTES));
    this.#handOver();
  }

  #take(part: Buffer): void {
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
      for (const { span } of this.#followers) span.feed(part);
    } catch {
      this.#scanner = null;
    }
  }

  #handOver(): void {
    if (this.#long || this.#scanner === null) return;
    const follower = this.#followers.find(({ span }) => span.insideOf !== -1);
    if (follower === undefined) return;
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
    for (const part of cut(this.#parts, follower.span.insideOf, this.#held)) args.push(part);
    this.#long = { args, since: this.#held, follower };
  }

  #finish(): ReadLine | undefined {
    const parts = this.#parts;
    const bytes = this.#held;
    const found = this.#long ? this.#longSpan(this.#long) : this.#valid() ? this.#followers.flatMap(foundBy) : [];
    this.#parts = [];
    this.#held = 0;
    this.#followers = newFollowers();
    this.#scanner = newScanner();
    this.#long?.args.close();
    this.#long = null;
    if (bytes === 0 || (bytes === 1 && parts[0]?.[0] === 0x0d)) return undefined;
    try {
      for (const each of found) {
        const passed = passedBy(parts, each);
        if (passed) return passed;
      }
      return { message: messageOf(parts) };
    } catch (error) {
      return { error: error as Error };
    }
  }

  /** Follows the line from where it was read to, and has the end of the arguments read. What is around them is parsed anyway. */
  #longSpan({ args, since, follower }: Long): Found[] {
    const start = follower.span.insideOf;
    const readTo = start + args.read;
    if (readTo > since) follower.span.resume(readTo, args.state);
    for (const part of cut(this.#parts, Math.max(readTo, since), this.#held)) follower.span.feed(part);
    const [found] = foundBy(follower);
    return found && found.end >= readTo && args.endsWith(cut(this.#parts, readTo, found.end)) ? [found] : [];
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

/** The inner one first. */
const newFollowers = (): Follower[] => [
  { fits: (tool) => passingOn.has(tool), span: new MemberSpan(TOOL_ARGS) },
  { fits: (tool, bytes) => mayBeCompanion(tool) && bytes > COMPANION_BYTES, span: new MemberSpan(ARGUMENTS) },
];

const foundBy = ({ fits, span: { span } }: Follower): Found[] => (span ? [{ ...span, fits }] : []);

const newScanner = () => new JsonScanner({ label: 'JSON', maxNesting: MAX_NESTING, spread: false });

/** The message without the bytes of its arguments; undefined where it is no call that passes them on, or they are no UTF-8. */
function passedBy(parts: readonly Buffer[], { start, end, fits }: Found): ReadRequest | undefined {
  const message = messageOf([...cut(parts, 0, start), EMPTY, ...cut(parts, end, Number.POSITIVE_INFINITY)]);
  const { method, params } = message as { method?: unknown; params?: { name?: unknown } };
  if (method !== 'tools/call' || typeof params?.name !== 'string' || !fits(params.name, end - start)) return undefined;
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
