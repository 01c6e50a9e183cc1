/** The engine's products: JSON text as a stream of byte chunks, whole or by array element. */
import type { PayloadKind } from '../../../shared/model/conversion.ts';
import type { ReadOptions } from './source.ts';

/** JSON text that can be streamed, more than once, without being held. */
export interface JsonStream {
  /** Exact length of the JSON text in bytes. */
  readonly bytes: number;
  /** Streams the UTF-8 JSON text. Chunks belong to the receiver, unless it lets memory be reused. */
  json(signal?: AbortSignal, options?: ReadOptions): AsyncIterable<Uint8Array>;
}

/** A boundary between records of a source, at which reading can be taken up again. */
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
  /** `data` with a byte before it that whoever asked for memory that is used again may write: a bracket or a comma. */
  readonly withRoom?: Uint8Array | undefined;
  /** End offset in `data` of each element. */
  readonly ends: Uint32Array;
  /** Line of the source, from 1, on which each element starts; absent where the source has no lines to name. */
  readonly lines?: Uint32Array;
  /** Where the first element starts; absent where reading cannot be taken up there. */
  readonly checkpoint?: Checkpoint | undefined;
}

export interface ElementOptions extends ReadOptions {
  readonly signal?: AbortSignal | undefined;
  readonly start?: number | undefined;
}

/** A value ready to be placed into a tool's arguments. */
export interface Payload extends JsonStream {
  readonly kind: PayloadKind;
  /** Elements of an array; 1 for anything else. */
  readonly records: number;
  /**
   * Streams the elements of an array, skipping the first `start`; throws for any other kind. Where the payload `seeks`, what
   * is skipped is not read.
   */
  elements(options?: ElementOptions): AsyncIterable<ElementChunk>;
}

/** JSON text already in memory, in one piece or several, as a stream. */
export function jsonStreamOf(...parts: readonly Uint8Array[]): JsonStream {
  return {
    bytes: parts.reduce((bytes, part) => bytes + part.byteLength, 0),
    async *json() {
      // One by one: handing on a list as a whole makes each part wait three turns.
      for (const part of parts) yield part;
    },
  };
}

/** All of a stream that is small enough to be held. */
export async function textOf(stream: JsonStream): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of stream.json()) parts.push(part);
  return Buffer.concat(parts);
}
