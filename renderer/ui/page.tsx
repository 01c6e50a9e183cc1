/** A page's head and its titled parts. */
import './page.css';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { visibleName } from '../../shared/lib/visible-text.ts';
import { classNames } from './class-names.ts';

/** `wide` for pages of tables. The heading takes the focus, so that a keyboard or screen reader starts at the page's top. */
export function Page({
  title,
  lead,
  actions,
  wide,
  className,
  children,
}: {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  wide?: boolean;
  className?: string;
  children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${visibleName(title)} – Filebridge`;
  }, [title]);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className={classNames('page', wide && 'page-wide', className)}>
      <header className="page-head">
        <div className="page-title">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead === undefined ? null : <p className="quiet">{lead}</p>}
        </div>
        {actions === undefined ? null : <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** A card with a heading. */
export function Section({
  title,
  note,
  actions,
  className,
  children,
}: {
  title: string;
  note?: ReactNode;
  actions?: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={classNames('section', className)} aria-labelledby={id}>
      <header className="section-head">
        <div>
          <h2 id={id}>{title}</h2>
          {note === undefined ? null : <p className="quiet small">{note}</p>}
        </div>
        {actions === undefined ? null : <div className="section-actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}

/** The empty state of a list: what belongs here, and how to add the first item. */
export function EmptyState({
  icon,
  title,
  children,
  action,
}: {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="empty-state">
      {icon === undefined ? null : (
        <span className="empty-icon" aria-hidden="true">
          {icon}
        </span>
      )}
      <p className="empty-title">{title}</p>
      {children === undefined ? null : <div className="quiet">{children}</div>}
      {action === undefined ? null : <div className="empty-action">{action}</div>}
    </div>
  );
}
