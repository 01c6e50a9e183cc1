/** Hash table of element and attribute names, with one record per name. */

import { GREATER, SLASH, SPACE } from '../../kernel/assembly/shared';
import { isName } from './xml-characters';
import { allocate } from './xml-memory';

/** A name's first 16 bytes, or 8 bytes and a hash of the rest, to compare quickly. */
const NAME_LOW: usize = 0;
const NAME_HIGH: usize = 8;
export const NAME_LENGTH: usize = 16;
/** The next name in the same bucket. */
const NAME_NEXT: usize = 20;
/** The name that followed it last time. */
const NAME_SUCCESSOR: usize = 24;
/** The number of the last element with an attribute of this name. */
export const NAME_ATTRIBUTE_OF: usize = 28;
/** The number and depth of the innermost open (or ended) element that contains elements of this name. */
export const NAME_OWNER: usize = 32;
export const NAME_DEPTH: usize = 36;
/** While members are reordered: for which element, and the last run of this name. */
export const NAME_ORDERED: usize = 40;
export const NAME_LAST_RUN: usize = 44;
/** The name as the start of a member: `,"name":`. */
export const NAME_KEY: usize = 48;
/** 16 bytes after the name may be read. */
const NAME_BYTES: usize = 48 + 24;

/** Initial size of the table. */
export const NAMES_BYTES: usize = 8192;
const BUCKETS: u32 = 1024;

let seed: u64 = 0;
let buckets: usize = 0;
let bucketMask: u32 = 0;
let names: u32 = 0;
let last: usize = 0;

/** Starts over with an unpredictable seed. */
export function beginNames(hashSeed: u64): void {
  seed = hashSeed;
  names = 0;
  bucketMask = BUCKETS - 1;
  buckets = allocate(BUCKETS << 2);
  last = allocate(NAME_BYTES);
}

/** Memory that the names of this much text may need. */
export function roomForNames(bytes: usize): usize {
  return bytes * 32 + ((<usize>names + bytes) << 4) + 4096;
}

// Arbitrary odd constants.
const MIX_A: u64 = ((<u64>0x9e3779b9) << 32) | 0x7f4a7c15;
const MIX_B: u64 = ((<u64>0xff51afd7) << 32) | 0xed558ccd;
const MIX_C: u64 = ((<u64>0xc4ceb9fe) << 32) | 0x1a85ec53;

function hashOf(low: u64, high: u64, length: u32): u32 {
  const mixed = ((low ^ seed) * MIX_A) ^ (((high + length) ^ rotl(seed, 32)) * MIX_B);
  return <u32>((mixed * MIX_C) >> 32) ^ <u32>(mixed >> 17);
}

/** A second key of 8 bytes: bytes 8 to 16 of the name, or a hash of the rest. */
function highOf(start: usize, length: u32): u64 {
  if (length <= 8) return 0;
  if (length < 16) return load<u64>(start + 8) & (((<u64>1) << ((length - 8) << 3)) - 1);
  let high = load<u64>(start + 8);
  for (let i: u32 = 16; i < length; i += 8) {
    const left = length - i;
    let part = load<u64>(start + i);
    if (left < 8) part &= ((<u64>1) << (left << 3)) - 1;
    high = (rotl(high, 29) ^ part ^ seed) * MIX_A;
  }
  return high;
}

/** Whether the bytes at `at` are this name. */
export function isNamed(at: usize, name: usize): bool {
  const length = load<u32>(name + NAME_LENGTH);
  const start = name + NAME_KEY + 2;
  for (let i: u32 = 0; i < length; i += 16) {
    const different = i8x16.bitmask(i8x16.ne(v128.load(at + i), v128.load(start + i)));
    if (different !== 0 && <u32>ctz(different) < length - i) return false;
  }
  return true;
}

/** Predicts that names recur in the order of the previous record: returns the predicted name's record if it matches, else 0. */
export function expectedName(start: usize): usize {
  const name: usize = load<u32>(last + NAME_SUCCESSOR);
  if (name === 0) return 0;
  const length: usize = load<u32>(name + NAME_LENGTH);
  const same = i8x16.bitmask(i8x16.eq(v128.load(start), v128.load(name + NAME_KEY + 2)));
  if (length > 15 || <usize>ctz(~same) < length) return 0;
  const c = load<u8>(start + length);
  if (c > SPACE && c !== GREATER && c !== SLASH && c !== 0x3d) return 0;
  last = name;
  return name;
}

/** The record of a name; 0 if it is not a valid name. */
export function nameOf(start: usize, length: u32): usize {
  let low = load<u64>(start);
  if (length < 8) low &= ((<u64>1) << (length << 3)) - 1;
  const high = highOf(start, length);
  const hash = hashOf(low, high, length);
  let name: usize = load<u32>(buckets + ((hash & bucketMask) << 2));
  while (name !== 0) {
    if (
      load<u64>(name + NAME_LOW) === low &&
      load<u64>(name + NAME_HIGH) === high &&
      load<u32>(name + NAME_LENGTH) === length &&
      (length <= 16 || isNamed(start, name))
    )
      break;
    name = load<u32>(name + NAME_NEXT);
  }
  if (name === 0) {
    if (!isName(start, start + length)) return 0;
    if (names > bucketMask) widen();
    name = allocate(NAME_BYTES + length);
    store<u64>(name + NAME_LOW, low);
    store<u64>(name + NAME_HIGH, high);
    store<u32>(name + NAME_LENGTH, length);
    const key = name + NAME_KEY;
    store<u16>(key, 0x222c);
    memory.copy(key + 2, start, length);
    store<u16>(key + 2 + length, 0x3a22);
    link(name);
    names++;
  }
  store<u32>(last + NAME_SUCCESSOR, <u32>name);
  last = name;
  return name;
}

function link(name: usize): void {
  const hash = hashOf(load<u64>(name + NAME_LOW), load<u64>(name + NAME_HIGH), load<u32>(name + NAME_LENGTH));
  const bucket = buckets + ((hash & bucketMask) << 2);
  store<u32>(name + NAME_NEXT, load<u32>(bucket));
  store<u32>(bucket, <u32>name);
}

/** Quadruples the number of buckets. */
function widen(): void {
  const old = buckets;
  const count = bucketMask + 1;
  buckets = allocate((<usize>count) << 4);
  bucketMask = (count << 2) - 1;
  for (let i: u32 = 0; i < count; i++) {
    let name: usize = load<u32>(old + (i << 2));
    while (name !== 0) {
      const next: usize = load<u32>(name + NAME_NEXT);
      link(name);
      name = next;
    }
  }
}
