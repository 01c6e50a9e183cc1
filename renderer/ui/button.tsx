/** Buttons (one primary per place, the rest plain or quiet), and the button that opens a menu of actions. */
import './button.css';
import { Menu as Base } from '@base-ui/react/menu';
import { type ButtonHTMLAttributes, type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';
import { EllipsisVertical } from './icons/icons.tsx';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: 'primary' | 'plain' | 'quiet' | 'danger';
  size?: 'normal' | 'small';
  icon?: ReactNode;
  /** Shows that its work runs, and takes no further click. */
  busy?: boolean;
  /** Why it cannot be pressed: it is then disabled, and this stands beside it. */
  why?: string | undefined;
}

export function Button({
  look = 'plain',
  size = 'normal',
  icon,
  busy,
  why,
  className,
  children,
  onClick,
  disabled,
  ...rest
}: ButtonProps) {
  const whyId = useId();
  return (
    <>
      {why === undefined ? null : (
        <span id={whyId} className="button-why">
          {why}
        </span>
      )}
      <button
        type="button"
        className={classNames('button', `button-${look}`, size === 'small' && 'button-small', className)}
        aria-busy={busy || undefined}
        aria-disabled={busy || undefined}
        aria-describedby={why === undefined ? undefined : whyId}
        disabled={disabled || why !== undefined}
        onClick={busy ? undefined : onClick}
        {...rest}
      >
        {busy ? <span className="spinner" aria-hidden="true" /> : icon}
        {children}
      </button>
    </>
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

interface MenuAction {
  label: string;
  /** What it does, where the label does not say it all. */
  detail?: string;
  icon?: ReactNode;
  danger?: boolean;
  disabled?: boolean;
  run: () => void;
}

/** A button that opens a list of actions. */
export function Menu({ label, actions }: { label: string; actions: readonly MenuAction[] }) {
  return (
    <Base.Root>
      <Base.Trigger render={<IconButton label={label} />}>
        <EllipsisVertical aria-hidden="true" />
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={6} align="end" className="menu-place">
          <Base.Popup className="menu">
            {actions.map((action) => (
              <Base.Item
                key={action.label}
                className={classNames('menu-item', action.danger && 'menu-danger')}
                disabled={action.disabled}
                onClick={action.run}
              >
                {action.icon}
                {action.detail === undefined ? (
                  action.label
                ) : (
                  <span>
                    {action.label} <span className="menu-detail">{action.detail}</span>
                  </span>
                )}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
