/** Converts JSON strings as streams: decodes what is between the quotes, and encodes bytes as a string. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SMALL_U = 0x75;

/** Bytes of the longest escape, a surrogate pair. */
export const LONGEST_ESCAPE = 12;
/** Maximum output for an escaped byte. */
const MOST_ESCAPED = 6;

/** The byte that a backslash and a letter decode to. */
const SHORT = Uint8Array.from({ length: 256 }, (_, byte) => byte);
for (const [letter, meant] of Object.entries({ b: 0x08, f: 0x0c, n: 0x0a, r: 0x0d, t: 0x09 }))
  SHORT[letter.charCodeAt(0)] = meant;

/** Values of hexadecimal digits. */
const HEX = new Uint8Array(256);
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  HEX[digit.charCodeAt(0)] = value;
  HEX[digit.toUpperCase().charCodeAt(0)] = value;
}

/** Escapes of control characters as JSON.stringify writes them. */
const escapes = Array.from({ length: 0x20 }, (_, code) => Buffer.from(JSON.stringify(String.fromCharCode(code)).slice(1, -1)));

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;
const isHalf = (point: number): boolean => point >= 0xd800 && point < 0xe000;
/** First UTF-8 byte of surrogates; other characters start with it too. */
const BEFORE_HALF = 0xed;

function hexAt(bytes: Uint8Array, at: number): number {
  return (
    ((HEX[bytes[at] as number] as number) << 12) |
    ((HEX[bytes[at + 1] as number] as number) << 8) |
    ((HEX[bytes[at + 2] as number] as number) << 4) |
    (HEX[bytes[at + 3] as number] as number)
  );
}

/**
 * The code point of the `\u` escape at `at`, joined with a second escape if both form a surrogate pair: then it is above
 * 0xFFFF and 12 bytes long. Reads up to `to`.
 */
export function escapedPoint(bytes: Uint8Array, at: number, to: number): number {
  const unit = hexAt(bytes, at + 2);
  if (!isHigh(unit) || at + LONGEST_ESCAPE > to || bytes[at + 6] !== BACKSLASH || bytes[at + 7] !== SMALL_U) return unit;
  const second = hexAt(bytes, at + 8);
  return isLow(second) ? 0x10000 + ((unit - 0xd800) << 10) + (second - 0xdc00) : unit;
}

/** Writes a code point in UTF-8, lone surrogates included; returns the end. */
export function putPoint(out: Uint8Array, at: number, point: number): number {
  let end = at;
  if (point < 0x80) out[end++] = point;
  else if (point < 0x800) {
    out[end++] = 0xc0 | (point >> 6);
    out[end++] = 0x80 | (point & 0x3f);
  } else {
    if (point < 0x10000) out[end++] = 0xe0 | (point >> 12);
    else {
      out[end++] = 0xf0 | (point >> 18);
      out[end++] = 0x80 | ((point >> 12) & 0x3f);
    }
    out[end++] = 0x80 | ((point >> 6) & 0x3f);
    out[end++] = 0x80 | (point & 0x3f);
  }
  return end;
}

/** Writes a code point as JSON.stringify writes it in a string; returns the end. */
export function spellPoint(out: Uint8Array, at: number, point: number): number {
  if (point < 0x20) {
    const spelled = escapes[point] as Buffer;
    out.set(spelled, at);
    return at + spelled.length;
  }
  if (point === QUOTE || point === BACKSLASH) {
    out[at] = BACKSLASH;
    out[at + 1] = point;
    return at + 2;
  }
  if (!isHalf(point)) return putPoint(out, at, point);
  out.set(Buffer.from(`\\u${point.toString(16)}`, 'latin1'), at);
  return at + MOST_ESCAPED;
}

/**
 * Decodes the content of a valid JSON string, given in pieces without its quotes. A lone surrogate becomes U+FFFD, as in
 * any UTF-8 encoder; with `keepHalves`, the three bytes that would encode it.
 */
export class JsonUnescape {
  /** Whether lone surrogates were found. */
  halves = false;
  readonly #keepHalves: boolean;
  #out = new Uint8Array(0);
  /** An escape that the end of a piece cuts, or may cut. */
  #carry: Uint8Array = new Uint8Array(0);

  constructor({ keepHalves = false } = {}) {
    this.#keepHalves = keepHalves;
  }

  /** A view, valid until the next call. */
  push(chunk: Uint8Array): Uint8Array {
    return this.#read(this.#carry.length === 0 ? chunk : Buffer.concat([this.#carry, chunk]), false);
  }

  /** The rest after the last piece. */
  end(): Uint8Array {
    return this.#read(this.#carry, true);
  }

  #read(bytes: Uint8Array, last: boolean): Uint8Array {
    const { length } = bytes;
    // Decoded text is never longer than its escaped form.
    if (this.#out.length < length) this.#out = new Uint8Array(length);
    const out = this.#out;
    let at = 0;
    let end = 0;
    for (;;) {
      let byte = 0;
      for (; at < length; at += 1) {
        byte = bytes[at] as number;
        if (byte === BACKSLASH) break;
        out[end++] = byte;
      }
      if (at >= length) break;
      const next = bytes[at + 1];
      if (next !== SMALL_U && next !== undefined) {
        out[end++] = SHORT[next] as number;
        at += 2;
        continue;
      }
      if (!last && length - at < LONGEST_ESCAPE) break;
      let point = escapedPoint(bytes, at, length);
      at += point > 0xffff ? LONGEST_ESCAPE : LONGEST_ESCAPE / 2;
      if (isHalf(point)) {
        this.halves = true;
        if (!this.#keepHalves) point = 0xfffd;
      }
      end = putPoint(out, end, point);
    }
    this.#carry = new Uint8Array(bytes.subarray(at));
    return out.subarray(0, end);
  }
}

/**
 * Encodes bytes that arrive in pieces as the inside of a JSON string, as JSON.stringify does. They are UTF-8, which may
 * contain lone surrogates as `JsonUnescape` writes them.
 */
export class JsonEscape {
  #out = new Uint8Array(0);
  /** A character that the end of a piece cuts, or a possible half of a surrogate pair. */
  #carry: Uint8Array = new Uint8Array(0);

  /** A view, valid until the next call. */
  push(chunk: Uint8Array): Uint8Array {
    const bytes = this.#carry.length === 0 ? chunk : Buffer.concat([this.#carry, chunk]);
    const { length } = bytes;
    let out = this.#room(0, length);
    let at = 0;
    let end = 0;
    for (; at < length; at += 1) {
      const byte = bytes[at] as number;
      if (byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH && byte !== BEFORE_HALF) {
        out[end++] = byte;
        continue;
      }
      out = this.#room(end, length - at);
      if (byte !== BEFORE_HALF) {
        end = spellPoint(out, end, byte);
        continue;
      }
      if (length - at < 3) break;
      const second = bytes[at + 1] as number;
      const third = bytes[at + 2] as number;
      end = spellPoint(out, end, 0xd000 | ((second & 0x3f) << 6) | (third & 0x3f));
      at += 2;
    }
    this.#carry = new Uint8Array(bytes.subarray(at));
    return out.subarray(0, end);
  }

  /** Makes room after `end` for one escape and the given number of bytes. */
  #room(end: number, bytes: number): Uint8Array {
    const needed = end + MOST_ESCAPED + bytes;
    if (this.#out.length < needed) {
      const grown = new Uint8Array(2 * needed);
      grown.set(this.#out.subarray(0, end));
      this.#out = grown;
    }
    return this.#out;
  }
}
