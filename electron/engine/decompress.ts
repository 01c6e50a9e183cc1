/** Streaming decompression of gzip, Brotli and Zstandard, with errors that say what is wrong with the archive. */
import { pipeline, Readable, type Transform } from 'node:stream';
import zlib from 'node:zlib';
import { brokenArchive } from './broken-archive.ts';
import type { Compression } from './detect.ts';

const CHUNK_BYTES = 256 * 1024;

/** Bytes after decompression. Gzip may have several members, Zstandard several frames: their contents are joined. */
export async function* decompress(
  chunks: AsyncIterable<Uint8Array>,
  compression: Compression,
  signal?: AbortSignal,
): AsyncIterable<Uint8Array> {
  const decoder = nodeDecoder(compression);
  if (!decoder) {
    const { unzstd } = await import('./unzstd.ts');
    yield* unzstd(chunks);
    return;
  }
  // A failure of the source must come out as it is, not as a broken archive.
  let sourceError: unknown;
  let stored = 0;
  const input = (async function* () {
    try {
      for await (const chunk of chunks) {
        stored += chunk.length;
        yield chunk;
      }
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
      yield chunk as Uint8Array;
    }
  } catch (error) {
    if (sourceError !== undefined) throw sourceError;
    if (isZlibError(error)) throw brokenArchive(compression, stored === 0 ? undefined : error);
    throw error;
  }
  if (stored === 0) throw brokenArchive(compression, undefined);
}

function nodeDecoder(compression: Compression): Transform | undefined {
  const options = { chunkSize: CHUNK_BYTES };
  if (compression === 'gzip') return zlib.createGunzip(options);
  if (compression === 'brotli') return zlib.createBrotliDecompress(options);
  // From Node 22.15 on; older versions take the JavaScript decoder.
  const { createZstdDecompress } = zlib as { createZstdDecompress?: (options: { chunkSize: number }) => Transform };
  return createZstdDecompress?.(options);
}

function isZlibError(error: unknown): error is Error & { code: string } {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^(Z_|ERR_BROTLI|BROTLI|ERR__ERROR|ZSTD|ERR_ZSTD|ERR_PADDING|ERR__)/.test(code);
}
