/** Builds payloads from JSON texts, for tests. */
import type { PayloadKind } from '../../shared/model/conversion.ts';
import type { ElementChunk, Payload } from '../engine/core/payload.ts';
import { skipSpace, valueEnd } from '../engine/json/json-members.ts';

const kindOf = (value: unknown): PayloadKind =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : (typeof value as PayloadKind);

/** Elements of a JSON list, as text. */
function elementTexts(json: Uint8Array): Uint8Array[] {
  const texts: Uint8Array[] = [];
  let at = skipSpace(json, skipSpace(json, 0) + 1);
  while (json[at] !== 0x5d) {
    const end = valueEnd(json, at);
    texts.push(json.subarray(at, end));
    at = skipSpace(json, end);
    if (json[at] === 0x2c) at = skipSpace(json, at + 1);
  }
  return texts;
}

/** A payload for a JSON text, streamed in chunks of `chunkBytes`; counts how often it was opened. */
export function payloadOf(text: string, chunkBytes = 7): Payload & { opened: number } {
  const json = Buffer.from(text);
  const kind = kindOf(JSON.parse(text));
  const elements = kind === 'array' ? elementTexts(json) : [];
  return {
    kind,
    records: kind === 'array' ? elements.length : 1,
    bytes: json.length,
    opened: 0,
    async *json() {
      this.opened += 1;
      for (let at = 0; at < json.length; at += chunkBytes) yield Uint8Array.from(json.subarray(at, at + chunkBytes));
    },
    async *elements({ start = 0 } = {}): AsyncGenerator<ElementChunk> {
      for (let from = start; from < elements.length; from += 3) {
        const some = elements.slice(from, from + 3);
        let length = -1;
        const ends = Uint32Array.from(some, (each) => (length += each.length + 1));
        yield { data: Buffer.from(some.map((each) => Buffer.from(each).toString('utf8')).join(',')), ends };
      }
    },
  };
}

/** A whole stream as text. */
export async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts).toString('utf8');
}
