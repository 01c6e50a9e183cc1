/**
 * Converts XML 1.0 to JSON while the text arrives. Accepts only text that is certainly well-formed; the reference reader
 * handles the rest and reports the errors.
 */
import { writeEscape, writeEscaped } from '../../kernel/assembly/escape';
import { BACKSLASH, CR, GREATER, LESS, LF, QUOTE, SLASH, SPACE } from '../../kernel/assembly/shared';
import { copyChecked, isName, readReference, writeCharacter } from './xml-characters';
import {
  addText,
  beginAttribute,
  beginJson,
  beginValue,
  depth,
  elementNumber,
  endJson,
  enter,
  hasRoot,
  innermostName,
  leave,
  makeRoomFor,
  textsTop,
} from './xml-json';
import { allocate, makeRoom, widened, written, writtenTo } from './xml-memory';
import { beginNames, expectedName, isNamed, NAME_ATTRIBUTE_OF, NAME_LENGTH, nameOf } from './xml-names';

export { heapBase } from '../../kernel/assembly/shared';
export { json, written } from './xml-memory';

const EQUALS: u8 = 0x3d;
const AMPERSAND: u8 = 0x26;
const APOSTROPHE: u8 = 0x27;
const CLOSE_BRACKET: u8 = 0x5d;
const INPUT_BYTES: usize = 128 * 1024;
/** Zero bytes after the text, which may be read. */
const SLACK: usize = 64;

/** Returned in place of an address if more text is needed. */
const UNFINISHED: usize = 1;

/** The text buffer: start, end and capacity of unread (and some read) text. */
let input: usize = 0;
let inputEnd: usize = 0;
/** Read position and end of the text. */
export let place: usize = 0;
export let end: usize = 0;
/** Address of the last `<`: all tags and text before it are complete. */
let lastTag: usize = 0;
/** With less text than this, reading waits. */
let wanted: usize = 0;
let lastWasCr: bool = false;
let hasDocumentType: bool = false;

/** Starts over, in memory from `from` on; `seed` must be unpredictable. */
export function begin(nesting: i32, from: usize, seed: u64): bool {
  if (!beginJson(nesting, from)) return false;
  beginNames(seed);
  if (!makeRoom(INPUT_BYTES + 16, 64)) return false;
  input = allocate(INPUT_BYTES);
  inputEnd = input + INPUT_BYTES;
  place = input;
  end = input;
  lastTag = input;
  wanted = 0;
  lastWasCr = false;
  hasDocumentType = false;
  return true;
}

/**
 * Appends bytes to the text and normalizes line ends to LF. False if a character is invalid in XML. Reads 16 bytes past
 * them.
 */
export function append(from: usize, to: usize): bool {
  if (!makeInput(to - from)) return false;
  const before = end;
  let p = from;
  if (lastWasCr && p < to && load<u8>(p) === LF) p++;
  if (to > from) lastWasCr = load<u8>(to - 1) === CR;
  end = copyChecked(p, to, before, max(place, before - 2));
  if (end === 0) return false;
  for (let i: usize = 0; i < SLACK; i += 16) v128.store(end + i, i8x16.splat(0));
  for (let at = end; at > before; ) {
    at -= 16;
    const found = i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(LESS)));
    if (found === 0) continue;
    lastTag = max(place, at + (31 - clz(found)));
    break;
  }
  return true;
}

/** Makes room for more text. */
function makeInput(bytes: usize): bool {
  if (end + bytes + SLACK <= inputEnd) return true;
  const used = end - place;
  let from = input;
  if (used + bytes + SLACK > inputEnd - input) {
    const size = ((used + bytes) << 1) + SLACK;
    if (!makeRoom(size + 16, 64)) return false;
    from = widened(place, used, size);
    inputEnd = from + size;
  } else memory.copy(input, place, used);
  lastTag = from + (lastTag - place);
  input = from;
  place = from;
  end = from + used;
  return true;
}

/** Skips the text's first bytes, which the host has checked. */
export function skip(bytes: usize): void {
  place += bytes;
  lastTag = max(lastTag, place);
}

