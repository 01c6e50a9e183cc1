/** Splits JSON texts into tokens while they arrive in chunks. */

/** The chunk is used up. */
export const MORE = 0;
/** A number, `true`, `false` or `null`. */
export const SCALAR = 1;
// Other tokens are named by their first byte.
export const STRING = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_LIST = 0x5b;
export const CLOSE_LIST = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Turns brackets into braces. */
const BRACE = 0x20;

/** For each byte: whether it ends a number or a literal. */
const endsScalar = new Uint8Array(256);
for (const byte of Buffer.from(' \t\n\r",:[]{}')) endsScalar[byte] = 1;

/**
 * Finds tokens without validating them. Load a chunk, call `next` until it returns MORE, and load the following one.
 * Strings and scalars that reach beyond a chunk are reported in pieces. A string whose following token is COLON is a name.
 */
export class JsonTokens {
  /** The token's bytes in the chunk, a string's without its quotes. */
  from = 0;
  to = 0;
  /** Number of lists and objects around the token; a bracket is outside of what it encloses. */
  depth = 0;
  /** Whether the token begins, and ends, with this piece. A scalar's last piece may be empty. */
  begins = true;
  ends = true;
  /** The largest number of lists and objects that were open at once. */
  deepest = 0;

  #chunk: Uint8Array = new Uint8Array(0);
  #at = 0;
  #end = 0;
  /** Number of open lists and objects. */
  #open = 0;
  #inString = false;
  #escaped = false;
  #inScalar = false;

  load(chunk: Uint8Array, from = 0, to = chunk.length): void {
    this.#chunk = chunk;
    this.#at = from;
    this.#end = to;
  }

  /** Position in the chunk after the last token. */
  get at(): number {
    return this.#at;
  }

  /** The next token's kind. Tokens deeper than `limit` are passed over. */
  next(limit = Number.POSITIVE_INFINITY): number {
    const chunk = this.#chunk;
    const end = this.#end;
    for (;;) {
      if (this.#open > limit && !this.#inString) this.#pass(limit);
      let at = this.#at;
      if (this.#inString) {
        if (at >= end) return MORE;
        this.begins = false;
        this.#string(at);
        if (this.#open > limit) continue;
        return STRING;
      }
      if (this.#inScalar) {
        if (at >= end) return MORE;
        this.begins = false;
        return this.#scalar(at);
      }
      while (at < end && (chunk[at] as number) <= 0x20) at += 1;
      if (at >= end) {
        this.#at = at;
        return MORE;
      }
      const byte = chunk[at] as number;
      this.begins = true;
      this.depth = this.#open;
      if (byte === QUOTE) {
        this.#string(at + 1);
        return STRING;
      }
      if (endsScalar[byte] === 0) return this.#scalar(at);
      this.from = at;
      this.to = at + 1;
      this.#at = at + 1;
      this.ends = true;
      if ((byte | BRACE) === OPEN_OBJECT) {
        this.#open += 1;
        if (this.#open > this.deepest) this.deepest = this.#open;
      } else if ((byte | BRACE) === CLOSE_OBJECT) {
        this.#open -= 1;
        this.depth = this.#open;
      }
      return byte;
    }
  }

  /** Passes over tokens, up to the bracket that leads back to `limit` or to the chunk's end. */
  #pass(limit: number): void {
    const chunk = this.#chunk;
    const end = this.#end;
    let at = this.#at;
    let open = this.#open;
    for (; at < end; at += 1) {
      const byte = chunk[at] as number;
      if (byte === QUOTE) {
        at = closingQuote(chunk, at + 1, end);
        if (at >= end) {
          this.#inString = true;
          this.#escaped = at > end;
          at = end;
          break;
        }
      } else if ((byte | BRACE) === OPEN_OBJECT) {
        open += 1;
        if (open > this.deepest) this.deepest = open;
      } else if ((byte | BRACE) === CLOSE_OBJECT) {
        if (open === limit + 1) break;
        open -= 1;
      }
    }
    this.#inScalar = false;
    this.#open = open;
    this.#at = at;
  }

  /** Reads a string from `at` to its closing quote or the chunk's end. */
  #string(at: number): void {
    const end = this.#end;
    const quote = closingQuote(this.#chunk, this.#escaped ? at + 1 : at, end);
    this.from = at;
    this.to = Math.min(quote, end);
    this.ends = quote < end;
    this.#inString = !this.ends;
    this.#escaped = quote > end;
    this.#at = this.ends ? quote + 1 : end;
    this.depth = this.#open;
  }

  #scalar(at: number): number {
    const chunk = this.#chunk;
    const end = this.#end;
    let to = at;
    while (to < end && endsScalar[chunk[to] as number] === 0) to += 1;
    this.from = at;
    this.to = to;
    this.ends = to < end;
    this.#inScalar = !this.ends;
    this.#at = to;
    this.depth = this.#open;
    return SCALAR;
  }
}

/** Position of the quote that closes a string; `end` or, inside an escape, more if the string continues. */
function closingQuote(chunk: Uint8Array, from: number, end: number): number {
  let at = from;
  for (; at < end; at += 1) {
    const byte = chunk[at] as number;
    if (byte === QUOTE) break;
    if (byte === BACKSLASH) at += 1;
  }
  return at;
}
