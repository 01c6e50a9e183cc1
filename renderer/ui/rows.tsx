/** A list of things with what can be done with each at its right. */
import './rows.css';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className="rows" aria-label={label}>
      {children}
    </ul>
  );
}

export function Row({
  icon,
  title,
  detail,
  actions,
  below,
  className,
}: {
  icon?: ReactNode;
  title: ReactNode;
  detail?: ReactNode;
  actions?: ReactNode;
  /** Full width under the row: a notice, or more. */
  below?: ReactNode;
  className?: string;
}) {
  return (
    <li className={classNames('row', className)}>
      {icon === undefined ? null : (
        <span className="row-icon" aria-hidden="true">
          {icon}
        </span>
      )}
      <div className="row-main">
        <div className="row-title">{title}</div>
        {detail === undefined ? null : <div className="quiet small row-detail">{detail}</div>}
      </div>
      {actions === undefined ? null : <div className="row-actions">{actions}</div>}
      {below ? <div className="row-below">{below}</div> : null}
    </li>
  );
}
