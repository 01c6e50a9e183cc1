/** Splits minified JSON text into the elements of its lists. */

import { EventLoopYield } from '../core/event-loop-yield.ts';
import { CLOSE_LIST, COMMA, JsonTokens, MORE, OPEN_LIST } from './json-tokens.ts';
import { NeedsWhole } from './open-objects.ts';

/** Bytes whose elements are yielded together. */
const PIECE_BYTES = 32 * 1024;

/** Maximum length of an element. Bytes. */
const MAX_ELEMENT_BYTES = 4 * 1024 * 1024;

export interface Element {
  /** Index of the object's member that contains the element's list; 0 if the text is a list. */
  readonly member: number;
  readonly json: Buffer;
}

/**
 * The elements of a list, or of all lists that are members of an object, a few at a time; valid until the next ones are
 * requested. `json` must be without whitespace between tokens. Throws NeedsWhole.
 */
export async function* jsonElements(json: AsyncIterable<Uint8Array>): AsyncGenerator<Element[]> {
  const splitter = new ElementSplitter();
  const yielding = new EventLoopYield();
  for await (const chunk of json) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      yield splitter.push(chunk.subarray(at, at + PIECE_BYTES));
      // The receiver may take long for each.
      if (yielding.due) await yielding.pause();
    }
  }
}

class ElementSplitter {
  readonly #tokens = new JsonTokens();
  /** Depth of elements: 1 in a list, 2 in lists that are members of an object. */
  #elementDepth = 2;
  #inList = false;
  #member = 0;
  /** The beginning of an element that continues in the next chunk. */
  #rest: Uint8Array[] = [];
  #restBytes = 0;

  push(chunk: Uint8Array): Element[] {
    const tokens = this.#tokens;
    const found: Element[] = [];
    let from = 0;
    const end = (at: number) => {
      const last = Buffer.from(chunk.buffer, chunk.byteOffset + from, at - from);
      const json = this.#restBytes === 0 ? last : Buffer.concat([...this.#rest, last]);
      this.#rest = [];
      this.#restBytes = 0;
      if (json.length > 0) found.push({ member: this.#member, json });
    };
    tokens.load(chunk);
    for (let token = tokens.next(this.#elementDepth); token !== MORE; token = tokens.next(this.#elementDepth)) {
      const { depth, to } = tokens;
      if (depth === 0 && token === OPEN_LIST) this.#elementDepth = 1;
      const isAround = depth === this.#elementDepth - 1;
      if (isAround && token === OPEN_LIST) {
        this.#inList = true;
        from = to;
      } else if (this.#inList && (isAround ? token === CLOSE_LIST : token === COMMA)) {
        end(tokens.from);
        this.#inList = !isAround;
        from = to;
      } else if (isAround && token === COMMA) this.#member += 1;
    }
    if (this.#inList) this.#keep(chunk.slice(from));
    return found;
  }

  #keep(begun: Uint8Array): void {
    this.#rest.push(begun);
    this.#restBytes += begun.length;
    if (this.#restBytes > MAX_ELEMENT_BYTES) throw new NeedsWhole('an element is too long');
  }
}
