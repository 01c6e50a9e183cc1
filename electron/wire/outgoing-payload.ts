/** Outgoing calls: the SDK sees a placeholder, and the transport writes the streamed arguments in its place. */
import { randomUUID } from 'node:crypto';
import { AppError, type ErrorDetails } from '../../shared/model/errors.ts';
import { say, type Text } from '../../shared/model/messages/message.ts';
import type { JsonStream } from '../engine/core/payload.ts';
import type { ReadOptions } from '../engine/core/source.ts';

/** The arguments of one call while it is being sent. */
export class OutgoingPayload {
  readonly placeholder = `filebridge-arguments-${randomUUID()}`;
  readonly args: JsonStream;
  /** Time without any byte accepted after which the connection counts as stuck (milliseconds). */
  readonly stallMs: number;
  /** Aborted when the caller cancels. An unsent message is dropped; each transport handles a partly sent one. */
  readonly signal: AbortSignal;
  /** An error of the arguments themselves, not of the connection. */
  fault: unknown;
  /** Called when the upstream has accepted more bytes. */
  onBytes: () => void = () => {};
  /** Called when the response stream ended; `resumable` is false when it has no event ids. */
  onAnswerEnd: (resumable: boolean) => void = () => {};
  #writing: Promise<unknown> = Promise.resolve();

  constructor(args: JsonStream, stallMs: number, signal: AbortSignal) {
    this.args = args;
    this.stallMs = stallMs;
    this.signal = signal;
  }

  /** Records a write, so that `settled` can wait for it before the file is closed. */
  track<T>(write: Promise<T>): Promise<T> {
    this.#writing = write.catch(() => {});
    return write;
  }

  /** Resolves when no write is running. */
  async settled(): Promise<void> {
    await this.#writing;
  }
}

/** A message with a payload in it: `head`, then the arguments' JSON text, then `tail`. */
export interface StreamedMessage {
  head: Buffer;
  payload: OutgoingPayload;
  tail: Buffer;
  /** Exact size in bytes, without a line end. */
  bytes: number;
}

/** The registered outgoing payloads of one connection. */
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

  /** Splits a serialized message at its placeholder; null when it has none. Throws MESSAGE_TOO_LARGE. */
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
 * The bytes of a message. Throws FILE_CHANGED when the arguments differ from their announced length.
 * With `reuse`, a chunk is valid until the next is requested. Errors of the arguments are also stored in `payload.fault`, because transports wrap them.
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
      // A raw newline would split the JSON-RPC line in two.
      if (holdsNewline(chunk)) throw new AppError('INTERNAL', say('sending.lineBreak'));
      if (chunk.byteLength > 0) yield chunk;
    }
    if (seen !== payload.args.bytes) {
      throw new AppError('FILE_CHANGED', say('sending.fileChanged'), {
        hint: say('sending.fileChanged.hint'),
        details: { expectedBytes: payload.args.bytes, seenBytes: seen },
      });
    }
  } catch (error) {
    payload.fault ??= error;
    throw error;
  }
  yield tail;
}

/** Buffer.includes is many times faster than Uint8Array.includes. */
const holdsNewline = ({ buffer, byteOffset, byteLength }: Uint8Array): boolean =>
  Buffer.from(buffer, byteOffset, byteLength).includes(0x0a);

/** MESSAGE_TOO_LARGE. `instead` says what the caller can do; only the user can change the limit. */
export function messageTooLarge(message: Text, instead: Text, server: string, details: ErrorDetails = {}): AppError {
  return new AppError('MESSAGE_TOO_LARGE', message, {
    hint: say('message.tooLarge.hint', { instead, server }),
    details,
  });
}
