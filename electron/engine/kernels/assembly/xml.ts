/**
 * XML 1.0 to JSON: reads a whole document into a tree of records in memory, and writes the tree. Takes only what is surely well-formed;
 * whether the rest is, and what is wrong with it, is for others to say.
 */
import { CR, LF, QUOTE, SPACE } from './shared';
import { copyChecked, isName, readReference, writeCharacter } from './xml-characters';
import { allocateFrom, reserve } from './xml-memory';
import { beginNames, NAME_ATTRIBUTE_OF, NAME_LENGTH, NAME_START, nameOf, sameBytes } from './xml-names';
import {
  addLeaf,
  addText,
  beginTree,
  depth,
  elementOf,
  enter,
  innermost,
  leave,
  MEMBER_FIRST,
  MEMBER_LAST,
  memberOf,
  OPEN_NAME,
  root,
} from './xml-tree';
import { beginJson } from './xml-writer';

export { heapBase } from './shared';
export { json, write, written } from './xml-writer';

const LESS: u8 = 0x3c;
const GREATER: u8 = 0x3e;
const SLASH: u8 = 0x2f;
const EQUALS: u8 = 0x3d;
const AMPERSAND: u8 = 0x26;
const CLOSE_BRACKET: u8 = 0x5d;

/** What `parse` answers. */
const WRONG: i32 = 0;
const MORE: i32 = 1;
const WHOLE: i32 = 2;

let stack: usize = 0;
let maxNesting: i32 = 0;
let seed: u64 = 0;

let text: usize = 0;
/** End of the text, behind which there are 64 zero bytes. */
export let end: usize = 0;
let lastWasCr: bool = false;
/** How far the text has been read. */
export let place: usize = 0;

/** Starts over. Open elements are noted from `stackAt` on, 12 bytes each; the text goes to `textAt`; `hashSeed` nobody can foresee. */
export function begin(nesting: i32, stackAt: usize, textAt: usize, hashSeed: u64): void {
  maxNesting = nesting;
  stack = stackAt;
  seed = hashSeed;
  text = textAt;
  end = textAt;
  lastWasCr = false;
}

/** Adds bytes to the text, line ends made LF. False where XML has no such characters. 16 bytes behind them are read. */
export function append(from: usize, to: usize): bool {
  if (!reserve(end + (to - from) + 64)) return false;
  const before = end;
  let p = from;
  if (lastWasCr && p < to && load<u8>(p) === LF) p++;
  if (to > from) lastWasCr = load<u8>(to - 1) === CR;
  end = copyChecked(p, to, end, max(text, before - 2));
  return end !== 0;
}

/** After the last byte: reading starts `skipped` bytes behind the text's start. */
export function ready(skipped: usize): bool {
  if (!reserve(end + 64)) return false;
  memory.fill(end, 0, 64);
  place = text + skipped;
  allocateFrom(end + 64);
  // Each level of elements is one of JSON, too.
  beginTree(maxNesting, stack);
  return beginNames(seed);
}

// The text. Functions that read give the place behind what they read, 0 where it is wrong.

/** Place of the first byte that is no white space. */
function afterSpace(from: usize): usize {
  let p = from;
  while (load<u8>(p) <= SPACE && p < end) p++;
  return p;
}

/** Place of the first byte that ends a name, of whatever it consists. */
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

/** Place of the first of two bytes, `a` and then `b`; 0 where they do not come. */
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

/** Where in 16 bytes of text something else begins, or the text is over. */
function textStops(v: v128): i32 {
  const marks = v128.or(i8x16.eq(v, i8x16.splat(LESS)), i8x16.eq(v, i8x16.splat(AMPERSAND)));
  const others = v128.or(i8x16.eq(v, i8x16.splat(CLOSE_BRACKET)), i8x16.eq(v, i8x16.splat(0)));
  return i8x16.bitmask(v128.or(marks, others));
}

