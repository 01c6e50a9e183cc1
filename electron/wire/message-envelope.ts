/** Extracts the envelope of a long JSON-RPC message: the message with its long values replaced by names. */
import { randomUUID } from 'node:crypto';
import { ByteBuilder } from '../engine/core/byte-builder.ts';
import { JsonCheck } from '../engine/json/json-check.ts';
import { JsonTokens, MORE, OPEN_LIST, OPEN_OBJECT } from '../engine/json/json-tokens.ts';

/** Strings up to this size stay in the envelope (bytes as written). */
const LONG_STRING_BYTES = 16 * 1024;
/** Maximum size of the envelope (bytes). */
const MAX_BYTES = 1024 * 1024;

/** More deeply nested extracted values need a full parser. */
const MAX_NESTING = 512;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SMALL_U = 0x75;
/** Characters allowed after a backslash, and after `\\u`. */
const ESCAPED = tableOf('"\\/bfnrtu');
const HEX = tableOf('0123456789abcdefABCDEF');

/** Byte range of a long value: a string without its quotes, or a whole value. */
export interface Passage {
  readonly kind: 'string' | 'value';
  readonly start: number;
  readonly end: number;
}

/** Path of the array or object that is extracted whole. */
const TAKEN_OUT = ['result', 'structuredContent'];

export class MessageEnvelope {
  /** Random prefix of the names in the envelope, so that the message cannot contain them. */
  readonly #mark = randomUUID();
  readonly #out = new ByteBuilder();
  readonly #passages: Passage[] = [];
  #offset = 0;
  #depth = 0;
  /** Number of path members that enclose the current byte. */
  #level = 0;
  #due = false;
  /** The last string, a name if a colon follows. */
  #name = { from: 0, to: 0 };

  #inString = false;
  /** 0 outside an escape, 1 after the backslash, 2 to 5 in the hex digits. */
  #escape = 0;
  /** Start of the string in the message and in the envelope. */
  #stringStart = 0;
  #stringOut = 0;
  #long = false;

  /** Validates the extracted value while it is read. */
  #check: JsonCheck | null = null;
  #takenStart = 0;
  #taken = new JsonTokens();
  /** The extracted value is invalid or too deeply nested. */
  #doubtful = false;
  /** A string contains an invalid character or escape. */
  #malformed = false;

  /** Feeds the next chunk, which must be valid UTF-8. */
  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length && this.#fits; ) {
      if (this.#check) at = this.#takeOut(chunk, at, this.#check);
      else at = this.#inString ? this.#string(chunk, at) : this.#structure(chunk, at);
    }
    this.#offset += chunk.length;
  }

  /** Whether the `result` member has started. */
  sawResult = false;

  /**
   * The envelope, in which names of passages replace the long values; undefined when it would still be too long or only a full
   * parser can decide. Throws SyntaxError for invalid JSON.
   */
  end(): { message: unknown; passages: ReadonlyMap<unknown, Passage> } | undefined {
    const cut = this.#inString || this.#check !== null;
    this.close();
    if (this.#malformed) throw new SyntaxError('a string in it is none of JSON');
    // Reading stopped at the size limit.
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

  /** Reads structure up to and including the next quote. */
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
        // The name is already in the envelope, unless it is long and therefore not a wanted one.
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

  /** Reads string content up to and including the closing quote. */
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

  /** Reads an escape, to its end or the chunk's end. */
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
    this.#taken = new JsonTokens();
    this.#check = new JsonCheck(MAX_NESTING);
  }

  /** Reads the extracted value to its end. */
  #takeOut(chunk: Uint8Array, from: number, check: JsonCheck): number {
    const tokens = this.#taken;
    tokens.load(chunk, from);
    let token = tokens.next(0);
    if (token === OPEN_OBJECT || token === OPEN_LIST) token = tokens.next(0);
    const ended = token !== MORE;
    const at = ended ? tokens.to : chunk.length;
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

/** A 256-entry lookup table: 1 for the given characters. */
function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}
