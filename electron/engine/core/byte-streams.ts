/** Streams of byte chunks: collected, cut, and split into pieces; and yielding to the event loop between them. */
import { setImmediate } from 'node:timers/promises';
import { throwIfCancelled } from './failures.ts';

/** All chunks, joined. Beyond `limit` bytes, reading stops and the error that `tooMuch` returns is thrown. */
export async function collect(chunks: AsyncIterable<Uint8Array>, limit: number, tooMuch: () => Error): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    length += chunk.length;
    if (length > limit) throw tooMuch();
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

// Pieces that fit a kernel's input area.

/** Bytes processed before yielding to the event loop. Sources yield as often, but some chunks are larger. */
const SLICE_BYTES = 1024 * 1024;

/** Pieces of at most `size` bytes, in arrays that take little time to process. */
export async function* pieces(
  chunks: AsyncIterable<Uint8Array>,
  size: number,
  signal?: AbortSignal,
): AsyncIterable<Uint8Array[]> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
      if (at > 0) {
        await setImmediate();
        throwIfCancelled(signal);
      }
      yield cut(chunk.subarray(at, at + SLICE_BYTES), size);
    }
  }
}

function cut(bytes: Uint8Array, size: number): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) parts.push(bytes.subarray(at, at + size));
  return parts;
}

/** Maximum time without a yield if work comes in small steps. Milliseconds. */
const TURN_MS = 4;

/** Use between two steps: `if (yielding.due) await yielding.pause()`. */
export class EventLoopYield {
  private since = performance.now();

  get due(): boolean {
    return performance.now() - this.since >= TURN_MS;
  }

  async pause(): Promise<void> {
    await setImmediate();
    this.since = performance.now();
  }
}

/** A stream without its first bytes. */
export async function* bytesAfter(chunks: AsyncIterable<Uint8Array>, bytes: number): AsyncIterable<Uint8Array> {
  let left = bytes;
  for await (const chunk of chunks) {
    const cut = Math.min(left, chunk.length);
    left -= cut;
    if (chunk.length > cut) yield cut > 0 ? chunk.subarray(cut) : chunk;
  }
}

/** The first bytes of a stream; `onCut` is called if more would follow. */
export async function* firstBytes(
  chunks: AsyncIterable<Uint8Array>,
  bytes: number,
  onCut: () => void,
): AsyncIterable<Uint8Array> {
  let left = bytes;
  for await (const chunk of chunks) {
    if (chunk.length > left) {
      onCut();
      if (left > 0) yield chunk.subarray(0, left);
      return;
    }
    left -= chunk.length;
    yield chunk;
  }
}
