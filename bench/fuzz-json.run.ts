/**
 * Converts a million random JSON and JSON Lines texts with the kernel's reader, the reference reader and JSON.parse, and
 * compares them.
 */
import { expect, it } from 'vitest';
import { Chance } from '../electron/engine/fixtures/fuzz-fixture.ts';
import { jsonBy, jsonDifference } from '../electron/engine/json/json-fuzz-fixture.ts';

const INPUTS = Number(process.env.FUZZ_INPUTS ?? 1_000_000);
const SEED = Number(process.env.FUZZ_SEED ?? 1);

it(`${INPUTS} texts`, { timeout: 12 * 3_600_000 }, async () => {
  const chance = new Chance(SEED);
  for (let i = 0; i < INPUTS; i += 1) {
    const asLines = i % 2 === 1;
    expect(await jsonDifference(jsonBy(chance, asLines), asLines)).toBeUndefined();
  }
});
