/** The tree of a document: records in memory that hold places of the text. */
import { allocate } from './xml-memory';
import { NAME_MEMBER } from './xml-names';

// A record is a row of 32-bit numbers, here with their places in it. Addresses are 0 where there is none.

/** An element; `next` has the same name and parent. Text that comes in several parts goes on in a list of TEXT records. */
export const NODE_NEXT: usize = 0;
export const NODE_TEXT: usize = 4;
export const NODE_LENGTH: usize = 8;
export const NODE_MORE: usize = 12;
export const NODE_LAST_MORE: usize = 16;
export const NODE_MEMBERS: usize = 20;
export const NODE_LAST_MEMBER: usize = 24;
export const NODE_DEPTH: usize = 28;
export const NODE_BYTES: usize = 32;

export const TEXT_START: usize = 0;
export const TEXT_LENGTH: usize = 4;
export const TEXT_NEXT: usize = 8;
export const TEXT_BYTES: usize = 12;

/**
 * What JSON has as a member: all elements of one name, the first and the last of which are noted; or an attribute or an element of nothing
 * but plain text, with its place and length instead.
 */
export const MEMBER_NAME: usize = 0;
export const MEMBER_COUNT: usize = 4;
export const MEMBER_FIRST: usize = 8;
export const MEMBER_LAST: usize = 12;
export const MEMBER_NEXT: usize = 16;
export const MEMBER_OWNER: usize = 20;
/** The member of the same name of an element around, whose turn it is again when the owner ends. */
export const MEMBER_HIDDEN: usize = 24;
export const MEMBER_BYTES: usize = 28;

/** In the place of the count. */
export const ATTRIBUTE: u32 = 0;
export const LEAF: u32 = 0xffffffff;

/** An element that is open. */
export const OPEN_NODE: usize = 0;
export const OPEN_NAME: usize = 4;
/** Whether a member of it hides another. */
export const OPEN_HIDES: usize = 8;
export const OPEN_BYTES: usize = 12;

let stack: usize = 0;
let maxDepth: i32 = 0;
/** Elements that are open. */
export let depth: i32 = 0;
export let root: usize = 0;
export let rootName: usize = 0;

/** Starts over; open elements are noted from `stackAt` on. */
export function beginTree(most: i32, stackAt: usize): void {
  maxDepth = most;
  stack = stackAt;
  depth = 0;
  root = 0;
}

/** The innermost open element's entry. */
export function innermost(): usize {
  return stack + <usize>depth * OPEN_BYTES;
}

/** Appends a new member to an element. */
export function memberOf(node: usize, name: usize): usize {
  const member = allocate(MEMBER_BYTES);
  if (member === 0) return 0;
  store<u32>(member + MEMBER_NAME, <u32>name);
  store<u32>(member + MEMBER_OWNER, <u32>node);
  const last: usize = load<u32>(node + NODE_LAST_MEMBER);
  if (last === 0) store<u32>(node + NODE_MEMBERS, <u32>member);
  else store<u32>(last + MEMBER_NEXT, <u32>member);
  store<u32>(node + NODE_LAST_MEMBER, <u32>member);
  return member;
}

function isOpen(node: usize): bool {
  const at = load<i32>(node + NODE_DEPTH);
  return at <= depth && load<u32>(stack + <usize>at * OPEN_BYTES + OPEN_NODE) === <u32>node;
}

/** A new member of the innermost open element, for elements. */
function elementsOf(open: usize, name: usize): usize {
  const hidden: usize = load<u32>(name + NAME_MEMBER);
  const member = memberOf(load<u32>(open + OPEN_NODE), name);
  if (member === 0) return 0;
  store<u32>(name + NAME_MEMBER, <u32>member);
  if (hidden !== 0 && isOpen(load<u32>(hidden + MEMBER_OWNER))) {
    store<u32>(member + MEMBER_HIDDEN, <u32>hidden);
    store<u32>(open + OPEN_HIDES, 1);
  }
  return member;
}

