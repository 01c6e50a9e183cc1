/** Buttons: one primary per place, the rest plain or quiet. */
import './button.css';
import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { classNames } from './class-names.ts';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: 'primary' | 'plain' | 'quiet' | 'danger';
  size?: 'normal' | 'small';
  icon?: ReactNode;
  /** Shows that its work runs, and takes no further click. */
  busy?: boolean;
}

export function Button({ look = 'plain', size = 'normal', icon, busy, className, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className={classNames('button', `button-${look}`, size === 'small' && 'button-small', className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={busy ? undefined : onClick}
      {...rest}
    >
      {busy ? <span className="spinner" aria-hidden="true" /> : icon}
      {children}
    </button>
  );
}

/** A button that shows an icon alone; `label` is its name. */
export function IconButton({ label, className, children, ...rest }: Omit<ButtonProps, 'icon' | 'size'> & { label: string }) {
  return (
    <Button
      {...rest}
      look={rest.look ?? 'quiet'}
      className={classNames('icon-button', className)}
      aria-label={label}
      title={label}
    >
      {children}
    </Button>
  );
}
