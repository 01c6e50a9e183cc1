/** MCP transport over a child process's pipes that can stream a call's arguments into its line. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { oneAtATime } from '../../shared/lib/one-at-a-time.ts';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { exactText } from '../engine/core/exact-numbers.ts';
import { isJsonObject } from '../engine/core/json-object.ts';
import type { ArrivingAnswers } from '../wire/arriving-answers.ts';
import { LineSplitter } from '../wire/line-splitter.ts';
import { messageChunks, type OutgoingPayloads, type StreamedMessage } from '../wire/outgoing-payload.ts';
import type { ResultTap } from '../wire/result-tap.ts';
import type { UpstreamProcess } from './upstream-process.ts';

/** Limits for non-JSON lines on stdout before the first message: kept, tolerated. */
const STRAY_LINES = { kept: 5, tolerated: 10_000, characters: 200 } as const;

/** Write buffer size. A smaller message is complete before any of it is written (bytes). */
const WRITE_BYTES = 256 * 1024;
/** Bytes queued for the server, so that it never waits for us. */
const QUEUED_BYTES = 1024 * 1024;
/** Messages up to this size are written in one piece (bytes). */
const JOINED_BYTES = 16 * 1024;
/** Time between a server closing its output and its exit (milliseconds). */
const EXIT_NOTICE_MS = 1_000;
const NEWLINE = Buffer.from('\n');
const BYTE_ORDER_MARK = Buffer.from('\ufeff');
const SPACE = new Set([0x20, 0x09, 0x0d]);

/** Messages that may wait for their delivery before reading pauses. */
const INBOX_MESSAGES = 256;

/** A line that goes on so many times over its bound is endless: the server is ended. */
const ENDLESS = 8;

/** Default message limit of servers. After a cancellation, the rest of a message up to this size is buffered and sent (bytes). */
const FINISHED_BYTES = 10 * 1024 * 1024;
/** Time to finish sending a longer cancelled message before its line is truncated (milliseconds). */
const FINISHED_MS = 25;

export interface StdioTransportOptions {
  process: UpstreamProcess;
  payloads: OutgoingPayloads;
  tap: ResultTap;
  answers: ArrivingAnswers;
  log: (line: string) => void;
}

