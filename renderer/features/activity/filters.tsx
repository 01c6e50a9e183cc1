/** Which calls are shown. */
import type { LedgerEntry } from '../../../shared/model/call.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { t as ui } from '../../ui/ui-texts.ts';
import { t } from './activity-texts.ts';

/** An empty string chooses all. */
export interface FilterChoice {
  text: string;
  outcome: LedgerEntry['outcome'] | '';
  server: string;
  client: string;
}

export const noFilter: FilterChoice = { text: '', outcome: '', server: '', client: '' };

const nothing = {};
const events = ['ledger.appended'] as const;
const outcomes = ['ok', 'tool_error', 'failed', 'refused', 'cancelled'] as const;

export function Filters({ choice, onChange }: { choice: FilterChoice; onChange: (choice: FilterChoice) => void }) {
  const names = useAnswer('ledger.names', nothing, events);
  const all = { value: '', label: t('all') };
  const named = (list: readonly string[] | undefined) => [all, ...(list ?? []).map((value) => ({ value, label: value }))];
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
        choices={[{ value: '' as const, label: t('all') }, ...outcomes.map((value) => ({ value, label: ui(value) }))]}
        onChoose={(outcome) => onChange({ ...choice, outcome })}
      />
      <SelectField
        label={t('server')}
        value={choice.server}
        choices={named(names.value?.servers)}
        onChoose={(server) => onChange({ ...choice, server })}
      />
      <SelectField
        label={t('agent')}
        value={choice.client}
        choices={named(names.value?.clients)}
        onChoose={(client) => onChange({ ...choice, client })}
      />
    </search>
  );
}
