import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { setLanguage } from '../i18n/texts.ts';
import {
  fileName,
  folderOf,
  formatBytes,
  formatCount,
  formatDay,
  formatDuration,
  formatElapsed,
  formatMoney,
  formatTime,
} from './format.ts';

describe('numbers as a person reads them', () => {
  it('groups digits', () => expect(formatCount(1234567)).toBe('1,234,567'));
  it('shows sizes', () => {
    expect(formatBytes(1536)).toBe('1.5 KB');
    expect(formatBytes(12)).toBe('12 bytes');
  });
  it('shows durations in the unit that fits', () => {
    expect(formatDuration(12.4)).toBe('12 ms');
    expect(formatDuration(1234)).toBe('1.2 s');
  });
  it('shows how long something has run so far', () => {
    expect([-5, 4999, 65_200, 3_600_000].map(formatElapsed)).toEqual(['0 s', '4 s', '1:05 min', '60:00 min']);
  });
  it('shows small money with more digits', () => {
    expect(formatMoney(12.345)).toBe('$12.35');
    expect(formatMoney(0.0042)).toBe('$0.0042');
    expect(formatMoney(0)).toBe('$0.00');
  });
  it('names a day', () => expect(formatDay('2026-03-05')).toBe('Mar 5'));
  it('shows the day only for earlier days', () => {
    const now = new Date(2026, 2, 5, 12);
    expect(formatTime(new Date(2026, 2, 5, 9, 30).toISOString(), now)).not.toContain('Mar');
    expect(formatTime(new Date(2026, 2, 4, 9, 30).toISOString(), now)).toContain('Mar');
  });
  it('takes the last part of a path of either platform', () => {
    expect(fileName('/data/users.csv')).toBe('users.csv');
    expect(fileName('C:\\data\\users.csv')).toBe('users.csv');
  });
});

describe('numbers in German', () => {
  beforeAll(() => {
    vi.stubGlobal('document', { documentElement: {} });
    setLanguage('de');
  });
  afterAll(() => {
    setLanguage('en');
    vi.unstubAllGlobals();
  });

  it('have a comma before the decimals', () => {
    expect(formatBytes(1536)).toBe('1,5 KB');
    expect(formatBytes(12)).toBe('12 Byte');
    expect(formatCount(1234567)).toBe('1.234.567');
    expect(formatDuration(1234)).toBe('1,2 s');
  });
});

describe('the folder of a file', () => {
  it.each([
    ['/data/users.csv', '/data'],
    ['/users.csv', '/'],
    ['C:\\data\\users.csv', 'C:\\data'],
    ['C:\\users.csv', 'C:\\'],
    ['users.csv', ''],
  ])('of %s is %s', (path, folder) => expect(folderOf(path)).toBe(folder));
});
