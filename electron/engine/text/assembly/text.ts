/** Writes bytes as the inside of a JSON string: escaped text, or base64 (RFC 4648 §4). */
import { writeEscaped } from '../../kernel/assembly/escape';

export { heapBase } from '../../kernel/assembly/shared';

/** Writes escaped text; returns its end. One byte becomes at most 6, and 16 bytes after input and output are touched. */
export function escapeText(from: usize, to: usize, out: usize): usize {
  return writeEscaped(from, to, out);
}

/** Offset to add to each of 16 numbers below 64 to get its base64 digit (Muła and Lemire 2018, 10.1145/3132709). */
function digitsOf(values: v128): v128 {
  const small = v128.and(i8x16.lt_u(values, i8x16.splat(26)), i8x16.splat(13));
  const kinds = v128.or(i8x16.sub_sat_u(values, i8x16.splat(51)), small);
  const offsets = i8x16.swizzle(i8x16(71, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -19, -16, 65, 0, 0), kinds);
  return i8x16.add(values, offsets);
}

/** Splits each of four groups of three bytes into four 6-bit numbers. */
function sextets(bytes: v128): v128 {
  const groups = i8x16.swizzle(bytes, i8x16(2, 1, 0, -1, 5, 4, 3, -1, 8, 7, 6, -1, 11, 10, 9, -1));
  const first = i32x4.shr_u(groups, 18);
  const second = v128.and(i32x4.shr_u(groups, 4), i32x4.splat(0x3f00));
  const third = v128.and(i32x4.shl(groups, 10), i32x4.splat(0x3f0000));
  const fourth = v128.and(i32x4.shl(groups, 24), i32x4.splat(0x3f000000));
  return v128.or(v128.or(first, second), v128.or(third, fourth));
}

/**
 * Writes bytes, a multiple of three, in base64; returns the end. Reads 16 bytes after the input and writes up to 16 bytes
 * after the output.
 */
export function base64(from: usize, to: usize, out: usize): usize {
  let o = out;
  for (let p = from; p < to; p += 12) {
    v128.store(o, digitsOf(sextets(v128.load(p))));
    o += 16;
  }
  return out + ((to - from) / 3) * 4;
}
