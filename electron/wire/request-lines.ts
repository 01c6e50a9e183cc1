/** Reads JSON-RPC messages line by line and parses each once; arguments that go to an upstream stay unparsed. */
import { isUtf8 } from 'node:buffer';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { ChunkList } from './chunk-list.ts';
import { cut, LongRequest } from './long-request.ts';
import { MemberSpan, type Span } from './member-span.ts';
import { fitsHeap, idOfUnparsed, TOO_MUCH } from './parse-guard.ts';

const NEWLINE = 0x0a;

/** An object that stays unparsed: its path, and the tools that forward it. */
interface Passing {
  readonly path: readonly string[];
  /** Whether the tool forwards an object of this size. */
  readonly handedOnBy: (tool: string, bytes: number) => boolean;
}

const ARGUMENTS = ['params', 'arguments'];
/** Companions' arguments up to this size are always parsed (bytes). */
const COMPANION_BYTES = 16 * 1024;

/** Innermost path first. */
const passing: readonly Passing[] = [
  { path: [...ARGUMENTS, 'tool_args'], handedOnBy: (tool) => tool === 'call_tool' || tool === 'call_tool_and_store' },
  // The name matches a companion, which forwards all arguments if they name no files.
  { path: ARGUMENTS, handedOnBy: (tool, bytes) => bytes > COMPANION_BYTES && tool.includes('__') },
];
const paths = passing.map(({ path }) => path);

/** Replaces the unparsed object. */
const EMPTY = Buffer.from('{}');

/** Lines of at least this size are scanned while they arrive (bytes). */
const LONG_BYTES = 32 * 1024;

/** More deeply nested arguments are parsed normally. */
const MAX_NESTING = 512;

export interface ReadRequest {
  message: JSONRPCMessage;
  /** Raw JSON of `tool_args`, or of a companion's arguments, in chunks; the message has an empty object instead. */
  toolArgs?: Buffer[];
}

/** A parsed line, or the error, with the id of the request where it is known. */
export type ReadLine = ReadRequest | { error: Error; id?: string | number | undefined };

export class RequestLines {
  readonly #maxBytes: number;
  #held = new ChunkList<Buffer>();
  #long: LongRequest | null = null;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Returns the lines completed by `chunk`. Throws RangeError for a line over `maxBytes`. */
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
    this.#held.push(part);
    if (this.#held.bytes > this.#maxBytes) throw new RangeError(`a message is longer than ${this.#maxBytes} bytes`);
    if (this.#long) this.#long.push(part);
    else if (this.#held.bytes >= LONG_BYTES) {
      this.#long = new LongRequest(paths, MAX_NESTING);
      for (const each of this.#held.parts) this.#long.push(each);
    }
  }

  #finish(): ReadLine | undefined {
    const { parts, bytes } = this.#held;
    const long = this.#long;
    this.#held = new ChunkList();
    this.#long = null;
    if (bytes === 0 || (bytes === 1 && parts[0]?.[0] === 0x0d)) return undefined;
    try {
      return long ? readLong(parts, long) : readShort(joined(parts));
    } catch (error) {
      return { error: error as Error, ...(error instanceof TooMuch ? { id: idOfUnparsed(parts) } : {}) };
    } finally {
      long?.close();
    }
  }
}

/** Parses a long line without the arguments, if the called tool forwards them. */
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

/** Parses a short line completely, which is cheaper than searching for the arguments first. */
function readShort(line: Buffer): ReadRequest {
  const message = messageOf(line);
  const tool = calledTool(message);
  if (tool === undefined || !isUtf8(line)) return { message };
  // The line's length is an upper bound for the arguments' length.
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

/** Replaces the object at a path with an empty one. */
function empty(message: JSONRPCMessage, path: readonly string[]): void {
  let holder = message as Record<string, unknown>;
  for (const name of path.slice(0, -1)) holder = holder[name] as Record<string, unknown>;
  holder[path.at(-1) as string] = {};
}

const joined = (parts: readonly Buffer[]): Buffer => (parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts));

class TooMuch extends Error {}

function messageOf(line: Buffer): JSONRPCMessage {
  if (!fitsHeap([line], line.length)) throw new TooMuch(TOO_MUCH);
  const value: unknown = JSON.parse(line.toString());
  if (typeof value !== 'object' || value === null || (value as { jsonrpc?: unknown }).jsonrpc !== '2.0') {
    throw new Error('a line is no JSON-RPC 2.0 message');
  }
  return value as JSONRPCMessage;
}
