/** An answer's three faces: still coming, failed, or here. */
import type { ReactNode } from 'react';
import type { Answer } from '../api/use-answer.ts';

export function Loaded<T>({ answer, children }: { answer: Answer<T>; children: (value: T) => ReactNode }) {
  if (answer.value !== undefined) return children(answer.value);
  if (answer.error !== undefined) return <p className="trouble">{answer.error}</p>;
  return <div className="placeholder" aria-busy="true" />;
}
