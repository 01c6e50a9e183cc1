/** Converts a million random tables with the kernel's reader and the reference reader, and compares outputs and errors. */
import { expect, it } from 'vitest';
import { csvBy, csvDifference, whereDifference } from '../electron/engine/csv/csv-fuzz-fixture.ts';
import { Chance } from '../electron/engine/fixtures/fuzz-fixture.ts';

const INPUTS = Number(process.env.FUZZ_INPUTS ?? 1_000_000);
const SEED = Number(process.env.FUZZ_SEED ?? 1);

it(`${INPUTS} tables`, { timeout: 12 * 3_600_000 }, async () => {
  const chance = new Chance(SEED);
  for (let i = 0; i < INPUTS; i += 1) expect(await csvDifference(csvBy(chance))).toBeUndefined();
});

const COMPARISONS = INPUTS / 10;

it(`${COMPARISONS} comparisons`, { timeout: 12 * 3_600_000 }, async () => {
  const chance = new Chance(SEED);
  // Each table gets 40 comparisons.
  for (let i = 0; i < COMPARISONS; i += 40) expect(await whereDifference(chance)).toBeUndefined();
});
