/** Estimates the tokens of a long list from samples at random places, without reading all of it. */
import type { TokenCount } from '../../../shared/model/conversion.ts';
import type { ResumePoints } from '../core/resume-points.ts';
import type { Value } from '../core/value.ts';
import { estimateTokens, randomNumbers, SAMPLE_BYTES, SAMPLES } from '../tokens/tokens.ts';

/** Samples taken in parallel, each with a separate kernel. */
const AT_ONCE = 4;

/**
 * Stratified sampling: one random resume point from each equal share of the evenly spread points, plus a random distance
 * from there. The same text always gives the same count. `bytes`: length of the whole text.
 */
export async function sampleTokens(value: Value, points: ResumePoints, bytes: number, signal?: AbortSignal): Promise<TokenCount> {
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
