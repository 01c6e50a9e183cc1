/** Finds the line and column of one value in a JSON text. */
import type { Place } from '../core/failures.ts';
import type { Utf8Source } from '../core/reader.ts';
import { decodeInside } from './json-members.ts';
import { CLOSE_LIST, CLOSE_OBJECT, COLON, COMMA, JsonTokens, MORE, OPEN_LIST, OPEN_OBJECT, STRING } from './json-tokens.ts';

type Pointer = readonly (string | number)[];

/**
 * Start of the value at `pointer`; for duplicate keys the last one, as in JSON.parse. Undefined if there is no such
 * value. The text must have been validated before.
 */
export async function locateInJson(text: Utf8Source, pointer: Pointer): Promise<Place | undefined> {
  const tokens = new JsonTokens();
  const search = new PointerSearch(pointer.map(String));
  const position = new Position();
  let found: Place | undefined;
  for await (const chunk of text.read()) {
    tokens.load(chunk);
    position.load(chunk);
    for (let token = tokens.next(search.depth); token !== MORE; token = tokens.next(search.depth)) {
      const step = search.take(token, tokens, chunk);
      if (step === 'passed') return found;
      if (step === 'again') found = undefined;
      if (step === 'found') found = position.at(token === STRING ? tokens.from - 1 : tokens.from);
    }
    position.at(chunk.length);
  }
  return found;
}

class PointerSearch {
  readonly #path: readonly string[];
  /** For each list or object that the path has led into: index of the list's current element, OBJECT for an object. */
  readonly #indexes: number[] = [];
  #nameDue = false;
  #name: Uint8Array[] = [];
  /** Whether the object's current member has the wanted name. */
  #isNamed = false;

  constructor(path: readonly string[]) {
    this.#path = path;
  }

  /** Deeper tokens are of no interest. */
  get depth(): number {
    return this.#indexes.length;
  }

  /** `again`: the path leads here another time, perhaps not to its end. `passed`: nothing that follows can be meant. */
  take(token: number, { depth, from, to, begins }: JsonTokens, chunk: Uint8Array): 'found' | 'again' | 'passed' | undefined {
    const indexes = this.#indexes;
    const open = indexes.length;
    const index = indexes[open - 1] ?? OBJECT;
    const wanted = this.#path[open - 1] as string;
    if (depth < open) {
      indexes.pop();
      return undefined;
    }
    if (token === COMMA) {
      this.#isNamed = false;
      this.#nameDue = index === OBJECT;
      if (index !== OBJECT) indexes[open - 1] = index + 1;
      return open === 1 && index + 1 > Number(wanted) ? 'passed' : undefined;
    }
    if (token === COLON) {
      this.#nameDue = false;
      this.#isNamed = decodeInside(Buffer.concat(this.#name)) === wanted;
      this.#name = [];
      return undefined;
    }
    if (token === STRING && this.#nameDue) this.#name.push(chunk.slice(from, to));
    const isValue = begins && !this.#nameDue && token !== CLOSE_LIST && token !== CLOSE_OBJECT;
    if (!isValue || !(open === 0 || (index === OBJECT ? this.#isNamed : String(index) === wanted))) return undefined;
    if (open === this.#path.length) return 'found';
    if (token === OPEN_LIST) indexes.push(0);
    if (token === OPEN_OBJECT) indexes.push(OBJECT);
    this.#nameDue = token === OPEN_OBJECT;
    return 'again';
  }
}

const OBJECT = -1;

/** Counts lines, which end with LF, CR or both, and characters. */
class Position {
  #chunk: Uint8Array = new Uint8Array(0);
  #read = 0;
  #line = 1;
  #column = 0;
  #afterCr = false;

  load(chunk: Uint8Array): void {
    this.#chunk = chunk;
    this.#read = 0;
  }

  /** The place of the byte at this offset of the chunk. Offsets must not decrease. */
  at(offset: number): Place {
    for (; this.#read < offset; this.#read += 1) {
      const byte = this.#chunk[this.#read] as number;
      const isCr = byte === 0x0d;
      if (isCr || byte === 0x0a) {
        if (isCr || !this.#afterCr) this.#line += 1;
        this.#column = 0;
      } else if (byte < 0x80 || byte >= 0xc0) this.#column += 1;
      this.#afterCr = isCr;
    }
    return { line: this.#line, column: this.#column + 1 };
  }
}
