/** The folders agents may use: pick, drop in, read or write, remove; what is inside; why a path is refused. */
import './folders.css';
import { type FormEvent, useState } from 'react';
import type { FolderView } from '../../../shared/contract/folders.ts';
import { type AppError, toAppError } from '../../../shared/model/errors.ts';
import { useClient } from '../../api/client-context.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { words } from '../../i18n/words.ts';
import { Button } from '../../ui/button.tsx';
import { Callout, Loaded, Trouble, useToast } from '../../ui/feedback.tsx';
import { TextField } from '../../ui/field.tsx';
import { fileName } from '../../ui/format.ts';
import { FolderOpen, FolderPlus } from '../../ui/icons/icons.tsx';
import { EmptyState, Page, Row, Rows, Section } from '../../ui/page.tsx';
import { type DroppedPlace, PathDrop, usePlacePicker } from '../../ui/place-picker.tsx';
import { FolderRow } from './folder-row.tsx';
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

  /** Each has its own outcome: what is wrong with one is still told when the next is taken. */
  const allow = async (paths: readonly string[], access: FolderView['access'] = 'read', approve?: FolderView['approve']) => {
    setNoPath(false);
    setRefused([]);
    setBusy(true);
    for (const path of paths) {
      try {
        const added = await client.call('folders.add', { path, access, approve });
        toast(t(access === 'read' ? 'added' : 'changedWrite', { name: fileName(added.path) }));
      } catch (error) {
        setRefused((before) => [...before, toAppError(error)]);
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
                    <FolderRow
                      key={folder.path}
                      folder={folder}
                      onRestore={() => allow([folder.path], folder.access, folder.approve)}
                    />
                  ))}
                </Rows>
              )
            }
          </Loaded>
        </Section>
        {fixed ? null : <Suggestions onAllow={(path) => allow([path])} busy={busy} />}
        <PathCheck />
        {picker}
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
    <Callout kind={allowed ? 'info' : 'warning'} title={t(allowed ? (access === 'read-write' ? 'yesWrite' : 'yesRead') : 'no')}>
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
            detail={<span className="path">{path}</span>}
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
