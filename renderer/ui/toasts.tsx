/** Short notices at the window's edge: what was just done. Failures stay in the page, beside what failed. */
import './toasts.css';
import { Toast } from '@base-ui/react/toast';
import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { X } from './icons/icons.tsx';
import { t } from './ui-texts.ts';

/** Gives the function that says something was done; with `undo`, a button takes it back. */
export function useToast(): (message: string, undo?: { label: string; run: () => void }) => void {
  const { add } = Toast.useToastManager();
  return (message, undo) => {
    add({ title: message, timeout: 5000, ...(undo ? { actionProps: { children: undo.label, onClick: undo.run } } : {}) });
  };
}

function List() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="toast">
      <Toast.Title className="toast-title">{toast.title}</Toast.Title>
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
