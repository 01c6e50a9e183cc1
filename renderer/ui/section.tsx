/** A titled part of a page. */
import { type ReactNode, useId } from 'react';

export function Section({
  title,
  note,
  className,
  children,
}: {
  title: string;
  note?: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={className ? `section ${className}` : 'section'} aria-labelledby={id}>
      <header className="section-head">
        <h2 id={id}>{title}</h2>
        {note === undefined ? null : <p className="quiet">{note}</p>}
      </header>
      {children}
    </section>
  );
}
