/** What each way of adding servers gets from the dialog around it. */
import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';

export interface WayProps {
  /** Where its buttons go: the foot of the dialog. */
  foot: HTMLElement | null;
  /** `signIn`: the person wants to sign in to it now. */
  onAdded: (names: readonly string[], signIn?: boolean) => void;
}

/** Buttons at the foot of the dialog. */
export const Foot = ({ place, children }: { place: HTMLElement | null; children: ReactNode }) =>
  place === null ? null : createPortal(children, place);
