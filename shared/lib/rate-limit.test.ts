import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { limitedLog, TokenBucket } from './rate-limit.ts';

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

it('passes a burst and a few lines per second, and counts the others', () => {
  const lines: string[] = [];
  const log = limitedLog((line) => lines.push(line));
  for (let n = 0; n < 10_000; n += 1) log(`line ${n}`);
  expect(lines).toHaveLength(200);
  vi.advanceTimersByTime(1_000);
  log('later');
  expect(lines.at(-1)).toBe('(9800 lines left out) later');
});

it('cuts long lines', () => {
  const lines: string[] = [];
  limitedLog((line) => lines.push(line))('x'.repeat(1_000_000));
  expect(lines[0]).toHaveLength(2_001);
});
