/** What agents changed in files, each with a way to undo it, and what was undone, with a way to make it again. */
import { useState } from 'react';
import { Link } from 'wouter';
import type { ChangeView } from '../../shared/contract/activity.ts';
import { visibleText } from '../../shared/lib/visible-text.ts';
import { agentName } from '../../shared/model/client-name.ts';
import { useAnswer, useCommand } from '../api/use-client.ts';
import { Button } from './button.tsx';
import { Confirm } from './dialog.tsx';
import { Difference } from './difference.tsx';
import { Trouble, useToast } from './feedback.tsx';
import { fileName, folderOf, formatClock } from './format.ts';
import { RotateCw, Undo2 } from './icons/icons.tsx';
import { Row, Rows, Section } from './page.tsx';
import { previewLink } from './path-links.ts';
import { PathText } from './path-text.tsx';
import { t } from './ui-texts.ts';

const nothing = {};
const events = ['ledger.appended'] as const;
/** Rows on a page that shows other things as well. */
const SHOWN = 5;

/** The list of the newest changes that can be undone, if there are any. */
export function KeptChanges() {
  const changes = useAnswer('changes.list', nothing, events).value ?? [];
  const [all, setAll] = useState(false);
  if (changes.length === 0) return null;
  const shown = all ? changes : changes.slice(0, SHOWN);
  return (
    <Section title={t('changes')} note={t('changesNote')}>
      <Rows label={t('changes')}>
        {shown.map((change) => (
          <ChangeRow key={change.id} change={change} />
        ))}
      </Rows>
      {shown.length < changes.length ? (
        <Button size="small" look="quiet" onClick={() => setAll(true)}>
          {t('changesAll', { count: changes.length })}
        </Button>
      ) : null}
    </Section>
  );
}

/** The change of one call as it stands by now, with its difference, and what undoes it or makes it again. */
export function KeptChange({ id }: { id: string }) {
  const change = useAnswer('changes.list', nothing, events).value?.find((each) => each.id === id || each.call === id);
  return change === undefined ? null : (
    <>
      <Rows label={t('changes')}>
        <ChangeRow key={change.id} change={change} open />
      </Rows>
      {change.hindrance === null ? <ChangeDifference key={`difference ${change.id}`} id={change.id} /> : null}
    </>
  );
}

/** `open`: the page shows the difference already, so that it need not be asked about. */
function ChangeRow({ change, open = false }: { change: ChangeView; open?: boolean }) {
  const undo = useCommand('changes.undo');
  const toast = useToast();
  const [asking, setAsking] = useState(false);
  const { id, kind, path, from, time, client, undone, hindrance } = change;
  const file = visibleText(fileName(path));
  const made = t(`change_${kind}`, { from: from === null ? '' : visibleText(from) });
  const go = async () => {
    setAsking(false);
    if (await undo.run({ id })) toast(t(undone ? 'redone' : 'undone', { file }));
  };
  return (
    <Row
      title={
        open || kind === 'trashed' || hindrance === 'gone' ? (
          file
        ) : (
          <Link href={previewLink(path)} className="call-name">
            {file}
          </Link>
        )
      }
      detail={
        <>
          {[
            ...(undone ? [undoneOf(client)] : [made, ...(client === null ? [] : [agentName(client)])]),
            formatClock(time, new Date()),
          ].join(' · ')}
          <br />
          <PathText path={folderOf(path)} />
          {hindrance === null ? null : (
            <>
              <br />
              {t(`hindrance_${hindrance}`)}
            </>
          )}
        </>
      }
      actions={
        hindrance === null ? (
          <>
            <Button
              size="small"
              icon={undone ? <RotateCw aria-hidden="true" /> : <Undo2 aria-hidden="true" />}
              busy={undo.busy}
              aria-label={t(undone ? 'redoOf' : 'undoOf', { file })}
              onClick={() => (open ? void go() : setAsking(true))}
            >
              {t(undone ? 'redo' : 'undo')}
            </Button>
            <Confirm
              open={asking}
              onClose={() => setAsking(false)}
              onConfirm={() => void go()}
              title={t(undone ? 'redoTitle' : 'undoTitle', { file })}
              harmless
              action={t(undone ? 'redo' : 'undo')}
            >
              <p>{undone ? t('redoText') : t(`undo_${kind}`, { from: from === null ? '' : visibleText(from) })}</p>
              <p>
                <PathText path={path} />
              </p>
              <ChangeDifference id={id} />
            </Confirm>
          </>
        ) : undefined
      }
      below={undo.error ? <Trouble error={undo.error} /> : undefined}
    />
  );
}

/** Whose change it was, and who undid it. */
const undoneOf = (client: string | null): string =>
  client === null ? t('changeUndone') : t('changeUndoneOf', { agent: agentName(client) });

const never = [] as const;

/** What the agent changed in the text, where that can be compared. */
function ChangeDifference({ id }: { id: string }) {
  const { value, error } = useAnswer('changes.diff', { id }, never);
  if (error) return <Trouble error={error} />;
  if (!value || value.diff === null) return null;
  return (
    <>
      <p className="quiet small">{t('changeDiff')}</p>
      <Difference name={t('changeDiffName')} diff={value.diff} />
    </>
  );
}
