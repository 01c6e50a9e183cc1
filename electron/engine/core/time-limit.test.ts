import { expect, it, vi } from 'vitest';
import { TooSlow, withinTime } from './time-limit.ts';

const endless = () => /^(([a-z])+.)+[A-Z]([a-z])+$/.test('a'.repeat(200));

it('stops a regular expression that backtracks without end', () => {
  expect(() => withinTime(50, endless)).toThrow(TooSlow);
});

it('returns what the work returns, and passes its errors on', () => {
  expect(withinTime(60_000, () => undefined)).toBe(undefined);
  expect(withinTime(60_000, () => [1])).toEqual([1]);
  const error = new RangeError('of the work');
  expect(() =>
    withinTime(60_000, () => {
      throw error;
    }),
  ).toThrow(error);
});

it('gives work another try if the machine computed something else meanwhile', () => {
  const cpu = vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: 1000, system: 0 });
  try {
    let tries = 0;
    const work = () => {
      tries += 1;
      return tries < 3 ? endless() : 'done';
    };
    expect(withinTime(50, work)).toBe('done');
    expect(() => withinTime(20, endless)).toThrow(TooSlow);
  } finally {
    cpu.mockRestore();
  }
});
