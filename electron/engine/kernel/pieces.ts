/** Splits a stream of chunks of any size into pieces that fit a kernel's input area. */
import { setImmediate } from 'node:timers/promises';
import { throwIfCancelled } from '../core/failures.ts';

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