export class StdioTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];
  readonly #options: StdioTransportOptions;
  readonly #lines: LineSplitter;
  /** Set when the server was ended because it sent too much. */
  #excess: AppError | null = null;
  /** Tail of the write queue: lines are written one at a time and never interleave. */
  readonly #inTurn = oneAtATime();
  #closed = false;
  #inbox: JSONRPCMessage[] = [];
  #delivery: Promise<void> | null = null;
  #strays = 0;
  #greeted = false;
  /** Number of chunks received from the server. */
  heard = 0;
  /** First non-JSON lines on stdout before any message; they show why the command is not an MCP server. */
  readonly stray: string[] = [];

  constructor(options: StdioTransportOptions) {
    this.#options = options;
    this.#lines = new LineSplitter(() => options.answers.most);
  }

  /** The SDK treats a transport with `pid` and `stderr` as a child process and falls back to the 2025 era on silence. */
  get pid(): number | null {
    return this.#options.process.pid;
  }

  get stderr(): null {
    return null;
  }

  async start(): Promise<void> {
    const { process } = this.#options;
    // Cancelled before the start: nothing would end a process started now.
    if (this.#closed) throw new Error('the connection is closed');
    await process.start(() => void this.#end());
    process.stdin.on('error', (error: Error) => this.onerror?.(error));
    process.stdout.on('data', (chunk: Buffer) => this.#receive(chunk));
    process.stdout.on('error', (error: Error) => this.onerror?.(error));
    process.stdout.once('end', () => setTimeout(() => this.#endDeaf(), EXIT_NOTICE_MS).unref());
  }

  /** A running server that closed its output cannot answer any more. */
  #endDeaf(): void {
    const { process, log } = this.#options;
    if (process.exit || this.#closed) return;
    log('it closed its standard output, and is ended');
    process.kill();
  }

  send(message: JSONRPCMessage): Promise<void> {
    const { tap, payloads } = this.#options;
    // What an agent gave beside the arguments, such as `_meta`, has marks as well.
    const json = exactText(JSON.stringify(message));
    const streamed = payloads.split(json);
    tap.outgoing(message);
    return this.#inTurn(async () => {
      if (this.#closed) throw new Error('the connection is closed');
      if (!streamed) return this.#write([Buffer.from(`${json}\n`)], 0, QUEUED_BYTES);
      // A call cancelled before its turn is not sent.
      if (streamed.payload.signal.aborted) return;
      return streamed.payload.track(this.#writeStreamed(streamed));
    });
  }

  async close(): Promise<void> {
    await this.#options.process.end();
    await this.#end();
  }

  async #end(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#delivery;
    const { tap } = this.#options;
    // After closing, so that no new call gets this connection.
    if (this.#excess) for (const id of tap.calls) this.onmessage?.(tap.incoming(tap.placeholder(id, this.#excess)));
    tap.close();
    this.onclose?.();
  }

  #receive(chunk: Buffer): void {
    this.heard += 1;
    const { answers, process } = this.#options;
    for (const line of this.#lines.push(chunk)) {
      if (Buffer.isBuffer(line)) this.#receiveLine(line);
      else this.#pass(answers.tooLong(line), `ignored a line on stdout of ${line.bytes} bytes`);
    }
    answers.came(this.#lines.unended);
    const { excess, unended } = this.#lines;
    if (excess !== undefined && unended > ENDLESS * answers.limit) {
      // No message can follow an endless line: every call fails with the reason.
      this.#excess = answers.excess(unended);
      this.#options.log(`ended the server: ${this.#excess.message}`);
      process.kill();
    }
    this.#delivery ??= this.#deliver().finally(() => {
      this.#delivery = null;
    });
    if (this.#inbox.length <= INBOX_MESSAGES) return;
    process.stdout.pause();
    void this.#delivery.finally(() => process.stdout.resume());
  }

  #receiveLine(bytes: Buffer): void {
    const line = withoutEnds(bytes);
    if (line.length === 0) return;
    const { answers, log } = this.#options;
    const instead = answers.instead(line);
    const text = instead === null ? line.toString() : instead;
    if (text === undefined) log(`ignored a line on stdout that is too long to be read (${line.length} bytes)`);
    else if (this.#pass(text)) this.#greeted = true;
    else if (!this.#greeted) this.#keepStray(line.toString());
    else
      this.#pass(
        answers.malformed(line, 'it cannot be parsed'),
        `ignored a line on stdout that is no JSON-RPC message (${line.length} bytes)`,
      );
  }

  /** Whether the text is a message, which goes to the SDK; `otherwise` is logged if not. */
  #pass(text: string | undefined, otherwise?: string): boolean {
    const message = text === undefined ? null : parseMessage(text);
    if (message) this.#inbox.push(message);
    else if (otherwise !== undefined) this.#options.log(otherwise);
    return message !== null;
  }

  #keepStray(line: string): void {
    this.#strays += 1;
    if (this.stray.length < STRAY_LINES.kept) this.stray.push(line.trim().slice(0, STRAY_LINES.characters));
    // A program that writes endlessly would keep us busy reading.
    if (this.#strays === STRAY_LINES.tolerated) this.#options.process.kill();
  }

  /**
   * Hands messages over in order. The SDK handles answers at once but notifications a little later, so that a call's
   * last progress or log line would be lost if the answer behind it were handed over in the same turn.
   */
  async #deliver(): Promise<void> {
    while (this.#inbox.length > 0) {
      const arrived = this.#inbox;
      this.#inbox = [];
      for (const message of arrived) {
        this.onmessage?.(this.#options.tap.incoming(message));
        if (!('id' in message)) await nextTurn();
      }
    }
  }

  /**
   * Writes one line from a stream. Once begun it is finished even if the caller gives up, because half a line would
   * corrupt whatever comes next: from memory where a server of any kind might take it, so that the file can be closed at once. A longer one is
   * finished if the server takes it without delay, and ended in the middle otherwise: no parser takes that for a message.
   * If the arguments themselves fail in mid-line, the child is ended.
   */
  async #writeStreamed(message: StreamedMessage): Promise<void> {
    const { payload } = message;
    const { signal } = payload;
    const long = message.bytes > FINISHED_BYTES;
    // A message that fits into the queue as a whole needs no second source.
    const copies = long ? new Copies() : null;
    const patience = long ? patienceOf(signal) : { signal, end: () => {} };
    let gathered: Uint8Array[] = [];
    let gatheredBytes = 0;
    let begun = false;
    const write = async (last: Uint8Array, queued: number) => {
      const chunks = [...gathered, last];
      gathered = [];
      gatheredBytes = 0;
      begun = true;
      await this.#write(chunks, payload.stallMs, queued, patience.signal);
      payload.onBytes();
    };
    try {
      for await (const chunk of messageChunks(message, undefined, { reuse: long })) {
        gatheredBytes += chunk.byteLength;
        if (gatheredBytes < WRITE_BYTES) {
          gathered.push(long ? new Uint8Array(chunk) : chunk);
          continue;
        }
        if (!begun && signal.aborted) return;
        await write(copies ? copies.of(chunk) : chunk, copies ? copies.bytesInUse : QUEUED_BYTES);
        if (long && patience.signal.aborted) {
          this.#options.log('ended a long line in the middle: its caller gave up');
          break;
        }
      }
      await write(NEWLINE, QUEUED_BYTES);
    } catch (error) {
      if (begun) {
        payload.fault ??= error;
        this.#options.process.kill();
        // The call fails once the connection is known to be closed, so that the next one cannot be given it.
        await this.close();
      }
      throw error;
    } finally {
      patience.end();
    }
  }

  /**
   * Hands bytes to the system, and waits while more than `queued` of them are on their way, none only after a write beyond what
   * the pipe holds; `stallMs` bounds the wait, 0 does not, and `leave` ends it.
   */
  async #write(chunks: readonly Uint8Array[], stallMs: number, queued: number, leave?: AbortSignal): Promise<void> {
    const { stdin } = this.#options.process;
    if (stdin.destroyed) throw new Error('the connection is closed');
    const bytes = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
    stdin.cork();
    for (const chunk of bytes <= JOINED_BYTES ? [Buffer.concat(chunks, bytes)] : chunks) stdin.write(chunk);
    stdin.uncork();
    if (stdin.writableLength <= queued || leave?.aborted) return;
    await new Promise<void>((resolve, reject) => {
      const settle = (outcome: () => void) => {
        clearTimeout(timer);
        stdin.off('drain', onDrain);
        stdin.off('close', onClose);
        leave?.removeEventListener('abort', onDrain);
        outcome();
      };
      const onDrain = () => settle(resolve);
      const onClose = () => settle(() => reject(new Error('the connection was closed while a message was being written')));
      const onStall = () => settle(() => reject(new AppError('UPSTREAM_TIMEOUT', say('server.stalled', { ms: stallMs }))));
      const timer = stallMs > 0 ? setTimeout(onStall, stallMs) : undefined;
      stdin.once('drain', onDrain);
      stdin.once('close', onClose);
      leave?.addEventListener('abort', onDrain, { once: true });
    });
  }
}

