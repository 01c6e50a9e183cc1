import { describe, expect, it } from 'vitest';
import { needsRoom, rowsAround, settledTop, shiftAfter, tallScroll } from './tall-scroll.ts';

const ROW = 32;
const SEEN = 640;

describe('scrolling a table', () => {
  it('is plain scrolling while the browser can be tall enough', () => {
    const scroll = tallScroll(200_000 * ROW, SEEN);
    expect(scroll.drawn).toBe(scroll.full);
    expect(shiftAfter(scroll, 0, 0, 1_000_000)).toBe(0);
    expect(needsRoom(scroll, 0, 10)).toBe(false);
  });

  const scroll = tallScroll(10_000_000 * ROW, SEEN);

  it('stays within what a browser can draw', () => expect(scroll.drawn).toBeLessThan(16_000_000));

  it('goes pixel by pixel over a short way, wherever it starts', () => {
    const shift = shiftAfter(scroll, 0, 0, 6_000_000);
    for (const notch of [100, -100, 600]) expect(shiftAfter(scroll, shift, 6_000_000, 6_000_000 + notch)).toBe(shift);
  });

  it('goes in proportion over a long way', () => {
    const half = (scroll.drawn - SEEN) / 2;
    expect(half + shiftAfter(scroll, 0, 0, half)).toBeCloseTo((scroll.full - SEEN) / 2, -1);
  });

  it('shows the last row at the very end and the first at the very beginning', () => {
    const end = scroll.drawn - SEEN;
    const top = end + shiftAfter(scroll, 123, end - 50, end);
    expect(rowsAround(top, SEEN, ROW, 10_000_000, 0)).toEqual([10_000_000 - SEEN / ROW, 10_000_000]);
    expect(shiftAfter(scroll, 5_000, 40, 0)).toBe(0);
  });

  it.each([
    ['beginning to end', 1],
    ['end to beginning', -1],
  ])('passes over no row when walked from %s', (_, direction) => {
    const small = tallScroll(500_000 * ROW, SEEN);
    let drawn = direction === 1 ? 0 : small.drawn - SEEN;
    let shift = shiftAfter(small, 0, drawn, drawn);
    const end = direction === 1 ? small.full - SEEN : 0;
    let farthest = 0;
    for (let top = drawn + shift; top !== end; ) {
      const now = Math.min(small.drawn - SEEN, Math.max(0, drawn + direction * 600));
      shift = shiftAfter(small, shift, drawn, now);
      drawn = now;
      farthest = Math.max(farthest, Math.abs(drawn + shift - top));
      top = drawn + shift;
      if (needsRoom(small, shift, drawn)) {
        drawn = settledTop(small, top);
        shift = top - drawn;
      }
    }
    expect(farthest).toBe(600);
  });

  it('names the rows around a place', () => {
    expect(rowsAround(0, 320, 32, 1000, 5)).toEqual([0, 15]);
    expect(rowsAround(320, 320, 32, 1000, 5)).toEqual([5, 25]);
    expect(rowsAround(320, 320, 32, 12, 5)).toEqual([5, 12]);
    expect(rowsAround(0, 320, 32, 0, 5)).toEqual([0, 0]);
  });
});
