/** A million XML documents by chance: the kernel's reader against the other one, byte for byte and word for word. */
import { expect, it } from 'vitest';
import { Chance } from '../electron/engine/fixtures/fuzz-fixture.ts';
import { xmlBy, xmlDifference } from '../electron/engine/xml/xml-fuzz-fixture.ts';

const INPUTS = Number(process.env.FUZZ_INPUTS ?? 1_000_000);
const SEED = Number(process.env.FUZZ_SEED ?? 1);

it(`${INPUTS} documents`, { timeout: 12 * 3_600_000 }, async () => {
  const chance = new Chance(SEED);
  for (let i = 0; i < INPUTS; i += 1) expect(await xmlDifference(xmlBy(chance))).toBeUndefined();
});
