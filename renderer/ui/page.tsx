/** What a page is made of: its head, sections, rows, facts, tabs, and empty states. */
import './page.css';
import { Tabs as Base } from '@base-ui/react/tabs';
import { type ReactNode, type Ref, useEffect, useId, useRef } from 'react';
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

/** The `ref` of what has just appeared, and must be seen. */
export const intoView = (shown: HTMLElement | null): void => {
  shown?.scrollIntoView({ block: 'start' });
};

/** A card with a heading. */
export function Section({
  title,
  note,
  actions,
  className,
  ref,
  children,
}: {
  title: string;
  note?: ReactNode;
  actions?: ReactNode;
  className?: string;
  ref?: Ref<HTMLElement>;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section ref={ref} className={classNames('section', className)} aria-labelledby={id}>
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

/** A list of things with what can be done with each at its right. */
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

/** Facts as label and value. */
export function Facts({ facts }: { facts: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <dl className="facts">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export interface TabView {
  id: string;
  label: ReactNode;
  content: ReactNode;
}

/** Views of one thing, one at a time. */
export function Tabs({ views, chosen, onChoose }: { views: readonly TabView[]; chosen: string; onChoose: (id: string) => void }) {
  return (
    <Base.Root value={chosen} onValueChange={(value) => onChoose(String(value))} className="tabs">
      <Base.List className="tab-list">
        {views.map((view) => (
          <Base.Tab key={view.id} value={view.id} className="tab">
            {view.label}
          </Base.Tab>
        ))}
      </Base.List>
      {views.map((view) => (
        <Base.Panel key={view.id} value={view.id} className="tab-panel">
          {view.content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
