/** A part of a question that scrolls by itself. */
import type { ReactNode } from 'react';
import { EndMark } from './end-mark.tsx';

/** Text that has been read when its end was visible. */
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
