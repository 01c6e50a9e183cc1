/** Rewrites JSON bytes as JSON.stringify(JSON.parse(text)) would, without building values. */
import { settleNumber } from './json-number.ts';
import { escapedPoint, LONGEST_ESCAPE, spellPoint } from './json-strings.ts';
import { NeedsWhole, OpenObjects } from './open-objects.ts';

/** `pretty`: as JSON.stringify with an indentation of two; `lines`: each element of a list on a separate line. */
export type JsonStyle = 'pretty' | 'compact' | 'lines';

/** Maximum bytes read at once. */
export const PIECE_BYTES = 64 * 1024;
/** Amount of output from which on it must be taken. */
const FULL_BYTES = 512 * 1024;
/** Maximum size of an object whose members are reordered at its end, and of a number or name. Bytes. */
const HELD_BYTES = 32 * 1024;
/** Maximum output for a token beyond its input bytes. */
const SLACK = 64;

const LF = 0x0a;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const SLASH = 0x2f;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const SMALL_U = 0x75;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Characters of a number. */
const inNumber = new Uint8Array(256);
for (const byte of Buffer.from('0123456789+-.eE')) inNumber[byte] = 1;

const NONE = -1;

/** Takes the valid JSON text of a list or object in pieces. */
export class JsonRewriter {
  readonly #pretty: boolean;
  readonly #lines: boolean;
  readonly #open = new OpenObjects();
  #out = new Uint8Array(FULL_BYTES + HELD_BYTES + PIECE_BYTES + SLACK);
  #end = 0;
  /** Output that was taken. */
  #taken = 0;
  /** Whether the innermost list or object is empty so far. */
  #empty = false;
  /** Whether the next string is a name. */
  #nameDue = false;
  #inString = false;
  /** Where the current name or number begins in the output. */
  #name = NONE;
  #number = NONE;

  constructor(style: JsonStyle) {
    this.#pretty = style === 'pretty';
    this.#lines = style === 'lines';
  }

  /** Whether output must be taken before more is written. */
  get full(): boolean {
    return this.#end - this.#taken >= FULL_BYTES;
  }

