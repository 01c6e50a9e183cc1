/** Whether agents may read the file, and the way to let them. */
import { useAnswer } from '../../api/use-answer.ts';
import { useCommand } from '../../api/use-command.ts';
import { words } from '../../i18n/words.ts';
import { Button } from '../../ui/button.tsx';
import { Callout, StateDot, Trouble, useToast } from '../../ui/feedback.tsx';
import { fileName } from '../../ui/numbers.ts';
import { folderOf } from './folder-of.ts';
import { t } from './preview-texts.ts';

const events = ['folders.changed'] as const;

export function Verdict({ path }: { path: string }) {
  const verdict = useAnswer('paths.explain', { path }, events);
  const add = useCommand('folders.add');
  const remove = useCommand('folders.remove');
  const toast = useToast();
  const folder = folderOf(path);

  const allow = async () => {
    if (!(await add.run({ path: folder, access: 'read' }))) return;
    void verdict.refresh();
    const undo = async () => {
      await remove.run({ path: folder });
      void verdict.refresh();
    };
    toast(t('allowed', { name: fileName(folder) }), { label: t('undo'), run: () => void undo() });
  };

  const { value, error } = verdict;
  if (error && value === undefined) return <Trouble error={error} />;
  if (value === undefined) return <div className="verdict" />;
  if (value.allowed) {
    return (
      <div className="verdict">
        <StateDot tone="good">{t('mayRead')}</StateDot>
      </div>
    );
  }
  return (
    <>
      <Callout
        kind="warning"
        title={t('mayNotRead')}
        actions={
          value.folder === null && folder !== '' ? (
            <Button size="small" busy={add.busy} onClick={() => void allow()}>
              {t('allowFolder', { name: fileName(folder) })}
            </Button>
          ) : undefined
        }
      >
        <p>
          {Object.values(words(value))
            .flatMap((text) => (text ? [/[.!?]$/.test(text) ? text : `${text}.`] : []))
            .join(' ')}
        </p>
      </Callout>
      <Trouble error={add.error ?? remove.error} />
    </>
  );
}