/** Text between two tags, of which references are replaced where it stands; white space alone is none. Gives the place of the next tag. */
function readText(from: usize): usize {
  let p = from;
  /** Where the text is moved to; 0 while it stays. */
  let to: usize = 0;
  let solid = 0;
  for (let going = true; going; ) {
    const v = v128.load(p);
    const stops = textStops(v) | 0x10000;
    const plain: usize = ctz(stops);
    solid |= i8x16.bitmask(i8x16.gt_u(v, i8x16.splat(SPACE))) & (lowest(stops) - 1);
    if (to !== 0) {
      memory.copy(to, p, plain);
      to += plain;
    }
    p += plain;
    if (plain === 16) continue;
    const c = load<u8>(p);
    if (c === CLOSE_BRACKET) {
      if (load<u16>(p + 1) === 0x3e5d) return 0;
      if (to !== 0) store<u8>(to++, c);
      solid = 1;
      p++;
    } else if (c === AMPERSAND) {
      if (depth === 0) return 0;
      if (to === 0) to = p;
      const reference = readReference(p);
      if (reference === 0) return 0;
      p += <usize>(reference >> 32);
      const code = <u32>reference;
      if (code > SPACE) solid = 1;
      to = writeCharacter(code, to);
    } else going = false;
  }
  if (solid !== 0 && (depth === 0 || !addText(from, (to !== 0 ? to : p) - from))) return 0;
  return p;
}

function lowest(bits: i32): i32 {
  return bits & -bits;
}

/** An attribute's value up to the quote that it began with; white space becomes spaces. */
function readValue(from: usize, quote: u8, member: usize): usize {
  let p = from;
  let to: usize = 0;
  for (let going = true; going; ) {
    const v = v128.load(p);
    const marks = v128.or(i8x16.eq(v, i8x16.splat(quote)), i8x16.eq(v, i8x16.splat(AMPERSAND)));
    const others = v128.or(i8x16.eq(v, i8x16.splat(LESS)), i8x16.lt_u(v, i8x16.splat(SPACE)));
    const plain: usize = ctz(i8x16.bitmask(v128.or(marks, others)) | 0x10000);
    if (to !== 0) {
      memory.copy(to, p, plain);
      to += plain;
    }
    p += plain;
    if (plain === 16) continue;
    const c = load<u8>(p);
    if (c === quote) going = false;
    else if (c === AMPERSAND) {
      if (to === 0) to = p;
      const reference = readReference(p);
      if (reference === 0) return 0;
      p += <usize>(reference >> 32);
      to = writeCharacter(<u32>reference, to);
    } else {
      if (c === LESS || c === 0) return 0;
      if (to !== 0) store<u8>(to++, SPACE);
      else store<u8>(p, SPACE);
      p++;
    }
  }
  store<u32>(member + MEMBER_FIRST, <u32>from);
  store<u32>(member + MEMBER_LAST, <u32>((to !== 0 ? to : p) - from));
  return p + 1;
}

/** The attributes of a tag; gives the place of its end. */
function readAttributes(from: usize, node: usize): usize {
  let p = from;
  while (load<u8>(p) <= SPACE) {
    p = afterSpace(p);
    const c = load<u8>(p);
    if (c === GREATER || c === SLASH) return p;
    const behind = nameEnd(p);
    if (behind === p) return 0;
    const name = nameOf(p, <u32>(behind - p));
    if (name === 0 || load<u32>(name + NAME_ATTRIBUTE_OF) === <u32>node) return 0;
    store<u32>(name + NAME_ATTRIBUTE_OF, <u32>node);
    p = afterSpace(behind);
    if (load<u8>(p) !== EQUALS) return 0;
    p = afterSpace(p + 1);
    const quote = load<u8>(p);
    if (quote !== QUOTE && quote !== 0x27) return 0;
    const member = memberOf(node, name);
    if (member === 0) return 0;
    p = readValue(p + 1, quote, member);
    if (p === 0) return 0;
  }
  return p;
}

