/**
 * Leaves the layout out of JSON text that was found right before, 64 bytes at a time. Strings are told by the parity of the quotes
 * before a byte and escapes by that of backslashes, with whole words instead of steps, as simdjson does (Langdale and Lemire, 2019).
 */
import { BACKSLASH, LF, QUOTE, SPACE } from './shared';

export { heapBase } from './shared';

const COMMA: u8 = 0x2c;
const EVEN: u64 = ((<u64>0x5555_5555) << 32) | 0x5555_5555;

/** All ones inside a string. */
let inString: u64 = 0;
/** 1 where the last byte escapes the next. */
let escaping: u64 = 0;
let asLines: bool = false;
/** Whether a line of the lines has ended and another is to come, and whether one was written at all. */
let lineEnded: bool = false;
let begun: bool = false;

/** `lines`: values stand on lines of their own and get commas in between. */
export function beginSqueeze(lines: bool): void {
  inString = 0;
  escaping = 0;
  asLines = lines;
  lineEnded = false;
  begun = false;
}

function equal(p: usize, byte: u8): u64 {
  const b = i8x16.splat(byte);
  return (
    <u64>i8x16.bitmask(i8x16.eq(v128.load(p), b)) |
    ((<u64>i8x16.bitmask(i8x16.eq(v128.load(p, 16), b))) << 16) |
    ((<u64>i8x16.bitmask(i8x16.eq(v128.load(p, 32), b))) << 32) |
    ((<u64>i8x16.bitmask(i8x16.eq(v128.load(p, 48), b))) << 48)
  );
}

/** Spaces and what is below: outside of strings, right text has only layout there. */
function atMostSpace(p: usize): u64 {
  const b = i8x16.splat(SPACE);
  return (
    <u64>i8x16.bitmask(i8x16.le_u(v128.load(p), b)) |
    ((<u64>i8x16.bitmask(i8x16.le_u(v128.load(p, 16), b))) << 16) |
    ((<u64>i8x16.bitmask(i8x16.le_u(v128.load(p, 32), b))) << 32) |
    ((<u64>i8x16.bitmask(i8x16.le_u(v128.load(p, 48), b))) << 48)
  );
}

/** Bytes that a backslash before them escapes. */
function escapedBytes(backslashes: u64): u64 {
  if (backslashes === 0) {
    const escaped = escaping;
    escaping = 0;
    return escaped;
  }
  const free = backslashes & ~escaping;
  const followers = (free << 1) | escaping;
  const oddStarts = free & ~EVEN & ~followers;
  const evenRuns = oddStarts + free;
  escaping = u64(evenRuns < oddStarts);
  return (EVEN ^ (evenRuns << 1)) & followers;
}

/** Parity of the bits up to each. */
function parity(bits: u64): u64 {
  let x = bits;
  x ^= x << 1;
  x ^= x << 2;
  x ^= x << 4;
  x ^= x << 8;
  x ^= x << 16;
  x ^= x << 32;
  return x;
}

function copy64(o: usize, p: usize): void {
  v128.store(o, v128.load(p));
  v128.store(o, v128.load(p, 16), 16);
  v128.store(o, v128.load(p, 32), 32);
  v128.store(o, v128.load(p, 48), 48);
}

/** Reads from `from` to `to`, a multiple of 64 bytes; gives where the output ends, behind which 64 bytes may be overwritten. */
export function squeeze(from: usize, to: usize, out: usize): usize {
  let o = out;
  for (let p = from; p < to; p += 64) {
    const escaped = escapedBytes(equal(p, BACKSLASH));
    const inside = parity(equal(p, QUOTE) & ~escaped) ^ inString;
    inString = <u64>(<i64>inside >> 63);
    const layout = atMostSpace(p) & ~inside;
    if (layout === 0) {
      if (lineEnded) o = separate(o);
      begun = true;
      copy64(o, p);
      o += 64;
      continue;
    }
    const lineEnds: u64 = asLines ? equal(p, LF) & layout : 0;
    let kept = ~layout;
    let at: u64 = 0;
    while (kept !== 0) {
      const start = ctz(kept);
      if ((lineEnds & upTo(start) & ~upTo(at)) !== 0) lineEnded = begun;
      if (lineEnded) o = separate(o);
      begun = true;
      const length = ctz(~(kept >> start));
      const run = p + <usize>start;
      for (let i: usize = 0; i < <usize>length; i += 16) v128.store(o + i, v128.load(run + i));
      o += <usize>length;
      at = start + length;
      kept &= ~upTo(at);
    }
    if ((lineEnds & ~upTo(at)) !== 0) lineEnded = begun;
  }
  return o;
}

/** The lowest bits. */
function upTo(count: u64): u64 {
  return count >= 64 ? ~(<u64>0) : ((<u64>1) << count) - 1;
}

function separate(o: usize): usize {
  lineEnded = false;
  store<u8>(o, COMMA);
  return o + 1;
}
