import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { limitedLog } from './limited-log.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

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