  /** The finished output: a view, valid until the next `write`. Throws NeedsWhole. */
  take(): Uint8Array {
    const held = this.#end - HELD_BYTES;
    let end = this.#open.passUpTo(this.#out, held, this.#end);
    for (const token of [this.#name, this.#number]) {
      if (token === NONE) continue;
      if (token < held) throw new NeedsWhole('a name or a number is too long');
      end = Math.min(end, token);
    }
    this.#taken = end;
    return this.#out.subarray(0, end);
  }

  /**
   * Reads `bytes` from `from` to `to`. Returns where it stopped: before a possibly incomplete escape, or because the
   * output is full. `last`: nothing follows. Throws NeedsWhole.
   */
  write(bytes: Uint8Array, from: number, to: number, last = false): number {
    this.#drop();
    this.#room(this.#end, to - from);
    let at = from;
    while (at < to && this.#end < FULL_BYTES) {
      if (this.#inString) {
        const next = this.#string(bytes, at, to, last);
        if (next === at) break;
        at = next;
      } else if (this.#number !== NONE) at = this.#numberFrom(bytes, at, to);
      else at = this.#structure(bytes, at, to);
    }
    return at;
  }

  /** Reads tokens between values, and whole short values, up to the inside of a long one. */
  #structure(bytes: Uint8Array, from: number, to: number): number {
    const pretty = this.#pretty;
    const open = this.#open;
    let out = this.#out;
    let o = this.#end;
    let at = from;
    let { depth } = open;
    let inObject = open.inObject;
    let nameDue = this.#nameDue;
    for (; at < to && o < FULL_BYTES; at += 1) {
      const byte = bytes[at] as number;
      if (byte <= SPACE) continue;
      if (byte === COLON) {
        nameDue = false;
        out[o++] = COLON;
        if (pretty) out[o++] = SPACE;
        continue;
      }
      if (byte === COMMA) {
        nameDue = inObject;
        if (this.#lines && depth === 1 && !inObject) out[o++] = LF;
        else {
          out[o++] = COMMA;
          if (pretty) {
            out = this.#room(o, 1 + 2 * depth + to - at);
            o = newLine(out, o, depth);
          }
        }
        continue;
      }
      if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        o = open.close(out, o, pretty ? 2 + 2 * depth : 1);
        const asLines = this.#lines && depth === 1;
        depth -= 1;
        if (pretty && !this.#empty) {
          out = this.#room(o, 1 + 2 * depth + to - at);
          o = newLine(out, o, depth);
        }
        this.#empty = false;
        if (!(asLines && !inObject)) out[o++] = byte;
        if (asLines) out[o++] = LF;
        nameDue = false;
        inObject = open.inObject;
        continue;
      }
      if (this.#empty) {
        this.#empty = false;
        if (pretty) {
          out = this.#room(o, 1 + 2 * depth + to - at);
          o = newLine(out, o, depth);
        }
      }
      if (byte === QUOTE) {
        out[o++] = QUOTE;
        const start = o;
        at += 1;
        let next = 0;
        for (; at < to; at += 1) {
          next = bytes[at] as number;
          if (next === QUOTE || next === BACKSLASH) break;
          out[o++] = next;
        }
        if (at < to && next === QUOTE) {
          if (nameDue) open.name(out, start, o);
          out[o++] = QUOTE;
          continue;
        }
        this.#inString = true;
        if (nameDue) this.#name = start;
        break;
      }
      if (inNumber[byte] === 1) {
        const start = o;
        for (; at < to && inNumber[bytes[at] as number] === 1; at += 1) out[o++] = bytes[at] as number;
        if (at === to) {
          this.#number = start;
          break;
        }
        o = settleNumber(out, start, o);
        at -= 1;
        continue;
      }
      if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        inObject = byte === OPEN_OBJECT;
        open.open(!inObject, o);
        depth += 1;
        this.#empty = true;
        nameDue = inObject;
        if (this.#lines && depth === 1 && !inObject) continue;
      }
      out[o++] = byte;
    }
    this.#nameDue = nameDue;
    this.#end = o;
    return at;
  }

  /** Continues in a string, to after its closing quote. */
  #string(bytes: Uint8Array, from: number, to: number, last: boolean): number {
    const out = this.#out;
    let o = this.#end;
    let at = from;
    while (at < to) {
      let byte = 0;
      for (; at < to; at += 1) {
        byte = bytes[at] as number;
        if (byte === QUOTE || byte === BACKSLASH) break;
        out[o++] = byte;
      }
      if (at === to) break;
      if (byte === QUOTE) {
        if (this.#name !== NONE) {
          this.#open.name(out, this.#name, o);
          this.#name = NONE;
        }
        out[o++] = QUOTE;
        at += 1;
        this.#inString = false;
        break;
      }
      if (to - at < LONGEST_ESCAPE && !last) break;
      const next = bytes[at + 1] as number;
      if (next === SMALL_U) {
        const point = escapedPoint(bytes, at, to);
        o = spellPoint(out, o, point);
        at += point > 0xffff ? LONGEST_ESCAPE : LONGEST_ESCAPE / 2;
      } else {
        if (next !== SLASH) out[o++] = BACKSLASH;
        out[o++] = next;
        at += 2;
      }
    }
    this.#end = o;
    return at;
  }

  /** Continues in a number and finishes it at its end. */
  #numberFrom(bytes: Uint8Array, from: number, to: number): number {
    const out = this.#out;
    let o = this.#end;
    let at = from;
    for (; at < to; at += 1) {
      const byte = bytes[at] as number;
      if (inNumber[byte] === 0) break;
      out[o++] = byte;
    }
    if (at < to) {
      o = settleNumber(out, this.#number, o);
      this.#number = NONE;
    }
    this.#end = o;
    return at;
  }

  /** Removes taken output from the buffer. */
  #drop(): void {
    const bytes = this.#taken;
    if (bytes === 0) return;
    this.#out.copyWithin(0, bytes, this.#end);
    this.#open.shift(bytes);
    if (this.#name !== NONE) this.#name -= bytes;
    if (this.#number !== NONE) this.#number -= bytes;
    this.#end -= bytes;
    this.#taken = 0;
  }

  /** The output buffer with room for this many bytes after `end`. */
  #room(end: number, bytes: number): Uint8Array<ArrayBuffer> {
    const needed = end + bytes + SLACK;
    if (needed > this.#out.length) {
      const grown = new Uint8Array(2 * needed);
      grown.set(this.#out.subarray(0, end));
      this.#out = grown;
    }
    return this.#out;
  }
}

function newLine(out: Uint8Array, at: number, depth: number): number {
  const end = at + 1 + 2 * depth;
  out[at] = LF;
  for (let o = at + 1; o < end; o += 1) out[o] = SPACE;
  return end;
}
