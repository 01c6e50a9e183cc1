/** One record of a list as a payload of its own. */
import type { PayloadKind } from '../../shared/model/conversion.ts';
import { type ElementChunk, jsonStreamOf, type Payload } from '../engine/core/payload.ts';
import { skipSpace, valueEnd } from '../engine/json/json-members.ts';

const kinds: Readonly<Record<string, PayloadKind>> = {
  '{': 'object',
  '[': 'array',
  '"': 'string',
  t: 'boolean',
  f: 'boolean',
  n: 'null',
};

/** The payload of a valid JSON text that is held in memory. */
export function heldPayload(json: Uint8Array): Payload {
  const kind = kinds[String.fromCharCode(json[skipSpace(json, 0)] as number)] ?? 'number';
  const items = kind === 'array' ? itemsOf(json) : [];
  return {
    ...jsonStreamOf(json),
    kind,
    records: kind === 'array' ? items.length : 1,
    async *elements({ start = 0 } = {}): AsyncGenerator<ElementChunk> {
      for (const data of items.slice(start)) yield { data, ends: Uint32Array.of(data.length) };
    },
  };
}

/** The items of a JSON list, as text. */
function itemsOf(json: Uint8Array): Uint8Array[] {
  const items: Uint8Array[] = [];
  let at = skipSpace(json, skipSpace(json, 0) + 1);
  while (json[at] !== 0x5d) {
    const end = valueEnd(json, at);
    items.push(json.subarray(at, end));
    at = skipSpace(json, end);
    if (json[at] === 0x2c) at = skipSpace(json, at + 1);
  }
  return items;
}

/** The elements of a list one by one, each in memory of its own and with its index, until `bytes` of them were given. */
export async function* recordsOf(
  list: Payload,
  bytes: number,
  signal: AbortSignal,
  isWanted: (index: number) => boolean = () => true,
): AsyncGenerator<{ record: Payload; index: number }> {
  let room = bytes;
  let index = -1;
  for await (const { data, ends } of list.elements({ signal })) {
    let from = 0;
    for (const end of ends) {
      index += 1;
      if (isWanted(index)) {
        room -= end - from;
        if (room < 0) return;
        yield { record: heldPayload(data.slice(from, end)), index };
      }
      from = end + 1;
    }
  }
}
