/** Counts tokens with the o200k_base vocabulary: exact for small texts, sampled for large ones. */
import type { TokenCount } from '../../../shared/model/conversion.ts';

/** Every byte is tokenized up to this size. */
const EXACT_BYTES = 256 * 1024;
export const SAMPLE_BYTES = 1024;
/** The number of samples grows to twice this, then every second one is dropped. */
export const SAMPLES = 128;
/** How far a sample's edge may move to reach the start of a word. */
const EDGE_BYTES = 64;

type Count = (text: Uint8Array) => number;

let counter: Promise<Count> | undefined;

/** The vocabulary is loaded on first use, once per thread. */
function loadCounter(): Promise<Count> {
  counter ??= import('./o200k.ts').then(({ TokenCounter }) => {
    const tokens = new TokenCounter();
    return (text) => tokens.count(text);
  });
  return counter;
}

/** Tokens of a text for an o200k_base model. */
export async function countTokens(text: Uint8Array | string): Promise<number> {
  const count = await loadCounter();
  return count(typeof text === 'string' ? new TextEncoder().encode(text) : text);
}

interface Sample {
  readonly start: number;
  readonly bytes: Uint8Array;
  filled: number;
}

/**
 * Counts the tokens of a text that arrives in chunks: `measured` up to 256 KiB, beyond that `estimated` from 128 to 256
 * samples of 1 KiB. The text is divided into equal strata with one sample at a random place in each. When there are too
 * many, neighbouring strata are merged and one of their two samples is kept at random, so samples stay evenly spread over
 * a text of unknown length. The same text always gives the same count.
 */
export class TokenSampler {
  private total = 0;
  private head: Uint8Array[] | null = [];
  private stride = 2 * SAMPLE_BYTES;
  private samples: Sample[] = [];
  private readonly random = randomNumbers();

  push(chunk: Uint8Array): void {
    if (this.head) {
      if (this.total + chunk.length <= EXACT_BYTES) this.head.push(new Uint8Array(chunk));
      else this.head = null;
    }
    let at = 0;
    while (at < chunk.length) {
      const sample = this.current();
      const skip = sample.start + sample.filled - (this.total + at);
      if (skip >= chunk.length - at) break;
      at += skip;
      const part = chunk.subarray(at, at + SAMPLE_BYTES - sample.filled);
      sample.bytes.set(part, sample.filled);
      sample.filled += part.length;
      at += part.length;
    }
    this.total += chunk.length;
  }

  async count(): Promise<TokenCount> {
    const count = await loadCounter();
    if (this.head) return { count: count(Buffer.concat(this.head)), method: 'measured' };
    const parts = this.samples.map(({ bytes, filled }) => bytes.subarray(0, filled));
    return { count: extrapolated(count, parts, this.total), method: 'estimated' };
  }

  /** The sample that is filled now or next. */
  private current(): Sample {
    const last = this.samples.at(-1);
    if (last && last.filled < SAMPLE_BYTES) return last;
    if (this.samples.length === 2 * SAMPLES) {
      this.samples = this.samples.filter((_, i) => i % 2 === this.keep(i));
      this.stride *= 2;
    }
    const start = this.samples.length * this.stride + (this.random() % (this.stride - SAMPLE_BYTES));
    const sample = { start, bytes: new Uint8Array(SAMPLE_BYTES), filled: 0 };
    this.samples.push(sample);
    return sample;
  }

  private kept = 0;

  /** Which of a pair is kept; drawn at the first of the two calls. */
  private keep(i: number): number {
    if (i % 2 === 0) this.kept = (this.random() >>> 7) & 1;
    return this.kept;
  }
}

/** Deterministic 32-bit random numbers: xorshift32 (Marsaglia 2003). */
export function randomNumbers(): () => number {
  let x = 0x9e3779b9;
  return () => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    x >>>= 0;
    return x;
  };
}

/** Estimates the tokens of a text of `total` bytes from evenly spread samples of `SAMPLE_BYTES` each. */
export async function estimateTokens(samples: readonly Uint8Array[], total: number): Promise<TokenCount> {
  return { count: extrapolated(await loadCounter(), samples, total), method: 'estimated' };
}

function extrapolated(count: Count, samples: readonly Uint8Array[], total: number): number {
  let bytes = 0;
  let tokens = 0;
  for (const sample of samples) {
    const part = trimmed(sample);
    bytes += part.length;
    tokens += count(part);
  }
  return Math.round((tokens * total) / Math.max(1, bytes));
}

/** A sample without the words that its edges cut. */
function trimmed(bytes: Uint8Array): Uint8Array {
  let from = 0;
  let to = bytes.length;
  const edge = Math.min(EDGE_BYTES, bytes.length);
  for (let i = 0; i < edge; i++) {
    if (isBreak(bytes[i] as number)) {
      from = i;
      break;
    }
  }
  for (let i = bytes.length - 1; i >= bytes.length - edge; i--) {
    if (isBreak(bytes[i] as number)) {
      to = i;
      break;
    }
  }
  if (to <= from) [from, to] = [0, bytes.length];
  // No word break is near: moves at least to a character boundary.
  while (from < to && ((bytes[from] as number) & 0xc0) === 0x80) from++;
  if (to === bytes.length) {
    while (to > from && ((bytes[to - 1] as number) & 0xc0) === 0x80) to--;
    if (to > from && (bytes[to - 1] as number) >= 0xc0) to--;
  }
  return bytes.subarray(from, to);
}

/** A byte before which a token usually starts: white space or punctuation. */
function isBreak(byte: number): boolean {
  return byte <= 0x2f || (byte >= 0x3a && byte <= 0x40) || (byte >= 0x5b && byte <= 0x60) || (byte >= 0x7b && byte < 0x80);
}
