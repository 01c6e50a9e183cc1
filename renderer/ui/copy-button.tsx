/** Copies a text and says that it did. */
import { useEffect, useState } from 'react';
import { Button, type ButtonProps } from './button.tsx';
import { Check, Copy } from './icons/icons.tsx';
import { t } from './ui-texts.ts';

/** `name` says for assistive technology what is copied. */
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
