/** Writes text as a JSON string, and bytes as one in base64 (RFC 4648 §4) or as a data URI (RFC 2397): with the kernel, or slowly without it. */

import { Buffer } from 'node:buffer';
import { warning } from '../../../shared/model/conversion.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { ByteBuilder, writeEscaped } from '../core/byte-builder.ts';
import { pieces } from '../core/byte-streams.ts';
import type { FormatReader, FormatScan, Utf8Source } from '../core/reader.ts';
import { ResumePoints } from '../core/resume-points.ts';
import type { ReadOptions } from '../core/source.ts';
import { borrowKernel, type KernelExports, kernelsRun, reserveMemory, returnKernel, takeOut } from '../kernel/kernel.ts';
import { TokenSampler } from '../tokens/tokens.ts';
import { wasm } from './assembly/text.ts?kernel';

const QUOTE = Uint8Array.of(0x22);

/** The whole text as one string; line ends are kept. */
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

/** JSON text of the bytes in base64. `prefix` must need no escaping. */
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

// Base64 without the kernel, and data URIs.

/** JSON text of the string: `prefix` and the base64 of all bytes. `prefix` must need no escaping. */
async function* base64JsonSlowly(chunks: AsyncIterable<Uint8Array>, prefix = ''): AsyncIterable<Uint8Array> {
  yield Buffer.from(`"${prefix}`, 'latin1');
  // Up to two bytes that wait for the rest of their group of three.
  let carry = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes =
      carry.length > 0 ? Buffer.concat([carry, chunk]) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const whole = bytes.length - (bytes.length % 3);
    if (whole > 0) yield Buffer.from(bytes.toString('base64', 0, whole), 'latin1');
    carry = Buffer.from(bytes.subarray(whole));
  }
  yield Buffer.from(`${carry.toString('base64')}"`, 'latin1');
}

/** `data:text/csv;base64,` for a file name; application/octet-stream if the name is not enough. */
export async function dataUriPrefix(name: string): Promise<string> {
  const { default: mime } = await import('mime');
  return `data:${mime.getType(name) ?? 'application/octet-stream'};base64,`;
}

// The kernel's host.

interface TextExports extends KernelExports {
  escapeText(from: number, to: number, out: number): number;
  base64(from: number, to: number, out: number): number;
}

/** Maximum bytes given to the kernel at once; a multiple of three. */
const PIECE_BYTES = 96 * 1024;
/** Length of the longest escape, `\u00XX`. */
const MOST_ESCAPED = 6;
/** Bytes that the kernel may read or write past the end of any area. */
const SLACK = 64;

class TextKernel {
  private readonly kernel: TextExports;
  private readonly memory: Uint8Array;
  private readonly input: number;
  private readonly out: number;

  constructor() {
    this.kernel = borrowKernel<TextExports>(wasm);
    this.input = this.kernel.heapBase.value;
    this.out = this.input + PIECE_BYTES + SLACK;
    const { memory } = this.kernel;
    reserveMemory(memory, this.out + MOST_ESCAPED * PIECE_BYTES + SLACK);
    this.memory = new Uint8Array(memory.buffer);
  }

  /** Escaped text; may end within a character. A view, valid until the next call. */
  escape(piece: Uint8Array): Uint8Array {
    this.memory.set(piece, this.input);
    return this.memory.subarray(this.out, this.kernel.escapeText(this.input, this.input + piece.length, this.out));
  }

  /** Base64 of a multiple of three bytes. A view, valid until the next call. */
  base64(piece: Uint8Array): Uint8Array {
    this.memory.set(piece, this.input);
    return this.memory.subarray(this.out, this.kernel.base64(this.input, this.input + piece.length, this.out));
  }

  /** Returns the kernel to the pool. */
  close(): void {
    returnKernel(wasm, this.kernel);
  }
}

// Text without the kernel.

const QUOTE_BYTE = 0x22;

/** The whole text as one string; line ends are kept. */
export const readTextSlowly: FormatReader = async (text, context): Promise<FormatScan> => {
  let isEmpty = true;
  for await (const chunk of text.read(context.signal)) isEmpty &&= chunk.length === 0;
  return textScan(isEmpty, { json: (signal) => quotedSlowly(text, signal) });
};

/** Results that every text reader returns. */
function textScan(isEmpty: boolean, found: Pick<FormatScan, 'measured' | 'json'>): FormatScan {
  return {
    ...found,
    kind: 'string',
    columns: null,
    delimiter: null,
    warnings: isEmpty ? [warning('EMPTY_FILE', say('warning.emptyFile'))] : [],
    async *elements() {
      yield* [];
    },
    locate: async () => undefined,
  };
}

async function* quotedSlowly(text: Utf8Source, signal?: AbortSignal): AsyncIterable<Uint8Array> {
  const out = new ByteBuilder();
  out.byte(QUOTE_BYTE);
  for await (const chunk of text.read(signal)) {
    writeEscaped(out, chunk);
    yield out.take();
  }
  out.byte(QUOTE_BYTE);
  yield out.take();
}
