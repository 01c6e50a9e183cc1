/**
 * Counts tokens of o200k_base as tiktoken does (https://github.com/openai/tiktoken), from a vocabulary that takes 5 MB and some
 * 30 ms to load. Libraries hold it in objects: ten times of both, in every thread that converts.
 */
import { inflateRawSync } from 'node:zlib';
import { packed } from 'virtual:o200k-vocabulary';

const CONTRACTION = "(?:'(?:[sS]|[dD]|[mM]|[tT]|[lL][lL]|[vV][eE]|[rR][eE]))?";
const UPPER = String.raw`\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}`;
const LOWER = String.raw`\p{Ll}\p{Lm}\p{Lo}\p{M}`;

/** Cuts a text into pieces, which are tokenized each by itself: the pattern of o200k_base. */
const PIECES = new RegExp(
  [
    String.raw`[^\r\n\p{L}\p{N}]?[${UPPER}]*[${LOWER}]+${CONTRACTION}`,
    String.raw`[^\r\n\p{L}\p{N}]?[${UPPER}]+[${LOWER}]*${CONTRACTION}`,
    String.raw`\p{N}{1,3}`,
    String.raw` ?[^\s\p{L}\p{N}]+[\r\n/]*`,
    String.raw`\s*[\r\n]+`,
    String.raw`\s+(?!\S)`,
    String.raw`\s+`,
  ].join('|'),
  'gu',
);

/** Ranks plus one by the hash of their bytes, with linear probing; 0 where there is none. */
const TABLE_SIZE = 1 << 19;
const NO_RANK = 0x7fffffff;

export class TokenCounter {
  private readonly tokens: Uint8Array;
  /** Where each token starts in `tokens`, and where the last one ends. */
  private readonly starts: Uint32Array;
  private readonly table = new Uint32Array(TABLE_SIZE);
  private readonly encoder = new TextEncoder();
  private bytes: Uint8Array = new Uint8Array(4096);
  /** Where the parts of a piece start that are not merged yet, and the rank of each with the next. */
  private edges = new Uint32Array(4096);
  private ranks = new Uint32Array(4096);

  constructor() {
    const stored = inflateRawSync(Buffer.from(packed, 'base64'));
    let count = 0;
    for (let at = 0; at < stored.length; at += 1 + (stored[at] as number)) count += 1;
    const tokens = new Uint8Array(stored.length - count);
    this.starts = new Uint32Array(count + 1);
    let end = 0;
    let rank = 0;
    for (let at = 0; at < stored.length; ) {
      const length = stored[at] as number;
      tokens.set(stored.subarray(at + 1, at + 1 + length), end);
      end += length;
      at += 1 + length;
      rank += 1;
      this.starts[rank] = end;
    }
    this.tokens = tokens;
    for (rank = 0; rank < count; rank += 1) {
      let slot = hashOf(tokens, this.starts[rank] as number, this.starts[rank + 1] as number);
      while (this.table[slot] !== 0) slot = (slot + 1) & (TABLE_SIZE - 1);
      this.table[slot] = rank + 1;
    }
  }

  /** Text that spells a control token, such as `<|endoftext|>`, is only text here. */
  count(text: string): number {
    let tokens = 0;
    for (const [piece] of text.matchAll(PIECES)) tokens += this.countPiece(piece);
    return tokens;
  }

  private countPiece(piece: string): number {
    this.reserve(piece.length * 3 + 1);
    const { written: length } = this.encoder.encodeInto(piece, this.bytes);
    if (length <= 1 || this.rankOf(0, length) !== NO_RANK) return 1;
    return this.countMerged(length);
  }

  /** Byte-pair encoding: of all neighbours, the pair of the lowest rank is merged, the first of equals, until none has one. */
  private countMerged(length: number): number {
    const { edges, ranks } = this;
    for (let i = 0; i <= length; i += 1) edges[i] = i;
    let count = length;
    for (let i = 0; i < count - 1; i += 1) ranks[i] = this.rankOf(i, i + 2);
    for (;;) {
      let lowest = NO_RANK;
      let at = -1;
      for (let i = 0; i < count - 1; i += 1) {
        const rank = ranks[i] as number;
        if (rank < lowest) {
          lowest = rank;
          at = i;
        }
      }
      if (at < 0) return count;
      edges.copyWithin(at + 1, at + 2, count + 1);
      ranks.copyWithin(at + 1, at + 2, count);
      count -= 1;
      if (at < count - 1) ranks[at] = this.rankOf(edges[at] as number, edges[at + 2] as number);
      if (at > 0) ranks[at - 1] = this.rankOf(edges[at - 1] as number, edges[at + 1] as number);
    }
  }

  /** The rank of the bytes from `from` to `to` of the piece; NO_RANK where they are no token. */
  private rankOf(from: number, to: number): number {
    const { bytes, tokens, starts, table } = this;
    const length = to - from;
    for (let slot = hashOf(bytes, from, to); ; slot = (slot + 1) & (TABLE_SIZE - 1)) {
      const entry = table[slot] as number;
      if (entry === 0) return NO_RANK;
      const start = starts[entry - 1] as number;
      if ((starts[entry] as number) - start !== length) continue;
      let i = 0;
      while (i < length && tokens[start + i] === bytes[from + i]) i += 1;
      if (i === length) return entry - 1;
    }
  }

  private reserve(length: number): void {
    if (length <= this.bytes.length) return;
    const size = length * 2;
    this.bytes = new Uint8Array(size);
    this.edges = new Uint32Array(size);
    this.ranks = new Uint32Array(size);
  }
}

/** FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/), folded. */
function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let i = from; i < to; i += 1) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
  return (hash ^ (hash >>> 15)) & (TABLE_SIZE - 1);
}
