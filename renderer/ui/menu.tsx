/** A button that opens a list of actions. */
import './menu.css';
import { Menu as Base } from '@base-ui/react/menu';
import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { EllipsisVertical } from './icons/icons.tsx';

export interface MenuAction {
  label: string;
  icon?: ReactNode;
  danger?: boolean;
  disabled?: boolean;
  run: () => void;
}

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
                {action.label}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
