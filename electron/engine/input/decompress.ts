/** Streams the decompression of gzip, Brotli and Zstandard, with specific errors for broken archives. */
import { once } from 'node:events';
import { finished, type Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import zlib from 'node:zlib';
import { brokenArchive, trailingData } from './broken-archive.ts';
import type { Compression } from './detect.ts';

/** Bytes decompressed per step: each step is a round trip to another thread. */
const CHUNK_BYTES = 2 * 1024 * 1024;
/** Bytes yielded per step. Between steps the next chunk can begin, and timers, aborts and other calls can run. */
const SLICE_BYTES = 256 * 1024;
/** Bytes decompressed ahead of the receiver. */
const AHEAD_BYTES = 8 * 1024 * 1024;
const ZLIB_OPTIONS = { chunkSize: CHUNK_BYTES };

/** Whether the receiver has finished with a chunk when it asks for the next one. */
export function releasesChunks(compression: Compression): boolean {
  return compression !== 'zstd';
}

/** Bytes after decompression. Gzip may have several members and Zstandard several frames: their contents are joined. */
export async function* decompress(
  chunks: AsyncIterable<Uint8Array>,
  compression: Compression,
  signal?: AbortSignal,
): AsyncIterable<Uint8Array> {
  if (compression === 'zstd') {
    // Used even if node:zlib has Zstandard (from Node 22.15): its decoder silently stops after the first frame, and
    // parallel compressors write many.
    const { unzstd } = await import('./unzstd.ts');
    yield* unzstd(chunks);
    return;
  }
  const decoder = compression === 'gzip' ? zlib.createGunzip(ZLIB_OPTIONS) : zlib.createBrotliDecompress(ZLIB_OPTIONS);
  // A failure of the source must not be reported as a broken archive.
  let sourceError: unknown;
  let stored = 0;
  const head: number[] = [];
  let inputEnded = false;
  // Some decoders neither consume nor reject bytes after the end of the compressed data.
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
  // Brotli's decoder stops silently at its end; gzip may be padded with zeros.
  if (!inputEnded || (compression === 'brotli' && decoder.bytesWritten < stored)) throw trailingData(compression);
}

/**
 * Yields a stream's output and lets it run ahead of the receiver. Iterating over the stream would join, and so copy, what
 * is ready.
 */
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
          // Not a Buffer, whose `slice` shares memory.
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
