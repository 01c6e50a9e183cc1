/**
 * Scrolling through more rows than a browser can be tall. Above a bound, the drawn height stays and stands for the full one:
 * a long way (the scrollbar is dragged) goes in proportion, a short way (wheel, keys) goes pixel by pixel, and so do the
 * first and the last screens. `shift` is what the full position is ahead of the drawn one.
 */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Browsers end between 16 and 33 million pixels. */
const MOST_DRAWN = 12_000_000;
/** A pixel of a dragged scrollbar is farther than this; a wheel's notch is not. */
const LONG_WAY = 5_000;
/** Screens at each end that are drawn pixel by pixel. */
const PLAIN_SCREENS = 10;

interface TallScroll {
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

const MORE_ROWS = 10;
const SETTLED_AFTER_MS = 150;

interface SeenRows {
  from: number;
  to: number;
  /** The first of them, in pixels from the top of what is drawn. */
  offset: number;
  /** Height of what is drawn. */
  height: number;
  onScroll(): void;
  /** To the first or last row at once. */
  jump(to: 'start' | 'end'): void;
}

/** Which rows of a scrolled element are seen, and where they are drawn. `head` is the height of what stays on top. */
export function useTallScroll(
  scroller: RefObject<HTMLElement | null>,
  { count, rowHeight, head }: { count: number; rowHeight: number; head: number },
): SeenRows {
  const [seen, setSeen] = useState(0);
  const [place, setPlace] = useState({ drawn: 0, shift: 0 });
  const latest = useRef(place);
  const settling = useRef<ReturnType<typeof setTimeout>>(undefined);
  const scroll = tallScroll(count * rowHeight, seen);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const measure = () => setSeen(Math.max(0, element.clientHeight - head));
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [scroller, head]);
  useEffect(() => () => clearTimeout(settling.current), []);

  const move = useCallback((drawn: number, shift: number) => {
    latest.current = { drawn, shift };
    setPlace(latest.current);
  }, []);

  const settle = () => {
    const element = scroller.current;
    if (!element) return;
    const top = latest.current.drawn + latest.current.shift;
    const drawn = settledTop(scroll, top);
    if (drawn === latest.current.drawn) return;
    move(drawn, top - drawn);
    element.scrollTop = drawn;
  };

  const onScroll = () => {
    const element = scroller.current;
    if (!element) return;
    const { drawn, shift } = latest.current;
    const now = Math.round(element.scrollTop);
    move(now, shiftAfter(scroll, shift, drawn, now));
    clearTimeout(settling.current);
    if (needsRoom(scroll, latest.current.shift, now)) settle();
    else settling.current = setTimeout(settle, SETTLED_AFTER_MS);
  };

  const jump = (to: 'start' | 'end') => {
    if (scroller.current) scroller.current.scrollTop = to === 'start' ? 0 : scroll.drawn;
  };

  // Fewer rows than before may leave the place beyond the end.
  const top = Math.min(place.drawn + place.shift, Math.max(0, scroll.full - seen));
  const [from, to] = rowsAround(top, seen, rowHeight, count, MORE_ROWS);
  return { from, to, offset: from * rowHeight - place.shift, height: scroll.drawn, onScroll, jump };
}
