/**
 * Checks JSON text (RFC 8259) in pieces of any size, counts or writes the bytes that are not whitespace, and finds where
 * elements begin.
 */
import { BACKSLASH, COMMA, CR, isDigit, LF, QUOTE, SPACE, stringStop, TAB } from '../../kernel/assembly/shared';

// Scanner states, with the same numbers as in JsonScanner, which continues from here after an error.
const VALUE: i32 = 0;
const ARRAY_START: i32 = 1;
const OBJECT_START: i32 = 2;
const KEY: i32 = 3;
const COLON: i32 = 4;
const AFTER: i32 = 5;
const DONE: i32 = 6;
const STRING: i32 = 7;
const ESCAPE: i32 = 8;
const HEX: i32 = 9;
const LITERAL: i32 = 10;
const MINUS: i32 = 11;
const ZERO: i32 = 12;
const INTEGER: i32 = 13;
const POINT: i32 = 14;
const FRACTION: i32 = 15;
const E: i32 = 16;
const E_SIGN: i32 = 17;
const EXPONENT: i32 = 18;

const ARRAY: u8 = 1;
const OBJECT: u8 = 2;

/** No element begins or ends at this depth. */
const NOWHERE: i32 = -1;

export { heapBase } from '../../kernel/assembly/shared';

// State between two pieces.
let state: i32 = VALUE;
let depth: i32 = 0;
/** Whether the current string is a key. */
let inKey: i32 = 0;
/** First letter of the current literal. */
let word: i32 = 0;
/** Progress within an escape or a literal. */
let step: i32 = 0;
let line: u32 = 1;
let lastWasCr: i32 = 0;
/** First byte of the value; 0 before it. */
let first: i32 = 0;

// Results for the last piece.
/** Bytes written to `out`, or only counted. */
let written: u32 = 0;
/** Elements since `begin`. */
let started: u32 = 0;
/** Offset in the piece after its last line end; -1 if there is none. */
let lineStart: i32 = -1;
/** Offset in the piece of the first element that starts in it; -1 if none does. */
let firstElement: i32 = -1;
let firstLine: u32 = 0;

/** What the host reads after each call: 32-bit numbers, in the order of `tell`, then of `remember`. */
export const told: usize = memory.data(64);

function tell(): void {
  store<u32>(told, written);
  store<u32>(told + 4, started);
  store<i32>(told + 8, lineStart);
  store<i32>(told + 12, firstElement);
  store<u32>(told + 16, firstLine);
  store<u32>(told + 20, line);
}

/** Saves the state before a piece, or before the end, so that JsonScanner can continue from there. */
function remember(): void {
  store<i32>(told + 24, state);
  store<i32>(told + 28, depth);
  store<i32>(told + 32, inKey);
  store<i32>(told + 36, word);
  store<i32>(told + 40, step);
  store<u32>(told + 44, line);
  store<i32>(told + 48, lastWasCr);
  store<i32>(told + 52, first);
  for (let i = 0; i <= depth; i += 16) v128.store(stackBefore + i, v128.load(stack + i));
}

let maxNesting: i32 = 0;
let jsonLines: bool = false;
/** Depth at which elements begin. */
let elementDepth: i32 = NOWHERE;
/** Spaces per level of indentation, as far as known. */
let indentBefore: u32 = 0;
/** Kind of container by depth, from 1. */
let stack: usize = 0;
let stackBefore: usize = 0;
/** Starts over. For JSON Lines each value is an element, and commas are added in between. */
export function begin(nesting: i32, asLines: bool, stackAt: usize, stackBeforeAt: usize): void {
  maxNesting = nesting;
  jsonLines = asLines;
  stack = stackAt;
  stackBefore = stackBeforeAt;
  state = VALUE;
  depth = 0;
  inKey = 0;
  line = 1;
  lastWasCr = 0;
  first = 0;
  lineStart = -1;
  started = 0;
  elementDepth = asLines ? 0 : NOWHERE;
  tell();
}

