/** The folders agents may use: pick, drop in, read or write, remove; what is inside; why a path is refused. */
import './folders.css';
import { type FormEvent, useState } from 'react';
import type { FolderView, Glance } from '../../../shared/contract/folders.ts';
import { visibleText } from '../../../shared/lib/visible-text.ts';
import { type AppError, toAppError } from '../../../shared/model/errors.ts';
import { useAnswer, useClient, useCommand } from '../../api/use-client.ts';
import { words } from '../../i18n/texts.ts';
import { AllowPath, useFolderQuestion } from '../../ui/allow-folder.tsx';
import { Button, IconButton, Menu } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Callout, Loaded, Trouble, useToast } from '../../ui/feedback.tsx';
import { SelectField, TextField, Toggle } from '../../ui/field.tsx';
import { fileName, formatBytes, formatCount, formatList } from '../../ui/format.ts';
import { ExternalLink, Folder, FolderOpen, FolderPlus, FolderX, Trash2, X } from '../../ui/icons/icons.tsx';
import { KeptChanges } from '../../ui/kept-changes.tsx';
import { EmptyState, Page, Row, Rows, Section } from '../../ui/page.tsx';
import { PathText } from '../../ui/path-text.tsx';
import { type DroppedPlace, PathDrop, usePlacePicker } from '../../ui/place-picker.tsx';
import { t } from './folders-texts.ts';

const nothing = {};
const events = ['folders.changed'] as const;

export function FoldersPage() {
  const folders = useAnswer('folders.list', nothing, events);
  const client = useClient();
  const toast = useToast();
  const { pick, picker } = usePlacePicker('folder');
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<readonly AppError[]>([]);
  const [noPath, setNoPath] = useState(false);
  const { asks, question } = useFolderQuestion((path) => void allow([path], { sure: true }));

  /** Each has its own outcome: what is wrong with one is still told when the next is taken. */
  const allow = async (paths: readonly string[], { sure }: { sure?: boolean } = {}) => {
    setNoPath(false);
    // A yes to a question is about one of those before.
    if (!sure) setRefused([]);
    setBusy(true);
    for (const path of paths) {
      try {
        const added = await client.call('folders.add', { path, sure });
        toast(t(added.access === 'read' ? 'added' : 'changedWrite', { name: fileName(added.path) }));
      } catch (thrown) {
        const error = toAppError(thrown);
        if (!asks(error, path)) setRefused((before) => [...before, error]);
      }
    }
    setBusy(false);
  };
  const choose = async () => {
    const path = await pick();
    if (path !== null) await allow([path]);
  };
  const drop = (places: readonly DroppedPlace[]) => allow(places.map(({ path }) => path));
  const fixed = folders.value?.some((folder) => folder.fixed) ?? false;
  const addButton = (
    <Button look="primary" icon={<FolderPlus aria-hidden="true" />} busy={busy} disabled={fixed} onClick={() => void choose()}>
      {t('add')}
    </Button>
  );

  return (
    <PathDrop say={t('dropHere')} onPlaces={drop} onPathless={() => setNoPath(true)}>
      <Page
        title={t('title')}
        lead={t('lead')}
        actions={folders.value !== undefined && folders.value.length > 0 ? addButton : undefined}
      >
        {refused.map((error) => (
          <Trouble key={error.message} error={error} />
        ))}
        {noPath ? <Callout kind="info" title={t('dropNoPath')} /> : null}
        <Section title={t('list')}>
          <Loaded answer={folders} lines={4}>
            {(list) =>
              list.length === 0 ? (
                <EmptyState icon={<FolderOpen />} title={t('emptyTitle')} action={addButton}>
                  {t('emptyText')}
                </EmptyState>
              ) : (
                <Rows label={t('list')}>
                  {list.map((folder) => (
                    <FolderRow key={folder.path} folder={folder} />
                  ))}
                </Rows>
              )
            }
          </Loaded>
        </Section>
        <KeptChanges />
        {fixed ? null : <Suggestions onAllow={(path) => allow([path])} busy={busy} />}
        <PathCheck />
        {picker}
        {question}
      </Page>
    </PathDrop>
  );
}

/** Whether agents can open a path, and why not. */

