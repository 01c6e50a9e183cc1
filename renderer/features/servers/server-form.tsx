/** The form of a server: name, command or address, variables, and the rarer settings folded away. */
import { useRef } from 'react';
import { useAnswer } from '../../api/use-answer.ts';
import { words } from '../../i18n/words.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Checkbox, RadioCards, SelectField, TextField } from '../../ui/field.tsx';
import { Plus, X } from '../../ui/icons/icons.tsx';
import type { EntryProblems, ServerEntry, VariableEntry } from './draft.ts';
import { t } from './servers-texts.ts';

const nothing = {};
const never = [] as const;
const confirmModes = ['never', 'writes', 'always'] as const;

export function ServerForm({
  entry,
  problems,
  onChange,
}: {
  entry: ServerEntry;
  problems: EntryProblems;
  onChange: (entry: ServerEntry) => void;
}) {
  const set = (change: Partial<ServerEntry>) => onChange({ ...entry, ...change });
  const error = (field: keyof EntryProblems) => {
    const problem = problems[field];
    return problem === undefined ? undefined : t(problem);
  };
  return (
    <>
      <TextField
        label={t('name')}
        hint={t('nameHint')}
        error={error('name')}
        value={entry.name}
        onChange={(event) => set({ name: event.target.value })}
      />
      <RadioCards
        legend={t('kind')}
        value={entry.kind}
        choices={[
          { value: 'command', label: t('kindCommand'), hint: t('kindCommandHint') },
          { value: 'address', label: t('kindHttp'), hint: t('kindHttpHint') },
        ]}
        onChoose={(kind) => set({ kind })}
      />
      {entry.kind === 'command' ? (
        <TextField
          label={t('command')}
          hint={t('commandHint')}
          error={error('command')}
          placeholder="npx -y …"
          className="mono-field"
          value={entry.command}
          onChange={(event) => set({ command: event.target.value })}
        />
      ) : (
        <>
          <TextField
            label={t('url')}
            error={error('url')}
            placeholder="https://…"
            className="mono-field"
            value={entry.url}
            onChange={(event) => set({ url: event.target.value })}
          />
          <Checkbox label={t('sse')} checked={entry.sse} onCheck={(sse) => set({ sse })} />
        </>
      )}
      <Variables
        label={t(entry.kind === 'command' ? 'variables' : 'headers')}
        addLabel={t(entry.kind === 'command' ? 'addVariable' : 'addHeader')}
        variables={entry.variables}
        onChange={(variables) => set({ variables })}
      />
      <SelectField
        label={t('confirm')}
        hint={t('confirmHint')}
        value={entry.confirm}
        choices={confirmModes.map((value) => ({ value, label: t(value) }))}
        onChoose={(confirm) => set({ confirm })}
      />
      <details className="form-more">
        <summary>{t('advanced')}</summary>
        <div className="form-more-body">
          {entry.kind === 'command' ? (
            <TextField
              label={t('cwd')}
              placeholder={t('default')}
              value={entry.cwd}
              onChange={(event) => set({ cwd: event.target.value })}
            />
          ) : null}
          <TextField
            label={t('timeout')}
            placeholder={t('default')}
            error={error('timeout')}
            inputMode="decimal"
            value={entry.timeout}
            onChange={(event) => set({ timeout: event.target.value })}
          />
          <TextField
            label={t('maxMessage')}
            placeholder={t('default')}
            error={error('maxMessage')}
            inputMode="decimal"
            value={entry.maxMessage}
            onChange={(event) => set({ maxMessage: event.target.value })}
          />
        </div>
      </details>
    </>
  );
}

function Variables({
  label,
  addLabel,
  variables,
  onChange,
}: {
  label: string;
  addLabel: string;
  variables: readonly VariableEntry[];
  onChange: (variables: VariableEntry[]) => void;
}) {
  const host = useAnswer('host.get', nothing, never);
  const secrets = host.value?.secrets;
  const next = useRef(1000);
  const change = (key: number, part: Partial<VariableEntry>) =>
    onChange(variables.map((variable) => (variable.key === key ? { ...variable, ...part } : variable)));
  const add = () => {
    next.current += 1;
    onChange([...variables, { key: next.current, name: '', value: '', secret: secrets?.available ?? false, stored: false }]);
  };
  return (
    <fieldset className="variables">
      <legend className="field-label">{label}</legend>
      <p className="field-hint">{t('variablesHint')}</p>
      {variables.map((variable) => (
        <div key={variable.key} className="variable">
          <TextField
            label={t('variableName')}
            hideLabel
            placeholder={t('variableName')}
            value={variable.name}
            onChange={(event) => change(variable.key, { name: event.target.value, stored: false })}
          />
          <TextField
            label={`${t('variableValue')} ${variable.name}`}
            hideLabel
            type={variable.secret ? 'password' : 'text'}
            autoComplete="off"
            placeholder={variable.stored ? t('secretKept') : t('variableValue')}
            value={variable.value}
            onChange={(event) => change(variable.key, { value: event.target.value })}
          />
          <Checkbox
            label={t('secret')}
            checked={variable.secret}
            disabled={!variable.secret && secrets?.available === false}
            onCheck={(secret) => change(variable.key, { secret, stored: secret && variable.stored })}
          />
          <IconButton
            label={t('removeVariable', { name: variable.name || t('variableName') })}
            onClick={() => onChange(variables.filter((other) => other.key !== variable.key))}
          >
            <X aria-hidden="true" />
          </IconButton>
        </div>
      ))}
      <div>
        <Button size="small" look="quiet" icon={<Plus aria-hidden="true" />} onClick={add}>
          {addLabel}
        </Button>
      </div>
      {secrets?.available === false && variables.length > 0 ? (
        <p className="field-hint">
          {t('noKeychain', { reason: words({ message: secrets.reason ?? '', said: secrets.said }).message })}
        </p>
      ) : null}
    </fieldset>
  );
}
