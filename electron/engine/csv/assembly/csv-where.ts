/** Evaluates `where` on the bytes of CSV cells, with the same results as transform/comparison.ts. */
import { isDigit, QUOTE } from '../../kernel/assembly/shared';

// A test's record, 32 bytes: 4 times the column's number in the file; the kind of comparison; which outcomes match (bit 0
// less, bit 1 equal, bit 2 greater); whether the test is negated; whether null passes; whether empty cells are text and
// not null; the address and number of the operands.
const TEST: usize = 32;
const COMPARE: usize = 4;
const HITS: usize = 8;
const NEGATED: usize = 12;
const NULL_PASSES: usize = 16;
const AS_TEXT: usize = 20;
const OPERANDS: usize = 24;
const OPERANDS_TO: usize = 28;
/** An operand's record: its address and length. */
const OPERAND: usize = 8;

const AS_STRING: u32 = 0;
const AS_NUMBER: u32 = 1;
const AS_BOOLEAN: u32 = 2;
const AS_PREFIX: u32 = 3;

const MINUS: u8 = 0x2d;
const DOT: u8 = 0x2e;
const ZERO: u8 = 0x30;

let tests: usize = 0;
let testsTo: usize = 0;

export function startJudging(testsAt: usize, count: u32): void {
  tests = testsAt;
  testsTo = testsAt + <usize>count * TEST;
}

/** Whether a row passes all tests. Takes the row's first entry in the list of cells and the address after its last one. */
export function passes(cell: usize, rowEnd: usize): bool {
  for (let test = tests; test < testsTo; test += TEST) {
    const entry = cell + load<u32>(test);
    let from: usize = 0;
    let end: usize = 0;
    let isNull = false;
    let quoted = false;
    if (entry >= rowEnd) isNull = true;
    else {
      from = load<u32>(entry - 4) + 1;
      end = load<u32>(entry);
      if (from === end) isNull = load<u32>(test, AS_TEXT) === 0;
      else if (load<u8>(from) === QUOTE) {
        quoted = true;
        from++;
        do end--;
        while (load<u8>(end) !== QUOTE);
        const compare = load<u32>(test, COMPARE);
        isNull = from === end && (compare === AS_NUMBER || compare === AS_BOOLEAN);
      }
    }
    const passed = isNull
      ? load<u32>(test, NULL_PASSES) !== 0
      : hits(test, from, end, quoted) !== (load<u32>(test, NEGATED) !== 0);
    if (!passed) return false;
  }
  return true;
}

/** Whether a cell's text compares with one of the operands as required. */
function hits(test: usize, from: usize, end: usize, quoted: bool): bool {
  const compare = load<u32>(test, COMPARE);
  const outcomes = load<u32>(test, HITS);
  const operandsTo: usize = load<u32>(test, OPERANDS_TO);
  for (let operand: usize = load<u32>(test, OPERANDS); operand < operandsTo; operand += OPERAND) {
    const other: usize = load<u32>(operand);
    const otherEnd = other + load<u32>(operand, 4);
    if (compare > AS_BOOLEAN) {
      if (compare === AS_PREFIX ? startsWith(from, end, quoted, other, otherEnd) : contains(from, end, quoted, other, otherEnd)) {
        return true;
      }
      continue;
    }
    let sign: i32;
    if (compare === AS_STRING) sign = compareText(from, end, quoted, other, otherEnd);
    else if (compare === AS_NUMBER) sign = compareDecimals(from, end, other, otherEnd);
    // Column type BOOLEAN means one letter case, so the length decides: true has 4 letters, false 5.
    else sign = end - from === otherEnd - other ? 0 : 1;
    if ((outcomes >> (sign + 1)) & 1) return true;
  }
  return false;
}

/** Compares bytes, which orders UTF-8 text by code point. */
function compareText(from: usize, end: usize, quoted: bool, other: usize, otherEnd: usize): i32 {
  let at = from;
  let to = other;
  while (at < end && to < otherEnd) {
    const byte = load<u8>(at);
    const otherByte = load<u8>(to);
    if (byte !== otherByte) return byte < otherByte ? -1 : 1;
    at += quoted && byte === QUOTE ? 2 : 1;
    to++;
  }
  return at < end ? 1 : to < otherEnd ? -1 : 0;
}

function startsWith(from: usize, end: usize, quoted: bool, other: usize, otherEnd: usize): bool {
  let at = from;
  for (let to = other; to < otherEnd; to++) {
    if (at >= end) return false;
    const byte = load<u8>(at);
    if (byte !== load<u8>(to)) return false;
    at += quoted && byte === QUOTE ? 2 : 1;
  }
  return true;
}

function contains(from: usize, end: usize, quoted: bool, other: usize, otherEnd: usize): bool {
  if (other === otherEnd) return true;
  const first = load<u8>(other);
  for (let at = from; at < end; ) {
    const byte = load<u8>(at);
    if (byte === first && startsWith(at, end, quoted, other, otherEnd)) return true;
    at += quoted && byte === QUOTE ? 2 : 1;
  }
  return false;
}

/** Compares the digits of plain decimals without superfluous leading zeros. */
function compareDecimals(from: usize, end: usize, other: usize, otherEnd: usize): i32 {
  const negative = load<u8>(from) === MINUS;
  const otherNegative = load<u8>(other) === MINUS;
  const sign = compareMagnitudes(negative ? from + 1 : from, end, otherNegative ? other + 1 : other, otherEnd);
  if (negative === otherNegative) return negative ? -sign : sign;
  if (sign === 0 && isZero(from, end)) return 0;
  return negative ? -1 : 1;
}

function wholeDigits(from: usize, end: usize): usize {
  let at = from;
  while (at < end && isDigit(load<u8>(at))) at++;
  return at;
}

function compareMagnitudes(from: usize, end: usize, other: usize, otherEnd: usize): i32 {
  const whole = wholeDigits(from, end);
  const otherWhole = wholeDigits(other, otherEnd);
  if (whole - from !== otherWhole - other) return whole - from < otherWhole - other ? -1 : 1;
  let at = from;
  let to = other;
  for (; at < whole; at++, to++) {
    const byte = load<u8>(at);
    const otherByte = load<u8>(to);
    if (byte !== otherByte) return byte < otherByte ? -1 : 1;
  }
  at++;
  to++;
  while (at < end || to < otherEnd) {
    const byte = at < end ? load<u8>(at) : ZERO;
    const otherByte = to < otherEnd ? load<u8>(to) : ZERO;
    if (byte !== otherByte) return byte < otherByte ? -1 : 1;
    at++;
    to++;
  }
  return 0;
}

function isZero(from: usize, end: usize): bool {
  for (let at = from; at < end; at++) {
    const byte = load<u8>(at);
    if (byte !== ZERO && byte !== MINUS && byte !== DOT) return false;
  }
  return true;
}
