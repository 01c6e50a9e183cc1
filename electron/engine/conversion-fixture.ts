/** What the engine's tests convert with: bounds, chunked sources, and results as plain values. */

import { AppError } from '../../shared/model/errors.ts';
import { convert } from './convert.ts';
import type { Conversion, ConvertRequest, EngineBounds } from './convert-types.ts';
import type { ByteSource, ReadOptions } from './source.ts';

export const testBounds: EngineBounds = {
  maxFileBytes: 10 * 1024 * 1024,
  maxStreamedFileBytes: 4 * 1024 ** 3,
  maxNesting: 512,
  expressionTimeoutMs: 5_000,
  expressionMemoryBytes: 256 * 1024 * 1024,
};

export type TestOptions = Partial<ConvertRequest>;

/**
 * A source that hands out chunks of the given sizes in turn, over and over. Where memory may be reused it does so at the first
 * chance: a chunk turns to rubbish before the next is given. They are Buffers, whose `slice` makes no copy.
 */
export function chunkedSource(name: string, content: string | Uint8Array, sizes: readonly number[] = [64 * 1024]): ByteSource {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  async function* readFrom(offset: number, signal?: AbortSignal, options?: ReadOptions) {
    let turn = 0;
    for (let at = offset; at < bytes.length; ) {
      signal?.throwIfAborted();
      const size = sizes[turn++ % sizes.length] as number;
      const chunk = Buffer.from(bytes.subarray(at, at + size));
      yield chunk;
      if (options?.reuse) chunk.fill(0xa5);
      at += size;
    }
  }
  return { name, size: bytes.length, read: (signal, options) => readFrom(0, signal, options), readFrom };
}

export function convertBytes(name: string, content: string | Uint8Array, options: TestOptions = {}): Promise<Conversion> {
  return convert(chunkedSource(name, content), { bounds: testBounds, ...options });
}

/** The JSON text of a conversion, as one string. */
export async function jsonText(conversion: Conversion): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let text = '';
  for await (const chunk of conversion.json()) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

/** The JSON text that a file becomes. */
export async function jsonOf(name: string, content: string | Uint8Array, options: TestOptions = {}): Promise<string> {
  return jsonText(await convertBytes(name, content, options));
}

/** The value that a file becomes. */
export async function parsedOf(name: string, content: string | Uint8Array, options: TestOptions = {}): Promise<unknown> {
  return JSON.parse(await jsonOf(name, content, options));
}

/** The error that a file fails with; fails itself if there is none. */
export async function failureOf(name: string, content: string | Uint8Array, options: TestOptions = {}): Promise<AppError> {
  try {
    await convertBytes(name, content, options);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error(`${name} was expected to fail, but was converted`);
}
