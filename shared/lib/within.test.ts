import { expect, it } from 'vitest';
import { within } from './within.ts';

const never = new Promise<never>(() => undefined);

it('gives what comes in time, value or error, and else undefined', async () => {
  expect(await within(60_000, Promise.resolve(1))).toBe(1);
  await expect(within(60_000, Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await within(1, never)).toBeUndefined();
});

it('leaves no error unheard that comes later', async () => {
  let fail = (_: Error) => {};
  const late = new Promise<never>((_, reject) => {
    fail = reject;
  });
  expect(await within(1, late)).toBeUndefined();
  fail(new Error('too late'));
});
