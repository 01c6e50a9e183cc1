/**
 * JSON text that was found right before, 64 bytes at a time as the bits of a word. Strings are told by the parity of the quotes before a
 * byte and escapes by that of backslashes, with whole words instead of steps, as simdjson does (Langdale and Lemire, 2019).
 */
import { BACKSLASH, SPACE } from './shared';

const EVEN: u64 = ((<u64>0x5555_5555) << 32) | 0x5555_5555;

/** 1 where the last byte escapes the next. */
let escaping: u64 = 0;

export function beginEscapes(): void {
  escaping = 0;
}

/** After the last word of a piece, of which only `count` bytes were there; `escaped` is what `escapedBytes` gave for it. */
export function cutEscapes(escaped: u64, count: u64): void {
  escaping = (escaped >> count) & 1;
}

export function equal(p: usize, byte: u8): u64 {
  const b = i8x16.splat(byte);
  return (
    <u64>i8x16.bitmask(i8x16.eq(v128.load(p), b)) |
    ((<u64>i8x16.bitmask(i8x16.eq(v128.load(p, 16), b))) << 16) |
    ((<u64>i8x16.bitmask(i8x16.eq(v128.load(p, 32), b))) << 32) |
    ((<u64>i8x16.bitmask(i8x16.eq(v128.load(p, 48), b))) << 48)
  );
}

/** Spaces and what is below: outside of strings, right text has only layout there. */
export function atMostSpace(p: usize): u64 {
  const b = i8x16.splat(SPACE);
  return (
    <u64>i8x16.bitmask(i8x16.le_u(v128.load(p), b)) |
    ((<u64>i8x16.bitmask(i8x16.le_u(v128.load(p, 16), b))) << 16) |
    ((<u64>i8x16.bitmask(i8x16.le_u(v128.load(p, 32), b))) << 32) |
    ((<u64>i8x16.bitmask(i8x16.le_u(v128.load(p, 48), b))) << 48)
  );
}

function hasBackslash(p: usize): bool {
  const b = i8x16.splat(BACKSLASH);
  const low = v128.or(i8x16.eq(v128.load(p), b), i8x16.eq(v128.load(p, 16), b));
  const high = v128.or(i8x16.eq(v128.load(p, 32), b), i8x16.eq(v128.load(p, 48), b));
  return v128.any_true(v128.or(low, high));
}

/** Which of 64 bytes a backslash before them escapes. */
export function escapedBytes(p: usize): u64 {
  if (!hasBackslash(p)) {
    const escaped = escaping;
    escaping = 0;
    return escaped;
  }
  const backslashes = equal(p, BACKSLASH);
  const free = backslashes & ~escaping;
  const followers = (free << 1) | escaping;
  const oddStarts = free & ~EVEN & ~followers;
  const evenRuns = oddStarts + free;
  escaping = u64(evenRuns < oddStarts);
  return (EVEN ^ (evenRuns << 1)) & followers;
}

/** Parity of the bits up to each. */
export function parity(bits: u64): u64 {
  let x = bits;
  x ^= x << 1;
  x ^= x << 2;
  x ^= x << 4;
  x ^= x << 8;
  x ^= x << 16;
  x ^= x << 32;
  return x;
}

/** The lowest bits. */
export function upTo(count: u64): u64 {
  return count >= 64 ? ~(<u64>0) : ((<u64>1) << count) - 1;
}

export function copy64(o: usize, p: usize): void {
  v128.store(o, v128.load(p));
  v128.store(o, v128.load(p, 16), 16);
  v128.store(o, v128.load(p, 32), 32);
  v128.store(o, v128.load(p, 48), 48);
}

/** Writes those of 64 bytes whose bits are set; gives where they end. As many bytes behind these and behind them are touched. */
export function copyKept(kept: u64, p: usize, out: usize): usize {
  let o = out;
  // Where runs begin and end, by turns.
  let edges = kept ^ (kept << 1);
  while (edges !== 0) {
    const start = <usize>ctz(edges);
    edges &= edges - 1;
    const length = <usize>ctz(edges) - start;
    edges &= edges - 1;
    const run = p + start;
    // More than needed at once costs less than a guess at how much is.
    v128.store(o, v128.load(run));
    v128.store(o, v128.load(run, 16), 16);
    if (length > 32) {
      v128.store(o, v128.load(run, 32), 32);
      v128.store(o, v128.load(run, 48), 48);
    }
    o += length;
  }
  return o;
}
