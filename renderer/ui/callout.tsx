/** A notice within a page: what is so, what to do, and the button that does it. */
import type { Worded } from '../../shared/model/messages/people.ts';
import { words } from '../i18n/words.ts';
import './callout.css';
import type { ReactNode } from 'react';
import { CircleAlert, Info, TriangleAlert } from './icons/icons.tsx';

const icons = { info: Info, warning: TriangleAlert, error: CircleAlert };

export function Callout({
  kind,
  title,
  children,
  actions,
}: {
  kind: 'info' | 'warning' | 'error';
  title?: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
}) {
  const Icon = icons[kind];
  return (
    <div className="callout" data-kind={kind} role={kind === 'error' ? 'alert' : undefined}>
      <Icon aria-hidden="true" />
      <div className="callout-text">
        {title === undefined ? null : <p className="callout-title">{title}</p>}
        {children}
      </div>
      {actions === undefined ? null : <div className="callout-actions">{actions}</div>}
    </div>
  );
}

/** A failure in the reader's language; nothing while there is none. */
export function Trouble({ error, actions }: { error: Worded | undefined | null; actions?: ReactNode }) {
  if (!error) return null;
  const { message, hint } = words(error);
  return (
    <Callout kind="error" title={message} actions={actions}>
      {hint ? <p>{hint}</p> : null}
    </Callout>
  );
}
