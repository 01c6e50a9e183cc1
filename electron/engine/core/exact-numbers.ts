/**
 * Numbers that a double does not hold, such as ids of 20 digits, on their way through: JSON is parsed with a mark in the place of each, a text that
 * holds its digits, and written with the digits again. Everything in between sees a text.
 */
import { randomUUID } from 'node:crypto';

/** Letters and digits alone, so that no format quotes or escapes a mark. Random, so that no message can hold one. */
const NONCE = randomUUID().replaceAll('-', '');
const BEGIN = `n${NONCE}v`;
const END = 'e';
/** Digits, and what else a number may have, in letters and digits. */
const SPELLED: readonly (readonly [sign: string, letter: string])[] = [
  ['-', 'm'],
  ['+', 'p'],
  ['.', 'd'],
  ['E', 'X'],
  ['e', 'x'],
];

/** A number of JSON behind what can stand before one, with sixteen characters or an exponent of three digits: any other is held exactly. */
const LONG_NUMBER = /(?:^|[:,[\s])-?\d(?:[\d.eE+-]{15,}|[\d.]*[eE][+-]?\d{3})/;
const NUMBER = /-?\d[\d.eE+-]*/g;

/** `JSON.parse`, with marks for numbers whose digits would change. */
export function parseExact(text: string): unknown {
  return JSON.parse(exactNumbersMarked(text));
}

/** Bytes looked at once, and how far two looks overlap. */
const LOOK_BYTES = 256 * 1024;
const OVERLAP_BYTES = 64;

/** Whether a text in UTF-8 may hold a number whose digits a double does not hold. */
export function mayHoldLongNumber(bytes: Buffer): boolean {
  for (let from = 0; from < bytes.length; from += LOOK_BYTES - OVERLAP_BYTES)
    if (LONG_NUMBER.test(bytes.toString('latin1', from, from + LOOK_BYTES))) return true;
  return false;
}

/** The same JSON with marks, for another parser. */
export const exactNumbersMarked = (text: string): string => (LONG_NUMBER.test(text) ? marked(text) : text);

/** `JSON.stringify`, with the digits of marks. */
export const exactJson = (value: unknown, indent?: number): string => exactText(JSON.stringify(value, null, indent));

/** A value with a double for each mark, for those who check its type or size. */
export function withDoubles(value: unknown): unknown {
  const text = JSON.stringify(value);
  return text?.includes(BEGIN) ? JSON.parse(exactText(text)) : value;
}

const quotedMark = new RegExp(`"${BEGIN}([0-9mpdxX]+)${END}"`, 'g');
const bareMark = new RegExp(`${BEGIN}([0-9mpdxX]+)${END}`, 'g');

/** A text of any format, with the digits of marks; in JSON, without the quotes around them. */
export function exactText(text: string): string {
  if (!text.includes(BEGIN)) return text;
  const digits = (_: string, spelled: string) => digitsOf(spelled);
  return text.replaceAll(quotedMark, digits).replaceAll(bareMark, digits);
}

/** The same of UTF-8. */
export const exactBytes = (bytes: Buffer): Uint8Array =>
  bytes.includes(BEGIN) ? Buffer.from(exactText(bytes.toString())) : bytes;

function digitsOf(spelled: string): string {
  return SPELLED.reduce((text, [sign, letter]) => text.replaceAll(letter, sign), spelled);
}

/** The text between strings is looked at; what is no JSON stays none. */
function marked(text: string): string {
  const parts: string[] = [];
  let from = 0;
  while (from < text.length) {
    const quote = text.indexOf('"', from);
    const end = quote === -1 ? text.length : quote;
    const between = text.slice(from, end);
    parts.push(LONG_NUMBER.test(between) ? between.replaceAll(NUMBER, markOf) : between);
    if (quote === -1) break;
    from = endOfString(text, quote + 1);
    parts.push(text.slice(quote, from));
  }
  return parts.join('');
}

function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text[at - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return at + 1;
  }
  return text.length;
}

function markOf(number: string): string {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(number)) return number;
  if (String(Number(number)) === number || isSame(number)) return number;
  return `"${BEGIN}${SPELLED.reduce((text, [sign, letter]) => text.replaceAll(sign, letter), number)}${END}"`;
}

/** Whether the double is written in other digits but is the same number: `100.00000000000000`, `1e0000000000000002`. */
function isSame(number: string): boolean {
  const [mantissa, exponent] = parts(number);
  const [other, otherExponent] = parts(String(Number(number)));
  return mantissa === other && exponent === otherExponent;
}

/** Significant digits without zeros at the ends, with the sign, and the power of ten behind them. */
function parts(number: string): [digits: string, exponent: number] {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const all = (whole + fraction).replace(/^0+/, '');
  const digits = all.replace(/0+$/, '');
  return digits === '' ? ['0', 0] : [sign + digits, Number(exponent) - fraction.length + (all.length - digits.length)];
}
