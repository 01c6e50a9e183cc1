/** A state as a coloured dot with its word, and small labels. */
import './state-dot.css';
import type { ReactNode } from 'react';

export type Tone = 'good' | 'wait' | 'bad' | 'off';

export function StateDot({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className="state-dot" data-tone={tone}>
      {children}
    </span>
  );
}

export function Badge({ tone, children }: { tone?: 'accent' | 'wait' | 'bad'; children: ReactNode }) {
  return (
    <span className="badge" data-tone={tone}>
      {children}
    </span>
  );
}
