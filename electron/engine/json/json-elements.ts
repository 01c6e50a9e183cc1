/** Splits minified JSON text into the elements of its lists, and these into their members. */

import { EventLoopYield } from '../core/event-loop-yield.ts';
import { NeedsWhole } from './open-objects.ts';

/** Bytes whose elements are yielded together. */
const PIECE_BYTES = 32 * 1024;

/** Maximum length of an element. Bytes. */
const MAX_ELEMENT_BYTES = 4 * 1024 * 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

export interface Element {
  /** Index of the object's member that contains the element's list; 0 if the text is a list. */
  readonly member: number;
  readonly text: string;
}

/**
 * The elements of a list, or of all lists that are members of an object, a few at a time. `json` must be without
 * whitespace between tokens. Throws NeedsWhole.
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
  #depth = 0;
  /** Where elements begin and end in a list of them. */
  #elementDepth = 0;
  #inList = false;
  #member = 0;
  #inString = false;
  #escaped = false;
  /** The beginning of an element that continues in the next chunk. */
  #rest: Uint8Array[] = [];
  #restBytes = 0;

  push(chunk: Uint8Array): Element[] {
    const found: Element[] = [];
    const { length } = chunk;
    let from = 0;
    const end = (at: number) => {
      const last = Buffer.from(chunk.buffer, chunk.byteOffset + from, at - from);
      const text = this.#restBytes === 0 ? last.toString() : Buffer.concat([...this.#rest, last]).toString();
      this.#rest = [];
      this.#restBytes = 0;
      from = at + 1;
      if (text !== '') found.push({ member: this.#member, text });
    };
    let at = this.#inString ? this.#restOfString(chunk, 0) : 0;
    let depth = this.#depth;
    for (; at < length; at += 1) {
      const byte = chunk[at] as number;
      if (byte === QUOTE) at = this.#restOfString(chunk, at + 1) - 1;
      else if (byte === COMMA) {
        if (this.#inList && depth === this.#elementDepth) end(at);
        else if (depth === 1) this.#member += 1;
      } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        depth += 1;
        if (depth === 1) this.#elementDepth = byte === OPEN_LIST ? 1 : 2;
        if (depth === this.#elementDepth && byte === OPEN_LIST) {
          this.#inList = true;
          from = at + 1;
        }
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        if (this.#inList && depth === this.#elementDepth) {
          end(at);
          this.#inList = false;
        }
        depth -= 1;
      }
    }
    this.#depth = depth;
    if (this.#inList) this.#keep(chunk.slice(from));
    return found;
  }

  /** Continues in a string, to after its closing quote. */
  #restOfString(chunk: Uint8Array, from: number): number {
    let at = this.#escaped ? from + 1 : from;
    let byte = 0;
    for (; at < chunk.length; at += 1) {
      byte = chunk[at] as number;
      if (byte === QUOTE) break;
      if (byte === BACKSLASH) at += 1;
    }
    this.#inString = at >= chunk.length;
    this.#escaped = at > chunk.length;
    return Math.min(at + 1, chunk.length);
  }

  #keep(begun: Uint8Array): void {
    this.#rest.push(begun);
    this.#restBytes += begun.length;
    if (this.#restBytes > MAX_ELEMENT_BYTES) throw new NeedsWhole('an element is too long');
  }
}

/** The values in the text of a list or object, each as text; for an object with the texts of their names. */
export function* jsonMembers(text: string): Generator<{ name: string; value: string }> {
  const inObject = text.startsWith('{');
  for (let at = 1; at < text.length - 1; at += 1) {
    let name = '';
    if (inObject) {
      const end = stringEnd(text, at);
      name = text.slice(at, end);
      at = end + 1;
    }
    const end = valueEnd(text, at);
    yield { name, value: text.slice(at, end) };
    at = end;
  }
}

/** End of the string that begins with the quote at `from`. */
function stringEnd(text: string, from: number): number {
  for (let at = from + 1; ; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE || Number.isNaN(unit)) return at + 1;
    if (unit === BACKSLASH) at += 1;
  }
}

/** End of the value that begins at `from`. */
function valueEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = stringEnd(text, at) - 1;
    else if (unit === OPEN_LIST || unit === OPEN_OBJECT) depth += 1;
    else if (unit === COMMA && depth === 0) return at;
    else if (unit === CLOSE_LIST || unit === CLOSE_OBJECT) {
      if (depth === 0) return at;
      depth -= 1;
    }
  }
  return text.length;
}
