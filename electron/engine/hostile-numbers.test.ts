/** Numbers and codes whose text would take quadratic time to read: with such a reader, these tests run into their time limit. */
import { describe, expect, it } from 'vitest';
import { printsBack } from './csv/csv-numbers.ts';
import { dateStyleOf } from './tables/number-format.ts';
import { compareDecimals } from './transform/comparison.ts';

const LONG = 400_000;
const zeros = '0'.repeat(LONG);

describe('half a million characters', () => {
  it('of zeros inside a number are compared', () => {
    expect(compareDecimals(`1${zeros}1`, `1${zeros}2`)).toBeLessThan(0);
    expect(compareDecimals(`1${zeros}`, `1${zeros}`)).toBe(0);
  });

  it('of zeros inside a number of a table', () => {
    expect(printsBack(`0.1${zeros}1`)).toBe(false);
  });

  it('of brackets in the format of a workbook', () => {
    expect(dateStyleOf(200, `${'['.repeat(LONG)}yyyy`)).toBe('date');
    expect(dateStyleOf(200, '[Red][$-409]0.00')).toBeUndefined();
  });
});
