/** Streaming decompression of gzip, Brotli and Zstandard, with errors that say what is wrong with the archive. */
import { pipeline, Readable } from 'node:stream';
import zlib from 'node:zlib';
import { brokenArchive, trailingData } from './broken-archive.ts';
import type { Compression } from './detect.ts';

const ZLIB_OPTIONS = { chunkSize: 1024 * 1024 };

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
  const input = (async function* () {
    try {
      for await (const chunk of chunks) {
        stored += chunk.length;
        for (let i = 0; head.length < 2 && i < chunk.length; i++) head.push(chunk[i] as number);
        yield chunk;
      }
      inputEnded = true;
    } catch (error) {
      sourceError = error;
      throw error;
    }
  })();
  pipeline(Readable.from(input, { objectMode: false }), decoder, () => {
    // The iteration below sees the same error.
  });
  try {
    for await (const chunk of decoder) {
      signal?.throwIfAborted();
      // No Buffer goes on: its `slice` would share the memory.
      const { buffer, byteOffset, length } = chunk as Buffer;
      yield new Uint8Array(buffer, byteOffset, length);
    }
  } catch (error) {
    if (sourceError !== undefined) throw sourceError;
    if (isZlibError(error)) throw brokenArchive(compression, stored === 0 ? undefined : error, isGzip(head));
    throw error;
  }
  if (stored === 0) throw brokenArchive(compression, undefined);
  // Brotli's decoder stops at its end and says nothing of what follows; gzip may be padded with zeros.
  if (!inputEnded || (compression === 'brotli' && decoder.bytesWritten < stored)) throw trailingData(compression);
}

/** RFC 1952 §2.3.1. */
function isGzip([first, second]: readonly number[]): boolean {
  return first === 0x1f && second === 0x8b;
}

function isZlibError(error: unknown): error is Error & { code: string } {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^(Z_|ERR_BROTLI|ERR__)/.test(code);
}
