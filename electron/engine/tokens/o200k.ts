/**
 * Counts o200k_base tokens as tiktoken does (https://github.com/openai/tiktoken), with a vocabulary of 5 MB that loads in
 * about 30 ms. Libraries that keep it in objects need ten times as much of both, in every thread.
 */
import { inflateRawSync } from 'node:zlib';
import { packed } from 'virtual:o200k-vocabulary';
import { pieceEnd } from './token-pieces.ts';

/** Hash table by token bytes with linear probing: rank plus one, 0 for an empty entry. The upper bits hold part of the hash. */
const TABLE_SIZE = 1 << 19;
const RANK_BITS = 18;
const RANKS = (1 << RANK_BITS) - 1;
const NO_RANK = 0x7fffffff;

/** Approximate unpacked size, to allocate it at once. */
const UNPACKED_BYTES = 2 * 1024 * 1024;

/** Size of the cache of counted pieces, and maximum length of a cached piece. */
const KNOWN_PIECES = 1 << 12;
const KNOWN_BYTES = 64;

/**
 * Longer runs of letters, punctuation or white space are counted in parts of this many characters, because the work grows
 * quadratically. This changes the count by at most one in as many characters.
 */
const LONG_PIECE = 512;

export class TokenCounter {
  private readonly tokens: Uint8Array;
  /** Start of each token in `tokens`, and the end of the last one. */
  private readonly starts: Uint32Array;
  private readonly table = new Int32Array(TABLE_SIZE);
  /** Rank plus one of two-byte tokens, by their bytes. */
  private readonly pairs = new Uint32Array(1 << 16);
  /** Length of the longest token that begins with two given bytes. */
  private readonly longest = new Uint8Array(1 << 16);
  /** Cache of pieces by hash: bytes, length and token count. */
  private readonly known = new Uint8Array(KNOWN_PIECES * KNOWN_BYTES);
  private readonly knownLengths = new Uint8Array(KNOWN_PIECES);
  private readonly knownCounts = new Uint8Array(KNOWN_PIECES);
  private bytes: Uint8Array = new Uint8Array(0);
  /** Parts of the current piece by start offset: end, start of the previous part, and rank of the pair with the next part. */
  private ends = new Uint32Array(4096);
  private befores = new Int32Array(4096);
  private ranks = new Uint32Array(4096);

  constructor() {
    const stored = inflateRawSync(Buffer.from(packed, 'base64'), { chunkSize: UNPACKED_BYTES });
    const count = stored.readUInt32LE();
    const lengths = stored.subarray(4, 4 + count);
    const tokens = new Uint8Array(stored.buffer, stored.byteOffset + 4 + count, stored.length - 4 - count);
    this.tokens = tokens;
    this.starts = new Uint32Array(count + 1);
    let from = 0;
    for (let rank = 0; rank < count; rank += 1) {
      const to = from + (lengths[rank] as number);
      this.starts[rank + 1] = to;
      const pair = ((tokens[from] as number) << 8) | (tokens[from + 1] as number);
      if (to - from === 2) this.pairs[pair] = rank + 1;
      if (to - from > (this.longest[pair] as number)) this.longest[pair] = to - from;
      const hash = hashOf(tokens, from, to);
      let slot = slotOf(hash);
      while (this.table[slot] !== 0) slot = (slot + 1) & (TABLE_SIZE - 1);
      this.table[slot] = (hash & ~RANKS) | (rank + 1);
      from = to;
    }
  }

  /** Text that spells a control token, such as `<|endoftext|>`, is counted as plain text. */
  count(text: Uint8Array): number {
    this.bytes = text;
    let tokens = 0;
    for (let at = 0; at < text.length; ) {
      const end = pieceEnd(text, at, text.length);
      tokens += end - at > LONG_PIECE ? this.countLong(at, end) : this.countPiece(at, end);
      at = end;
    }
    return tokens;
  }

  private countLong(from: number, to: number): number {
    let tokens = 0;
    let start = from;
    let characters = 0;
    for (let at = from; at < to; at += 1) {
      if (((this.bytes[at] as number) & 0xc0) === 0x80) continue;
      if (characters === LONG_PIECE) {
        tokens += this.countPiece(start, at);
        start = at;
        characters = 0;
      }
      characters += 1;
    }
    return tokens + this.countPiece(start, to);
  }

