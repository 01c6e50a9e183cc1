/** What a long JSON-RPC message is without the long things in it, gathered while it passes by. */
import { randomUUID } from 'node:crypto';
import { ByteBuilder } from '../engine/core/byte-builder.ts';
import { JsonCheck } from '../engine/json/json-check.ts';

/** Strings up to this size stay where they are. Bytes, as written. */
const LONG_STRING_BYTES = 16 * 1024;
/** What is left may not be longer, or it is no envelope. Bytes. */
const MAX_BYTES = 1024 * 1024;

/** What is taken out and nested deeper is for a parser to judge. */
const MAX_NESTING = 512;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SMALL_U = 0x75;
const OPEN_OBJECT = 0x7b;
const OPEN_LIST = 0x5b;
/** What may follow a backslash, and what a `\\u`. */
const ESCAPED = tableOf('"\\/bfnrtu');
const HEX = tableOf('0123456789abcdefABCDEF');

/** Where in the message something long stands: a string without its quotes, or a value as it is. */
export interface Passage {
  readonly kind: 'string' | 'value';
  readonly start: number;
  readonly end: number;
}

/** The way to what is taken out whole where it is a list or an object. */
const TAKEN_OUT = ['result', 'structuredContent'];

export class MessageEnvelope {
  /** Marks the places, in a text that somebody else has written. */
  readonly #mark = randomUUID();
  readonly #out = new ByteBuilder();
  readonly #passages: Passage[] = [];
  #offset = 0;
  #depth = 0;
  /** How many members on the way to what is taken out are open around the current byte. */
  #level = 0;
  #due = false;
  /** The last string, which a colon makes a name. */
  #name = { from: 0, to: 0 };

  #inString = false;
  /** 0 outside of an escape, 1 after its backslash, 2 to 5 in its digits. */
  #escape = 0;
  /** Where the string begins, in the message and in what is left of it. */
  #stringStart = 0;
  #stringOut = 0;
  #long = false;

  /** Checks what is taken out while it passes by. */
  #check: JsonCheck | null = null;
  #takenStart = 0;
  #takenDepth = 0;
  /** Something in what is taken out is wrong, or deep. */
  #doubtful = false;
  /** A string is none. */
  #malformed = false;

