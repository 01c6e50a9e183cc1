/** Streams the decompression of gzip, Brotli and Zstandard, with specific errors for broken archives. */
import { once } from 'node:events';
import { finished, type Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import zlib from 'node:zlib';
import { AppError } from '../../../shared/model/errors.ts';
import { type Message, say } from '../../../shared/model/messages/message.ts';
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

// Zstandard (RFC 8878), in every supported runtime.

/**
 * Size of the input slices. One 4-byte block can expand to 128 KiB, so this limits the output of one step (32 MiB) and
 * the decoder's recursion over tiny frames.
 */
const ZSTD_SLICE_BYTES = 1024;

/** The limit of zstd's command-line tools by default. */
const MAX_WINDOW_BYTES = 128 * 1024 * 1024;

/** Decompresses one or more frames. Content checksums are not verified. */
export async function* unzstd(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const { Decompress } = await import('fzstd');
  let ready: Uint8Array[] = [];
  let plain = 0;
  const decoder = new Decompress((chunk) => {
    plain += chunk.length;
    if (chunk.length > 0) ready.push(chunk);
  });
  const push = (slice: Uint8Array, final: boolean): Uint8Array[] => {
    try {
      decoder.push(slice, final);
    } catch (error) {
      throw brokenArchive('zstd', error instanceof Error ? error : new Error(String(error)), plain > 0);
    }
    const out = ready;
    ready = [];
    return out;
  };
  let head: Uint8Array = new Uint8Array(0);
  let checked = false;
  let stored = 0;
  for await (const chunk of chunks) {
    stored += chunk.length;
    let input = chunk;
    if (!checked) {
      input = joined(head, chunk);
      head = input;
      // The longest frame header is 18 bytes.
      if (input.length < 18) continue;
      checkWindow(input);
      checked = true;
    }
    for (let at = 0; at < input.length; at += ZSTD_SLICE_BYTES) yield* push(input.subarray(at, at + SLICE_BYTES), false);
  }
  if (stored === 0) throw brokenArchive('zstd', undefined);
  if (!checked) yield* push(head, false);
  yield* push(new Uint8Array(0), true);
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** Refuses headers that ask for a window of gigabytes, which the decoder would allocate. RFC 8878 §3.1.1.1.2. */
function checkWindow(header: Uint8Array): void {
  const descriptor = header[4] as number;
  const singleSegment = (descriptor & 0x20) !== 0;
  const isFrame = header[0] === 0x28 && header[1] === 0xb5 && header[2] === 0x2f && header[3] === 0xfd;
  if (!isFrame || singleSegment) return;
  const window = header[5] as number;
  const base = 2 ** (10 + (window >> 3));
  if (base + (base / 8) * (window & 7) > MAX_WINDOW_BYTES)
    throw new AppError('FILE_TOO_LARGE', say('size.zstdWindow'), { hint: say('size.zstdWindow.hint') });
}

// Errors.

const names: Record<Compression, string> = { gzip: 'gzip', brotli: 'Brotli', zstd: 'Zstandard' };

/** PARSE_FAILED for an archive that is empty, cut off or damaged; `startsRight`: it has the format's header. */
function brokenArchive(compression: Compression, cause: Error | undefined, startsRight = false): AppError {
  return failure(compression, reasonOf(compression, cause, startsRight), cause);
}

/** PARSE_FAILED for an archive with data after its end, which would otherwise be lost silently. */
function trailingData(compression: Compression): AppError {
  return failure(compression, say('archive.trailing'), undefined);
}

function reasonOf(compression: Compression, cause: Error | undefined, startsRight: boolean): Message {
  if (cause === undefined) return say('archive.empty');
  const fault = faultOf(cause);
  if (fault === 'cut off') return say('archive.cutOff');
  if (fault === 'damaged') return say('archive.damaged', { reason: cause.message });
  return startsRight ? say('archive.trailing') : say('archive.other', { compression: names[compression] });
}

/**
 * Classifies a decompressor's error. zlib has one code for all damage, and the Zstandard decoder has none: only their
 * messages distinguish a wrong header from damage. Only this function reads such messages.
 */
function faultOf(cause: Error): 'cut off' | 'no header' | 'damaged' {
  const code = 'code' in cause ? cause.code : undefined;
  if (code === 'Z_BUF_ERROR' || /unexpected end|unexpected EOF|truncated/i.test(cause.message)) return 'cut off';
  return /incorrect header|magic|invalid zstd data/i.test(cause.message) ? 'no header' : 'damaged';
}

function failure(compression: Compression, reason: Message, cause: Error | undefined): AppError {
  return new AppError('PARSE_FAILED', say('archive.failed', { compression: names[compression], reason }), {
    hint: say('archive.failed.hint'),
    cause,
  });
}
