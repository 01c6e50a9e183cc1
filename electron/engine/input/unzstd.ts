/** Decompresses Zstandard (RFC 8878) in every supported runtime. */

import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { brokenArchive } from './broken-archive.ts';

/**
 * Size of the input slices. One 4-byte block can expand to 128 KiB, so this limits the output of one step (32 MiB) and
 * the decoder's recursion over tiny frames.
 */
const SLICE_BYTES = 1024;

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
    for (let at = 0; at < input.length; at += SLICE_BYTES) yield* push(input.subarray(at, at + SLICE_BYTES), false);
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