function PathCheck() {
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState<string>();
  const { pick, picker } = usePlacePicker('file');
  const choose = async () => {
    const path = await pick();
    if (path === null) return;
    setTyped(path);
    setAsked(path);
  };
  const check = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() !== '') setAsked(typed.trim());
  };
  return (
    <Section title={t('whyTitle')} note={t('whyNote')}>
      <form className="path-check" onSubmit={check}>
        <TextField
          label={t('path')}
          hideLabel
          placeholder={t('path')}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit" disabled={typed.trim() === ''}>
          {t('check')}
        </Button>
        <Button onClick={() => void choose()}>{t('chooseFile')}</Button>
      </form>
      <div aria-live="polite">{asked === undefined ? null : <Verdict path={asked} />}</div>
      {picker}
    </Section>
  );
}

function Verdict({ path }: { path: string }) {
  const verdict = useAnswer('paths.explain', { path }, events);
  if (verdict.error) return <Trouble error={verdict.error} />;
  if (!verdict.value) return null;
  const { allowed, access } = verdict.value;
  const { message, hint } = words(verdict.value);
  return (
    <Callout
      kind={allowed ? 'success' : 'warning'}
      title={t(allowed ? (access === 'read-write' ? 'yesWrite' : 'yesRead') : 'no')}
      actions={<AllowPath verdict={verdict.value} path={verdict.value.path} />}
    >
      <p>{message}</p>
      {hint === null ? null : <p>{hint}</p>}
    </Callout>
  );
}

/** Usual places that are not allowed yet, one click away. */

function Suggestions({ onAllow, busy }: { onAllow: (path: string) => Promise<void>; busy: boolean }) {
  const suggested = useAnswer('folders.suggest', nothing, events);
  if (!suggested.value || suggested.value.length === 0) return null;
  return (
    <Section title={t('suggested')} note={t('suggestedNote')}>
      <Rows label={t('suggested')}>
        {suggested.value.map(({ path, label }) => (
          <Row
            key={path}
            icon={<FolderPlus />}
            title={label}
            detail={<PathText path={path} />}
            actions={
              <Button size="small" disabled={busy} onClick={() => void onAllow(path)} aria-label={`${t('allow')}: ${label}`}>
                {t('allow')}
              </Button>
            }
          />
        ))}
      </Rows>
    </Section>
  );
}

const never = [] as const;
/** An agent may have made, changed or deleted a file. */
const callEvents = ['ledger.appended'] as const;
const SHOWN_FORMATS = 4;

function glanceText(glance: Glance): string {
  const files = formatCount(glance.files);
  const size = glance.partial
    ? t('glancePartial', { files })
    : t('glance', { count: glance.files, files, bytes: formatBytes(glance.bytes) });
  const formats = glance.byFormat
    .slice(0, SHOWN_FORMATS)
    .map(({ format, files: count }) => `${formatCount(count)} ${format === 'text' ? t('textFiles') : format.toUpperCase()}`);
  const more = glance.byFormat.length > formats.length ? ` ${t('otherFormats')}` : '';
  return `${size} · ${formats.length === 0 ? t('noneConvertible') : t('convertible', { list: `${formats.join(', ')}${more}` })}`;
}

