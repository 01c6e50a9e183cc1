/** A JSON value between a format's reader and the payload, before it is measured. */
import type { PayloadKind, Transform } from '../../../shared/model/conversion.ts';
import type { Conversion } from './convert-types.ts';
import type { Checkpoint, ElementChunk } from './payload.ts';
import type { ReadOptions } from './source.ts';

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
  locate: Conversion['locate'];
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
