/** The tree of a document as JSON. */
import { writeEscaped } from './escape';
import { QUOTE } from './shared';
import { reserve, top } from './xml-memory';
import { NAME_LENGTH, NAME_START } from './xml-names';
import {
  ATTRIBUTE,
  LEAF,
  MEMBER_COUNT,
  MEMBER_FIRST,
  MEMBER_LAST,
  MEMBER_NAME,
  MEMBER_NEXT,
  NODE_LENGTH,
  NODE_MEMBERS,
  NODE_MORE,
  NODE_NEXT,
  NODE_TEXT,
  root,
  rootName,
  TEXT_LENGTH,
  TEXT_NEXT,
  TEXT_START,
} from './xml-tree';

/** An object that is being written: its element, the member that comes next, the element of a list that was written last. */
const LEVEL_NODE: usize = 0;
const LEVEL_MEMBER: usize = 4;
const LEVEL_ITEM: usize = 8;
const LEVEL_BYTES: usize = 12;

const COMMA: u8 = 0x2c;

/** What `write` answers. */
const WRONG: i32 = 0;
const MORE: i32 = 1;
const WHOLE: i32 = 2;

let stack: usize = 0;
let maxNesting: i32 = 0;
let depth: i32 = 0;
/** Levels of JSON around what is written. */
let levels: i32 = 0;
let first: bool = true;
/** Where JSON is written, and how far it is. */
export let json: usize = 0;
export let written: usize = 0;

/** Begins the document whose tree is whole, behind all else in memory. Levels are noted from `stackAt` on, 12 bytes each. */
export function beginJson(nesting: i32, stackAt: usize): bool {
  maxNesting = nesting;
  stack = stackAt;
  json = top;
  first = true;
  levels = 1;
  if (!reserve(top + load<u32>(rootName + NAME_LENGTH) + 64)) return false;
  store<u8>(top, 0x7b);
  written = writeKey(rootName, top + 1, false);
  depth = 0;
  return writeNode(root);
}

function writeKey(name: usize, out: usize, attribute: bool): usize {
  let o = out;
  store<u16>(o, 0x4022);
  o += attribute ? 2 : 1;
  const start: usize = load<u32>(name + NAME_START);
  const length: usize = load<u32>(name + NAME_LENGTH);
  for (let i: usize = 0; i < length; i += 16) v128.store(o + i, v128.load(start + i));
  o += length;
  store<u16>(o, 0x3a22);
  return o + 2;
}

function writeString(start: usize, length: usize, out: usize): usize {
  store<u8>(out, QUOTE);
  const o = writeEscaped(start, start + length, out + 1);
  store<u8>(o, QUOTE);
  return o + 1;
}

/** The text of an element. */
function writeText(node: usize, out: usize): usize {
  let length: usize = load<u32>(node + NODE_LENGTH);
  if (!reserve(out + length * 2 + 64)) return 0;
  let o = writeString(load<u32>(node + NODE_TEXT), length, out);
  let more: usize = load<u32>(node + NODE_MORE);
  while (more !== 0) {
    length = load<u32>(more + TEXT_LENGTH);
    if (!reserve(o + length * 2 + 64)) return 0;
    // Over the quote.
    o = writeEscaped(load<u32>(more + TEXT_START), load<u32>(more + TEXT_START) + length, o - 1);
    store<u8>(o++, QUOTE);
    more = load<u32>(more + TEXT_NEXT);
  }
  return o;
}

/** An element without members, or the beginning of one. */
function writeNode(node: usize): bool {
  const members = load<u32>(node + NODE_MEMBERS);
  if (members === 0) {
    written = writeText(node, written);
    return written !== 0;
  }
  if (++levels > maxNesting) return false;
  depth++;
  const open = stack + <usize>depth * LEVEL_BYTES;
  store<u32>(open + LEVEL_NODE, <u32>node);
  store<u32>(open + LEVEL_MEMBER, members);
  store<u32>(open + LEVEL_ITEM, 0);
  store<u8>(written++, 0x7b);
  return true;
}

/** The next member, element of a list, or end, of the innermost element. */
function writeStep(): bool {
  const open = stack + <usize>depth * LEVEL_BYTES;
  const node: usize = load<u32>(open + LEVEL_NODE);
  if (!reserve(written + 64)) return false;
  let item: usize = load<u32>(open + LEVEL_ITEM);
  if (item !== 0) {
    item = load<u32>(item + NODE_NEXT);
    store<u32>(open + LEVEL_ITEM, <u32>item);
    if (item !== 0) {
      store<u8>(written++, COMMA);
      return writeNode(item);
    }
    store<u8>(written++, 0x5d);
    levels--;
  }
  const member: usize = load<u32>(open + LEVEL_MEMBER);
  if (member === 0) {
    if (load<u32>(node + NODE_LENGTH) !== 0) {
      // ,"#text":
      store<u32>(written, 0x7423222c);
      store<u32>(written + 4, 0x22747865);
      store<u8>(written + 8, 0x3a);
      written = writeText(node, written + 9);
      if (written === 0 || !reserve(written + 64)) return false;
    }
    store<u8>(written++, 0x7d);
    levels--;
    depth--;
    return true;
  }
  store<u32>(open + LEVEL_MEMBER, load<u32>(member + MEMBER_NEXT));
  const name: usize = load<u32>(member + MEMBER_NAME);
  const count = load<u32>(member + MEMBER_COUNT);
  const start: usize = load<u32>(member + MEMBER_FIRST);
  const isText = count === ATTRIBUTE || count === LEAF;
  const length: usize = isText ? <usize>load<u32>(member + MEMBER_LAST) : 0;
  if (!reserve(written + load<u32>(name + NAME_LENGTH) + length * 2 + 64)) return false;
  if (load<u32>(node + NODE_MEMBERS) !== <u32>member) store<u8>(written++, COMMA);
  written = writeKey(name, written, count === ATTRIBUTE);
  if (isText) {
    written = writeString(start, length, written);
    return true;
  }
  if (count > 1) {
    if (++levels > maxNesting) return false;
    store<u8>(written++, 0x5b);
    store<u32>(open + LEVEL_ITEM, <u32>start);
  }
  return writeNode(start);
}

/** Writes on, until there are `bytes` of JSON or the document is over. What was written before has been taken. */
export function write(bytes: usize): i32 {
  if (first) first = false;
  else written = json;
  while (depth > 0) {
    if (written - json >= bytes) return MORE;
    if (!writeStep()) return WRONG;
  }
  if (!reserve(written + 64)) return WRONG;
  store<u8>(written++, 0x7d);
  return WHOLE;
}
