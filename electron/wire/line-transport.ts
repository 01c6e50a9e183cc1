/** MCP transport over a pair of byte streams, one message per line. Replaces the SDK's, which parses each message twice and buffers in more than linear time. */
import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { type JsonStream, jsonStreamOf } from '../engine/core/payload.ts';
import { RequestLines } from './request-lines.ts';

export class LineTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #lines: RequestLines;
  /** Unparsed arguments by request id, until the request is answered. */
  readonly #toolArgs = new Map<string | number, JsonStream>();
  #closed = false;

  /** `maxBytes` limits a line; a longer line closes the connection. */
  constructor(input: Readable, output: Writable, maxBytes: number) {
    this.#input = input;
    this.#output = output;
    this.#lines = new RequestLines(maxBytes);
  }

  /** The raw JSON of a call's `tool_args`, which the parsed message omits. */
  toolArgsOf(id: string | number): JsonStream | undefined {
    return this.#toolArgs.get(id);
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
      for (const line of this.#lines.push(chunk)) {
        if (this.#closed) return;
        if ('error' in line) this.onerror?.(line.error);
        else this.#deliver(line.message, line.toolArgs);
      }
    } catch (error) {
      this.onerror?.(error as Error);
      void this.close();
    }
  };

  #deliver(message: JSONRPCMessage, toolArgs: readonly Buffer[] | undefined): void {
    if (toolArgs && 'method' in message && 'id' in message) this.#toolArgs.set(message.id, jsonStreamOf(...toolArgs));
    else if ('method' in message && message.method === 'notifications/cancelled') {
      const id = message.params?.requestId;
      if (typeof id === 'string' || typeof id === 'number') this.#toolArgs.delete(id);
    }
    this.onmessage?.(message);
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return Promise.reject(new Error('the connection is closed'));
    if (!('method' in message) && message.id !== undefined) this.#toolArgs.delete(message.id);
    return new Promise((resolve, reject) => {
      this.#output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#input.off('data', this.#receive);
    // A flowing input would keep the process alive.
    this.#input.pause();
    this.#toolArgs.clear();
    this.onclose?.();
  }
}
