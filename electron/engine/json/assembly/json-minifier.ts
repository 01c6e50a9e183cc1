/** Removes whitespace between tokens from JSON text that was checked before, 64 bytes at a time. */
import { atMostSpace, beginEscapes, copy64, copyKept, equal, escapedBytes, parity, upTo } from '../../kernel/assembly/json-bits';
import { COMMA, LF, QUOTE } from '../../kernel/assembly/shared';

export { heapBase } from '../../kernel/assembly/shared';

/** All ones inside a string. */
let inString: u64 = 0;
let asLines: bool = false;
/** Whether a comma is due before the next line's value, and whether any value was written. */
let lineEnded: bool = false;
let begun: bool = false;

/** `lines`: JSON Lines, whose values are separated by commas in the output. */
export function beginMinify(lines: bool): void {
  inString = 0;
  beginEscapes();
  asLines = lines;
  lineEnded = false;
  begun = false;
}

/**
 * Minifies `from` to `to`, a multiple of 64 bytes. Returns the end of the output; up to 64 bytes after it may be
 * overwritten.
 */
export function minify(from: usize, to: usize, out: usize): usize {
  let o = out;
  for (let p = from; p < to; p += 64) {
    const escaped = escapedBytes(p);
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
    o = asLines ? minifyLines(p, layout, o) : copyKept(~layout, p, o);
  }
  return o;
}

/** Writes the kept bytes of a 64-byte block of JSON Lines. */
function minifyLines(p: usize, layout: u64, out: usize): usize {
  let o = out;
  const lineEnds = equal(p, LF) & layout;
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
  return o;
}

function separate(o: usize): usize {
  lineEnded = false;
  store<u8>(o, COMMA);
  return o + 1;
}
