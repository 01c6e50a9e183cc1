/** Measures a value in one pass (exact size, records, tokens), and keeps it in memory if it is small. */

import type { TokenCount } from '../../../shared/model/conversion.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { EventLoopYield } from '../core/byte-streams.ts';
import type { Conversion } from '../core/convert-types.ts';
import { noElements, throwIfCancelled } from '../core/failures.ts';
import { arrayText, type ElementChunk, type Payload, skipElements, type Value } from '../core/payload.ts';
import type { MeasuredText } from '../core/reader.ts';
import { ResumePoints } from '../core/resume-points.ts';
import type { ReadOptions } from '../core/source.ts';
import { estimateTokens, randomNumbers, SAMPLE_BYTES, SAMPLES, TokenSampler } from '../tokens/tokens.ts';

const KEPT_BYTES = 4 * 1024 * 1024;

interface Measured {
  readonly payload: Payload & Pick<Conversion, 'seeks' | 'heldBytes'>;
  readonly tokens: TokenCount;
}

/** Options for measuring a value. */
interface MeasureOptions {
  /** Measurements that the scan has already made. */
  readonly known?: MeasuredText | undefined;
  /** Whether the value can be read from the resume points in `known`. */
  readonly seekable?: boolean | undefined;
  /** Absent: tokens are estimated as a quarter of the bytes. */
  readonly counted: boolean;
  readonly keptBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Reads the whole value unless the scan has measured it, so that later streaming cannot fail on its content. */
export async function measure(value: Value, options: MeasureOptions): Promise<Measured> {
  const { known, seekable = false, counted, keptBytes = KEPT_BYTES, signal } = options;
  if (known && known.bytes > keptBytes && (seekable || known.sampler || !counted)) {
    return measuredByScan(value, known, seekable, counted, signal);
  }
  const sampler = counted ? new TokenSampler() : undefined;
  return value.kind === 'array'
    ? measureArray(value, sampler, keptBytes, signal)
    : measureJson(value, sampler, keptBytes, signal);
}

async function measuredByScan(
  value: Value,
  { bytes, records, resumePoints, sampler }: MeasuredText,
  seekable: boolean,
  counted: boolean,
  signal?: AbortSignal,
): Promise<Measured> {
  const points = seekable ? resumePoints : undefined;
  const tokens = !counted
    ? guessedTokens(bytes)
    : sampler
      ? await sampler.count()
      : await sampleTokens(value, resumePoints, bytes, signal);
  if (value.kind !== 'array') {
    return {
      tokens,
      payload: {
        kind: value.kind,
        bytes,
        records: 1,
        seeks: false,
        heldBytes: 0,
        json: (again, options) => exactly(bytes, value.json(again, options)),
        elements() {
          throw noElements(value.kind);
        },
      },
    };
  }
  const elements = (again?: AbortSignal, start = 0, options?: ReadOptions): AsyncIterable<ElementChunk> => {
    const from = start > 0 ? points?.before(start) : undefined;
    return skipElements(value.elements(again, from, options), start - (from?.record ?? 0));
  };
  return {
    tokens,
    payload: {
      kind: 'array',
      bytes,
      records,
      seeks: points !== undefined && points.count > 0,
      heldBytes: 0,
      json: (again, options) => exactly(bytes, value.arrayJson?.(again, options) ?? arrayText(elements(again, 0, options))),
      elements: (options = {}) => elements(options.signal, options.start, options),
    },
  };
}

/** The text, which must have the size that was announced. */
async function* exactly(bytes: number, chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let seen = 0;
  for await (const chunk of chunks) {
    seen += chunk.length;
    if (seen > bytes) throw notAsScanned();
    yield chunk;
  }
  if (seen !== bytes) throw notAsScanned();
}

function notAsScanned(): AppError {
  return new AppError('INTERNAL', say('file.differsNow'), { hint: say('file.differsNow.hint') });
}

/** Estimate without a counter: four bytes per token. */
function guessedTokens(bytes: number): TokenCount {
  return { count: Math.ceil(bytes / 4), method: 'estimated' };
}

async function measureJson(
  value: Value,
  sampler: TokenSampler | undefined,
  keptBytes: number,
  signal?: AbortSignal,
): Promise<Measured> {
  let bytes = 0;
  let kept: Uint8Array[] | null = [];
  for await (const chunk of unhurried(value.json(signal), signal)) {
    sampler?.push(chunk);
    bytes += chunk.length;
    if (bytes > keptBytes) kept = null;
    kept?.push(chunk);
  }
  const cached = kept;
  return {
    tokens: (await sampler?.count()) ?? guessedTokens(bytes),
    payload: {
      kind: value.kind,
      bytes,
      records: 1,
      seeks: cached !== null,
      heldBytes: cached ? bytes : 0,
      json: (again) => (cached ? copies(cached) : value.json(again)),
      elements() {
        throw noElements(value.kind);
      },
    },
  };
}

async function measureArray(
  value: Value,
  sampler: TokenSampler | undefined,
  keptBytes: number,
  signal?: AbortSignal,
): Promise<Measured> {
  let bytes = 0;
  let records = 0;
  let kept: ElementChunk[] | null = [];
  const resumePoints = new ResumePoints();
  const seen = async function* () {
    for await (const chunk of unhurried(value.elements(signal), signal)) {
      if (chunk.checkpoint) resumePoints.add(records, chunk.checkpoint, chunk.data.length);
      records += chunk.ends.length;
      if (bytes + chunk.data.length > keptBytes) kept = null;
      kept?.push(chunk);
      yield chunk;
    }
  };
  for await (const chunk of arrayText(seen())) {
    sampler?.push(chunk);
    bytes += chunk.length;
  }
  const cached = kept;
  const elements = (again?: AbortSignal, start = 0): AsyncIterable<ElementChunk> => {
    if (cached) return elementCopies(skipElements(cached, start));
    const from = start > 0 ? resumePoints.before(start) : undefined;
    return skipElements(value.elements(again, from), start - (from?.record ?? 0));
  };
  return {
    tokens: (await sampler?.count()) ?? guessedTokens(bytes),
    payload: {
      kind: 'array',
      bytes,
      records,
      seeks: cached !== null || resumePoints.count > 0,
      heldBytes: cached ? bytes : 0,
      json: (again) => arrayText(elements(again)),
      elements: (options = {}) => elements(options.signal, options.start),
    },
  };
}

/** The same parts, with yields to the event loop: a small input can produce much output. */
async function* unhurried<Part>(parts: AsyncIterable<Part>, signal?: AbortSignal): AsyncIterable<Part> {
  const yielding = new EventLoopYield();
  for await (const part of parts) {
    if (yielding.due) await yielding.pause();
    throwIfCancelled(signal);
    yield part;
  }
}

/** Yields copies of kept text, because chunks belong to the receiver. */
async function* copies(chunks: readonly Uint8Array[]): AsyncIterable<Uint8Array> {
  for (const chunk of chunks) yield new Uint8Array(chunk);
}

async function* elementCopies(chunks: AsyncIterable<ElementChunk>): AsyncIterable<ElementChunk> {
  for await (const { data, ends, lines } of chunks)
    yield lines ? { data: data.slice(), ends: ends.slice(), lines: lines.slice() } : { data: data.slice(), ends: ends.slice() };
}

/** Samples taken in parallel, each with a separate kernel. */
const AT_ONCE = 4;

/**
 * Stratified sampling: one random resume point from each equal share of the evenly spread points, plus a random distance
 * from there. The same text always gives the same count. `bytes`: length of the whole text.
 */
async function sampleTokens(value: Value, points: ResumePoints, bytes: number, signal?: AbortSignal): Promise<TokenCount> {
  const random = randomNumbers();
  const strata = Math.min(SAMPLES, points.count);
  const places = Array.from({ length: strata }, (_, i) => {
    const from = Math.floor((i * points.count) / strata);
    const to = Math.floor(((i + 1) * points.count) / strata);
    const point = points.at(from + (random() % (to - from)));
    const spacing = Math.min(points.spacing, bytes / points.count);
    return { point, skip: random() % Math.max(1, Math.floor(spacing)) };
  });
  const samples: Uint8Array[] = [];
  const rest = places.entries();
  const take = async () => {
    for (const [i, { point, skip }] of rest) samples[i] = await sampleFrom(value, point, skip, signal);
  };
  // Most of a sample's time is spent waiting for a small read.
  await Promise.all(Array.from({ length: AT_ONCE }, take));
  return estimateTokens(samples, bytes);
}

/** The text that follows `skip` bytes after a point. */
async function sampleFrom(value: Value, point: ReturnType<ResumePoints['at']>, skip: number, signal?: AbortSignal) {
  const sample = new Uint8Array(SAMPLE_BYTES);
  let filled = 0;
  let left = skip;
  // If the distance exceeds the text, the sample is its end.
  const last = new Uint8Array(SAMPLE_BYTES);
  let lastBytes = 0;
  for await (const { data } of value.elements(signal, point, { reuse: true })) {
    if (left >= data.length) {
      left -= data.length;
      const end = data.subarray(-SAMPLE_BYTES);
      last.set(end);
      lastBytes = end.length;
      continue;
    }
    const part = data.subarray(left, left + SAMPLE_BYTES - filled);
    sample.set(part, filled);
    filled += part.length;
    left = 0;
    if (filled === SAMPLE_BYTES) break;
  }
  return filled > 0 ? sample.subarray(0, filled) : last.subarray(0, lastBytes);
}
