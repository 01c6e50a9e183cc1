/**
 * Converts a million random XML documents with the kernel's reader and the reference reader, and compares outputs and
 * errors.
 */
import { expect, it } from 'vitest';
import { Chance } from '../electron/engine/fixtures/fuzz-fixture.ts';
import { xmlBy, xmlDifference } from '../electron/engine/xml/xml-fuzz-fixture.ts';

const INPUTS = Number(process.env.FUZZ_INPUTS ?? 1_000_000);
const SEED = Number(process.env.FUZZ_SEED ?? 1);

it(`${INPUTS} documents`, { timeout: 12 * 3_600_000 }, async () => {
  const chance = new Chance(SEED);
  for (let i = 0; i < INPUTS; i += 1) expect(await xmlDifference(xmlBy(chance))).toBeUndefined();
});