/** After the last piece: whether the value was complete. */
export function finish(): bool {
  remember();
  const number = state === ZERO || state === INTEGER || state === FRACTION || state === EXPONENT;
  return depth === 0 && (state === DONE || number || (jsonLines && state === VALUE));
}

function isLayout(c: u8): bool {
  return c === SPACE || c === LF || c === CR || c === TAB;
}

/** Address of the next byte that is not a space. A zero byte must follow, and 16 bytes after it must be readable. */
function afterSpaces(from: usize): usize {
  let p = from;
  let others = 0;
  do {
    others = i8x16.bitmask(i8x16.ne(v128.load(p), i8x16.splat(SPACE)));
    p += others ? <usize>ctz(others) : 16;
  } while (others === 0);
  return p;
}

/** Copies the bytes from `run` to `p`, which are kept; a few bytes after the copy may be overwritten. */
function flush(o: usize, run: usize, p: usize, keep: bool): usize {
  const count = p - run;
  if (keep) {
    if (count > 256) memory.copy(o, run, count);
    else for (let i: usize = 0; i < count; i += 16) v128.store(o + i, v128.load(run + i));
  }
  return o + count;
}

/**
 * Reads `from` to `to`, followed by 32 zero bytes. With `keep`, bytes that are not whitespace are written to `out`, which
 * needs room for the piece plus 32 bytes. False if something is wrong.
 */
export function read(from: usize, to: usize, out: usize, keep: bool): bool {
  remember();
  const right = readPiece(from, to, out, keep);
  tell();
  return right;
}

