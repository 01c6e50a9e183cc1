/** A story: one component, each of its states by name. */
import type { ReactNode } from 'react';
import type { Samples } from './samples.ts';

export interface Story {
  /** Each state has the full width. */
  wide?: boolean;
  states: Readonly<Record<string, (words: Samples) => ReactNode>>;
}

/** By the component's name. */
export type Stories = Readonly<Record<string, Story>>;

export const doNothing = (): void => undefined;
