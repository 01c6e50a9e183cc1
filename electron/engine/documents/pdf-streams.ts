/** Bounds the size of a PDF file's compressed streams before a library unpacks them in memory. */
import { createInflate } from 'node:zlib';
import { throwIfCancelled } from '../core/failures.ts';

const KEYWORD = Buffer.from('stream');
/** Streams may be compressed several times over. */
const MOST_LAYERS = 3;
/** All streams together may have this many times as many bytes as one. */
const ALL_STREAMS = 10;

/** Throws what `tooLarge` returns if a deflated stream has more than `limit` bytes, or all of them ten times as many. */
export async function streamsWithin(data: Uint8Array, limit: number, tooLarge: () => Error, signal?: AbortSignal): Promise<void> {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length);
  let left = limit * ALL_STREAMS;
  for (let at = bytes.indexOf(KEYWORD); at >= 0; at = bytes.indexOf(KEYWORD, at)) {
    throwIfCancelled(signal);
    at += KEYWORD.length;
    if (bytes[at] === 0x0d) at += 1;
    if (bytes[at] === 0x0a) at += 1;
    if (!isZlib(bytes, at)) continue;
    const { unpacked, packed } = await sizes(bytes.subarray(at), limit, 1);
    left -= unpacked;
    if (unpacked > limit || left < 0) throw tooLarge();
    at += packed;
  }
}

/** A zlib header (RFC 1950): deflate, a window of up to 32 KB, and a check that fits. */
function isZlib(bytes: Buffer, at: number): boolean {
  const method = bytes[at] ?? 0;
  return (method & 0x0f) === 8 && method >> 4 <= 7 && (method * 256 + (bytes[at + 1] ?? 0)) % 31 === 0;
}

/** How many bytes a stream takes and gives; stops soon after it gives more than `limit`. */
function sizes(stream: Buffer, limit: number, layer: number): Promise<{ unpacked: number; packed: number }> {
  return new Promise((resolve) => {
    const inflate = createInflate();
    let unpacked = 0;
    let inner: Buffer[] | undefined;
    const done = () => {
      const packed = Math.max(inflate.bytesWritten, 1);
      const end = (more: number) => resolve({ unpacked: unpacked + more, packed });
      if (inner === undefined || unpacked > limit || layer === MOST_LAYERS) end(0);
      else void sizes(Buffer.concat(inner), limit - unpacked, layer + 1).then((more) => end(more.unpacked));
    };
    inflate.on('data', (chunk: Buffer) => {
      if (unpacked === 0 && isZlib(chunk, 0)) inner = [];
      unpacked += chunk.length;
      inner?.push(chunk);
      if (unpacked > limit) inflate.destroy();
    });
    inflate.on('close', done);
    // Data after the stream or a damaged stream ends inflating; the library reports real damage.
    inflate.on('error', () => undefined);
    inflate.end(stream);
  });
}
