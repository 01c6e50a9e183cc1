/** Names of elements and attributes, each of which gets one record. */

import { GREATER, SLASH, SPACE } from '../../kernel/assembly/shared';
import { isName } from './xml-characters';
import { allocate } from './xml-memory';

/** A name: its first 16 bytes, or 8 and a hash of the rest, tell it from most others. */
const NAME_LOW: usize = 0;
const NAME_HIGH: usize = 8;
export const NAME_LENGTH: usize = 16;
/** The next one in the same bucket. */
const NAME_NEXT: usize = 20;
/** The name that came after it last. */
const NAME_SUCCESSOR: usize = 24;
/** The element, by number, that had an attribute of this name last. */
export const NAME_ATTRIBUTE_OF: usize = 28;
/** The innermost open element, by number, that has elements of this name, or one that has ended; and its depth. */
export const NAME_OWNER: usize = 32;
export const NAME_DEPTH: usize = 36;
/** While members are put in order: what they are put in order for, and the last run of this name. */
export const NAME_ORDERED: usize = 40;
export const NAME_LAST_RUN: usize = 44;
/** The name as a member begins: `,"name":`. */
export const NAME_KEY: usize = 48;
/** Behind the name 16 bytes more may be read. */
const NAME_BYTES: usize = 48 + 24;

/** What the table takes at first. */
export const NAMES_BYTES: usize = 8192;
const BUCKETS: u32 = 1024;

let seed: u64 = 0;
let buckets: usize = 0;
let bucketMask: u32 = 0;
let names: u32 = 0;
let last: usize = 0;

/** Starts over; nobody may foresee the seed. */
export function beginNames(hashSeed: u64): void {
  seed = hashSeed;
  names = 0;
  bucketMask = BUCKETS - 1;
  buckets = allocate(BUCKETS << 2);
  last = allocate(NAME_BYTES);
}

/** Room that as much text as is given may need for its names. */
export function roomForNames(bytes: usize): usize {
  return bytes * 32 + ((<usize>names + bytes) << 4) + 4096;
}

// Odd numbers without pattern.
const MIX_A: u64 = ((<u64>0x9e3779b9) << 32) | 0x7f4a7c15;
const MIX_B: u64 = ((<u64>0xff51afd7) << 32) | 0xed558ccd;
const MIX_C: u64 = ((<u64>0xc4ceb9fe) << 32) | 0x1a85ec53;

function hashOf(low: u64, high: u64, length: u32): u32 {
  const mixed = ((low ^ seed) * MIX_A) ^ (((high + length) ^ rotl(seed, 32)) * MIX_B);
  return <u32>((mixed * MIX_C) >> 32) ^ <u32>(mixed >> 17);
}

/** What tells a name from most others, besides its first 8 bytes. */
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

/** Whether the bytes at `at` are a name. */
export function isNamed(at: usize, name: usize): bool {
  const length = load<u32>(name + NAME_LENGTH);
  const start = name + NAME_KEY + 2;
  for (let i: u32 = 0; i < length; i += 16) {
    const different = i8x16.bitmask(i8x16.ne(v128.load(at + i), v128.load(start + i)));
    if (different !== 0 && <u32>ctz(different) < length - i) return false;
  }
  return true;
}

/** The record of the name that follows the last one, if it is the one that did so before, as where records come again; else 0. */
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

/** The record of a name; 0 where it is none. */
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

/** Four times the buckets. */
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