  /** Fed the message in valid UTF-8. */
  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length && this.#fits; ) {
      if (this.#check) at = this.#takeOut(chunk, at, this.#check);
      else at = this.#inString ? this.#string(chunk, at) : this.#structure(chunk, at);
    }
    this.#offset += chunk.length;
  }

  /** Whether an answer's result has begun. */
  sawResult = false;

  /**
   * The message in which the name of a `Passage` stands for each long thing; undefined where it would be long all the same, or only a
   * parser can judge it. Throws SyntaxError for what is no JSON.
   */
  end(): { message: unknown; passages: ReadonlyMap<unknown, Passage> } | undefined {
    const cut = this.#inString || this.#check !== null;
    this.close();
    if (this.#malformed) throw new SyntaxError('a string in it is none of JSON');
    // It was read no further than to where it did not fit.
    if (!this.#fits) return undefined;
    if (cut) throw new SyntaxError('it ends inside a value');
    const passages = new Map(this.#passages.map((passage, index) => [this.#placeholder(index), passage] as const));
    return { message: JSON.parse(Buffer.from(this.#out.take()).toString()), passages };
  }

  close(): void {
    this.#check?.close();
    this.#check = null;
  }

  get #fits(): boolean {
    return !this.#doubtful && !this.#malformed && this.#out.length <= MAX_BYTES;
  }

  #placeholder(index: number): string {
    return `${this.#mark}:${index}`;
  }

  #putPlaceholder(): void {
    this.#out.bytes(Buffer.from(this.#placeholder(this.#passages.length)));
  }

  /** Reads on between strings, to after the next quote. */
  #structure(chunk: Uint8Array, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (byte === QUOTE) {
        this.#out.bytes(chunk, from, at + 1);
        this.#inString = true;
        this.#due = false;
        this.#stringStart = this.#offset + at + 1;
        this.#stringOut = this.#out.length;
        this.#long = false;
        return at + 1;
      }
      if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        if (this.#due && this.#level === TAKEN_OUT.length - 1) {
          this.#out.bytes(chunk, from, at);
          this.#beginTakingOut(this.#offset + at);
          return at;
        }
        this.#depth += 1;
        if (this.#due && byte === OPEN_OBJECT) this.#level += 1;
        if (this.#level > 0) this.sawResult = true;
        this.#due = false;
      } else if (byte === 0x7d || byte === 0x5d) {
        this.#due = false;
        this.#depth -= 1;
        if (this.#depth <= this.#level) this.#level = Math.max(0, this.#depth - 1);
      } else if (byte === 0x3a) {
        // The name is already in what is left, unless it is long and none that is looked for.
        this.#due = this.#depth === this.#level + 1 && this.#nameIs(TAKEN_OUT[this.#level]);
      } else if (byte === 0x2c) this.#due = false;
    }
    this.#out.bytes(chunk, from);
    return chunk.length;
  }

  #nameIs(wanted: string | undefined): boolean {
    const { from, to } = this.#name;
    if (wanted === undefined || to - from !== wanted.length) return false;
    return Buffer.from(this.#out.buffer.subarray(from, to)).toString('latin1') === wanted;
  }

  /** Reads on in a string, to after its closing quote. */
  #string(chunk: Uint8Array, from: number): number {
    const { length } = chunk;
    let end = this.#restOfEscape(chunk, from);
    for (; end < length; end += 1) {
      const byte = chunk[end] as number;
      if (byte > BACKSLASH) continue;
      if (byte === QUOTE) break;
      if (byte < 0x20) this.#malformed = true;
      if (byte !== BACKSLASH) continue;
      const next = chunk[end + 1];
      if (next !== undefined && next !== SMALL_U) {
        if (ESCAPED[next] === 0) this.#malformed = true;
        end += 1;
      } else {
        this.#escape = 1;
        end = this.#restOfEscape(chunk, end + 1) - 1;
      }
    }
    if (this.#malformed) return length;
    const ended = end < length;
    if (!this.#long) this.#out.bytes(chunk, from, end);
    if (!this.#long && this.#out.length - this.#stringOut > LONG_STRING_BYTES) {
      this.#long = true;
      this.#out.length = this.#stringOut;
      this.#putPlaceholder();
    }
    if (ended) {
      if (this.#long) this.#passages.push({ kind: 'string', start: this.#stringStart, end: this.#offset + end });
      this.#name = { from: this.#stringOut, to: this.#out.length };
      this.#out.byte(QUOTE);
      this.#inString = false;
    }
    return ended ? end + 1 : end;
  }

  /** Reads on in an escape, to after it or to the chunk's end. */
  #restOfEscape(chunk: Uint8Array, from: number): number {
    let step = this.#escape;
    let at = from;
    for (; step > 0 && at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      if ((step === 1 ? ESCAPED : HEX)[byte] === 0) this.#malformed = true;
      if (step === 1) step = byte === SMALL_U ? 2 : 0;
      else step = step === 5 ? 0 : step + 1;
    }
    this.#escape = step;
    return at;
  }

  #beginTakingOut(offset: number): void {
    this.#due = false;
    this.#takenStart = offset;
    this.#takenDepth = 0;
    this.#inString = false;
    this.#check = new JsonCheck(MAX_NESTING);
  }

  /** Reads on in what is taken out, to its end. */
  #takeOut(chunk: Uint8Array, from: number, check: JsonCheck): number {
    const { length } = chunk;
    let inString = this.#inString;
    let escaped = this.#escape === 1;
    let depth = this.#takenDepth;
    let at = from;
    let ended = false;
    while (at < length && !ended) {
      if (inString) {
        const quote = closingQuote(chunk, escaped ? at + 1 : at);
        escaped = quote > length;
        inString = quote >= length;
        at = Math.min(quote + 1, length);
        continue;
      }
      for (; at < length && !inString && !ended; at += 1) {
        const byte = chunk[at] as number;
        if (byte === QUOTE) inString = true;
        else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1;
        else if (byte === 0x7d || byte === 0x5d) {
          depth -= 1;
          ended = depth === 0;
        }
      }
    }
    this.#inString = inString;
    this.#escape = Number(escaped);
    this.#takenDepth = depth;
    check.push(chunk.subarray(from, at));
    if (!check.fits || (ended && !check.end())) this.#doubtful = true;
    if (ended && !this.#doubtful) {
      this.#out.byte(QUOTE);
      this.#putPlaceholder();
      this.#out.byte(QUOTE);
      this.#passages.push({ kind: 'value', start: this.#takenStart, end: this.#offset + at });
      this.#check = null;
    }
    return at;
  }
}

/** Where the quote of a string that is read from `from` on stands; the chunk's length or more where it goes on, more if in an escape. */
function closingQuote(chunk: Uint8Array, from: number): number {
  let at = from;
  for (; at < chunk.length; at += 1) {
    const byte = chunk[at] as number;
    if (byte > BACKSLASH) continue;
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at += 1;
  }
  return at;
}

/** One for each byte that may be there, zero for any other. */
function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}
