/** Reads the top level of a JSON object of any size as a stream. */
import { decodeInside } from './json-members.ts';
import { CLOSE_OBJECT, COLON, COMMA, JsonTokens, MORE, STRING } from './json-tokens.ts';

/** Offsets of an object's braces in its text, and the number of members between them. Bytes. */
export interface ObjectOutline {
  /** Offset after the opening brace. */
  readonly inside: number;
  /** Offset of the closing brace. */
  readonly close: number;
  readonly members: number;
}

/** A member's name, and its value's text unless that is longer than requested. */
export type OnMember = (name: string, value: Uint8Array | undefined) => void;

/** Streams through the text of one valid JSON object. Holds one name and at most `captureBytes` of a value at a time. */
export async function scanObject(json: AsyncIterable<Uint8Array>, onMember: OnMember, captureBytes = 0): Promise<ObjectOutline> {
  const tokens = new JsonTokens();
  const name = new Capture(Number.POSITIVE_INFINITY);
  const value = new Capture(captureBytes);
  const outline = { inside: 0, close: 0, members: 0 };
  let offset = 0;
  let inValue = false;
  const endMember = () => {
    if (!inValue) return;
    onMember(decodeInside(name.take() as Uint8Array), value.take());
    outline.members += 1;
    inValue = false;
  };
  for await (const chunk of json) {
    tokens.load(chunk);
    // Start, in this chunk, of the value's bytes that are not captured yet.
    let from = 0;
    for (let token = tokens.next(1); token !== MORE; token = tokens.next(1)) {
      if (tokens.depth === 0) {
        if (token === CLOSE_OBJECT) {
          outline.close = offset + tokens.from;
          if (inValue) value.add(chunk, from, tokens.from);
          endMember();
        } else outline.inside = offset + tokens.to;
      } else if (token === COMMA) {
        value.add(chunk, from, tokens.from);
        endMember();
      } else if (token === COLON) {
        inValue = true;
        from = tokens.to;
      } else if (token === STRING && !inValue) name.add(chunk, tokens.from, tokens.to);
    }
    if (inValue) value.add(chunk, from, chunk.length);
    offset += chunk.length;
  }
  return outline;
}

/** Collects a text of up to `limit` bytes; longer ones are dropped. */
class Capture {
  readonly #limit: number;
  #parts: Uint8Array[] = [];
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(chunk: Uint8Array, from: number, to: number): void {
    this.#bytes += to - from;
    if (this.#bytes > this.#limit) this.#parts = [];
    else if (to > from) this.#parts.push(chunk.slice(from, to));
  }

  take(): Uint8Array | undefined {
    const text = this.#bytes > this.#limit ? undefined : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    return text;
  }
}
