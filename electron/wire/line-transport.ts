/** MCP transport over a pair of byte streams, one message per line. Replaces the SDK's, which parses each message twice and buffers in more than linear time. */
import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, JSONRPCRequest, Transport } from '@modelcontextprotocol/server';
import { exactNumbersMarked, exactText } from '../engine/core/exact-numbers.ts';
import { LineSplitter } from './line-splitter.ts';
import { fitsHeap, idOfUnparsed, TOO_MUCH } from './parse-guard.ts';

/** Answers that the peer has not read, beyond which its requests wait (bytes). */
const UNREAD_BYTES = 64 * 1024 * 1024;
/** Requests for lists that are answered at the same time: an answer may be a thousand times as long as its request. */
const MAX_LISTINGS = 32;
/** Time limit of a wait for lists, some of which may never be answered (milliseconds). */
const LISTINGS_MS = 10_000;
/** Maximum requests that are set aside until a big answer was sent. */
const MAX_ASIDE = 1_000;

/** Requests whose answers are so big that only `max` of them are answered at the same time. */
export interface BigAnswers {
  max: number;
  is(message: JSONRPCMessage): boolean;
}

/** JSON-RPC 2.0, section 5.1. */
const INVALID_REQUEST = -32600;

export class LineTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #lines: RequestLines;
  /** Lines that wait for room. */
  #waiting: ReadLine[] = [];
  /** Requests for lists that are not answered yet. */
  readonly #listings = new Set<string | number>();
  readonly #bigAnswers: BigAnswers | undefined;
  /** Requests for big answers that were not sent yet. */
  readonly #big = new Set<string | number>();
  /** Those that wait for one of them; what comes behind them does not wait. */
  readonly #aside = new Map<string | number, JSONRPCRequest>();
  #patience: NodeJS.Timeout | undefined;
  #closed = false;

  /** `maxBytes` limits a line; a longer line closes the connection. */
  constructor(input: Readable, output: Writable, maxBytes: number, bigAnswers?: BigAnswers) {
    this.#input = input;
    this.#output = output;
    this.#bigAnswers = bigAnswers;
    this.#lines = new RequestLines(maxBytes);
  }

  async start(): Promise<void> {
    const gone = () => void this.close();
    this.#input.on('data', this.#receive).once('end', gone).once('close', gone).on('error', gone);
    // An input that carried a greeting is paused.
    this.#input.resume();
    // The listener stays after closing, so that a late stream error does not end the process.
    this.#output.on('error', (error) => {
      if (this.#closed) return;
      this.onerror?.(error);
      gone();
    });
    if (this.#input.readableEnded || this.#input.destroyed) setImmediate(gone);
  }

  readonly #receive = (chunk: Buffer): void => {
    try {
      for (const line of this.#lines.push(chunk)) this.#waiting.push(line);
    } catch (error) {
      this.onerror?.(error as Error);
      void this.close();
    }
    this.#deliverWaiting();
  };

  get #hasRoom(): boolean {
    return this.#output.writableLength < UNREAD_BYTES && this.#listings.size < MAX_LISTINGS && this.#aside.size < MAX_ASIDE;
  }

  /** Delivers lines while there is room for their answers, and reads on once none waits. */
  #deliverWaiting(): void {
    try {
      this.#deliverAll();
    } catch (error) {
      this.onerror?.(error as Error);
      void this.close();
    }
  }

  #deliverAll(): void {
    let delivered = 0;
    for (const line of this.#waiting) {
      if (this.#closed || !this.#hasRoom) break;
      delivered += 1;
      if ('error' in line) this.#refuse(line.error, line.id);
      else this.#deliver(line.message);
    }
    if (this.#closed) return;
    const wereWaiting = this.#patience !== undefined;
    this.#waiting = this.#waiting.slice(delivered);
    clearTimeout(this.#patience);
    this.#patience = undefined;
    if (this.#waiting.length === 0) {
      if (wereWaiting) this.#input.resume();
      return;
    }
    this.#input.pause();
    this.#patience = setTimeout(() => {
      this.#listings.clear();
      this.#deliverWaiting();
    }, LISTINGS_MS);
  }

  #refuse(error: Error, id: string | number | undefined): void {
    this.onerror?.(error);
    if (id === undefined) return;
    this.send({ jsonrpc: '2.0', id, error: { code: INVALID_REQUEST, message: error.message } }).catch(() => undefined);
  }

  #deliver(message: JSONRPCMessage): void {
    if ('method' in message && message.method === 'notifications/cancelled') {
      const id = message.params?.requestId;
      if (typeof id === 'string' || typeof id === 'number') {
        this.#ended(id);
        // A message that is still queued needs no cancelling.
        if (this.#aside.delete(id)) return;
        this.#bigEnded(id);
      }
    }
    if (isListing(message)) this.#listings.add(message.id);
    if (this.#bigAnswers?.is(message) && isRequest(message)) {
      if (this.#big.size >= this.#bigAnswers.max || this.#big.has(message.id)) {
        this.#aside.set(message.id, message);
        return;
      }
      this.#big.add(message.id);
    }
    this.onmessage?.(message);
  }

  /** It was sent, or nobody wants it any more: the next one may be made. */
  #bigEnded(id: string | number): void {
    if (!this.#big.delete(id)) return;
    const [next] = this.#aside.values();
    if (next === undefined || this.#closed) return;
    this.#aside.delete(next.id);
    this.#big.add(next.id);
    this.onmessage?.(next);
  }

  #ended(id: string | number): void {
    this.#listings.delete(id);
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return Promise.reject(new Error('the connection is closed'));
    const answered = 'method' in message ? undefined : message.id;
    if (answered !== undefined) this.#ended(answered);
    return new Promise((resolve, reject) => {
      this.#output.write(`${exactText(JSON.stringify(message))}\n`, (error) => {
        if (error) reject(error);
        else resolve();
        if (answered !== undefined) this.#bigEnded(answered);
        if (this.#waiting.length > 0 && this.#hasRoom) this.#deliverWaiting();
      });
    });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#patience);
    this.#input.off('data', this.#receive);
    // A flowing input would keep the process alive.
    this.#input.pause();
    this.#listings.clear();
    this.#big.clear();
    this.#aside.clear();
    this.#waiting = [];
    this.onclose?.();
  }
}

const isListing = (message: JSONRPCMessage): message is JSONRPCRequest => isRequest(message) && message.method.endsWith('/list');

/** The SDK checks messages later: here any member may be of another type. */
function isRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  const { method, id } = message as { method?: unknown; id?: unknown };
  return typeof method === 'string' && (typeof id === 'string' || typeof id === 'number');
}

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

const exactMethods: ReadonlySet<unknown> = new Set(['tools/call', 'notifications/cancelled']);

function messageOf(text: string): JSONRPCMessage {
  const value = JSON.parse(text) as { jsonrpc?: unknown; method?: unknown } | null;
  if (typeof value !== 'object' || value === null || value.jsonrpc !== '2.0') {
    throw new Error('a line is no JSON-RPC 2.0 message');
  }
  // Arguments go on to a server, digit by digit. A cancellation names its call by the same id.
  const marked = exactMethods.has(value.method) ? exactNumbersMarked(text) : text;
  return (marked === text ? value : JSON.parse(marked)) as JSONRPCMessage;
}
