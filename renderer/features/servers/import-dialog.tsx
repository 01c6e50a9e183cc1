/** Servers taken over from agents on this computer, or from pasted settings. */

import { useState } from 'react';
import { useCommand } from '../../api/use-command.ts';
import { words } from '../../i18n/words.ts';
import { Button } from '../../ui/button.tsx';
import { Trouble } from '../../ui/callout.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea } from '../../ui/field.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { FoundServers } from './found-servers.tsx';
import { t } from './servers-texts.ts';
import { useImport } from './use-import.ts';

export function ImportDialog({ onClose }: { onClose: () => void }) {
  const found = useImport();
  const paste = useCommand('upstreams.importText');
  const toast = useToast();
  const [text, setText] = useState('');
  const [refused, setRefused] = useState<readonly { name: string; trouble: { message: string; hint: string | null } }[]>([]);

  // Where nothing can be ticked, pasting is what is left to do.
  const some = found.answer.value?.some(({ present }) => !present) ?? true;

  const finish = (answer: Awaited<ReturnType<typeof paste.run>>) => {
    if (!answer) return;
    if (answer.imported.length > 0) toast(t('imported', { count: answer.imported.length }));
    setRefused(answer.refused);
    if (answer.refused.length === 0) onClose();
  };

  return (
    <Dialog
      open
      form
      onClose={onClose}
      title={t('importTitle')}
      lead={t('importLead')}
      wide
      footer={
        some ? (
          <Button
            look="primary"
            busy={found.busy}
            disabled={found.ticked.size === 0}
            onClick={() => void found.run().then(finish)}
          >
            {t('importAction', { count: found.ticked.size })}
          </Button>
        ) : undefined
      }
    >
      <FoundServers found={found} />
      {refused.map(({ name, trouble }) => (
        <Trouble
          key={name}
          error={{ message: `${t('refused', { name })}: ${words(trouble).message}`, hint: words(trouble).hint }}
        />
      ))}
      <TextArea
        label={t('importPaste')}
        hint={t('importPasteHint')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        placeholder={'{ "mcpServers": { … } }'}
      />
      <Trouble error={found.error ?? paste.error} />
      <div>
        <Button
          look={some ? 'plain' : 'primary'}
          busy={paste.busy}
          disabled={text.trim() === ''}
          onClick={() => void paste.run({ text }).then(finish)}
        >
          {t('importText')}
        </Button>
      </div>
    </Dialog>
  );
}
