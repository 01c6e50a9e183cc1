/** Estimates the tokens of a long list of records from samples taken here and there, without running through it. */
import type { TokenCount } from '../../shared/model/conversion.ts';
import type { ResumePoints } from './resume-points.ts';
import { estimateTokens, randomNumbers, SAMPLE_BYTES, SAMPLES } from './tokens.ts';
import type { Value } from './value.ts';

/**
 * Stratified: resume points lie evenly in the JSON text, so one at random out of every equal share of them, and from there a
 * random way on, gives a sample of every part. The same text always gives the same count. `bytes` is the length of it all.
 */
export async function sampleTokens(value: Value, points: ResumePoints, bytes: number, signal?: AbortSignal): Promise<TokenCount> {
  const random = randomNumbers();
  const strata = Math.min(SAMPLES, points.count);
  const samples: Uint8Array[] = [];
  for (let i = 0; i < strata; i++) {
    const from = Math.floor((i * points.count) / strata);
    const to = Math.floor(((i + 1) * points.count) / strata);
    const point = points.at(from + (random() % (to - from)));
    const spacing = Math.min(points.spacing, bytes / points.count);
    samples.push(await sampleFrom(value, point, random() % Math.max(1, Math.floor(spacing)), signal));
  }
  return estimateTokens(samples, bytes);
}

/** What comes `skip` bytes after a point. */
async function sampleFrom(value: Value, point: ReturnType<ResumePoints['at']>, skip: number, signal?: AbortSignal) {
  const sample = new Uint8Array(SAMPLE_BYTES);
  let filled = 0;
  let left = skip;
  let last: Uint8Array = sample.subarray(0, 0);
  for await (const { data } of value.elements(signal, point)) {
    last = data;
    if (left >= data.length) {
      left -= data.length;
      continue;
    }
    const part = data.subarray(left, left + SAMPLE_BYTES - filled);
    sample.set(part, filled);
    filled += part.length;
    left = 0;
    if (filled === SAMPLE_BYTES) break;
  }
  // The way on may lead over the end of the text.
  return filled > 0 ? sample.subarray(0, filled) : last.slice(-SAMPLE_BYTES);
}
