/** An answer's three faces: still coming, failed, or here. */
import './loaded.css';
import type { ReactNode } from 'react';
import type { Answer } from '../api/use-answer.ts';
import { Button } from './button.tsx';
import { Trouble } from './callout.tsx';
import { t } from './ui-texts.ts';

/** `lines` gives the placeholder about the height of what will be there, so that nothing jumps. */
export function Loaded<T>({
  answer,
  lines = 3,
  children,
}: {
  answer: Answer<T>;
  lines?: number;
  children: (value: T) => ReactNode;
}) {
  if (answer.value !== undefined) return children(answer.value);
  if (answer.error !== undefined) {
    return (
      <Trouble
        error={answer.error}
        actions={
          <Button size="small" onClick={() => void answer.refresh()}>
            {t('retry')}
          </Button>
        }
      />
    );
  }
  return <Placeholder lines={lines} />;
}

export function Placeholder({ lines }: { lines: number }) {
  return (
    <div className="placeholder" role="status" aria-busy="true" aria-label={t('loading')}>
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines without identity
        <span key={index} />
      ))}
    </div>
  );
}
