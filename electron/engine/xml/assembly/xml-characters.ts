/** Characters of XML 1.0 (fifth edition): validity, names and references. */
import { copy64 } from '../../kernel/assembly/json-bits';
import { CR, isDigit, LF, SPACE, TAB } from '../../kernel/assembly/shared';

/** Control characters other than tab and line feed, and the first byte of U+FFFE and U+FFFF. */
function oddIn(v: v128): v128 {
  const layout = v128.or(i8x16.eq(v, i8x16.splat(TAB)), i8x16.eq(v, i8x16.splat(LF)));
  const controls = v128.andnot(i8x16.le_u(v, i8x16.splat(SPACE - 1)), layout);
  return v128.or(controls, i8x16.eq(v, i8x16.splat(<u8>0xef)));
}

function oddIn64(p: usize): v128 {
  const low = v128.or(oddIn(v128.load(p)), oddIn(v128.load(p, 16)));
  return v128.or(low, v128.or(oddIn(v128.load(p, 32)), oddIn(v128.load(p, 48))));
}

/**
 * Copies bytes to `out` and normalizes CR and CR LF to LF. Returns the end of the copy, or 0 if a character is invalid in
 * XML. Touches 16 bytes after both. Checks the copy from `since` on, where the last characters before may have been
 * incomplete.
 */
export function copyChecked(from: usize, to: usize, out: usize, since: usize): usize {
  let p = from;
  let o = out;
  let rare = false;
  while (p < to) {
    while (p + 64 <= to && !v128.any_true(oddIn64(p))) {
      copy64(o, p);
      p += 64;
      o += 64;
    }
    const v = v128.load(p);
    v128.store(o, v);
    const odd = oddIn(v);
    const stop: usize = ctz(i8x16.bitmask(odd) | 0x10000);
    p += stop;
    o += stop;
    if (stop === 16 || p >= to) continue;
    const c = load<u8>(p);
    if (c === CR) {
      store<u8>(o++, LF);
      p += load<u8>(p + 1) === LF && p + 1 < to ? 2 : 1;
    } else {
      if (c !== 0xef) return 0;
      rare = true;
      o++;
      p++;
    }
  }
  o -= p - to;
  // U+FFFE and U+FFFF are not characters; their first byte may be in the previous piece.
  if (rare || out > since) {
    for (let at = since; at + 2 < o; at++) {
      if (load<u8>(at) === 0xef && load<u8>(at + 1) === 0xbf && load<u8>(at + 2) >= 0xbe) return 0;
      if (!rare && at >= out) return o;
    }
  }
  return o;
}

/** The code point at `p`, with its length in the upper half. The text is valid UTF-8. */
function characterAt(p: usize): u64 {
  const a: u32 = load<u8>(p);
  if (a < 0x80) return ((<u64>1) << 32) | a;
  const b: u32 = load<u8>(p + 1) & 0x3f;
  if (a < 0xe0) return ((<u64>2) << 32) | ((a & 0x1f) << 6) | b;
  const c: u32 = load<u8>(p + 2) & 0x3f;
  if (a < 0xf0) return ((<u64>3) << 32) | ((a & 0x0f) << 12) | (b << 6) | c;
  const d: u32 = load<u8>(p + 3) & 0x3f;
  return ((<u64>4) << 32) | ((a & 0x07) << 18) | (b << 12) | (c << 6) | d;
}

function within(c: u32, first: u32, last: u32): bool {
  return c - first <= last - first;
}

function startsName(c: u32): bool {
  if (c < 0x80) return within(c | 0x20, 0x61, 0x7a) || c === 0x5f || c === 0x3a;
  return (
    within(c, 0xc0, 0xd6) ||
    within(c, 0xd8, 0xf6) ||
    within(c, 0xf8, 0x2ff) ||
    within(c, 0x370, 0x37d) ||
    within(c, 0x37f, 0x1fff) ||
    within(c, 0x200c, 0x200d) ||
    within(c, 0x2070, 0x218f) ||
    within(c, 0x2c00, 0x2fef) ||
    within(c, 0x3001, 0xd7ff) ||
    within(c, 0xf900, 0xfdcf) ||
    within(c, 0xfdf0, 0xfffd) ||
    within(c, 0x10000, 0xeffff)
  );
}