/** One allowed folder: what is inside, what agents may do there. */
function FolderRow({ folder }: { folder: FolderView }) {
  const client = useClient();
  const host = useAnswer('host.get', nothing, never);
  const setAccess = useCommand('folders.add');
  const remove = useCommand('folders.remove');
  const reveal = useCommand('places.reveal');
  const toast = useToast();
  /** What writing would ask about, while the person decides on it. */
  const [asking, setAsking] = useState<FolderView['approve']>();
  const name = fileName(folder.path);

  const change = async (access: FolderView['access'], approve?: FolderView['approve']) => {
    setAsking(undefined);
    if (await setAccess.run({ path: folder.path, access, approve })) {
      toast(t(access === 'read' ? 'changedRead' : 'changedWrite', { name }));
    }
  };
  const setApprove = (approve: FolderView['approve']) => setAccess.run({ path: folder.path, access: folder.access, approve });
  const takeOff = async () => {
    const { path, access, approve } = folder;
    const restore = async () => {
      await client.call('folders.add', { path, access, approve, sure: true });
      toast(t(access === 'read' ? 'added' : 'changedWrite', { name }));
    };
    if (await remove.run({ path })) toast(t('removed', { name }), { label: t('undo'), run: restore });
  };

  return (
    <Row
      className="folder-row"
      icon={folder.exists ? <Folder /> : <FolderX />}
      title={name}
      detail={
        <>
          <PathText path={folder.path} />
          {folder.exists ? (
            <div>
              <Inside path={folder.path} />
            </div>
          ) : null}
        </>
      }
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
            onChoose={(access) => (access === 'read-write' ? setAsking(folder.approve) : void change(access))}
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
            <Callout kind="warning" title={t(folder.silent ? 'silent' : 'gone')}>
              <p>{t(folder.silent ? 'silentNote' : 'goneNote')}</p>
            </Callout>
          )}
          {folder.fixed ? <p className="quiet small">{t('fixed')}</p> : null}
          {folder.access === 'read-write' && !folder.fixed ? (
            <AsksFirst
              name={name}
              approve={folder.approve}
              busy={setAccess.busy}
              onChange={(approve) => void setApprove(approve)}
            />
          ) : null}
          {folder.allowedFiles.length > 0 ? <AllowedFiles folder={folder} /> : null}
          <Trouble error={setAccess.error ?? remove.error ?? reveal.error} />
          <Confirm
            open={asking !== undefined}
            onClose={() => setAsking(undefined)}
            onConfirm={() => void change('read-write', asking)}
            title={t('writeTitle', { name })}
            action={t('writeAction')}
          >
            <p>{t('writeText')}</p>
            <AsksFirst name={name} approve={asking ?? folder.approve} onChange={setAsking} />
            <p role="status">{t('writeUnasked', { list: unasked(asking ?? folder.approve) })}</p>
          </Confirm>
        </>
      }
    />
  );
}

/** Credential-like files that the person let agents read. */
function AllowedFiles({ folder }: { folder: FolderView }) {
  const forbid = useCommand('folders.forbidFile');
  return (
    <div className="allowed-files">
      <p className="quiet small">{t('allowedFiles')}</p>
      <ul>
        {folder.allowedFiles.map((entry) => {
          const name = visibleText(entry.replace(/^\.\//, ''));
          return (
            <li key={entry}>
              <span className="path">{name}</span>
              <IconButton
                label={t('forbidFile', { name })}
                disabled={folder.fixed || forbid.busy}
                onClick={() => void forbid.run({ path: folder.path, entry })}
              >
                <X aria-hidden="true" />
              </IconButton>
            </li>
          );
        })}
      </ul>
      <Trouble error={forbid.error} />
    </div>
  );
}

const asked = [
  ['delete', 'asksDelete', 'unaskedDelete'],
  ['overwrite', 'asksOverwrite', 'unaskedOverwrite'],
  ['move', 'asksMove', 'unaskedMove'],
] as const;

/** What agents do without a question: `create, change and move`. */
const unasked = (approve: FolderView['approve']): string =>
  formatList([t('unaskedCreate'), ...asked.flatMap(([change, , text]) => (approve[change] ? [] : [t(text)]))]);

/** Which changes need the person's approval. */
function AsksFirst({
  name,
  approve,
  busy = false,
  onChange,
}: {
  name: string;
  approve: FolderView['approve'];
  busy?: boolean;
  onChange: (approve: FolderView['approve']) => void;
}) {
  return (
    <fieldset className="folder-asks" aria-label={t('asksAbout', { name })}>
      <span className="quiet small">{t('asksFirst')}</span>
      {asked.map(([change, text]) => (
        <Toggle
          key={change}
          label={t(text)}
          on={approve[change]}
          disabled={busy}
          onToggle={(on) => onChange({ ...approve, [change]: on })}
        />
      ))}
    </fieldset>
  );
}

/** The line keeps its height while the folder is being looked at. */
function Inside({ path }: { path: string }) {
  const glance = useAnswer('folders.glance', { path }, callEvents);
  return <span>{glance.error ? words(glance.error).message : glance.value ? glanceText(glance.value) : '\u00a0'}</span>;
}
