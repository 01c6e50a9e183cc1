/** Classifies a cell with text: number, boolean or string, by the rules of csv/csv-types.ts. */
import { isDigit } from '../../kernel/assembly/shared';

// Types that a column may still have, as bits; each cell clears those that it rules out.
export const NUMBER: u32 = 1;
const LOWER: u32 = 2;
const TITLE: u32 = 4;
const UPPER: u32 = 8;
export const BOOLEAN: u32 = LOWER | TITLE | UPPER;
export const ANYTHING: u32 = NUMBER | BOOLEAN;
export const HAS_TEXT: u32 = 16;
/** Set when a number has an exponent. */
export const HAS_EXPONENT: u32 = 128;
// Types given in advance, other than string.
const DECIDED_NUMBER: u32 = 32;
const DECIDED_BOOLEAN: u32 = 64;
export const DECIDED: u32 = DECIDED_NUMBER | DECIDED_BOOLEAN;

const PLUS: u8 = 0x2b;
const MINUS: u8 = 0x2d;
const DOT: u8 = 0x2e;
const ZERO: u8 = 0x30;
const EXACT_DIGITS: u32 = 15;
const FRACTION_DIGITS: usize = 290;
const MOST_DIGITS: u32 = 17;
const LONGEST: usize = 320;
/** Mantissa length (bytes) up to which an exponent below 100 cannot overflow or underflow. */
const SHORT_MANTISSA: usize = 100;

/** Whether the nearest double prints as the same value; same as `printsBack` in csv/csv-numbers.ts. */
declare function printsBack(from: usize, to: usize): bool;

/** Whether up to 16 bytes match `-?(0|[1-9]\d*)(\.\d+)?` with no more digits than a double holds. */
export function isShortDecimal(from: usize, length: u32): bool {
  const text = v128.load(from);
  const digits: u32 = i8x16.bitmask(i8x16.lt_u(i8x16.sub(text, i8x16.splat(ZERO)), i8x16.splat(10)));
  const minus: u32 = load<u8>(from) === MINUS ? 1 : 0;
  // All characters other than digits, without the sign.
  const others = ~digits & ((1 << length) - 1) & ~minus;
  const leadingZero = load<u8>(from + minus) === ZERO;
  if (others === 0) return length > minus && length - minus <= EXACT_DIGITS && !(leadingZero && length - minus > 1);
  const dot: u32 = ctz(others);
  return (
    (others & (others - 1)) === 0 &&
    load<u8>(from + dot) === DOT &&
    dot > minus &&
    dot < length - 1 &&
    !(leadingZero && dot > minus + 1)
  );
}

/** The same check for a longer text. */
export function isLongDecimal(from: usize, to: usize): bool {
  let at = from;
  if (load<u8>(at) === MINUS) at++;
  const whole = at;
  while (at < to && isDigit(load<u8>(at))) at++;
  const wholeDigits: u32 = <u32>(at - whole);
  if (wholeDigits === 0) return false;
  const leadingZero = load<u8>(whole) === ZERO;
  if (leadingZero && wholeDigits > 1) return false;
  let digits: u32 = leadingZero ? 0 : wholeDigits;
  if (at === to) return digits <= EXACT_DIGITS;
  if (load<u8>(at) !== DOT) return false;
  at++;
  if (at === to || to - at > FRACTION_DIGITS) return false;
  for (; at < to; at++) {
    const byte = load<u8>(at);
    if (!isDigit(byte)) return false;
    if (digits > 0 || byte !== ZERO) digits++;
  }
  return digits <= EXACT_DIGITS;
}

function digitsFrom(from: usize, to: usize): usize {
  let at = from;
  while (at < to && isDigit(load<u8>(at))) at++;
  return at;
}

/**
 * Checks numbers that the functions above reject: 16 or 17 digits, or an exponent. Returns the type bits, or 0 if a
 * double cannot reproduce the number.
 */
export function rareNumber(from: usize, to: usize): u32 {
  let at = from;
  if (load<u8>(at) === MINUS) at++;
  const whole = at;
  at = digitsFrom(whole, to);
  if (at === whole || to - from > LONGEST) return 0;
  const leadingZero = load<u8>(whole) === ZERO;
  if (leadingZero && at > whole + 1) return 0;
  let digits: u32 = leadingZero ? 0 : <u32>(at - whole);
  const point = at;
  if (at < to && load<u8>(at) === DOT) {
    for (at++; at < to && isDigit(load<u8>(at)); at++) if (digits > 0 || load<u8>(at) !== ZERO) digits++;
    if (at === point + 1) return 0;
  }
  if (digits > MOST_DIGITS) return 0;
  if (at === to) return printsBack(from, to) ? NUMBER : 0;
  if ((load<u8>(at) | 0x20) !== 0x65) return 0;
  const mantissaEnd = at++;
  const signed = at < to && (load<u8>(at) === PLUS || load<u8>(at) === MINUS);
  if (signed) at++;
  else if (mantissaEnd === point) return 0;
  const exponent = at;
  if (exponent === to || digitsFrom(exponent, to) !== to) return 0;
  const isShort = digits <= EXACT_DIGITS && to - exponent <= 2 && mantissaEnd - from <= SHORT_MANTISSA;
  return isShort || printsBack(from, to) ? NUMBER | HAS_EXPONENT : 0;
}

/** Whether the text is a number in JSON's grammar (RFC 8259 §6). */
function isJsonNumber(from: usize, to: usize): bool {
  let at = from;
  if (load<u8>(at) === MINUS) at++;
  const whole = at;
  at = digitsFrom(whole, to);
  if (at === whole || (load<u8>(whole) === ZERO && at > whole + 1)) return false;
  if (at < to && load<u8>(at) === DOT) {
    const fraction = at + 1;
    at = digitsFrom(fraction, to);
    if (at === fraction) return false;
  }
  if (at < to && (load<u8>(at) | 0x20) === 0x65) {
    at++;
    if (at < to && (load<u8>(at) === PLUS || load<u8>(at) === MINUS)) at++;
    const exponent = at;
    at = digitsFrom(exponent, to);
    if (at === exponent) return false;
  }
  return at === to;
}

/** The letter case in which a cell is a boolean; 0 if it is not a boolean. */
export function booleanCase(from: usize, to: usize): u32 {
  const length = to - from;
  if (length !== 4 && length !== 5) return 0;
  // True and false alternate unpredictably, so this avoids a branch.
  const word = load<u64>(from) & (u64.MAX_VALUE >> (64 - (length << 3)));
  return (
    <u32>((word === 0x65757274) | (word === 0x65736c6166)) * LOWER +
    <u32>((word === 0x65757254) | (word === 0x65736c6146)) * TITLE +
    <u32>((word === 0x45555254) | (word === 0x45534c4146)) * UPPER
  );
}

/** Whether a cell with text fits the type given for its column. */
export function fits(from: usize, to: usize, state: u32): bool {
  return state & DECIDED_NUMBER ? isJsonNumber(from, to) : booleanCase(from, to) !== 0;
}
