/** One allowed folder: what is inside, what agents may do there. */
import { useState } from 'react';
import type { FolderView, Glance } from '../../../shared/contract/folders.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { useCommand } from '../../api/use-command.ts';
import { words } from '../../i18n/words.ts';
import { Menu } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Callout, Trouble, useToast } from '../../ui/feedback.tsx';
import { SelectField, Toggle } from '../../ui/field.tsx';
import { fileName, formatBytes, formatCount } from '../../ui/format.ts';
import { ExternalLink, Folder, FolderX, Trash2 } from '../../ui/icons/icons.tsx';
import { Row } from '../../ui/page.tsx';
import { t } from './folders-texts.ts';

const nothing = {};
const never = [] as const;
const SHOWN_FORMATS = 4;

function glanceText(glance: Glance): string {
  const files = formatCount(glance.files);
  const size = glance.partial
    ? t('glancePartial', { files })
    : t('glance', { count: glance.files, files, bytes: formatBytes(glance.bytes) });
  const formats = glance.byFormat
    .slice(0, SHOWN_FORMATS)
    .map(({ format, files: count }) => `${formatCount(count)} ${format.toUpperCase()}`);
  return `${size} · ${formats.length === 0 ? t('noneConvertible') : t('convertible', { list: formats.join(', ') })}`;
}

export function FolderRow({ folder, onRestore }: { folder: FolderView; onRestore: () => Promise<void> }) {
  const host = useAnswer('host.get', nothing, never);
  const setAccess = useCommand('folders.add');
  const remove = useCommand('folders.remove');
  const reveal = useCommand('places.reveal');
  const toast = useToast();
  const [asking, setAsking] = useState(false);
  const name = fileName(folder.path);

  const change = async (access: FolderView['access']) => {
    setAsking(false);
    if (await setAccess.run({ path: folder.path, access })) {
      toast(t(access === 'read' ? 'changedRead' : 'changedWrite', { name }));
    }
  };
  const setApprove = (approve: FolderView['approve']) => setAccess.run({ path: folder.path, access: folder.access, approve });
  const takeOff = async () => {
    if (await remove.run({ path: folder.path })) {
      toast(t('removed', { name }), { label: t('undo'), run: () => void onRestore() });
    }
  };

  return (
    <Row
      icon={folder.exists ? <Folder /> : <FolderX />}
      title={<span className="path">{folder.path}</span>}
      detail={folder.exists ? <Inside path={folder.path} /> : undefined}
      actions={
        <>
          <SelectField
            label={t('access', { name })}
            hideLabel
            value={folder.access}
            disabled={folder.fixed || setAccess.busy}
            choices={[
              { value: 'read', label: t('readOnly') },
              { value: 'read-write', label: t('readWrite') },
            ]}
            onChoose={(access) => (access === 'read-write' ? setAsking(true) : void change(access))}
          />
          <Menu
            label={t('actions', { name })}
            actions={[
              ...(host.value?.kind === 'desktop' && folder.exists
                ? [
                    {
                      label: t('reveal'),
                      icon: <ExternalLink aria-hidden="true" />,
                      run: () => void reveal.run({ path: folder.path }),
                    },
                  ]
                : []),
              {
                label: t('remove'),
                icon: <Trash2 aria-hidden="true" />,
                danger: true,
                disabled: folder.fixed,
                run: () => void takeOff(),
              },
            ]}
          />
        </>
      }
      below={
        <>
          {folder.exists ? null : (
            <Callout kind="warning" title={t('gone')}>
              <p>{t('goneNote')}</p>
            </Callout>
          )}
          {folder.fixed ? <p className="quiet small">{t('fixed')}</p> : null}
          {folder.access === 'read-write' && !folder.fixed ? (
            <AsksFirst folder={folder} busy={setAccess.busy} onChange={(approve) => void setApprove(approve)} />
          ) : null}
          <Trouble error={setAccess.error ?? remove.error ?? reveal.error} />
          <Confirm
            open={asking}
            onClose={() => setAsking(false)}
            onConfirm={() => void change('read-write')}
            title={t('writeTitle', { name })}
            action={t('writeAction')}
          >
            {t('writeText')}
          </Confirm>
        </>
      }
    />
  );
}

const asked = [
  ['delete', 'asksDelete'],
  ['overwrite', 'asksOverwrite'],
  ['move', 'asksMove'],
] as const;

/** Which changes need the person's approval. */
function AsksFirst({
  folder,
  busy,
  onChange,
}: {
  folder: FolderView;
  busy: boolean;
  onChange: (approve: FolderView['approve']) => void;
}) {
  return (
    <fieldset className="folder-asks" aria-label={t('asksAbout', { name: fileName(folder.path) })}>
      <span className="quiet small">{t('asksFirst')}</span>
      {asked.map(([change, text]) => (
        <Toggle
          key={change}
          label={t(text)}
          on={folder.approve[change]}
          disabled={busy}
          onToggle={(on) => onChange({ ...folder.approve, [change]: on })}
        />
      ))}
    </fieldset>
  );
}

/** The line keeps its height while the folder is being looked at. */
function Inside({ path }: { path: string }) {
  const glance = useAnswer('folders.glance', { path }, never);
  return <span>{glance.error ? words(glance.error).message : glance.value ? glanceText(glance.value) : '\u00a0'}</span>;
}
