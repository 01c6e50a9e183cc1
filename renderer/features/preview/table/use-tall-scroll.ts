/** Which rows of a scrolled element are seen, and where they are drawn. */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { needsRoom, rowsAround, settledTop, shiftAfter, tallScroll } from './tall-scroll.ts';

const MORE_ROWS = 10;
const SETTLED_AFTER_MS = 150;

export interface SeenRows {
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

/** `head` is the height of what stays on top. */
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
