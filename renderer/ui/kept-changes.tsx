/** What agents changed in files, each with a way to undo it. */
import { useState } from 'react';
import { Link } from 'wouter';
import type { ChangeView } from '../../shared/contract/activity.ts';
import { visibleText } from '../../shared/lib/visible-text.ts';
import { agentName } from '../../shared/model/client-name.ts';
import { useAnswer, useCommand } from '../api/use-client.ts';
import { Button } from './button.tsx';
import { Confirm } from './dialog.tsx';
import { Trouble, useToast } from './feedback.tsx';
import { fileName, formatClock } from './format.ts';
import { Undo2 } from './icons/icons.tsx';
import { Row, Rows, Section } from './page.tsx';
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

/** The change of one call, where it can be undone. */
export function KeptChange({ id }: { id: string }) {
  const change = useAnswer('changes.list', nothing, events).value?.find((each) => each.id === id);
  return change === undefined ? null : (
    <Rows label={t('changes')}>
      <ChangeRow change={change} />
    </Rows>
  );
}

function ChangeRow({ change }: { change: ChangeView }) {
  const undo = useCommand('changes.undo');
  const toast = useToast();
  const [asking, setAsking] = useState(false);
  const { id, kind, path, from, time, client } = change;
  const file = visibleText(fileName(path));
  const go = async () => {
    setAsking(false);
    if (await undo.run({ id })) toast(t('undone', { file }));
  };
  return (
    <Row
      title={
        <Link href={`/activity/${encodeURIComponent(id)}`} className="call-name">
          {file}
        </Link>
      }
      detail={
        <span title={path}>
          {[
            t(`change_${kind}`, { from: from === null ? '' : visibleText(from) }),
            ...(client === null ? [] : [agentName(client)]),
            formatClock(time, new Date()),
          ].join(' · ')}
        </span>
      }
      actions={
        <>
          <Button
            size="small"
            icon={<Undo2 aria-hidden="true" />}
            busy={undo.busy}
            aria-label={t('undoOf', { file })}
            onClick={() => setAsking(true)}
          >
            {t('undo')}
          </Button>
          <Confirm
            open={asking}
            onClose={() => setAsking(false)}
            onConfirm={() => void go()}
            title={t('undoTitle', { file })}
            harmless
            action={t('undo')}
          >
            <p>{t(`undo_${kind}`, { from: from === null ? '' : visibleText(from) })}</p>
            <p className="path">{visibleText(path)}</p>
          </Confirm>
        </>
      }
      below={undo.error ? <Trouble error={undo.error} /> : undefined}
    />
  );
}
