import { expect, it } from 'vitest';
import { niceCeiling } from './savings.tsx';

it.each([
  [0, 0],
  [1, 1],
  [7, 10],
  [10, 10],
  [11, 20],
  [2_400, 2_500],
  [4_999, 5_000],
  [5_001, 10_000],
])('ends an axis of %i with %i', (value, end) => expect(niceCeiling(value)).toBe(end));
