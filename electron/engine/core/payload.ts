/** The engine's output types: JSON text as a stream of byte chunks, whole or by array element. */
import type { PayloadKind } from '../../../shared/model/conversion.ts';
import type { ReadOptions } from './source.ts';

/** JSON text that can be streamed repeatedly without being held in memory. */
export interface JsonStream {
  /** Exact length of the JSON text in bytes. */
  readonly bytes: number;
  /** Streams the UTF-8 JSON text. The receiver owns the chunks, unless it allows memory to be reused. */
  json(signal?: AbortSignal, options?: ReadOptions): AsyncIterable<Uint8Array>;
}

/** A boundary between records of a source at which reading can resume. */
export interface Checkpoint {
  /** Offset in the decoded text, in bytes. */
  readonly offset: number;
  /** Line of the source, from 1. */
  readonly line: number;
}

/**
 * Whole elements of a JSON array: element `i` is `data.subarray(i === 0 ? 0 : ends[i - 1] + 1, ends[i])`,
 * with exactly one comma between neighbours and none at either end. Never empty.
 */
export interface ElementChunk {
  readonly data: Uint8Array;
  /** `data` preceded by one byte for a bracket or comma, which a receiver that allows memory reuse may write. */
  readonly withRoom?: Uint8Array | undefined;
  /** End offset of each element in `data`. */
  readonly ends: Uint32Array;
  /** Line of the source, from 1, on which each element starts; absent if the source has no lines. */
  readonly lines?: Uint32Array;
  /** Where the first element starts; absent if reading cannot resume there. */
  readonly checkpoint?: Checkpoint | undefined;
}

export interface ElementOptions extends ReadOptions {
  readonly signal?: AbortSignal | undefined;
  readonly start?: number | undefined;
}

/** A value ready to be placed into a tool's arguments. */
export interface Payload extends JsonStream {
  readonly kind: PayloadKind;
  /** Number of array elements; 1 for other kinds. */
  readonly records: number;
  /**
   * Streams the elements of an array, skipping the first `start`; throws for other kinds. If the payload can seek,
   * skipped elements are not read.
   */
  elements(options?: ElementOptions): AsyncIterable<ElementChunk>;
}

/** JSON text already in memory, in one piece or several, as a stream. */
export function jsonStreamOf(...parts: readonly Uint8Array[]): JsonStream {
  return {
    bytes: parts.reduce((bytes, part) => bytes + part.byteLength, 0),
    async *json() {
      // Yields the parts one by one: `yield*` on a list costs three ticks per part.
      for (const part of parts) yield part;
    },
  };
}

/** All of a stream that is small enough for memory. */
export async function textOf(stream: JsonStream): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of stream.json()) parts.push(part);
  return Buffer.concat(parts);
}
