/** A million texts of JSON and JSON Lines by chance: the kernel's reader against the other one and against the language's own parser. */
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
