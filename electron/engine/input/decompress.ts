/** Streaming decompression of gzip, Brotli and Zstandard, with errors that say what is wrong with the archive. */
import { once } from 'node:events';
import { finished, type Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import zlib from 'node:zlib';
import { brokenArchive, trailingData } from './broken-archive.ts';
import type { Compression } from './detect.ts';

/** What is decompressed at once: each time is a way to another thread and back. */
const CHUNK_BYTES = 2 * 1024 * 1024;
/** What is given out at once. In between the next chunk can be begun, and timers, aborts and other calls get their turn. */
const SLICE_BYTES = 256 * 1024;
/** What is decompressed before the receiver asks for it. */
const AHEAD_BYTES = 8 * 1024 * 1024;
const ZLIB_OPTIONS = { chunkSize: CHUNK_BYTES };

/** Whether a chunk is done with when the next one is asked for. */
export function releasesChunks(compression: Compression): boolean {
  return compression !== 'zstd';
}

/** Bytes after decompression. Gzip may have several members, Zstandard several frames: their contents are joined. */
export async function* decompress(
  chunks: AsyncIterable<Uint8Array>,
  compression: Compression,
  signal?: AbortSignal,
): AsyncIterable<Uint8Array> {
  if (compression === 'zstd') {
    // Also where node:zlib has Zstandard (from Node 22.15): its decoder stops after the first frame without a word, and
    // tools that compress in parallel write many.
    const { unzstd } = await import('./unzstd.ts');
    yield* unzstd(chunks);
    return;
  }
  const decoder = compression === 'gzip' ? zlib.createGunzip(ZLIB_OPTIONS) : zlib.createBrotliDecompress(ZLIB_OPTIONS);
  // A failure of the source must come out as it is, not as a broken archive.
  let sourceError: unknown;
  let stored = 0;
  const head: number[] = [];
  let inputEnded = false;
  // Bytes behind the end of what is compressed are neither taken nor refused by some decoders.
  const stopped = Promise.race([once(decoder, 'end'), once(decoder, 'close')]).catch(() => undefined);
  let isStopped = false;
  stopped.then(() => {
    isStopped = true;
  });
  const feed = async () => {
    try {
      for await (const chunk of chunks) {
        stored += chunk.length;
        for (let i = 0; head.length < 2 && i < chunk.length; i++) head.push(chunk[i] as number);
        if (isStopped) return;
        await Promise.race([new Promise((resolve) => decoder.write(chunk, resolve)), stopped]);
      }
      inputEnded = true;
      decoder.end();
    } catch (error) {
      sourceError = error;
      decoder.destroy(new Error('its source failed'));
    }
  };
  const feeding = feed();
  try {
    for await (const chunk of ahead(decoder)) {
      signal?.throwIfAborted();
      yield chunk;
    }
    await feeding;
  } catch (error) {
    if (sourceError !== undefined) throw sourceError;
    if (isZlibError(error)) throw brokenArchive(compression, stored === 0 ? undefined : error, isGzip(head));
    throw error;
  } finally {
    decoder.destroy();
    await feeding;
  }
  if (stored === 0) throw brokenArchive(compression, undefined);
  // Brotli's decoder stops at its end and says nothing of what follows; gzip may be padded with zeros.
  if (!inputEnded || (compression === 'brotli' && decoder.bytesWritten < stored)) throw trailingData(compression);
}

/** What a stream makes, some of it while the receiver is at the rest. Iterating over the stream would join what is ready, and so copy it. */
async function* ahead(stream: Readable): AsyncIterable<Uint8Array> {
  const ready: Uint8Array[] = [];
  let bytes = 0;
  let over = false;
  let failure: Error | null | undefined;
  let wake = () => {};
  stream.on('data', (chunk: Uint8Array) => {
    ready.push(chunk);
    bytes += chunk.length;
    if (bytes >= AHEAD_BYTES) stream.pause();
    wake();
  });
  finished(stream, { writable: false }, (error) => {
    failure = error;
    over = true;
    wake();
  });
  try {
    for (;;) {
      const chunk = ready.shift();
      if (chunk) {
        bytes -= chunk.length;
        if (stream.isPaused()) stream.resume();
        for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
          // No Buffer goes on: its `slice` would share the memory.
          yield new Uint8Array(chunk.buffer, chunk.byteOffset + at, Math.min(SLICE_BYTES, chunk.length - at));
          await setImmediate();
        }
      } else if (over) {
        if (failure) throw failure;
        return;
      } else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    stream.destroy();
  }
}

/** RFC 1952 §2.3.1. */
function isGzip([first, second]: readonly number[]): boolean {
  return first === 0x1f && second === 0x8b;
}

function isZlibError(error: unknown): error is Error & { code: string } {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^(Z_|ERR_BROTLI|ERR__)/.test(code);
}
