/**
 * Reads cells of the forms in which nearly all programs write them, by their bytes: `<c r="B7" s="2" t="s"><v>12</v></c>`, with or without a
 * formula, a value, a style and a type. Anything else is left to the scanner of XML.
 */
import { unescaped } from './workbook-xml.ts';

const [QUOTE, AMPERSAND, MINUS, DOT, SLASH, ZERO, LESS, GREATER] = [0x22, 0x26, 0x2d, 0x2e, 0x2f, 0x30, 0x3c, 0x3e] as const;
const SPACE = 0x20;
const CR = 0x0d;

const bytesOf = (text: string): Uint8Array => Buffer.from(text);
const CELL = bytesOf('<c ');
const CELL_END = bytesOf('</c>');
const VALUE = bytesOf('<v>');
const VALUE_END = bytesOf('</v></c>');
const FORMULA = bytesOf('<f');
const FORMULA_END = bytesOf('</f>');
const INLINE = bytesOf('<is><t>');
const INLINE_END = bytesOf('</t></is></c>');

/** Digits of a number that a double always gives back. */
const MOST_DIGITS = 15;
/** Smaller fractions are printed with an exponent. */
const MOST_LEADING_ZEROS = 5;

const types: ReadonlyMap<string, string> = new Map(['s', 'n', 'b', 'e', 'd', 'str', 'inlineStr'].map((type) => [type, type]));

export class PlainCell {
  column = 0;
  style = 0;
  type = 'n';
  value = '';
  hasValue = false;
  hasFormula = false;
  /** Whether the value is written as JavaScript writes that number. */
  isPrinted = false;
  /** Where reading stands; how far the bytes go. */
  #at = 0;
  #end = 0;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

