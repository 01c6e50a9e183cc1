/** Writes text and bytes as JSON strings, using the kernel. */

import { pieces } from '../core/byte-streams.ts';
import type { FormatReader } from '../core/reader.ts';
import { ResumePoints } from '../core/resume-points.ts';
import type { ReadOptions } from '../core/source.ts';
import { kernelsRun, takeOut } from '../kernel/kernel.ts';
import { TokenSampler } from '../tokens/tokens.ts';
import { base64Json as base64JsonSlowly } from './base64.ts';
import { PIECE_BYTES, TextKernel } from './text-kernel.ts';
import { readText as readTextSlowly, textScan } from './text-reference.ts';

const QUOTE = Uint8Array.of(0x22);

/** The whole text as one string, with the results of text-reference.ts. */
export const readText: FormatReader = async (text, context) => {
  if (!kernelsRun()) return readTextSlowly(text, context);
  const { signal } = context;
  const sampler = new TokenSampler();
  let bytes = 0;
  for await (const part of quoted(text.read(signal, { reuse: true }), signal)) {
    sampler.push(part);
    bytes += part.length;
  }
  return textScan(bytes === 2 * QUOTE.length, {
    measured: { bytes, records: 1, resumePoints: new ResumePoints(), sampler },
    json(again, options) {
      const views = quoted(text.read(again, { reuse: true }), again);
      return options?.reuse ? views : copies(views);
    },
  });
};

/** The string's JSON text, as views that are valid until the next one. */
async function* quoted(text: AsyncIterable<Uint8Array>, signal?: AbortSignal): AsyncIterable<Uint8Array> {
  const kernel = new TextKernel();
  try {
    yield QUOTE;
    for await (const parts of pieces(text, PIECE_BYTES, signal)) for (const piece of parts) yield kernel.escape(piece);
    yield QUOTE;
  } finally {
    kernel.close();
  }
}

/** JSON text of the bytes in base64, as in base64.ts. */
export async function* base64Json(
  chunks: AsyncIterable<Uint8Array>,
  prefix = '',
  options?: ReadOptions,
): AsyncIterable<Uint8Array> {
  if (!kernelsRun()) {
    yield* base64JsonSlowly(chunks, prefix);
    return;
  }
  yield Buffer.from(`"${prefix}`, 'latin1');
  const kernel = new TextKernel();
  /** Up to two bytes that wait for the rest of their group of three. */
  let rest: Uint8Array = new Uint8Array(0);
  try {
    for await (const parts of pieces(chunks, PIECE_BYTES - 2)) {
      for (const piece of parts) {
        const bytes = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
        const whole = bytes.length - (bytes.length % 3);
        rest = new Uint8Array(bytes.subarray(whole));
        if (whole === 0) continue;
        const view = kernel.base64(bytes.subarray(0, whole));
        yield options?.reuse ? view : takeOut(view);
      }
    }
  } finally {
    kernel.close();
  }
  yield Buffer.from(`${Buffer.from(rest).toString('base64')}"`, 'latin1');
}

async function* copies(views: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  for await (const view of views) yield takeOut(view);
}
