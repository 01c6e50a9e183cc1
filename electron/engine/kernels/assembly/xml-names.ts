/** Names of elements and attributes, each of which gets one record. */

import { isName } from './xml-characters';
import { allocate } from './xml-memory';

/** A name: its first 16 bytes, or 8 and a hash of the rest, tell it from most others. */
export const NAME_LOW: usize = 0;
export const NAME_HIGH: usize = 8;
export const NAME_START: usize = 16;
export const NAME_LENGTH: usize = 20;
/** The next one in the same bucket. */
export const NAME_NEXT: usize = 24;
/** The innermost open element's member of this name, or that of an element that has ended. */
export const NAME_MEMBER: usize = 28;
/** The element that had an attribute of this name last. */
export const NAME_ATTRIBUTE_OF: usize = 32;
export const NAME_BYTES: usize = 40;

let seed: u64 = 0;
let buckets: usize = 0;
let bucketMask: u32 = 0;
let names: u32 = 0;

/** Starts over; nobody may foresee the seed. */
export function beginNames(hashSeed: u64): bool {
  seed = hashSeed;
  names = 0;
  bucketMask = 1023;
  buckets = allocate(4096);
  return buckets !== 0;
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

export function sameBytes(a: usize, b: usize, length: u32): bool {
  for (let i: u32 = 0; i < length; i += 16) {
    const different = i8x16.bitmask(i8x16.ne(v128.load(a + i), v128.load(b + i)));
    if (different !== 0 && <u32>ctz(different) < length - i) return false;
  }
  return true;
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
      (length <= 16 || sameBytes(load<u32>(name + NAME_START), start, length))
    )
      return name;
    name = load<u32>(name + NAME_NEXT);
  }
  if (!isName(start, start + length)) return 0;
  if (names > bucketMask && !widen()) return 0;
  name = allocate(NAME_BYTES);
  if (name === 0) return 0;
  store<u64>(name + NAME_LOW, low);
  store<u64>(name + NAME_HIGH, high);
  store<u32>(name + NAME_START, <u32>start);
  store<u32>(name + NAME_LENGTH, length);
  link(name);
  names++;
  return name;
}

function link(name: usize): void {
  const hash = hashOf(load<u64>(name + NAME_LOW), load<u64>(name + NAME_HIGH), load<u32>(name + NAME_LENGTH));
  const bucket = buckets + ((hash & bucketMask) << 2);
  store<u32>(name + NAME_NEXT, load<u32>(bucket));
  store<u32>(bucket, <u32>name);
}

/** Four times the buckets. */
function widen(): bool {
  const old = buckets;
  const count = bucketMask + 1;
  const wider = allocate((<usize>count) << 4);
  if (wider === 0) return false;
  buckets = wider;
  bucketMask = (count << 2) - 1;
  for (let i: u32 = 0; i < count; i++) {
    let name: usize = load<u32>(old + (i << 2));
    while (name !== 0) {
      const next: usize = load<u32>(name + NAME_NEXT);
      link(name);
      name = next;
    }
  }
  return true;
}
