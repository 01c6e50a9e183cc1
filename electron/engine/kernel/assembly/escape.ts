/** Writes UTF-8 text as the inside of a JSON string. */
import { BACKSLASH, QUOTE, SPACE } from './shared';

/** The letter after the backslash, by control character. */
const letters: usize = memory.data<u8>([
  0x75, 0x75, 0x75, 0x75, 0x75, 0x75, 0x75, 0x75, 0x62, 0x74, 0x6e, 0x75, 0x66, 0x72, 0x75, 0x75, 0x75, 0x75, 0x75, 0x75, 0x75,
  0x75, 0x75, 0x75, 0x75, 0x75, 0x75, 0x75, 0x75, 0x75, 0x75, 0x75,
]);

function hexDigit(value: u8): u8 {
  return value < 10 ? 0x30 + value : 0x57 + value;
}

/** Writes the escape of one byte. */
export function writeEscape(c: u8, out: usize): usize {
  const letter = c < SPACE ? load<u8>(letters + c) : c;
  store<u8>(out, BACKSLASH);
  store<u8>(out + 1, letter);
  if (letter !== 0x75) return out + 2;
  store<u16>(out + 2, 0x3030);
  store<u8>(out + 4, hexDigit(c >> 4));
  store<u8>(out + 5, hexDigit(c & 15));
  return out + 6;
}

/**
 * Writes the bytes from `from` to `to` to `out` with JSON's escapes; returns the end of the output. Reads up to 16 bytes
 * after `to` and writes up to 16 bytes after the output.
 */
export function writeEscaped(from: usize, to: usize, out: usize): usize {
  let p = from;
  let o = out;
  while (p < to) {
    const v = v128.load(p);
    v128.store(o, v);
    const quotes = i8x16.eq(v, i8x16.splat(QUOTE));
    const backslashes = i8x16.eq(v, i8x16.splat(BACKSLASH));
    const stops = i8x16.bitmask(v128.or(v128.or(quotes, backslashes), i8x16.lt_u(v, i8x16.splat(SPACE))));
    const plain: usize = ctz(stops | 0x10000);
    p += plain;
    o += plain;
    // Matches after the end are ignored.
    if (p >= to) return o - (p - to);
    if (plain < 16) {
      o = writeEscape(load<u8>(p), o);
      p++;
    }
  }
  return o;
}