function readPiece(from: usize, to: usize, out: usize, keep: bool): bool {
  let p = from;
  let o = out;
  let run = from;
  let s = state;
  let d = depth;
  let top = d > 0 ? load<u8>(stack + d) : 0;
  let e = elementDepth;
  let indent = indentBefore;
  lineStart = -1;
  firstElement = -1;

  if (from < to && load<u8>(from) !== LF) lastWasCr = 0;

  if (s >= STRING && p < to) {
    // The last piece ended inside a token.
    if (s === LITERAL) p = wordFrom(p, to);
    else if (s >= MINUS) p = numberFrom(s, p, to);
    else p = stringFrom(s, p, to);
    if (p === 0) return false;
    s = state;
    if (s === VALUE) {
      // The value is complete.
      if (inKey) {
        inKey = 0;
        s = COLON;
      } else {
        s = d === 0 ? DONE : AFTER;
      }
    }
  }

  while (p < to) {
    let c = load<u8>(p);
    if (c <= SPACE) {
      o = flush(o, run, p, keep);
      while (isLayout(c)) {
        if (c === LF) {
          if (jsonLines) {
            if (s === DONE) s = VALUE;
            else if (s !== VALUE || d !== 0) return false;
            line++;
          } else line += 1 - lastWasCr;
          lastWasCr = 0;
          lineStart = <i32>(p + 1 - from);
          // Skips as many spaces as the current depth is indented, so that the address of the next byte is known before
          // they are checked.
          const others: u32 = i8x16.bitmask(i8x16.ne(v128.load(p + 1), i8x16.splat(SPACE))) | 0x10000;
          const guess = <u32>d * indent;
          if (ctz(others) === guess) p += 1 + guess;
          else {
            const start = p + 1;
            p = afterSpaces(start);
            // A closing bracket is indented one level less.
            if (d > 0 && (load<u8>(p) & 0xdf) !== 0x5d) indent = <u32>(p - start) / <u32>d;
          }
        } else {
          lastWasCr = i32(c === CR);
          p++;
          if (c === CR && !jsonLines) {
            line++;
            lineStart = <i32>(p - from);
          }
        }
        c = load<u8>(p);
      }
      run = p;
      if (c <= SPACE) {
        if (p < to) return false;
        continue;
      }
      lastWasCr = 0;
    }

    if (s === KEY || s === OBJECT_START) {
      if (c !== QUOTE) {
        if (c !== 0x7d || s === KEY) return false;
        s = AFTER;
      } else {
        p = stringStop(p + 1);
        if (load<u8>(p) === QUOTE) p++;
        else {
          inKey = 1;
          p = stringFrom(STRING, p, to);
          if (p === 0) return false;
          if (state !== VALUE) {
            s = state;
            continue;
          }
          inKey = 0;
        }
        s = COLON;
        c = load<u8>(p);
        if (c <= SPACE) continue;
      }
    }

    if (s === COLON) {
      if (c !== 0x3a) return false;
      p++;
      s = VALUE;
      c = load<u8>(p);
      if (c <= SPACE) {
        if (c !== SPACE || load<u8>(p + 1) <= SPACE) continue;
        // Most programs write one space here.
        o = flush(o, run, p, keep);
        p++;
        run = p;
        c = load<u8>(p);
      }
    }

    if (s <= ARRAY_START) {
      if (c === 0x5d && s === ARRAY_START) s = AFTER;
      else {
        if (d === e) {
          if (jsonLines) {
            if (started) {
              if (keep) store<u8>(o, COMMA);
              o++;
            }
          }
          const at = <i32>(p - from);
          if (firstElement < 0) {
            firstElement = at;
            firstLine = line;
          }
          started++;
        }
        if (d === 0 && first === 0) first = c;
        s = d === 0 ? DONE : AFTER;
        if (c === QUOTE) {
          p = stringStop(p + 1);
          if (load<u8>(p) === QUOTE) p++;
          else {
            p = stringFrom(STRING, p, to);
            if (p === 0) return false;
            if (state !== VALUE) {
              s = state;
              continue;
            }
          }
        } else if (isDigit(c) || c === 0x2d) {
          // Plain decimals of up to 15 characters in one step.
          const q = p + (c === 0x2d ? 1 : 0);
          const v = v128.load(q);
          const digits = i8x16.bitmask(i8x16.le_u(i8x16.sub(v, i8x16.splat(0x30)), i8x16.splat(9)));
          const points = i8x16.bitmask(i8x16.eq(v, i8x16.splat(0x2e)));
          const length = ctz(~(digits | points) | 0x10000);
          const inside = (1 << length) - 1;
          const point = points & inside;
          const next = q + length;
          const faults =
            // More than one point, a point at either end, or no digit.
            (point & (point - 1)) |
            (~digits & 1) |
            ((point << 1) & (inside + 1)) |
            // A zero before another digit.
            i32(load<u8>(q) === 0x30 && (digits & 2) !== 0) |
            i32(length > 15) |
            i32((load<u8>(next) | 0x20) === 0x65) |
            i32(next >= to);
          if (faults === 0) p = next;
          else {
            p = numberFrom(VALUE, p, to);
            if (p === 0) return false;
            if (state !== VALUE) {
              s = state;
              continue;
            }
          }
        } else if (c === 0x7b || c === 0x5b) {
          if (d === maxNesting) return false;
          top = c === 0x7b ? OBJECT : ARRAY;
          s = c === 0x7b ? OBJECT_START : ARRAY_START;
          store<u8>(stack + ++d, top);
          p++;
          if (d === 1 && c === 0x5b && !jsonLines) {
            e = 1;
            elementDepth = 1;
          }
          continue;
        } else {
          if (c !== 0x74 && c !== 0x66 && c !== 0x6e) return false;
          word = c;
          step = 1;
          const four = load<u32>(p);
          if (four === 0x65757274 || four === 0x6c6c756e) p += 4;
          else if (four === 0x736c6166 && load<u8>(p + 4) === 0x65) p += 5;
          else {
            p = wordFrom(p + 1, to);
            if (p === 0) return false;
            if (state !== VALUE) {
              s = state;
              continue;
            }
          }
        }
        c = load<u8>(p);
        if (c <= SPACE) continue;
      }
    }

    if (s === AFTER) {
      if (c === COMMA) {
        p++;
        s = top === OBJECT ? KEY : VALUE;
        continue;
      }
      // ] and } are [ and { plus two; ARRAY and OBJECT are 1 and 2.
      if (c !== (top === OBJECT ? 0x7d : 0x5d)) return false;
      p++;
      d--;
      top = d > 0 ? load<u8>(stack + d) : 0;
      s = d === 0 ? DONE : AFTER;
      continue;
    }

    // Only whitespace may follow the value.
    return false;
  }
  o = flush(o, run, p, keep);
  state = s;
  depth = d;
  indentBefore = indent;
  written = <u32>(o - out);
  return true;
}

