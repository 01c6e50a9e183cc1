/** Servers taken over from agents on this computer, or from pasted settings. */

import { useEffect, useRef, useState } from 'react';
import type { OperationOutput } from '../../../shared/contract/contract.ts';
import { visibleName } from '../../../shared/lib/visible-text.ts';
import { useCommand } from '../../api/use-command.ts';
import { words } from '../../i18n/words.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Trouble, useToast } from '../../ui/feedback.tsx';
import { TextArea } from '../../ui/field.tsx';
import { FoundServers } from './found-servers.tsx';
import { firstPicks, isComplete, PastedServers, type Picks, pickOf } from './pasted-servers.tsx';
import { t } from './servers-texts.ts';
import { useImport } from './use-import.ts';

/** `given` is looked at once: the path of a bundle that was dropped on the window. */
export function ImportDialog({ given = '', onClose }: { given?: string; onClose: () => void }) {
  const found = useImport();
  const look = useCommand('upstreams.readText');
  const paste = useCommand('upstreams.importText');
  const toast = useToast();
  const [text, setText] = useState(given);
  /** Servers that the text would import, shown before they are added. */
  const [read, setRead] = useState<OperationOutput<'upstreams.readText'>>();
  const [picks, setPicks] = useState<Picks>(() => firstPicks([]));
  const picked = read?.servers.filter(({ id }) => picks.ticked.has(id)).map((offer) => pickOf(offer, picks)) ?? [];
  const [refused, setRefused] = useState<readonly { name: string; trouble: { message: string; hint: string | null } }[]>([]);

  // Where nothing can be ticked, pasting is what is left to do.
  const some = found.answer.value?.some(({ present }) => !present) ?? true;

  const show = (answer: typeof read) => {
    setPicks(firstPicks(answer?.servers ?? []));
    setRead(answer);
  };

  const asked = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what was given at the start
  useEffect(() => {
    if (given === '' || asked.current) return;
    asked.current = true;
    void look.run({ text: given }).then(show);
  }, []);

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
          error={{
            message: `${t('refused', { name: visibleName(name) })}: ${words(trouble).message}`,
            hint: words(trouble).hint,
          }}
        />
      ))}
      <TextArea
        label={t('importPaste')}
        hint={t('importPasteHint')}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setRead(undefined);
          setRefused([]);
        }}
        placeholder={'npx -y …\nhttps://…\n{ "mcpServers": { … } }'}
      />
      {read === undefined ? null : <PastedServers text={text} offers={read.servers} picks={picks} onPick={setPicks} />}
      <Trouble error={found.error ?? look.error ?? paste.error} />
      <div>
        {read === undefined ? (
          <Button
            look={some ? 'plain' : 'primary'}
            busy={look.busy}
            disabled={text.trim() === ''}
            onClick={() => void look.run({ text }).then(show)}
          >
            {t('importLook')}
          </Button>
        ) : (
          <Button
            look="primary"
            busy={paste.busy}
            disabled={picked.length === 0 || !isComplete(read.servers, picks)}
            onClick={() => void paste.run({ text, picks: picked }).then(finish)}
          >
            {t('importText', { count: picked.length })}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
