/**
 * Classifies 64 bytes of checked JSON text at a time, one bit per byte. The parity of earlier quotes finds strings, the
 * parity of backslashes finds escapes, as in simdjson (Langdale and Lemire, 2019).
 */
import { BACKSLASH, SPACE } from './shared';

const EVEN: u64 = ((<u64>0x5555_5555) << 32) | 0x5555_5555;

/** 1 if the last byte escapes the next one. */
let escaping: u64 = 0;

export function beginEscapes(): void {
  escaping = 0;
}

/** After the last word of a piece, of which only `count` bytes exist; `escaped` is the result of `escapedBytes` for it. */
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

/** Bytes up to and including space: outside of strings, valid text has only whitespace there. */
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

/** Which of 64 bytes are escaped by a preceding backslash. */
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

/** Prefix parity of the bits. */
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

/** The lowest `count` bits. */
export function upTo(count: u64): u64 {
  return count >= 64 ? ~(<u64>0) : ((<u64>1) << count) - 1;
}

export function copy64(o: usize, p: usize): void {
  v128.store(o, v128.load(p));
  v128.store(o, v128.load(p, 16), 16);
  v128.store(o, v128.load(p, 32), 32);
  v128.store(o, v128.load(p, 48), 48);
}

/** Copies those of 64 bytes whose bits are set; returns the end of the copy. May touch 64 bytes after source and copy. */
export function copyKept(kept: u64, p: usize, out: usize): usize {
  let o = out;
  // Alternating starts and ends of runs.
  let edges = kept ^ (kept << 1);
  while (edges !== 0) {
    const start = <usize>ctz(edges);
    edges &= edges - 1;
    const length = <usize>ctz(edges) - start;
    edges &= edges - 1;
    const run = p + start;
    // Copying a fixed number of bytes is faster than predicting the length.
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
