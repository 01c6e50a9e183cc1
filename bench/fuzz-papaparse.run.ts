/** Compares the conversion of a million random CSV texts with papaparse's. */
import { expect, it } from 'vitest';
import { besidePapaparse, papaparseLetters } from '../electron/engine/csv/papaparse-fixture.ts';
import { Chance } from '../electron/engine/fixtures/fuzz-fixture.ts';

const INPUTS = Number(process.env.FUZZ_INPUTS ?? 1_000_000);
const SEED = Number(process.env.FUZZ_SEED ?? 1);

it(`${INPUTS} texts`, { timeout: 12 * 3_600_000 }, async () => {
  const chance = new Chance(SEED);
  const seen = { equal: 0, refused: 0, unclear: 0 };
  for (let i = 0; i < INPUTS; i += 1) {
    const text = Array.from({ length: chance.below(32) }, () => chance.of(papaparseLetters)).join('');
    const outcome = await besidePapaparse(text);
    expect(outcome).toBeOneOf(['equal', 'refused', 'unclear']);
    seen[outcome as keyof typeof seen] += 1;
  }
  process.stdout.write(`${JSON.stringify(seen)}\n`);
});
