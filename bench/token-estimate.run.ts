/** The estimate of a payload's tokens against counting every one, on texts whose parts have little in common. */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, expect, it } from 'vitest';
import { TokenSampler } from '../electron/engine/index.ts';
import { atMost, comparison, comparisonColumns, median, milliseconds, report } from './support/figures.ts';
import { MB } from './support/files.ts';
import { medley } from './support/medley.ts';

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];
const CHUNK_BYTES = 512 * 1024;
const OFF_PERCENT = 2;
const GOAL_MS = 10;

const rows: string[][] = [];

afterAll(() => report('token-estimate', { columns: comparisonColumns, rows, packages: ['gpt-tokenizer'] }));

it('measures 10 MB', async () => {
  const errors: number[] = [];
  const took: number[] = [];
  const exactly: number[] = [];
  // The vocabulary is loaded once in a program's life.
  await new TokenSampler().count();
  for (const seed of SEEDS) {
    const text = medley(seed, 10 * MB);
    const bytes = Buffer.from(text);
    const began = performance.now();
    const sampler = new TokenSampler();
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) sampler.push(bytes.subarray(at, at + CHUNK_BYTES));
    const { count, method } = await sampler.count();
    took.push(performance.now() - began);
    expect(method).toBe('estimated');
    const counting = performance.now();
    // In pieces: the tokenizer holds all of what it is given.
    let exact = 0;
    for (let at = 0; at < text.length; at += 1e6)
      exact += countTokens(text.slice(at, at + 1e6), { disallowedSpecial: new Set() });
    exactly.push(performance.now() - counting);
    errors.push((100 * Math.abs(count - exact)) / exact);
  }
  const worst = Math.max(...errors);
  rows.push(
    comparison({
      figure: `tokens of a heterogeneous 10 MB text, worst of ${SEEDS.length}`,
      ours: `${worst.toFixed(1)} % off (median ${median(errors).toFixed(1)} %)`,
      peer: 'counted: exact',
      verdict: atMost(OFF_PERCENT, worst, '% off'),
    }),
    comparison({
      figure: 'time for it, median',
      ours: `${median(took).toFixed(1)} ms (longest ${Math.max(...took).toFixed(1)})`,
      peer: `counted: ${milliseconds(median(exactly))}`,
      verdict: atMost(GOAL_MS, median(took), 'ms'),
    }),
  );
});
