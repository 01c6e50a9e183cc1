/** Letting agents read one file that looks like a password or key, after a question. */
import { useState } from 'react';
import { visibleText } from '../../shared/lib/visible-text.ts';
import { useCommand } from '../api/use-client.ts';
import { Button } from './button.tsx';
import { Confirm } from './dialog.tsx';
import { Trouble, useToast } from './feedback.tsx';
import { fileName } from './format.ts';
import { t } from './ui-texts.ts';

export function AllowFile({ path, onAllowed }: { path: string; onAllowed?: (() => void) | undefined }) {
  const allow = useCommand('folders.allowFile');
  const [asking, setAsking] = useState(false);
  const toast = useToast();
  const name = visibleText(fileName(path));
  const go = async () => {
    setAsking(false);
    if (!(await allow.run({ path }))) return;
    toast(t('fileAllowed', { name }));
    onAllowed?.();
  };
  return (
    <>
      <Button size="small" busy={allow.busy} onClick={() => setAsking(true)}>
        {t('allowFile')}
      </Button>
      <Trouble error={allow.error} />
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => void go()}
        title={t('allowFileTitle', { name })}
        action={t('allowFile')}
      >
        {t('allowFileText', { path: visibleText(path) })}
      </Confirm>
    </>
  );
}
