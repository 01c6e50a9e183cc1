/** Tables as big as those that two threads convert in the product, in the pieces that they share out there. */
import { expect, it } from 'vitest';
import { AppError } from '../../shared/model/errors.ts';
import { table, twoThreads } from './fixtures/two-threads.ts';

const MIB = 1024 * 1024;
const both = twoThreads();

it.each([17, 32])('a table of %i MiB comes out the same, and both threads have their share', async (size) => {
  const outcome = await both.inBoth(await both.written(`${size}.csv`, table(size * MIB)));
  expect(outcome).not.toBeInstanceOf(AppError);
  expect(both.tasks.map(({ kind }) => kind)).toContain('csv-write');
  expect(both.scanned().of).toBeGreaterThan(0);
  expect(both.scanned().failed).toBe(0);
});
