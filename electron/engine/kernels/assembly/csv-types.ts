/** Tells what a cell with text can be: the same judgement as formats/csv-types.ts makes. */
import { isDigit } from './shared';

// What a column may still be, as bits; each cell clears those that it rules out.
export const NUMBER: u32 = 1;
const LOWER: u32 = 2;
const TITLE: u32 = 4;
const UPPER: u32 = 8;
export const ANYTHING: u32 = 15;
export const HAS_TEXT: u32 = 16;
// What it was decided to be beforehand, if not a string.
const DECIDED_NUMBER: u32 = 32;
const DECIDED_BOOLEAN: u32 = 64;
export const DECIDED: u32 = DECIDED_NUMBER | DECIDED_BOOLEAN;

const MINUS: u8 = 0x2d;
const DOT: u8 = 0x2e;
const ZERO: u8 = 0x30;
const EXACT_DIGITS: u32 = 15;
const FRACTION_DIGITS: usize = 290;

/** Whether up to 16 bytes are `-?(0|[1-9]\d*)(\.\d+)?` with no more digits than a double holds. */
export function isShortDecimal(from: usize, length: u32): bool {
  const text = v128.load(from);
  const digits: u32 = i8x16.bitmask(i8x16.lt_u(i8x16.sub(text, i8x16.splat(ZERO)), i8x16.splat(10)));
  const minus: u32 = load<u8>(from) === MINUS ? 1 : 0;
  // All but digits, without the sign.
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

/** The same of a longer text. */
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

/** Any number of JSON's grammar (RFC 8259 §6). */
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
    if (at < to && (load<u8>(at) === 0x2b || load<u8>(at) === MINUS)) at++;
    const exponent = at;
    at = digitsFrom(exponent, to);
    if (at === exponent) return false;
  }
  return at === to;
}

/** The letter case in which a cell is a boolean; 0 if it is none. */
export function booleanCase(from: usize, to: usize): u32 {
  const length = to - from;
  if (length !== 4 && length !== 5) return 0;
  // Which of the two it is changes from cell to cell, so that it is better not to branch on.
  const word = load<u64>(from) & (u64.MAX_VALUE >> (64 - (length << 3)));
  return (
    <u32>((word === 0x65757274) | (word === 0x65736c6166)) * LOWER +
    <u32>((word === 0x65757254) | (word === 0x65736c6146)) * TITLE +
    <u32>((word === 0x45555254) | (word === 0x45534c4146)) * UPPER
  );
}

/** Whether a cell with text is what its column was decided to be. */
export function fits(from: usize, to: usize, state: u32): bool {
  return state & DECIDED_NUMBER ? isJsonNumber(from, to) : booleanCase(from, to) !== 0;
}