/**
 * Continues inside a string. Returns the address after it with `state` VALUE, `to` if it continues in the next piece, or
 * 0 on an error.
 */
function stringFrom(at: i32, p: usize, to: usize): usize {
  let s = at;
  while (p < to) {
    if (s === STRING) {
      p = stringStop(p);
      if (p >= to) break;
      const c = load<u8>(p++);
      if (c === QUOTE) {
        state = VALUE;
        return p;
      }
      if (c !== BACKSLASH) return 0;
      s = ESCAPE;
    } else if (s === ESCAPE) {
      const c = load<u8>(p++);
      if (c === 0x75) {
        s = HEX;
        step = 0;
      } else {
        // " \ / b f n r t
        if (c !== QUOTE && c !== BACKSLASH && c !== 0x2f && c !== 0x62 && c !== 0x66 && c !== 0x6e && c !== 0x72 && c !== 0x74)
          return 0;
        s = STRING;
      }
    } else {
      const c = load<u8>(p++);
      if (!isDigit(c) && <u8>((c | 0x20) - 0x61) > 5) return 0;
      if (++step === 4) s = STRING;
    }
  }
  state = s;
  return to;
}

/** Continues inside a number, with the same results. `at` is VALUE if the number begins here. */
function numberFrom(at: i32, p: usize, to: usize): usize {
  let s = at;
  for (; p < to; p++) {
    const c = load<u8>(p);
    const digit = isDigit(c);
    if (s === INTEGER || s === FRACTION || s === EXPONENT) {
      if (digit) continue;
    }
    if (s === VALUE) s = c === 0x2d ? MINUS : c === 0x30 ? ZERO : INTEGER;
    else if (s === MINUS) {
      if (!digit) return 0;
      s = c === 0x30 ? ZERO : INTEGER;
    } else if (s === POINT) {
      if (!digit) return 0;
      s = FRACTION;
    } else if (s === E || s === E_SIGN) {
      if (digit) s = EXPONENT;
      else if (s === E && (c === 0x2b || c === 0x2d)) s = E_SIGN;
      else return 0;
    } else if (c === 0x2e && (s === ZERO || s === INTEGER)) s = POINT;
    else if ((c | 0x20) === 0x65 && s !== EXPONENT) s = E;
    else if (s === ZERO && digit) return 0;
    else {
      state = VALUE;
      return p;
    }
  }
  state = s;
  return to;
}

/** Continues inside true, false or null, with the same results, using `word` and `step`. */
function wordFrom(p: usize, to: usize): usize {
  // The letters after the first one, in reverse order.
  const rest: u32 = word === 0x66 ? 0x65736c61 : word === 0x74 ? 0x657572 : 0x6c6c75;
  const letters = word === 0x66 ? 5 : 4;
  for (; p < to; p++) {
    if (load<u8>(p) !== <u8>(rest >> ((step - 1) << 3))) return 0;
    if (++step === letters) {
      state = VALUE;
      return p + 1;
    }
  }
  state = LITERAL;
  return to;
}