function continuesName(c: u32): bool {
  return (
    startsName(c) ||
    within(c, 0x30, 0x39) ||
    c === 0x2d ||
    c === 0x2e ||
    c === 0xb7 ||
    within(c, 0x300, 0x36f) ||
    within(c, 0x203f, 0x2040)
  );
}

/** Whether the bytes are a name (production 5). */
export function isName(from: usize, to: usize): bool {
  if (from >= to) return false;
  let p = from;
  while (p < to) {
    const character = characterAt(p);
    const code = <u32>character;
    if (!(p === from ? startsName(code) : continuesName(code))) return false;
    p += <usize>(character >> 32);
  }
  return p === to;
}

function isCharacter(code: u32): bool {
  if (code < 0x20) return code === 0x09 || code === 0x0a || code === 0x0d;
  return code < 0xd800 || within(code, 0xe000, 0xfffd) || within(code, 0x10000, 0x10ffff);
}

/** The character of the reference `&…;` at `p`, with its length in the upper half; 0 if XML does not predefine it. */
export function readReference(p: usize): u64 {
  const next = load<u32>(p + 1);
  if ((next & 0xffffff) === 0x3b746c) return ((<u64>4) << 32) | 0x3c;
  if ((next & 0xffffff) === 0x3b7467) return ((<u64>4) << 32) | 0x3e;
  if (next === 0x3b706d61) return ((<u64>5) << 32) | 0x26;
  if (next === 0x746f7571 && load<u8>(p + 5) === 0x3b) return ((<u64>6) << 32) | 0x22;
  if (next === 0x736f7061 && load<u8>(p + 5) === 0x3b) return ((<u64>6) << 32) | 0x27;
  if (load<u8>(p + 1) !== 0x23) return 0;
  const hexadecimal = load<u8>(p + 2) === 0x78;
  const start = p + (hexadecimal ? 3 : 2);
  let q = start;
  let code: u32 = 0;
  let c = load<u8>(q);
  while (c !== 0x3b) {
    const letter: u8 = (c | 0x20) - 0x61;
    // Larger numbers are not characters, whatever digits follow.
    if (code > 0x10ffff) return 0;
    if (isDigit(c)) code = code * (hexadecimal ? 16 : 10) + (c - 0x30);
    else if (hexadecimal && letter < 6) code = code * 16 + letter + 10;
    else return 0;
    c = load<u8>(++q);
  }
  return q > start && isCharacter(code) ? ((<u64>(q + 1 - p)) << 32) | code : 0;
}

/** Writes a character in UTF-8, which is never longer than its reference. */
export function writeCharacter(code: u32, out: usize): usize {
  if (code < 0x80) {
    store<u8>(out, <u8>code);
    return out + 1;
  }
  if (code < 0x800) {
    store<u8>(out, <u8>(0xc0 | (code >> 6)));
    store<u8>(out + 1, <u8>(0x80 | (code & 0x3f)));
    return out + 2;
  }
  if (code < 0x10000) {
    store<u8>(out, <u8>(0xe0 | (code >> 12)));
    store<u8>(out + 1, <u8>(0x80 | ((code >> 6) & 0x3f)));
    store<u8>(out + 2, <u8>(0x80 | (code & 0x3f)));
    return out + 3;
  }
  store<u8>(out, <u8>(0xf0 | (code >> 18)));
  store<u8>(out + 1, <u8>(0x80 | ((code >> 12) & 0x3f)));
  store<u8>(out + 2, <u8>(0x80 | ((code >> 6) & 0x3f)));
  store<u8>(out + 3, <u8>(0x80 | (code & 0x3f)));
  return out + 4;
}
