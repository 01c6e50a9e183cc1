/** Text to read or copy as it is: JSON, a snippet, a log. */
import './code-block.css';
import { CopyButton } from './copy-button.tsx';

/** `name` says what it is; it can be scrolled by keyboard. */
export function CodeBlock({
  text,
  name,
  copy = true,
  tall,
}: {
  text: string;
  name: string;
  copy?: boolean | (() => Promise<string>);
  tall?: boolean;
}) {
  return (
    <section className="code-block" data-tall={tall || undefined} aria-label={name}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>{text}</pre>
      {copy === false ? null : <CopyButton text={typeof copy === 'function' ? copy : text} name={name} />}
    </section>
  );
}
