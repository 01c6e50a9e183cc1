/** Copies a text and says that it did. */
import { useEffect, useState } from 'react';

export function CopyButton({ text, label, name }: { text: string | (() => Promise<string>); label: string; name: string }) {
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
  const shown = { ready: label, copied: 'Copied', failed: 'Not copied: select and copy it' }[state];
  return (
    <button type="button" className="button" onClick={copy} aria-label={state === 'ready' ? `${label} ${name}` : shown}>
      <span aria-live="polite">{shown}</span>
    </button>
  );
}
