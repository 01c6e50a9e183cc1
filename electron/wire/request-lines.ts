/** Reads JSON-RPC messages line by line, each parsed once; the arguments of a call pass by unparsed, as the client wrote them. */
import { isUtf8 } from 'node:buffer';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { cut, LongRequest } from './long-request.ts';
import { MemberSpan, type Span } from './member-span.ts';

const NEWLINE = 0x0a;

/** What may pass by: the object at this path, of calls of tools that hand it on. */
interface Passing {
  readonly path: readonly string[];
  /** Of an object of so many bytes. */
  readonly handedOnBy: (tool: string, bytes: number) => boolean;
}

const ARGUMENTS = ['params', 'arguments'];
/** Shorter arguments of companions are read in any case. Bytes. */
const COMPANION_BYTES = 16 * 1024;

/** The inner one first. */
const passing: readonly Passing[] = [
  { path: [...ARGUMENTS, 'tool_args'], handedOnBy: (tool) => tool === 'call_tool' || tool === 'call_tool_and_store' },
  // By its name a tool can be a companion, which hands all of its arguments on if those name no files.
  { path: ARGUMENTS, handedOnBy: (tool, bytes) => bytes > COMPANION_BYTES && tool.includes('__') },
];
const paths = passing.map(({ path }) => path);

/** In the place of what passes by. */
const EMPTY = Buffer.from('{}');

/** From this many bytes on, a line is looked at while it arrives, and not parsed as a whole. */
const LONG_BYTES = 32 * 1024;

/** Deeper arguments are parsed like anything else. */
const MAX_NESTING = 512;

export interface ReadRequest {
  message: JSONRPCMessage;
  /** The JSON text of `tool_args`, or of all arguments of a companion, in pieces; the message holds an empty object in its place. */
  toolArgs?: Buffer[];
}

/** What a line is: a message, or why it is none. */
export type ReadLine = ReadRequest | { error: Error };

export class RequestLines {
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #held = 0;
  #long: LongRequest | null = null;

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

  #hold(part: Buffer): void {
    this.#held += part.length;
    if (this.#held > this.#maxBytes) throw new RangeError(`a message is longer than ${this.#maxBytes} bytes`);
    this.#parts.push(part);
    if (this.#long) this.#long.push(part);
    else if (this.#held >= LONG_BYTES) {
      this.#long = new LongRequest(paths, MAX_NESTING);
      for (const each of this.#parts) this.#long.push(each);
    }
  }

  #finish(): ReadLine | undefined {
    const parts = this.#parts;
    const bytes = this.#held;
    const long = this.#long;
    this.#parts = [];
    this.#held = 0;
    this.#long = null;
    if (bytes === 0 || (bytes === 1 && parts[0]?.[0] === 0x0d)) return undefined;
    try {
      return long ? readLong(parts, long) : readShort(joined(parts));
    } catch (error) {
      return { error: error as Error };
    } finally {
      long?.close();
    }
  }
}

/** The message without the bytes of its arguments, if it is a call that passes them on. */
function readLong(parts: readonly Buffer[], long: LongRequest): ReadRequest {
  for (const [at, span] of long.end().entries()) {
    if (!span) continue;
    const around = [...cut(parts, 0, span.start), EMPTY, ...cut(parts, span.end, Number.POSITIVE_INFINITY)];
    const message = messageOf(joined(around));
    const tool = calledTool(message);
    if (tool !== undefined && passing[at]?.handedOnBy(tool, lengthOf(span))) {
      return { message, toolArgs: cut(parts, span.start, span.end) };
    }
  }
  return { message: messageOf(joined(parts)) };
}

/** Parsed as a whole, which costs less than to look for what can be left out. */
function readShort(line: Buffer): ReadRequest {
  const message = messageOf(line);
  const tool = calledTool(message);
  if (tool === undefined || !isUtf8(line)) return { message };
  // The line is longer than what it holds.
  const passed = passing.find(({ handedOnBy }) => handedOnBy(tool, line.length));
  if (!passed) return { message };
  const follower = new MemberSpan(passed.path, MAX_NESTING);
  follower.feed(line);
  const { span } = follower;
  if (!span || !passed.handedOnBy(tool, lengthOf(span))) return { message };
  empty(message, passed.path);
  return { message, toolArgs: [line.subarray(span.start, span.end)] };
}

const lengthOf = ({ start, end }: Span): number => end - start;

function calledTool(message: JSONRPCMessage): string | undefined {
  const { method, params } = message as { method?: unknown; params?: { name?: unknown } | null };
  return method === 'tools/call' && typeof params?.name === 'string' ? params.name : undefined;
}

/** Puts an empty object in the place of the one at a path. */
function empty(message: JSONRPCMessage, path: readonly string[]): void {
  let holder = message as Record<string, unknown>;
  for (const name of path.slice(0, -1)) holder = holder[name] as Record<string, unknown>;
  holder[path.at(-1) as string] = {};
}

const joined = (parts: readonly Buffer[]): Buffer => (parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts));

function messageOf(line: Buffer): JSONRPCMessage {
  const value: unknown = JSON.parse(line.toString());
  if (typeof value !== 'object' || value === null || (value as { jsonrpc?: unknown }).jsonrpc !== '2.0') {
    throw new Error('a line is no JSON-RPC 2.0 message');
  }
  return value as JSONRPCMessage;
}
