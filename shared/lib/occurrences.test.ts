import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from './fixtures/property-runs.ts';
import { occurrences, textOccurrences } from './occurrences.ts';

const letters = (max: number) => fc.array(fc.constantFrom(1, 2), { minLength: 1, maxLength: max });

it('finds what the built-in search finds', () => {
  fc.assert(
    fc.property(letters(60), letters(4), fc.boolean(), (text, wanted, overlapping) => {
      const found = [...textOccurrences(text.join(''), wanted.join(''), overlapping)];
      expect([...occurrences(text, wanted, overlapping)]).toEqual(found);
    }),
    { numRuns: runs(100) },
  );
});

it('is linear for texts that repeat themselves', () => {
  const text = 'a'.repeat(10_000_000);
  expect([...textOccurrences(text, `b${'a'.repeat(1_000_000)}`, true)]).toEqual([]);
  expect([...textOccurrences(text, 'a'.repeat(5_000_000), false)]).toEqual([0, 5_000_000]);
});