/** Reads as much as possible of the text; `all`: no more will arrive. False if it is malformed. */
export function read(all: bool): bool {
  const limit = all ? end : lastTag;
  const bytes = end - place;
  if (limit <= place && !all) return true;
  if (bytes < wanted && !all) return true;
  wanted = 0;
  if (!makeRoomFor(bytes)) return false;
  let p = place;
  while (p < limit) {
    p = readText(p);
    if (p === 0) return false;
    if (p >= limit) break;
    const at = p;
    const c = load<u8>(p + 1);
    if (c === SLASH) p = readClosing(p + 2);
    else if (c === 0x21) p = readDeclaration(p + 2);
    else if (c === 0x3f) p = readInstruction(p + 2);
    else p = readOpening(p + 1);
    if (p === UNFINISHED && !all) {
      // Retried when the text has doubled, so that the same text is not searched for each piece.
      place = at;
      wanted = 2 * (end - at);
      return true;
    }
    if (p <= UNFINISHED || p > end) return false;
  }
  place = p;
  if (!all) return true;
  if (depth !== 0 || !hasRoot) return false;
  endJson();
  return true;
}

// Parsing functions. They return the address after what they read, or 0 if it is malformed.

/** Address of the first byte that is not white space. */
function afterSpace(from: usize): usize {
  let p = from;
  while (load<u8>(p) <= SPACE && p < end) p++;
  return p;
}

/** Address of the first byte that ends a name; the name is not validated. */
function nameEnd(from: usize): usize {
  let p = from;
  let stops = 0;
  do {
    const v = v128.load(p);
    const spaces = i8x16.le_u(v, i8x16.splat(SPACE));
    const closes = v128.or(i8x16.eq(v, i8x16.splat(GREATER)), i8x16.eq(v, i8x16.splat(SLASH)));
    stops = i8x16.bitmask(v128.or(v128.or(spaces, closes), i8x16.eq(v, i8x16.splat(EQUALS))));
    p += stops !== 0 ? <usize>ctz(stops) : 16;
  } while (stops === 0);
  return p;
}

/** Address of the first occurrence of the bytes `a`, `b`; 0 if there is none. */
function find(from: usize, a: u8, b: u8): usize {
  let p = from;
  while (p < end) {
    const firsts = i8x16.eq(v128.load(p), i8x16.splat(a));
    const seconds = i8x16.eq(v128.load(p + 1), i8x16.splat(b));
    const found = i8x16.bitmask(v128.and(firsts, seconds));
    if (found !== 0) return p + ctz(found);
    p += 16;
  }
  return 0;
}

/** Characters that JSON must escape. */
function jsonStops(v: v128): v128 {
  const marks = v128.or(i8x16.eq(v, i8x16.splat(QUOTE)), i8x16.eq(v, i8x16.splat(BACKSLASH)));
  return v128.or(marks, i8x16.le_u(v, i8x16.splat(SPACE - 1)));
}

/** Where in 16 bytes the text ends, markup begins, or JSON needs an escape. */
function textStops(v: v128): u32 {
  const marks = v128.or(i8x16.eq(v, i8x16.splat(LESS)), i8x16.eq(v, i8x16.splat(AMPERSAND)));
  return i8x16.bitmask(v128.or(v128.or(marks, i8x16.eq(v, i8x16.splat(CLOSE_BRACKET))), jsonStops(v)));
}

/** End of the text that `copyText` wrote, and whether it contains more than white space. */
let copied: usize = 0;
let isSolid: bool = false;

/** Writes text up to the next tag to `out`, escaped for JSON. Returns the address of the tag, or of the end of the text. */
function copyText(from: usize, out: usize): usize {
  let p = from;
  let o = out;
  let solid = false;
  for (;;) {
    // Most texts are shorter than 32 bytes, so this avoids a mispredicted loop.
    const low = v128.load(p);
    const high = v128.load(p, 16);
    v128.store(o, low);
    v128.store(o, high, 16);
    const stops = textStops(low) | (textStops(high) << 16);
    if (!solid) solid = (~spaces(low, high) & (lowest(stops) - 1)) !== 0;
    if (stops === 0) {
      p += 32;
      o += 32;
      continue;
    }
    const plain: usize = ctz(stops);
    p += plain;
    o += plain;
    const c = load<u8>(p);
    if (c === LESS || p >= end) break;
    if (c === AMPERSAND) {
      const reference = readReference(p);
      if (reference === 0) return 0;
      p += <usize>(reference >> 32);
      const code = <u32>reference;
      if (code > SPACE) solid = true;
      o = writeReferred(code, o);
    } else if (c === CLOSE_BRACKET) {
      if (load<u16>(p + 1) === 0x3e5d) return 0;
      store<u8>(o++, c);
      solid = true;
      p++;
    } else {
      if (c > SPACE) solid = true;
      o = writeEscape(c, o);
      p++;
    }
  }
  copied = o;
  isSolid = solid;
  return p;
}

