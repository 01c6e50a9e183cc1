/**
 * Splits checked JSON text into the elements of its list, or the values of its lines, and removes whitespace. For other
 * text the output is undefined, but stays within the bounds.
 */
import {
  atMostSpace,
  beginEscapes,
  copy64,
  copyKept,
  cutEscapes,
  equal,
  escapedBytes,
  parity,
  upTo,
} from '../../kernel/assembly/json-bits';
import { COMMA, CR, LF, QUOTE } from '../../kernel/assembly/shared';

export { heapBase } from '../../kernel/assembly/shared';

const CLOSE_LIST: u8 = 0x5d;

/** JSON Lines; otherwise a list. */
let asLines: bool = false;
let depth: i32 = 0;
/** All ones inside a string. */
let inString: u64 = 0;
/** 1 if the last byte was CR. */
let afterCr: u64 = 0;
let line: u32 = 1;
/** Whether the next byte that is not whitespace begins an element. */
let waiting: bool = false;

let written: u32 = 0;
/** Elements since the output was taken. */
let started: u32 = 0;
let ended: u32 = 0;
/** Offsets in the piece of the first and the last element that start in it; -1 if none does. */
let firstElement: i32 = -1;
let lastElement: i32 = -1;
/** Lists of elements' ends and lines, 4 bytes per entry. */
let ends: usize = 0;
let lines: usize = 0;

/** What the host reads after each call: 32-bit numbers, in the order of `tell`. */
export const told: usize = memory.data(32);

function tell(): void {
  store<u32>(told, written);
  store<u32>(told + 4, started);
  store<u32>(told + 8, ended);
  store<i32>(told + 12, firstElement);
  store<i32>(told + 16, lastElement);
}

/** Starts over: at the beginning of the text or, if `resumed`, at an element on the given line. */
export function begin(byLine: bool, resumed: bool, atLine: u32, endsAt: usize, linesAt: usize): void {
  asLines = byLine;
  depth = resumed && !byLine ? 1 : 0;
  inString = 0;
  beginEscapes();
  afterCr = 0;
  line = atLine;
  waiting = byLine || depth === 1;
  ends = endsAt;
  lines = linesAt;
  started = 0;
  ended = 0;
  tell();
}

/** Resets the counts after the output was taken; `unfinished` is 1 if an element continues. */
export function restart(unfinished: u32): void {
  started = unfinished;
  ended = 0;
  tell();
}

/** After the last piece: whether the text was complete. A last line without line end ends at `at` in the output. */
export function finish(at: u32): bool {
  if (asLines && !waiting) {
    endElement(at);
    tell();
  }
  return depth === 0 && inString === 0;
}

function endElement(at: u32): void {
  store<u32>(ends + ((<usize>ended) << 2), at);
  ended++;
}

/** Begins an element at the first of these bytes, unless it closes the list. Returns the bits that are still relevant. */
function startIn(solid: u64, newLines: u64, block: usize, piece: usize): u64 {
  const start = ctz(solid);
  const at = block + <usize>start;
  if (!asLines && load<u8>(at) === CLOSE_LIST && depth === 1) return ~(<u64>0);
  const place = <i32>(at - piece);
  if (firstElement < 0) firstElement = place;
  lastElement = place;
  store<u32>(lines + ((<usize>started) << 2), line + <u32>popcnt(newLines & upTo(start)));
  started++;
  waiting = false;
  return ~upTo(start);
}

/** Brackets and braces, which differ in one bit. */
function brackets(p: usize): u64 {
  let all: u64 = 0;
  for (let i: usize = 0; i < 64; i += 16) {
    const v = v128.or(v128.load(p + i), i8x16.splat(0x20));
    const found = v128.or(i8x16.eq(v, i8x16.splat(0x7b)), i8x16.eq(v, i8x16.splat(0x7d)));
    all |= (<u64>i8x16.bitmask(found)) << i;
  }
  return all;
}

/**
 * Writes what is between `from` and `to`, followed by 64 zero bytes, to `out`, which holds `before` bytes. Up to the
 * length of the piece plus 64 bytes are written.
 */
export function write(from: usize, to: usize, out: usize, before: u32): void {
  let o = out + before;
  firstElement = -1;
  lastElement = -1;
  for (let p = from; p < to; p += 64) {
    const left: u64 = min<u64>(to - p, 64);
    const valid = upTo(left);
    const escaped = escapedBytes(p);
    if (left < 64) cutEscapes(escaped, left);
    const strings = parity(equal(p, QUOTE) & ~escaped) ^ inString;
    inString = <u64>(<i64>strings >> 63);
    const layout = atMostSpace(p) & ~strings & valid;
    const solid = ~layout & valid;
    /** Masks of bytes to drop and of bytes that become a comma. */
    let drop = layout;
    let commas: u64 = 0;
    let newLines: u64 = 0;
    if (layout !== 0) {
      newLines = equal(p, LF) & layout;
      if (!asLines) {
        const returns = equal(p, CR) & layout;
        newLines = (newLines & ~((returns << 1) | afterCr)) | returns;
        afterCr = (returns >> (left - 1)) & 1;
      }
    } else afterCr = 0;

    let events = newLines;
    if (!asLines) {
      events = brackets(p) & ~strings;
      if (events !== 0 || depth <= 1) events |= equal(p, COMMA) & ~strings;
    }
    if (waiting && solid !== 0) events &= startIn(solid, newLines, p, from);
    while (events !== 0) {
      const i = ctz(events);
      const bit = (<u64>1) << i;
      events &= events - 1;
      let over = false;
      if (asLines) {
        if (waiting) continue;
        over = true;
        drop &= ~bit;
        commas |= bit;
      } else {
        const byte = load<u8>(p + <usize>i);
        if (byte === COMMA) {
          if (depth !== 1) continue;
          over = true;
        } else if ((byte | 0x20) === 0x7b) {
          if (depth++ !== 0) continue;
          drop |= bit;
        } else {
          if (--depth !== 0) continue;
          drop |= bit;
          if (!waiting) endElement(<u32>(o - out) + <u32>popcnt(~drop & valid & upTo(i)));
          waiting = false;
          continue;
        }
      }
      if (over) endElement(<u32>(o - out) + <u32>popcnt(~drop & valid & upTo(i)));
      waiting = true;
      const rest = solid & ~upTo(i) & ~bit;
      if (rest !== 0) events &= startIn(rest, newLines, p, from);
    }
    line += <u32>popcnt(newLines);

    const kept = ~drop & valid;
    const begun = o;
    if (kept === ~(<u64>0)) {
      copy64(o, p);
      o += 64;
    } else o = copyKept(kept, p, o);
    while (commas !== 0) {
      store<u8>(begun + <usize>popcnt(kept & upTo(ctz(commas))), COMMA);
      commas &= commas - 1;
    }
  }
  written = <u32>(o - out);
  tell();
}
