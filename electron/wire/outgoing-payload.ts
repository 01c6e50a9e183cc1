/** Calls on their way out: the SDK handles a placeholder, the wire gets the streamed arguments in its place. */

import { randomUUID } from 'node:crypto';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import type { JsonStream } from '../engine/core/payload.ts';
import type { ReadOptions } from '../engine/core/source.ts';
import { messageTooLarge } from './message-cap.ts';

/** One call's arguments between the request being made and its last byte being written. */
export class OutgoingPayload {
  readonly placeholder = `filebridge-arguments-${randomUUID()}`;
  readonly args: JsonStream;
  /** How long the receiver may take nothing at all before the connection counts as stuck. Milliseconds. */
  readonly stallMs: number;
  /** Set when the caller gave up: a message that has not begun is dropped, one that has is handled as the transport must. */
  readonly signal: AbortSignal;
  /** What went wrong with the arguments themselves, as opposed to the connection. */
  fault: unknown;
  /** Called whenever the upstream took more bytes. */
  onBytes: () => void = () => {};
  /** Called when the answer's stream ended; false: it cannot be taken up again. */
  onAnswerEnd: (resumable: boolean) => void = () => {};
  #writing: Promise<unknown> = Promise.resolve();

  constructor(args: JsonStream, stallMs: number, signal: AbortSignal) {
    this.args = args;
    this.stallMs = stallMs;
    this.signal = signal;
  }

  /** Remembers a write, so that the file behind the arguments is not closed while it is read. */
  track<T>(write: Promise<T>): Promise<T> {
    this.#writing = write.catch(() => {});
    return write;
  }

  /** Resolves when no write is going on. */
  async settled(): Promise<void> {
    await this.#writing;
  }
}

/** A message with a payload in it: `head`, then the arguments' JSON text, then `tail`. */
export interface StreamedMessage {
  head: Buffer;
  payload: OutgoingPayload;
  tail: Buffer;
  /** Exact size on the wire, without a line end. */
  bytes: number;
}

/** The payloads of one connection that may be sent at any moment. */
export class OutgoingPayloads {
  readonly #byPlaceholder = new Map<string, OutgoingPayload>();
  readonly #maxMessageBytes: number;
  readonly #upstream: string;

  constructor(upstream: string, maxMessageBytes: number) {
    this.#upstream = upstream;
    this.#maxMessageBytes = maxMessageBytes;
  }

  add(payload: OutgoingPayload): void {
    this.#byPlaceholder.set(payload.placeholder, payload);
  }

  remove(payload: OutgoingPayload): void {
    this.#byPlaceholder.delete(payload.placeholder);
  }

  /** Splits a serialized message around its placeholder; null if it has none. Throws MESSAGE_TOO_LARGE. */
  split(json: string): StreamedMessage | null {
    for (const payload of this.#byPlaceholder.values()) {
      const quoted = `"${payload.placeholder}"`;
      const at = json.indexOf(quoted);
      if (at === -1) continue;
      const head = Buffer.from(json.slice(0, at));
      const tail = Buffer.from(json.slice(at + quoted.length));
      const bytes = head.length + payload.args.bytes + tail.length;
      if (bytes > this.#maxMessageBytes) {
        throw messageTooLarge(
          say('message.sentTooLarge', { bytes, server: this.#upstream, allowed: this.#maxMessageBytes }),
          say('message.sendLess', {}),
          this.#upstream,
        );
      }
      return { head, payload, tail, bytes };
    }
    return null;
  }
}

/**
 * The bytes of a message, its arguments checked against their announced length: FILE_CHANGED if they differ.
 * With `reuse`, a chunk is there until the next is asked for. A fault of the arguments is also kept in `payload.fault`, because transports wrap what they rethrow.
 */
export async function* messageChunks(
  { head, payload, tail }: StreamedMessage,
  signal?: AbortSignal,
  options?: ReadOptions,
): AsyncGenerator<Uint8Array> {
  yield head;
  let seen = 0;
  try {
    for await (const chunk of payload.args.json(signal, options)) {
      seen += chunk.byteLength;
      if (seen > payload.args.bytes) break;
      // A raw newline would end the JSON-RPC line early and hand the upstream two broken halves.
      if (holdsNewline(chunk)) throw new AppError('INTERNAL', 'The arguments contain a raw line break and cannot be sent');
      if (chunk.byteLength > 0) yield chunk;
    }
    if (seen !== payload.args.bytes) {
      throw new AppError('FILE_CHANGED', 'The file changed while it was being sent', {
        hint: 'Nothing was accepted by the server. Make the call again',
        details: { expectedBytes: payload.args.bytes, seenBytes: seen },
      });
    }
  } catch (error) {
    payload.fault ??= error;
    throw error;
  }
  yield tail;
}

/** As a buffer: typed arrays are searched many times slower. */
const holdsNewline = ({ buffer, byteOffset, byteLength }: Uint8Array): boolean =>
  Buffer.from(buffer, byteOffset, byteLength).includes(0x0a);