function spaces(low: v128, high: v128): u32 {
  const inLow = i8x16.bitmask(i8x16.le_u(low, i8x16.splat(SPACE)));
  return inLow | (i8x16.bitmask(i8x16.le_u(high, i8x16.splat(SPACE))) << 16);
}

/** The lowest set bit as a mask; for 0 the result minus 1 is all ones. */
function lowest(bits: u32): u32 {
  return bits & (0 - bits);
}

/** Writes the character of a reference, escaped for JSON. */
function writeReferred(code: u32, out: usize): usize {
  if (code < SPACE || code === QUOTE || code === BACKSLASH) return writeEscape(<u8>code, out);
  return writeCharacter(code, out);
}

/** Text between two tags; only white space counts as none. Returns the address of the next tag. */
function readText(from: usize): usize {
  let p = from;
  let others = 0;
  do {
    others = i8x16.bitmask(i8x16.le_u(v128.load(p), i8x16.splat(SPACE))) ^ 0xffff;
    p += others !== 0 ? <usize>ctz(others) : 16;
  } while (others === 0 && p < end);
  if (p >= end) return end;
  if (load<u8>(p) === LESS) return p;
  // Outside of the root even a reference to white space is an error.
  if (depth === 0) return 0;
  p = copyText(from, textsTop);
  if (p !== 0 && isSolid) addText(copied);
  return p;
}

/** An attribute's value up to its closing quote; white space becomes spaces. */
function readValue(from: usize, quote: u8): usize {
  let p = from;
  let o = written;
  for (;;) {
    const v = v128.load(p);
    v128.store(o, v);
    const marks = v128.or(i8x16.eq(v, i8x16.splat(quote)), i8x16.eq(v, i8x16.splat(AMPERSAND)));
    const others = v128.or(i8x16.eq(v, i8x16.splat(LESS)), jsonStops(v));
    const plain: usize = ctz(i8x16.bitmask(v128.or(marks, others)) | 0x10000);
    p += plain;
    o += plain;
    if (plain === 16) continue;
    const c = load<u8>(p);
    if (c === quote) break;
    if (c === AMPERSAND) {
      const reference = readReference(p);
      if (reference === 0) return 0;
      p += <usize>(reference >> 32);
      o = writeReferred(<u32>reference, o);
    } else {
      if (c === LESS || c === 0) return 0;
      if (c < SPACE) store<u8>(o++, SPACE);
      else o = writeEscape(c, o);
      p++;
    }
  }
  store<u8>(o, QUOTE);
  writtenTo(o + 1);
  return p + 1;
}

/** The name of an element or attribute; 0 if there is none. */
function readName(from: usize): usize {
  const name = expectedName(from);
  if (name !== 0) return name;
  const behind = nameEnd(from);
  return behind === from ? 0 : nameOf(from, <u32>(behind - from));
}

/** The attributes of the innermost element; returns the address of the end of its tag. */
function readAttributes(from: usize): usize {
  const element = elementNumber();
  let p = from;
  while (load<u8>(p) <= SPACE) {
    p = afterSpace(p);
    const c = load<u8>(p);
    if (c === GREATER || c === SLASH) return p;
    const name = readName(p);
    if (name === 0 || load<u32>(name + NAME_ATTRIBUTE_OF) === element) return 0;
    store<u32>(name + NAME_ATTRIBUTE_OF, element);
    p = afterSpace(p + load<u32>(name + NAME_LENGTH));
    if (load<u8>(p) !== EQUALS) return 0;
    p = afterSpace(p + 1);
    const quote = load<u8>(p);
    if ((quote !== QUOTE && quote !== APOSTROPHE) || !beginAttribute(name)) return 0;
    p = readValue(p + 1, quote);
    if (p === 0) return 0;
  }
  return p;
}

/** An element with only text, after its start tag; 0 if it has other content. */
function readLeaf(from: usize, name: usize): usize {
  const start = written;
  store<u8>(start, QUOTE);
  const p = copyText(from, start + 1);
  if (p === 0 || load<u16>(p) !== 0x2f3c) return 0;
  const behind = p + 2 + load<u32>(name + NAME_LENGTH);
  if (!isNamed(p + 2, name) || load<u8>(behind) !== GREATER) return 0;
  const o = isSolid ? copied : start + 1;
  store<u8>(o, QUOTE);
  writtenTo(o + 1);
  return behind + 1;
}

