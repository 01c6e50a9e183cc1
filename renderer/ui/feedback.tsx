/** How things stand: states, badges, notices, failures, placeholders, toasts. */
import './feedback.css';
import { Toast } from '@base-ui/react/toast';
import type { ReactNode } from 'react';
import { toAppError } from '../../shared/model/errors.ts';
import type { Worded } from '../../shared/model/messages/people.ts';
import type { Answer } from '../api/use-client.ts';
import { words } from '../i18n/texts.ts';
import { Button, IconButton } from './button.tsx';
import { Check, CircleAlert, Info, TriangleAlert, X } from './icons/icons.tsx';
import { t } from './ui-texts.ts';

export type Tone = 'good' | 'wait' | 'bad' | 'off';

/** A state as a coloured dot with its word. */
export function StateDot({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className="state-dot" data-tone={tone}>
      {children}
    </span>
  );
}

/** A small label. */
export function Badge({ tone, children }: { tone?: 'accent' | 'wait' | 'bad'; children: ReactNode }) {
  return (
    <span className="badge" data-tone={tone}>
      {children}
    </span>
  );
}

const icons = { info: Info, success: Check, warning: TriangleAlert, error: CircleAlert };

/** A notice within a page: what is so, what to do, and the button that does it. */
export function Callout({
  kind,
  title,
  children,
  actions,
}: {
  kind: keyof typeof icons;
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

/** An answer that is still coming, failed, or here. `lines` gives the placeholder about the height of what will be there, so that nothing jumps. */
export function Loaded<T>({
  answer,
  lines = 3,
  children,
}: {
  answer: Answer<T>;
  lines?: number;
  children: (value: T) => ReactNode;
}) {
  if (answer.value !== undefined) return children(answer.value);
  if (answer.error !== undefined) {
    return (
      <Trouble
        error={answer.error}
        actions={
          <Button size="small" onClick={() => void answer.refresh()}>
            {t('retry')}
          </Button>
        }
      />
    );
  }
  return <Placeholder lines={lines} />;
}

export function Placeholder({ lines }: { lines: number }) {
  return (
    <div className="placeholder" role="status" aria-busy="true" aria-label={t('loading')}>
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines without identity
        <span key={index} />
      ))}
    </div>
  );
}

// Toasts: short notices at the window's edge of what was just done. Failures stay in the page, beside what failed; only that of an undo
// in a toast is a toast itself, as its page may be left by then.

/** Gives the function that says something was done; with `undo`, a button takes it back, and says why where that fails. */
export function useToast(): (message: string, undo?: { label: string; run: () => unknown }) => void {
  const { add } = Toast.useToastManager();
  const failed = (thrown: unknown) => {
    const { message, hint } = words(toAppError(thrown));
    add({ title: message, description: hint, type: 'error', priority: 'high', timeout: 0 });
  };
  return (message, undo) => {
    const actionProps = undo && { children: undo.label, onClick: () => void (async () => undo.run())().catch(failed) };
    // A decision takes longer than reading.
    add(actionProps ? { title: message, timeout: 10_000, actionProps } : { title: message, timeout: 5000 });
  };
}

function List() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="toast">
      <div className="toast-text">
        <Toast.Title className="toast-title">{toast.title}</Toast.Title>
        <Toast.Description className="toast-description" />
      </div>
      <Toast.Action className="button button-quiet button-small">{toast.actionProps?.children}</Toast.Action>
      <Toast.Close render={<IconButton label={t('dismiss')} />}>
        <X aria-hidden="true" />
      </Toast.Close>
    </Toast.Root>
  ));
}

export function Toasts({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="toasts">
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}
