/** The engine's output: JSON text as a stream of byte chunks, whole or by array element; as a value before it is measured, and as a payload. */
import type { PayloadKind, Transform } from '../../../shared/model/conversion.ts';
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

// Values: what is between a format's reader and the payload.

/** The source position of the value at `pointer` (JSON path segments from the payload's root), where it is known. */
export type Locate = (
  pointer: readonly (string | number)[],
) => Promise<{ line: number; column?: number; columnName?: string } | undefined>;

/** The checkpoint of a chunk, and the index of its first element in the array. */
export interface ResumePoint extends Checkpoint {
  readonly record: number;
}

export interface Value {
  readonly kind: PayloadKind;
  /** JSON text of a value other than an array. */
  json(signal?: AbortSignal, options?: ReadOptions): AsyncIterable<Uint8Array>;
  /** JSON text of an array, if that is faster than element by element. */
  arrayJson?(signal?: AbortSignal, options?: ReadOptions): AsyncIterable<Uint8Array>;
  /** Elements of an array, optionally starting at `from`. */
  elements(signal?: AbortSignal, from?: ResumePoint, options?: ReadOptions): AsyncIterable<ElementChunk>;
  /**
   * The elements after `select`, `rename`, `offset` and `limit`, with their count. Undefined or absent if these steps
   * must be done on the JSON.
   */
  transformedElements?(transform: Transform): Value['elements'] | undefined;
  locate: Locate;
}

const OPEN = Uint8Array.of(0x5b);
const COMMA = Uint8Array.of(0x2c);
const CLOSE = Uint8Array.of(0x5d);

/** The JSON text of an array, from its elements. */
export async function* arrayText(elements: AsyncIterable<ElementChunk>): AsyncIterable<Uint8Array> {
  let separator = OPEN;
  for await (const { data, withRoom } of elements) {
    if (withRoom) {
      withRoom.set(separator);
      yield withRoom;
    } else {
      yield separator.slice();
      yield data;
    }
    separator = COMMA;
  }
  if (separator === OPEN) yield OPEN.slice();
  yield CLOSE.slice();
}

/** The JSON text of any value. */
export function valueText(value: Value, signal?: AbortSignal): AsyncIterable<Uint8Array> {
  return value.kind === 'array' ? arrayText(value.elements(signal)) : value.json(signal);
}

/** All elements except the first `count`. */
export async function* skipElements(
  elements: AsyncIterable<ElementChunk> | Iterable<ElementChunk>,
  count: number,
): AsyncIterable<ElementChunk> {
  let left = count;
  for await (const chunk of elements) {
    const here = chunk.ends.length;
    if (left >= here) {
      left -= here;
      continue;
    }
    if (left === 0) {
      yield chunk;
      continue;
    }
    const cut = (chunk.ends[left - 1] as number) + 1;
    const rest: { data: Uint8Array; ends: Uint32Array; lines?: Uint32Array } = {
      data: chunk.data.subarray(cut),
      ends: chunk.ends.slice(left).map((end) => end - cut),
    };
    if (chunk.lines) rest.lines = chunk.lines.slice(left);
    left = 0;
    yield rest;
  }
}
