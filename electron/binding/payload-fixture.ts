/** Builds payloads from JSON texts, for tests. */
import type { ElementChunk, Payload } from '../engine/core/payload.ts';
import { heldPayload } from './payload-parts.ts';

/** A payload for a JSON text, streamed in chunks of `chunkBytes`; counts how often it was opened. */
export function payloadOf(text: string, chunkBytes = 7): Payload & { opened: number } {
  const json = Buffer.from(text);
  const held = heldPayload(json);
  return {
    ...held,
    opened: 0,
    async *json() {
      this.opened += 1;
      for (let at = 0; at < json.length; at += chunkBytes) yield Uint8Array.from(json.subarray(at, at + chunkBytes));
    },
    async *elements(options): AsyncGenerator<ElementChunk> {
      let some: Uint8Array[] = [];
      const chunk = () => {
        let length = -1;
        const ends = Uint32Array.from(some, (each) => (length += each.length + 1));
        return { data: Buffer.from(some.map((each) => Buffer.from(each).toString('utf8')).join(',')), ends };
      };
      for await (const { data } of held.elements(options)) {
        some.push(data);
        if (some.length < 3) continue;
        yield chunk();
        some = [];
      }
      if (some.length > 0) yield chunk();
    },
  };
}

/** A whole stream as text. */
export async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts).toString('utf8');
}