/** A start tag, or a whole element with only text. */
function readOpening(from: usize): usize {
  const name = readName(from);
  if (name === 0 || !beginValue(name)) return 0;
  let p = from + load<u32>(name + NAME_LENGTH);
  let c = load<u8>(p);
  if (c === GREATER) {
    const behind = depth > 0 ? readLeaf(p + 1, name) : 0;
    if (behind === 0) enter(name);
    return behind === 0 ? p + 1 : behind;
  }
  enter(name);
  if (c <= SPACE) {
    p = readAttributes(p);
    if (p === 0) return 0;
    c = load<u8>(p);
  }
  if (c === GREATER) return p + 1;
  return c === SLASH && load<u8>(p + 1) === GREATER && leave() ? p + 2 : 0;
}

/** An end tag, which must match the innermost open element. */
function readClosing(from: usize): usize {
  if (depth === 0) return 0;
  const name = innermostName();
  if (!isNamed(from, name)) return 0;
  let p = from + load<u32>(name + NAME_LENGTH);
  if (load<u8>(p) <= SPACE) p = afterSpace(p);
  return load<u8>(p) === GREATER && leave() ? p + 1 : 0;
}

/** A comment, CDATA section or DOCTYPE. */
function readDeclaration(from: usize): usize {
  if (load<u16>(from) === 0x2d2d) {
    const dashes = find(from + 2, 0x2d, 0x2d);
    if (dashes === 0 || dashes + 2 >= end) return UNFINISHED;
    return load<u8>(dashes + 2) === GREATER ? dashes + 3 : 0;
  }
  if (load<u8>(from) === 0x44) return readDocumentType(from);
  // [CDATA[
  if (load<u32>(from) !== 0x4144435b || (load<u32>(from + 4) & 0xffffff) !== 0x5b4154 || depth === 0) return 0;
  const start = from + 7;
  let p = find(start, CLOSE_BRACKET, CLOSE_BRACKET);
  while (p !== 0 && load<u8>(p + 2) !== GREATER) p = find(p + 1, CLOSE_BRACKET, CLOSE_BRACKET);
  if (p === 0) return UNFINISHED;
  addText(writeEscaped(start, p, textsTop));
  return p + 3;
}

/**
 * Skips a DOCTYPE without internal subset, from after `<!` on. After its name it accepts only SYSTEM with one literal or
 * PUBLIC with two; the reference reader handles other forms.
 */
function readDocumentType(from: usize): usize {
  // DOCTYPE must come before the root, and only once.
  if (hasRoot || hasDocumentType) return 0;
  if (load<u32>(from) !== 0x54434f44 || (load<u32>(from + 4) & 0xffffff) !== 0x455059) return from + 7 > end ? UNFINISHED : 0;
  let p = afterSpace(from + 7);
  if (p === from + 7) return p >= end ? UNFINISHED : 0;
  const name = p;
  while (load<u8>(p) > SPACE && load<u8>(p) !== GREATER) p++;
  if (p >= end) return UNFINISHED;
  if (!isName(name, p)) return 0;
  p = afterSpace(p);
  let literals = 0;
  if (load<u32>(p) === 0x54535953 && load<u16>(p + 4) === 0x4d45) literals = 1;
  else if (load<u32>(p) === 0x4c425550 && load<u16>(p + 4) === 0x4349) literals = 2;
  if (literals > 0) p += 6;
  for (; literals > 0; literals--) {
    const start = afterSpace(p);
    if (start === p) return p >= end ? UNFINISHED : 0;
    const quote = load<u8>(start);
    if (quote !== QUOTE && quote !== APOSTROPHE) return start >= end ? UNFINISHED : 0;
    p = start + 1;
    while (p < end && load<u8>(p) !== quote) {
      if (literals === 2 && !isPublicIdByte(load<u8>(p))) return 0;
      p++;
    }
    p++;
  }
  p = afterSpace(p);
  if (p >= end) return UNFINISHED;
  if (load<u8>(p) !== GREATER) return 0;
  hasDocumentType = true;
  return p + 1;
}

/** The usual characters of production 13: letters, digits, and punctuation of formal public identifiers. */
function isPublicIdByte(byte: u8): bool {
  const letter = byte | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || (byte >= 0x2b && byte <= 0x3b) || byte === SPACE;
}

/** Skips a processing instruction. */
function readInstruction(from: usize): usize {
  let p = from;
  while (load<u8>(p) > SPACE && load<u8>(p) !== 0x3f) p++;
  if (!isName(from, p)) return 0;
  // A target named xml in any letter case is reserved.
  if (p - from === 3 && (load<u32>(from) & 0x00dfdfdf) === 0x004c4d58) return 0;
  p = find(p, 0x3f, GREATER);
  return p === 0 ? UNFINISHED : p + 2;
}
