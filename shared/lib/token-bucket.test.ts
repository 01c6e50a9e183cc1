import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TokenBucket } from './token-bucket.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('gives a burst, then so much per second', () => {
  const bucket = new TokenBucket(3, 2);
  expect([1, 2, 3, 4].map(() => bucket.take())).toEqual([true, true, true, false]);
  expect(bucket.waitMs()).toBe(500);
  vi.advanceTimersByTime(500);
  expect([bucket.take(), bucket.take()]).toEqual([true, false]);
  vi.advanceTimersByTime(60_000);
  expect([bucket.take(3), bucket.take()]).toEqual([true, false]);
});

it('never gives more than its capacity at once', () => {
  const bucket = new TokenBucket(3, 2);
  expect(bucket.take(4)).toBe(false);
  vi.advanceTimersByTime(60_000);
  expect(bucket.take(4)).toBe(false);
});
