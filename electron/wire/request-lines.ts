/** Reads an agent's JSON-RPC messages, one a line. */
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { parseExact } from '../engine/core/exact-numbers.ts';
import { LineSplitter } from './line-splitter.ts';
import { fitsHeap, idOfUnparsed, TOO_MUCH } from './parse-guard.ts';

/** A parsed line, or the error, with the id of the request where it is known. */
export type ReadLine = { message: JSONRPCMessage } | { error: Error; id?: string | number | undefined };

export class RequestLines {
  readonly #lines: LineSplitter;

  constructor(maxBytes: number) {
    this.#lines = new LineSplitter(() => maxBytes);
  }

  /** Returns the lines completed by `chunk`. Throws RangeError for a line over the bound. */
  push(chunk: Buffer): ReadLine[] {
    const found = this.#lines.push(chunk);
    if (this.#lines.excess !== undefined) throw new RangeError(`a message is longer than ${this.#lines.excess} bytes`);
    return found.flatMap((line) => (Buffer.isBuffer(line) ? (readLine(line) ?? []) : []));
  }
}

function readLine(line: Buffer): ReadLine | undefined {
  if (line.length === 0 || (line.length === 1 && line[0] === 0x0d)) return undefined;
  if (!fitsHeap([line], line.length)) return { error: new Error(TOO_MUCH), id: idOfUnparsed([line]) };
  try {
    return { message: messageOf(line.toString()) };
  } catch (error) {
    return { error: error as Error };
  }
}

function messageOf(text: string): JSONRPCMessage {
  const value = JSON.parse(text) as { jsonrpc?: unknown; method?: unknown } | null;
  if (typeof value !== 'object' || value === null || value.jsonrpc !== '2.0') {
    throw new Error('a line is no JSON-RPC 2.0 message');
  }
  // Arguments go on to a server, digit by digit.
  return (value.method === 'tools/call' ? parseExact(text) : value) as JSONRPCMessage;
}
