/** Dialogs: a form or a list above the page, and the question before something that cannot be undone. */
import './dialog.css';
import { AlertDialog } from '@base-ui/react/alert-dialog';
import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { Button, IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { X } from './icons/icons.tsx';
import { t } from './ui-texts.ts';

export function Dialog({
  open,
  onClose,
  title,
  lead,
  footer,
  wide,
  tall,
  form,
  children,
}: {
  open: boolean;
  onClose: () => void;
  title: string;
  lead?: ReactNode;
  footer?: ReactNode;
  wide?: boolean;
  /** As high as the window allows, whatever is in it, so that it does not jump. */
  tall?: boolean;
  /** A click beside the dialog does not discard typed text. */
  form?: boolean;
  children: ReactNode;
}) {
  return (
    <Base.Root open={open} disablePointerDismissal={form} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Base.Portal>
        <Base.Backdrop className="dialog-shade" />
        <Base.Popup className={classNames('dialog', wide && 'dialog-wide', tall && 'dialog-tall')}>
          <header className="dialog-head">
            <div>
              <Base.Title className="dialog-title">{title}</Base.Title>
              {lead === undefined ? null : <Base.Description className="quiet">{lead}</Base.Description>}
            </div>
            <Base.Close render={<IconButton label={t('close')} />}>
              <X aria-hidden="true" />
            </Base.Close>
          </header>
          <div className="dialog-body">{children}</div>
          {footer === undefined ? null : <footer className="dialog-foot">{footer}</footer>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** Asks before something that cannot be undone. */
export function Confirm({
  open,
  onClose,
  onConfirm,
  title,
  action,
  busy,
  harmless = false,
  children,
}: {
  open: boolean;
  onClose: () => void;
  onConfirm: () => void;
  title: string;
  /** The word on the button that does it. */
  action: string;
  busy?: boolean;
  /** For what loses nothing. */
  harmless?: boolean;
  children: ReactNode;
}) {
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="dialog-shade" />
        <AlertDialog.Popup className="dialog dialog-small">
          <header className="dialog-head">
            <AlertDialog.Title className="dialog-title">{title}</AlertDialog.Title>
          </header>
          <AlertDialog.Description className="dialog-body" render={<div />}>
            {children}
          </AlertDialog.Description>
          <footer className="dialog-foot">
            <Button onClick={onClose}>{t('cancel')}</Button>
            <Button look={harmless ? 'primary' : 'danger'} busy={busy} onClick={onConfirm}>
              {action}
            </Button>
          </footer>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
