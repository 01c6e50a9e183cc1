/** Text to copy, read, compare or save as it is: JSON, a snippet, a definition, a log. */
import './code-block.css';
import { useEffect, useState } from 'react';
import { visibleText } from '../../shared/lib/visible-text.ts';
import { Button, type ButtonProps } from './button.tsx';
import { Check, Copy } from './icons/icons.tsx';
import { t } from './ui-texts.ts';

/** Copies a text and says that it did. `name` says for assistive technology what is copied. */
export function CopyButton({
  text,
  label,
  name,
  ...rest
}: Omit<ButtonProps, 'onClick' | 'children'> & { text: string | (() => Promise<string>); label?: string; name: string }) {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready');
  useEffect(() => {
    if (state === 'ready') return;
    const timer = setTimeout(() => setState('ready'), 2000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text());
      setState('copied');
    } catch {
      setState('failed');
    }
  };
  const shown = { ready: label ?? t('copy'), copied: t('copied'), failed: t('notCopied') }[state];
  return (
    <Button
      size="small"
      icon={state === 'copied' ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
      {...rest}
      onClick={copy}
      aria-label={state === 'ready' ? `${shown}: ${name}` : shown}
    >
      <span aria-live="polite">{shown}</span>
    </Button>
  );
}

/** `name` says what it is; it can be scrolled by keyboard. */
export function CodeBlock({
  text,
  name,
  copy = true,
  tall,
  code,
}: {
  text: string;
  name: string;
  copy?: boolean | (() => Promise<string>);
  tall?: boolean;
  /** Its lines are not broken: it scrolls sideways. */
  code?: boolean;
}) {
  return (
    <section className="code-block" data-tall={tall || undefined} data-code={code || undefined} aria-label={name}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>{text}</pre>
      {copy === false ? null : <CopyButton text={typeof copy === 'function' ? copy : text} name={name} />}
    </section>
  );
}

interface ChangedPart {
  part: 'entry' | 'title' | 'description' | 'inputSchema' | 'outputSchema' | 'annotations';
  /** Null where there was, or is, none. */
  before: string | null;
  after: string | null;
}

const names = {
  entry: 'partEntry',
  title: 'partTitle',
  description: 'partDescription',
  inputSchema: 'partInput',
  outputSchema: 'partOutput',
  annotations: 'partAnnotations',
} as const;

interface BeforeAfterProps {
  /** The owner of the parts, for the texts' accessible names. */
  of: string;
  parts: readonly ChangedPart[];
  heading: 'h3' | 'h4';
}

/** Parts of a definition that changed, each as it was and as it is. */
export function BeforeAfter({ of, parts, heading: Heading }: BeforeAfterProps) {
  return parts.map(({ part, before, after }) => (
    <div key={part} className="before-after">
      <Heading>{t(names[part])}</Heading>
      <div className="before-after-sides">
        <Side label={t('before')} name={`${of}, ${t(names[part])}`} text={before} />
        <Side label={t('after')} name={`${of}, ${t(names[part])}`} text={after} />
      </div>
    </div>
  ));
}

function Side({ label, name, text }: { label: string; name: string; text: string | null }) {
  if (text === null) return null;
  return (
    <div className="before-after-side">
      <p className="quiet small">{label}</p>
      <CodeBlock name={`${name}, ${label}`} copy={false} text={visibleText(text.replaceAll('\r\n', '\n'), { keepLines: true })} />
    </div>
  );
}
