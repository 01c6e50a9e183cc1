/** Activity: the log of calls, live, filtered and searched; one call's detail; export. */
import './activity.css';
import { useDeferredValue, useMemo, useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import type { ActivityFilter } from '../../../shared/contract/activity.ts';
import { type CallOutcome, callOutcomes } from '../../../shared/model/call.ts';
import { useAnswer, useCommand } from '../../api/use-client.ts';
import { Button } from '../../ui/button.tsx';
import { callerName, RunningCalls, StoppedCalls, serverName } from '../../ui/calls.tsx';
import { Trouble } from '../../ui/feedback.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { formatCount } from '../../ui/format.ts';
import { Activity, Download } from '../../ui/icons/icons.tsx';
import { EmptyState, Page } from '../../ui/page.tsx';
import { useSaveText } from '../../ui/save-text.ts';
import { t as ui } from '../../ui/ui-texts.ts';
import { t } from './activity-texts.ts';
import { CallDialog } from './call-dialog.tsx';
import { CallList, useCalls } from './call-list.tsx';
import { csvOf, exportName, jsonOf } from './export.ts';

/** Only what is chosen, so that an empty filter is equal to none. */
function filterOf({ text, outcome, server, client }: FilterChoice): ActivityFilter {
  return {
    ...(text.trim() === '' ? {} : { text: text.trim() }),
    ...(outcome === '' ? {} : { outcomes: [outcome] }),
    ...(server === '' ? {} : { servers: [server] }),
    ...(client === '' ? {} : { clients: [client] }),
  };
}

export function ActivityPage() {
  const { id, outcome } = useParams<{ id?: string; outcome?: string }>();
  const [, go] = useLocation();
  const [choice, setChoice] = useState<FilterChoice>({
    ...noFilter,
    outcome: callOutcomes.find((each) => each === outcome) ?? '',
  });
  const deferred = useDeferredValue(choice);
  const filter = useMemo(() => filterOf(deferred), [deferred]);
  const calls = useCalls(filter);
  const exporting = useCommand('ledger.export');
  const file = useSaveText();
  const filtered = Object.keys(filter).length > 0;

  const save = async (format: 'csv' | 'json') => {
    const found = await exporting.run({ filter });
    if (!found) return;
    const name = exportName(format, new Date().toISOString());
    if (format === 'csv') await file.save(name, 'text/csv', await csvOf(found.entries));
    else await file.save(name, 'application/json', jsonOf(found.entries));
  };

  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      wide
      className="activity"
      actions={(['csv', 'json'] as const).map((format) => (
        <Button
          key={format}
          icon={<Download aria-hidden="true" />}
          busy={exporting.busy}
          disabled={calls.total === 0}
          onClick={() => void save(format)}
        >
          {t(format === 'csv' ? 'exportCsv' : 'exportJson')}
        </Button>
      ))}
    >
      <Trouble error={calls.error ?? exporting.error ?? file.error} />
      <RunningCalls />
      <StoppedCalls />
      {calls.total === 0 && !filtered ? (
        <section className="section">
          <EmptyState
            icon={<Activity />}
            title={t('emptyTitle')}
            action={
              <Link href="/agents" className="button button-primary">
                {t('connect')}
              </Link>
            }
          >
            {t('emptyText')}
          </EmptyState>
        </section>
      ) : (
        <>
          <Filters choice={choice} onChange={setChoice} />
          <p className="quiet small activity-count" role="status">
            <span>
              {calls.total === undefined ? '\u00a0' : t('calls', { count: calls.total, shown: formatCount(calls.total) })}
            </span>
            {choice.outcome === '' ? null : <span> · {ui(`${choice.outcome}Note`)}</span>}
          </p>
          {calls.total === 0 ? (
            <section className="section">
              <EmptyState title={t('noMatch')} action={<Button onClick={() => setChoice(noFilter)}>{t('clear')}</Button>} />
            </section>
          ) : (
            <CallList calls={calls} />
          )}
        </>
      )}
      {id === undefined ? null : <CallDialog id={decodeURIComponent(id)} onClose={() => go('/activity')} />}
    </Page>
  );
}

/** An empty string chooses all. */
interface FilterChoice {
  text: string;
  outcome: CallOutcome | '';
  server: string;
  client: string;
}

const noFilter: FilterChoice = { text: '', outcome: '', server: '', client: '' };

const nothing = {};
const events = ['ledger.appended'] as const;

function Filters({ choice, onChange }: { choice: FilterChoice; onChange: (choice: FilterChoice) => void }) {
  const names = useAnswer('ledger.names', nothing, events);
  const all = { value: '', label: t('all') };
  const named = (list: readonly string[] | undefined, nameOf: (name: string) => string) => [
    all,
    ...(list ?? []).map((value) => ({ value, label: nameOf(value) })),
  ];
  return (
    <search className="filters">
      <TextField
        label={t('search')}
        type="search"
        placeholder={t('searchHint')}
        value={choice.text}
        onChange={(event) => onChange({ ...choice, text: event.target.value })}
      />
      <SelectField
        label={t('outcome')}
        value={choice.outcome}
        choices={[{ value: '' as const, label: t('all') }, ...callOutcomes.map((value) => ({ value, label: t(`by_${value}`) }))]}
        onChoose={(outcome) => onChange({ ...choice, outcome })}
      />
      <SelectField
        label={t('server')}
        value={choice.server}
        choices={named(names.value?.servers, serverName)}
        onChoose={(server) => onChange({ ...choice, server })}
      />
      <SelectField
        label={t('agent')}
        value={choice.client}
        choices={named(names.value?.clients, callerName)}
        onChoose={(client) => onChange({ ...choice, client })}
      />
    </search>
  );
}
