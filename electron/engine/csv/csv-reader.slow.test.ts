/** Tables around the sizes at which the kernel leaves a table to the reference reader. */
import { expect, it } from 'vitest';
import { testBounds } from '../fixtures/conversion-fixture.ts';
import { csvDifference } from './csv-fuzz-fixture.ts';

it.each([
  ['100,000 columns', `${'c,'.repeat(100_000)}\n${'1,'.repeat(100_000)}\n2\n`],
  ['140,000 columns', `${'c,'.repeat(140_000)}\n${'1,'.repeat(140_000)}\n2\n`],
  ['a name of 5 MB', `${'x'.repeat(5_000_000)}\n1\n`],
  ['a million commas', `a,b\n${','.repeat(1_000_000)}`],
  ['a million line ends', `a\n${'\r\n'.repeat(500_000)}1\n`],
])('%s come out as the reference reader gives them', async (_, text) => {
  const given = {
    text,
    sizes: [256 * 1024],
    seekable: true,
    bounds: testBounds,
    format: 'csv',
    cut: false,
    advice: undefined,
  } as const;
  expect(await csvDifference({ ...given, options: { ragged: 'keep' } })).toBeUndefined();
  expect(await csvDifference({ ...given, options: { header: false } })).toBeUndefined();
});