  private countPiece(from: number, to: number): number {
    const length = to - from;
    if (length === 1) return 1;
    const { bytes, pairs, known, knownLengths, knownCounts } = this;
    if (length === 2) return pairs[((bytes[from] as number) << 8) | (bytes[from + 1] as number)] === 0 ? 2 : 1;
    const hash = hashOf(bytes, from, to);
    if (length > KNOWN_BYTES) return this.countUnknown(hash, from, to);
    const slot = hash & (KNOWN_PIECES - 1);
    const start = slot * KNOWN_BYTES;
    if (knownLengths[slot] === length) {
      let i = 0;
      while (i < length && known[start + i] === bytes[from + i]) i += 1;
      if (i === length) return knownCounts[slot] as number;
    }
    const count = this.countUnknown(hash, from, to);
    for (let i = 0; i < length; i += 1) known[start + i] = bytes[from + i] as number;
    knownLengths[slot] = length;
    knownCounts[slot] = count;
    return count;
  }

  private countUnknown(hash: number, from: number, to: number): number {
    return this.rankBy(hash, from, to) === NO_RANK ? this.countMerged(from, to) : 1;
  }

  /** Byte-pair encoding: repeatedly merges the first pair with the lowest rank, until no pair is a token. */
  private countMerged(from: number, to: number): number {
    const length = to - from;
    this.reserve(length);
    const { bytes, ends, befores, ranks, pairs } = this;
    for (let i = 0; i < length; i += 1) {
      ends[i] = i + 1;
      befores[i] = i - 1;
      const rank = pairs[((bytes[from + i] as number) << 8) | (bytes[from + i + 1] as number)] as number;
      ranks[i] = rank === 0 || i + 1 === length ? NO_RANK : rank - 1;
    }
    for (let count = length; ; count -= 1) {
      let lowest = NO_RANK;
      let at = -1;
      for (let i = 0; i < length; i += 1) {
        const rank = ranks[i] as number;
        if (rank < lowest) {
          lowest = rank;
          at = i;
        }
      }
      if (at < 0) return count;
      const gone = ends[at] as number;
      const end = ends[gone] as number;
      ends[at] = end;
      ranks[gone] = NO_RANK;
      ranks[at] = NO_RANK;
      if (end < length) {
        befores[end] = at;
        ranks[at] = this.rankOf(from + at, from + (ends[end] as number));
      }
      const before = befores[at] as number;
      if (before >= 0) ranks[before] = this.rankOf(from + before, from + end);
    }
  }

  /** The rank of the bytes from `from` to `to` of the text; NO_RANK if they are not a token. */
  private rankOf(from: number, to: number): number {
    const { bytes, longest } = this;
    if (to - from > (longest[((bytes[from] as number) << 8) | (bytes[from + 1] as number)] as number)) return NO_RANK;
    return this.rankBy(hashOf(bytes, from, to), from, to);
  }

  private rankBy(hash: number, from: number, to: number): number {
    const { bytes, tokens, starts, table } = this;
    const length = to - from;
    for (let slot = slotOf(hash); ; slot = (slot + 1) & (TABLE_SIZE - 1)) {
      const entry = table[slot] as number;
      if (entry === 0) return NO_RANK;
      // Compares hash bits first, because tokens are scattered in memory.
      if ((entry ^ hash) >>> RANK_BITS !== 0) continue;
      const rank = (entry & RANKS) - 1;
      const start = starts[rank] as number;
      if ((starts[rank + 1] as number) - start !== length) continue;
      let i = 0;
      while (i < length && tokens[start + i] === bytes[from + i]) i += 1;
      if (i === length) return rank;
    }
  }

  private reserve(length: number): void {
    if (length <= this.ends.length) return;
    this.ends = new Uint32Array(length * 2);
    this.befores = new Int32Array(length * 2);
    this.ranks = new Uint32Array(length * 2);
  }
}

/** FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/). */
function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let i = from; i < to; i += 1) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
  return hash;
}

function slotOf(hash: number): number {
  return (hash ^ (hash >>> 15)) & (TABLE_SIZE - 1);
}
