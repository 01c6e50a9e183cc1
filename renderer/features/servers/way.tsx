/** What each way of adding servers gets from the dialog around it. */
import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { upstreamNameSchema } from '../../../shared/model/config.ts';
import { useAnswer } from '../../api/use-client.ts';
import { TextField } from '../../ui/field.tsx';
import { t } from './servers-texts.ts';

export interface WayProps {
  /** Where its buttons go: the foot of the dialog. */
  foot: HTMLElement | null;
  /** `signIn`: the person wants to sign in to it now. */
  onAdded: (names: readonly string[], signIn?: boolean) => void;
}

/** Buttons at the foot of the dialog. */
export const Foot = ({ place, children }: { place: HTMLElement | null; children: ReactNode }) =>
  place === null ? null : createPortal(children, place);

// A server that is there already may be added once more, under another name.

const nothing = {};
const events = ['upstreams.changed'] as const;

/** What is wrong with the name of a new server; undefined while it can be used. */
export function useNameProblem(): (name: string) => 'needName' | 'badName' | 'nameTaken' | undefined {
  const list = useAnswer('upstreams.list', nothing, events).value ?? [];
  return (name) => {
    if (name.trim() === '') return 'needName';
    if (!upstreamNameSchema.safeParse(name.trim()).success) return 'badName';
    return list.some((server) => server.name === name.trim()) ? 'nameTaken' : undefined;
  };
}

export function SecondName({ name, onChange }: { name: string; onChange: (name: string) => void }) {
  const problem = useNameProblem()(name);
  return (
    <TextField
      label={t('name')}
      hint={t('nameSecond')}
      error={problem && t(problem)}
      value={name}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
