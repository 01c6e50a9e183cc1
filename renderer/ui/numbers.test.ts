import { describe, expect, it } from 'vitest';
import { counted, fileName, formatDuration, formatTime } from './numbers.ts';

describe('numbers as a person reads them', () => {
  it('counts one and many', () => {
    expect(counted(1, 'call')).toBe('1 call');
    expect(counted(0, 'call')).toBe('0 calls');
    expect(counted(2, 'entry', 'entries')).toBe('2 entries');
  });

  it('names a file of either platform by its last part', () => {
    expect(fileName('/data/users.csv')).toBe('users.csv');
    expect(fileName('C:\\data\\users.csv')).toBe('users.csv');
    expect(fileName('users.csv')).toBe('users.csv');
  });

  it('shows milliseconds below a second', () => {
    expect(formatDuration(999.4)).toBe('999 ms');
    expect(formatDuration(1500)).toBe('1.5 s');
  });

  it('shows the day of a call of another day', () => {
    const now = new Date(2026, 10, 21, 12);
    expect(formatTime(new Date(2026, 10, 20, 9, 30).toISOString(), now)).toContain('20');
    expect(formatTime(new Date(2026, 10, 21, 9, 30, 15).toISOString(), now)).toContain('15');
  });
});
