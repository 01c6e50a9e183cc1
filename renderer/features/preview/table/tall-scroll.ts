/**
 * Scrolling through more rows than a browser can be tall. Above a bound, the drawn height stays and stands for the full one:
 * a long way (the scrollbar is dragged) goes in proportion, a short way (wheel, keys) goes pixel by pixel, and so do the
 * first and the last screens. `shift` is what the full position is ahead of the drawn one.
 */

/** Browsers end between 16 and 33 million pixels. */
const MOST_DRAWN = 12_000_000;
/** A pixel of a dragged scrollbar is farther than this; a wheel's notch is not. */
const LONG_WAY = 5_000;
/** Screens at each end that are drawn pixel by pixel. */
const PLAIN_SCREENS = 10;

export interface TallScroll {
  /** Height of all rows. */
  readonly full: number;
  /** Height that is given to the browser. */
  readonly drawn: number;
  /** Height that is seen. */
  readonly seen: number;
}

export const tallScroll = (full: number, seen: number): TallScroll => ({ full, drawn: Math.min(full, MOST_DRAWN), seen });

const ends = ({ full, drawn, seen }: TallScroll) => ({
  lastFull: Math.max(0, full - seen),
  lastDrawn: Math.max(0, drawn - seen),
  plain: seen * PLAIN_SCREENS,
});

/** From a position of one scale to that of another, both ends being equal over `plain` pixels. */
function rescale(top: number, last: number, otherLast: number, plain: number): number {
  if (top <= plain) return top;
  if (last - top <= plain) return otherLast - (last - top);
  return plain + (top - plain) * ((otherLast - 2 * plain) / (last - 2 * plain));
}

/** The shift after the drawn position went from `before` to `now`. */
export function shiftAfter(scroll: TallScroll, shift: number, before: number, now: number): number {
  if (scroll.drawn === scroll.full) return 0;
  const { lastFull, lastDrawn, plain } = ends(scroll);
  if (now <= 0) return 0;
  if (now >= lastDrawn) return lastFull - lastDrawn;
  const top = Math.abs(now - before) > LONG_WAY ? rescale(now, lastDrawn, lastFull, plain) : now + shift;
  return Math.round(Math.min(lastFull, Math.max(0, top))) - now;
}

/** Where the drawn position belongs for a full one, so that there is way left in both directions. */
export function settledTop(scroll: TallScroll, top: number): number {
  const { lastFull, lastDrawn, plain } = ends(scroll);
  return scroll.drawn === scroll.full ? top : Math.round(rescale(top, lastFull, lastDrawn, plain));
}

/** Whether an end of the drawn way is near and does not fit that of the full one. */
export function needsRoom(scroll: TallScroll, shift: number, drawnTop: number): boolean {
  if (scroll.drawn === scroll.full) return false;
  const { lastFull, lastDrawn, plain } = ends(scroll);
  const top = drawnTop + shift;
  const off = Math.abs(settledTop(scroll, top) - drawnTop);
  if (top < plain || lastFull - top < plain) return off >= 1;
  return (drawnTop < plain || lastDrawn - drawnTop < plain) && off > scroll.seen;
}

/** The rows that are seen, and some above and below. */
export function rowsAround(
  top: number,
  seen: number,
  rowHeight: number,
  count: number,
  more: number,
): [from: number, to: number] {
  const to = Math.min(count, Math.ceil((top + seen) / rowHeight) + more);
  return [Math.min(to, Math.max(0, Math.floor(top / rowHeight) - more)), to];
}