/** Adds an element to those of its name. */
function append(member: usize, node: usize): bool {
  let count = load<u32>(member + MEMBER_COUNT);
  if (count === LEAF) {
    const first = allocate(NODE_BYTES);
    if (first === 0) return false;
    store<u32>(first + NODE_TEXT, load<u32>(member + MEMBER_FIRST));
    store<u32>(first + NODE_LENGTH, load<u32>(member + MEMBER_LAST));
    store<u32>(member + MEMBER_FIRST, <u32>first);
    store<u32>(member + MEMBER_LAST, <u32>first);
    count = 1;
  }
  if (count === 0) store<u32>(member + MEMBER_FIRST, <u32>node);
  else store<u32>(load<u32>(member + MEMBER_LAST) + NODE_NEXT, <u32>node);
  store<u32>(member + MEMBER_LAST, <u32>node);
  store<u32>(member + MEMBER_COUNT, count + 1);
  return true;
}

/** A new element in the innermost open one; 0 where it cannot be. */
export function elementOf(name: usize): usize {
  if (depth >= maxDepth) return 0;
  const node = allocate(NODE_BYTES);
  if (node === 0) return 0;
  store<i32>(node + NODE_DEPTH, depth + 1);
  if (depth === 0) {
    if (root !== 0) return 0;
    root = node;
    rootName = name;
    return node;
  }
  const open = innermost();
  let member: usize = load<u32>(name + NAME_MEMBER);
  if (member === 0 || load<u32>(member + MEMBER_OWNER) !== load<u32>(open + OPEN_NODE)) member = elementsOf(open, name);
  return member !== 0 && append(member, node) ? node : 0;
}

/** The same for an element that is nothing but plain text; false where it cannot be. */
export function addLeaf(name: usize, start: usize, length: usize): bool {
  if (depth >= maxDepth) return false;
  const open = innermost();
  let member: usize = load<u32>(name + NAME_MEMBER);
  if (member !== 0 && load<u32>(member + MEMBER_OWNER) === load<u32>(open + OPEN_NODE)) {
    const node = allocate(NODE_BYTES);
    if (node === 0) return false;
    store<u32>(node + NODE_TEXT, <u32>start);
    store<u32>(node + NODE_LENGTH, <u32>length);
    return append(member, node);
  }
  member = elementsOf(open, name);
  if (member === 0) return false;
  store<u32>(member + MEMBER_COUNT, LEAF);
  store<u32>(member + MEMBER_FIRST, <u32>start);
  store<u32>(member + MEMBER_LAST, <u32>length);
  return true;
}

export function enter(node: usize, name: usize): void {
  depth++;
  const open = innermost();
  store<u32>(open + OPEN_NODE, <u32>node);
  store<u32>(open + OPEN_NAME, <u32>name);
  store<u32>(open + OPEN_HIDES, 0);
}

export function leave(): void {
  const open = innermost();
  depth--;
  if (load<u32>(open + OPEN_HIDES) === 0) return;
  let member: usize = load<u32>(load<u32>(open + OPEN_NODE) + NODE_MEMBERS);
  while (member !== 0) {
    const hidden = load<u32>(member + MEMBER_HIDDEN);
    if (hidden !== 0) store<u32>(load<u32>(member + MEMBER_NAME) + NAME_MEMBER, hidden);
    member = load<u32>(member + MEMBER_NEXT);
  }
}

/** Adds text to the innermost open element. */
export function addText(start: usize, length: usize): bool {
  if (length === 0) return true;
  const node: usize = load<u32>(innermost() + OPEN_NODE);
  if (load<u32>(node + NODE_LENGTH) === 0) {
    store<u32>(node + NODE_TEXT, <u32>start);
    store<u32>(node + NODE_LENGTH, <u32>length);
    return true;
  }
  const more = allocate(TEXT_BYTES);
  if (more === 0) return false;
  store<u32>(more + TEXT_START, <u32>start);
  store<u32>(more + TEXT_LENGTH, <u32>length);
  const last: usize = load<u32>(node + NODE_LAST_MORE);
  if (last === 0) store<u32>(node + NODE_MORE, <u32>more);
  else store<u32>(last + TEXT_NEXT, <u32>more);
  store<u32>(node + NODE_LAST_MORE, <u32>more);
  return true;
}
