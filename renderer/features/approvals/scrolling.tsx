/** What of a question has been on the screen: each part ends with a mark, which counts as seen once it was visible. */
import { createContext, type ReactNode, useCallback, useContext, useEffect, useId, useMemo, useRef, useState } from 'react';

/** Text that scrolls by itself, and has been read when its end was visible. */
export function Scrolling({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className="code-block approval-text" aria-label={name}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        {children}
        <EndMark />
      </pre>
    </section>
  );
}

interface Watch {
  add(mark: string): void;
  see(mark: string): void;
}

const WatchContext = createContext<Watch>({ add: () => undefined, see: () => undefined });

/** `onSeen` hears whether every mark inside has been visible. Give it a `key` for each question. */
export function Watched({ onSeen, children }: { onSeen: (all: boolean) => void; children: ReactNode }) {
  const [marks, setMarks] = useState<ReadonlyMap<string, boolean>>(new Map());
  const add = useCallback((mark: string) => setMarks((known) => (known.has(mark) ? known : new Map(known).set(mark, false))), []);
  const see = useCallback((mark: string) => setMarks((known) => new Map(known).set(mark, true)), []);
  const watch = useMemo(() => ({ add, see }), [add, see]);
  const all = marks.size > 0 && [...marks.values()].every(Boolean);
  useEffect(() => onSeen(all), [all, onSeen]);
  return <WatchContext.Provider value={watch}>{children}</WatchContext.Provider>;
}

/** Stands behind the last line of what must be read, inside of what scrolls. */
export function EndMark() {
  const id = useId();
  const { add, see } = useContext(WatchContext);
  const mark = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    add(id);
    if (!mark.current) return;
    // Parts that scrolling ancestors cut off are not visible.
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      see(id);
      observer.disconnect();
    });
    observer.observe(mark.current);
    return () => observer.disconnect();
  }, [id, add, see]);
  return <span ref={mark} className="end-mark" aria-hidden="true" />;
}
