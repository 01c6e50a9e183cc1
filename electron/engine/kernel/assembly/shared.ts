/** Shared by all kernels: names for bytes, and typed loads. */

export const TAB: u8 = 0x09;
export const LF: u8 = 0x0a;
export const CR: u8 = 0x0d;
export const SPACE: u8 = 0x20;
export const QUOTE: u8 = 0x22;
export const BACKSLASH: u8 = 0x5c;
export const COMMA: u8 = 0x2c;
export const LESS: u8 = 0x3c;
export const GREATER: u8 = 0x3e;
export const SLASH: u8 = 0x2f;
/** Start of free memory, which the kernel's host lays out; exported by every kernel. */
export const heapBase: usize = __heap_base;

// @ts-expect-error: decorator
export function isDigit(byte: u8): bool {
  return <u8>(byte - 0x30) < 10;
}

// @ts-expect-error: decorator
function stringStops(p: usize): i32 {
  const v = v128.load(p);
  const quotes = i8x16.eq(v, i8x16.splat(QUOTE));
  const backslashes = i8x16.eq(v, i8x16.splat(BACKSLASH));
  return i8x16.bitmask(v128.or(v128.or(quotes, backslashes), i8x16.lt_u(v, i8x16.splat(SPACE))));
}

/**
 * Address of the next quote, backslash or control character. A zero byte must follow, and 16 bytes after it must be
 * readable.
 */
// @ts-expect-error: decorator
export function stringStop(from: usize): usize {
  let p = from;
  let stops = stringStops(p);
  while (stops === 0) {
    p += 16;
    stops = stringStops(p);
  }
  return p + ctz(stops);
}
