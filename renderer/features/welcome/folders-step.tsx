/** First step: folders, suggested and chosen, for reading. */
import { useEffect } from 'react';
import { useAnswer, useCommand } from '../../api/use-client.ts';
import { Button } from '../../ui/button.tsx';
import { Badge, Loaded, Trouble } from '../../ui/feedback.tsx';
import { fileName } from '../../ui/format.ts';
import { Folder, FolderPlus } from '../../ui/icons/icons.tsx';
import { Row, Rows, Section } from '../../ui/page.tsx';
import { usePlacePicker } from '../../ui/place-picker.tsx';
import type { StepProps } from './step-props.ts';
import { t } from './welcome-texts.ts';

const nothing = {};
const events = ['folders.changed'] as const;

export function FoldersStep({ onReady }: StepProps) {
  const folders = useAnswer('folders.list', nothing, events);
  const suggested = useAnswer('folders.suggest', nothing, events);
  const add = useCommand('folders.add');
  const remove = useCommand('folders.remove');
  const { pick, picker } = usePlacePicker('folder');
  const some = (folders.value?.length ?? 0) > 0;
  useEffect(() => onReady(some), [some, onReady]);
  const allow = (path: string) => add.run({ path, access: 'read' });
  const choose = async () => {
    const path = await pick();
    if (path !== null) await allow(path);
  };
  return (
    <>
      <Trouble error={add.error ?? remove.error} />
      {some ? (
        <Section title={t('chosen')}>
          <Rows label={t('chosen')}>
            {folders.value?.map((folder) => (
              <Row
                key={folder.path}
                icon={<Folder />}
                title={<span className="path">{folder.path}</span>}
                actions={
                  <>
                    <Badge tone={folder.access === 'read' ? 'accent' : 'wait'}>
                      {t(folder.access === 'read' ? 'allowed' : 'allowedWriting')}
                    </Badge>
                    <Button
                      size="small"
                      look="quiet"
                      disabled={folder.fixed}
                      onClick={() => void remove.run({ path: folder.path })}
                      aria-label={t('drop', { name: fileName(folder.path) })}
                    >
                      {t('remove')}
                    </Button>
                  </>
                }
              />
            ))}
          </Rows>
        </Section>
      ) : null}
      <Section
        title={t('suggested')}
        actions={
          <Button icon={<FolderPlus aria-hidden="true" />} busy={add.busy} onClick={() => void choose()}>
            {t('chooseOther')}
          </Button>
        }
      >
        <Loaded answer={suggested} lines={3}>
          {(list) =>
            list.length === 0 ? (
              <p className="quiet">{t(some ? 'noMoreSuggestions' : 'noSuggestions')}</p>
            ) : (
              <Rows label={t('suggested')}>
                {list.map(({ path, label }) => (
                  <Row
                    key={path}
                    icon={<Folder />}
                    title={label}
                    detail={<span className="path">{path}</span>}
                    actions={
                      <Button size="small" onClick={() => void allow(path)} aria-label={t('take', { name: label })}>
                        {t('allow')}
                      </Button>
                    }
                  />
                ))}
              </Rows>
            )
          }
        </Loaded>
      </Section>
      {picker}
    </>
  );
}