/** A signal that aborts a fixed time after `signal`. */
function patienceOf(signal: AbortSignal): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const onAbort = () => {
    timer = setTimeout(() => controller.abort(), FINISHED_MS);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  const end = () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  };
  return { signal: controller.signal, end };
}

/** Double buffer for outgoing data: one half is filled while the server reads the other. */
class Copies {
  readonly #parts = [new Uint8Array(0), new Uint8Array(0)];
  #next = 0;

  /** A copy of the chunk. The one before it stays; the one before that must have been taken by the server. */
  of(chunk: Uint8Array): Uint8Array {
    const at = this.#next;
    this.#next = 1 - at;
    let part = this.#parts[at] as Uint8Array<ArrayBuffer>;
    if (part.length < chunk.byteLength) {
      part = new Uint8Array(chunk.byteLength);
      this.#parts[at] = part;
    }
    part.set(chunk);
    return part.subarray(0, chunk.byteLength);
  }

  /** As many bytes may wait to be taken before the next chunk is copied: those of the last one, if the other part is free. */
  get bytesInUse(): number {
    return this.#next === 1 ? Number.POSITIVE_INFINITY : 0;
  }
}

/** Without the ends of a line, and the mark that some programs put before each text they write as UTF-8. */
function withoutEnds(line: Buffer): Buffer {
  const from = line.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0;
  let to = line.length;
  while (to > from && SPACE.has(line[to - 1] ?? 0)) to -= 1;
  return line.subarray(from, to);
}

function parseMessage(line: string): JSONRPCMessage | null {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) && value.jsonrpc === '2.0' ? (value as unknown as JSONRPCMessage) : null;
  } catch {
    return null;
  }
}