/** An element of nothing but plain text, from behind its first tag on; 0 where it is another. */
function readLeaf(from: usize, name: usize, nameAt: usize, length: usize): usize {
  let p = from;
  let solid = 0;
  let stops = 0;
  do {
    const v = v128.load(p);
    stops = textStops(v);
    solid |= i8x16.bitmask(i8x16.gt_u(v, i8x16.splat(SPACE))) & (lowest(stops | 0x10000) - 1);
    p += stops !== 0 ? <usize>ctz(stops) : 16;
  } while (stops === 0);
  if (load<u16>(p) !== 0x2f3c || load<u8>(p + 2 + length) !== GREATER || !sameBytes(p + 2, nameAt, <u32>length)) return 0;
  return addLeaf(name, from, solid !== 0 ? p - from : 0) ? p + 3 + length : 0;
}

/** A tag that opens an element, or all of an element that is only text. */
function readOpening(from: usize): usize {
  let p = nameEnd(from);
  if (p === from) return 0;
  const length = p - from;
  const name = nameOf(from, <u32>length);
  if (name === 0) return 0;
  if (depth > 0 && load<u8>(p) === GREATER) {
    const behind = readLeaf(p + 1, name, from, length);
    if (behind !== 0) return behind;
  }
  const node = elementOf(name);
  if (node === 0) return 0;
  if (load<u8>(p) <= SPACE) {
    p = readAttributes(p, node);
    if (p === 0) return 0;
  }
  const c = load<u8>(p);
  if (c === GREATER) {
    enter(node, name);
    return p + 1;
  }
  return c === SLASH && load<u8>(p + 1) === GREATER ? p + 2 : 0;
}

/** A tag that closes the innermost open element. */
function readClosing(from: usize): usize {
  if (depth === 0) return 0;
  const name: usize = load<u32>(innermost() + OPEN_NAME);
  const length = load<u32>(name + NAME_LENGTH);
  if (!sameBytes(from, load<u32>(name + NAME_START), length)) return 0;
  let p = from + length;
  if (load<u8>(p) <= SPACE) p = afterSpace(p);
  if (load<u8>(p) !== GREATER) return 0;
  leave();
  return p + 1;
}

/** A comment, or CDATA. */
function readDeclaration(from: usize): usize {
  if (load<u16>(from) === 0x2d2d) {
    const dashes = find(from + 2, 0x2d, 0x2d);
    return dashes !== 0 && load<u8>(dashes + 2) === GREATER ? dashes + 3 : 0;
  }
  // [CDATA[
  if (load<u32>(from) !== 0x4144435b || (load<u32>(from + 4) & 0xffffff) !== 0x5b4154 || depth === 0) return 0;
  const start = from + 7;
  let p = find(start, CLOSE_BRACKET, CLOSE_BRACKET);
  while (p !== 0 && load<u8>(p + 2) !== GREATER) p = find(p + 1, CLOSE_BRACKET, CLOSE_BRACKET);
  return p !== 0 && addText(start, p - start) ? p + 3 : 0;
}

/** A processing instruction, which is passed over. */
function readInstruction(from: usize): usize {
  let p = from;
  while (load<u8>(p) > SPACE && load<u8>(p) !== 0x3f) p++;
  if (!isName(from, p)) return 0;
  // Whatever calls itself xml.
  if (p - from === 3 && (load<u32>(from) & 0x00dfdfdf) === 0x004c4d58) return 0;
  p = find(p, 0x3f, GREATER);
  return p === 0 ? 0 : p + 2;
}

/** Reads on until `place` has come to `until` or the text is over. */
export function parse(until: usize): i32 {
  let p = place;
  while (p < until) {
    p = readText(p);
    if (p === 0) return WRONG;
    if (p >= end) {
      place = p;
      return depth === 0 && root !== 0 ? WHOLE : WRONG;
    }
    const c = load<u8>(p + 1);
    if (c === SLASH) p = readClosing(p + 2);
    else if (c === 0x21) p = readDeclaration(p + 2);
    else if (c === 0x3f) p = readInstruction(p + 2);
    else p = readOpening(p + 1);
    if (p === 0 || p > end) return WRONG;
  }
  place = p;
  if (p < end) return MORE;
  return depth === 0 && root !== 0 ? WHOLE : WRONG;
}

/** After the text was read whole, before any of it is written. */
export function beginWriting(): bool {
  return beginJson(maxNesting, stack);
}