  /** The offset behind the cell at `at`; 0 if it has another form, -1 if its end is not there. */
  read(bytes: Uint8Array, at: number): number {
    this.#at = at;
    this.#end = bytes.length;
    if (!this.#skip(bytes, CELL)) return bytes.length - at < CELL.length ? -1 : 0;
    this.style = 0;
    this.type = 'n';
    this.value = '';
    this.hasValue = false;
    this.hasFormula = false;
    this.isPrinted = false;
    const read = this.#attributes(bytes) && this.#content(bytes);
    // Running into the end looks like another form.
    return read ? this.#at : this.#at >= this.#end ? -1 : 0;
  }

  /** The attributes and the end of the tag. */
  #attributes(bytes: Uint8Array): boolean {
    let hasReference = false;
    for (;;) {
      const name = bytes[this.#at];
      if (name === GREATER || name === SLASH) return hasReference;
      if (bytes[this.#at + 1] !== 0x3d || bytes[this.#at + 2] !== QUOTE) return this.#stop(this.#at + 2);
      const from = this.#at + 3;
      let to = from;
      while (to < this.#end && bytes[to] !== QUOTE) to++;
      if (to >= this.#end - 1) return this.#stop(to + 1);
      this.#at = to + 1;
      if (bytes[this.#at] === SPACE) this.#at++;
      if (name === 0x72) {
        this.column = columnIn(bytes, from, to);
        if (this.column < 0) return false;
        hasReference = true;
      } else if (name === 0x73) {
        this.style = wholeNumber(bytes, from, to);
        if (this.style < 0) return false;
      } else if (name === 0x74) {
        const type = types.get(latin1(bytes, from, to));
        if (type === undefined) return false;
        this.type = type;
      } else return false;
    }
  }

  #content(bytes: Uint8Array): boolean {
    if (bytes[this.#at] === SLASH) {
      this.#at += 2;
      return this.#at <= this.#end && bytes[this.#at - 1] === GREATER;
    }
    this.#at++;
    if (this.type === 'inlineStr') {
      if (!this.#skip(bytes, INLINE)) return false;
      this.hasValue = true;
      return this.#text(bytes, INLINE_END);
    }
    if (bytes[this.#at + 1] === FORMULA[1]) {
      if (!this.#formula(bytes)) return false;
      this.hasFormula = true;
    }
    if (this.#skip(bytes, CELL_END)) return true;
    if (!this.#skip(bytes, VALUE)) return false;
    this.hasValue = true;
    if (this.type === 'n') {
      this.isPrinted = true;
      return this.#number(bytes) && this.#skip(bytes, VALUE_END);
    }
    return this.#text(bytes, VALUE_END);
  }

  /** `<f>…</f>`, or `<f …/>` for the other cells of a shared formula. */
  #formula(bytes: Uint8Array): boolean {
    if (!this.#skip(bytes, FORMULA)) return false;
    while (this.#at < this.#end && bytes[this.#at] !== GREATER) {
      if (bytes[this.#at] === LESS) return false;
      this.#at++;
    }
    this.#at++;
    if (bytes[this.#at - 2] === SLASH) return this.#at < this.#end;
    while (this.#at < this.#end && bytes[this.#at] !== LESS) this.#at++;
    return this.#skip(bytes, FORMULA_END);
  }

  /** A number in JavaScript's own notation, without an exponent. */
  #number(bytes: Uint8Array): boolean {
    const from = this.#at;
    let at = from;
    if (bytes[at] === MINUS) at++;
    const whole = at;
    while (isDigit(bytes[at])) at++;
    let digits = at - whole;
    if (digits === 0 || (digits > 1 && bytes[whole] === ZERO)) return this.#stop(at);
    const isZero = digits === 1 && bytes[whole] === ZERO;
    if (bytes[at] === DOT) {
      const fraction = ++at;
      while (isDigit(bytes[at])) at++;
      digits += at - fraction;
      let zeros = fraction;
      while (bytes[zeros] === ZERO) zeros++;
      if (at === fraction || bytes[at - 1] === ZERO || (isZero && zeros - fraction > MOST_LEADING_ZEROS)) return this.#stop(at);
    } else if (isZero && whole > from) return this.#stop(at);
    this.#at = at;
    if (digits > MOST_DIGITS) return this.#stop(at);
    this.value = latin1(bytes, from, at);
    return true;
  }

  /** Text up to an end mark. */
  #text(bytes: Uint8Array, end: Uint8Array): boolean {
    const from = this.#at;
    let to = from;
    let isAscii = true;
    let hasReference = false;
    for (; to < this.#end; to++) {
      const byte = bytes[to] as number;
      if (byte === LESS) break;
      if (byte >= 0x80) isAscii = false;
      else if (byte === AMPERSAND) hasReference = true;
      else if (byte === CR) return false;
    }
    this.#at = to;
    if (!this.#skip(bytes, end)) return false;
    const text = isAscii ? latin1(bytes, from, to) : this.#decoder.decode(bytes.subarray(from, to));
    this.value = hasReference ? unescaped(text) : text;
    return true;
  }

  #skip(bytes: Uint8Array, text: Uint8Array): boolean {
    const at = this.#at;
    for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text[i]) return this.#stop(at + i);
    this.#at = at + text.length;
    return true;
  }

  /** Tells another form from the end of the bytes. */
  #stop(at: number): false {
    if (at >= this.#end) this.#at = this.#end;
    return false;
  }
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= ZERO && byte <= 0x39;

/** Short texts are put together faster than they are decoded. */
const SHORT = 12;

function latin1(bytes: Uint8Array, from: number, to: number): string {
  if (to - from > SHORT) return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1');
  let text = '';
  for (let at = from; at < to; at++) text += String.fromCharCode(bytes[at] as number);
  return text;
}

/** -1 for no whole number. */
function wholeNumber(bytes: Uint8Array, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at++) {
    const digit = (bytes[at] as number) - ZERO;
    if (digit < 0 || digit > 9) return -1;
    number = number * 10 + digit;
  }
  return to === from || to - from > 9 ? -1 : number;
}

/** The column of `B7`, from 0; -1 for another form. */
function columnIn(bytes: Uint8Array, from: number, to: number): number {
  let column = 0;
  let at = from;
  for (; at < to; at++) {
    const letter = (bytes[at] as number) - 0x40;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  const letters = at - from;
  return letters === 0 || letters > 3 || wholeNumber(bytes, at, to) < 1 ? -1 : column - 1;
}
