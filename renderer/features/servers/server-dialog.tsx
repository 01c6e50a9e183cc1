/** Adding or editing a server: entered, tested on the spot, saved. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { UpstreamView } from '../../../shared/contract/upstreams.ts';
import { visibleName } from '../../../shared/lib/visible-text.ts';
import { confirmModes } from '../../../shared/model/config.ts';
import { useAnswer, useCommand } from '../../api/use-client.ts';
import { words } from '../../i18n/texts.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Callout, Loaded, Trouble } from '../../ui/feedback.tsx';
import { Checkbox, RadioCards, SelectField, TextField } from '../../ui/field.tsx';
import { Plus, X } from '../../ui/icons/icons.tsx';
import { draftOf, type EntryProblems, entryOf, problemsOf, type ServerEntry, type VariableEntry } from './draft.ts';
import { TestResult } from './offer-form.tsx';
import { t } from './servers-texts.ts';
import { Foot } from './way.tsx';

const never = [] as const;

export function EditServer({
  name,
  onClose,
  onSaved,
}: {
  name: string;
  onClose: () => void;
  onSaved: (server: UpstreamView, signIn: boolean) => void;
}) {
  const server = useAnswer('upstreams.get', { name }, never);
  // Reloading the server must not overwrite typed text.
  const [start, setStart] = useState<ServerEntry>();
  useEffect(() => {
    if (server.value) setStart((before) => before ?? entryOf(server.value as NonNullable<typeof server.value>));
  }, [server.value]);
  const [foot, setFoot] = useState<HTMLElement | null>(null);
  return (
    <Dialog
      open
      form={start !== undefined}
      onClose={onClose}
      title={t('editTitle', { name })}
      footer={<div className="add-foot" ref={setFoot} />}
    >
      {start ? (
        <ServerEntryForm foot={foot} start={start} previousName={name} onClose={onClose} onSaved={onSaved} />
      ) : (
        <Loaded answer={server} lines={8}>
          {() => null}
        </Loaded>
      )}
    </Dialog>
  );
}

/** A server that is entered by hand, or changed: tested on the spot, saved. `foot`: where its buttons go. */
export function ServerEntryForm({
  foot,
  start,
  previousName,
  onClose,
  onSaved,
}: {
  foot: HTMLElement | null;
  start: ServerEntry;
  previousName: string | null;
  onClose: () => void;
  /** `signIn`: a test has shown that it asks for that. */
  onSaved: (server: UpstreamView, signIn: boolean) => void;
}) {
  const [entry, setEntry] = useState(start);
  const [problems, setProblems] = useState<EntryProblems>({});
  const test = useCommand('upstreams.test');
  const { run: endTest } = useCommand('upstreams.endTest');
  const save = useCommand('upstreams.save');
  const [result, setResult] = useState<Awaited<ReturnType<typeof test.run>>>();
  // A test says something of what was entered when it began; it may go on long after that was changed.
  const [testing, setTesting] = useState<ServerEntry>();
  const latest = useRef(entry);
  latest.current = entry;

  const running = useRef<string>(undefined);
  const end = useCallback(() => {
    if (running.current) void endTest({ id: running.current });
    running.current = undefined;
  }, [endTest]);
  // With the dialog goes whoever waited for the answer.
  useEffect(() => end, [end]);

  const change = (next: ServerEntry) => {
    setEntry(next);
    end();
    setResult(undefined);
    setTesting(undefined);
    test.clear();
    // A mistake is pointed out when one tries, and taken back as soon as it is fixed.
    if (Object.keys(problems).length > 0) setProblems(problemsOf(next));
  };
  const checked = () => {
    const found = problemsOf(entry);
    setProblems(found);
    return Object.keys(found).length === 0 ? { draft: draftOf(entry), previousName } : undefined;
  };
  const onTest = async () => {
    const input = checked();
    setResult(undefined);
    if (!input) return;
    setTesting(entry);
    const id = crypto.randomUUID();
    running.current = id;
    const answer = await test.run({ id, ...input });
    if (running.current === id) running.current = undefined;
    if (latest.current !== entry) return test.clear();
    setTesting(undefined);
    setResult(answer);
  };
  const onSave = async () => {
    const input = checked();
    if (!input) return;
    const saved = await save.run(input);
    if (saved) onSaved(saved, asksSignIn);
  };
  const twin = useTwin(entry, previousName);
  const asksSignIn = result?.error?.code === 'SIGN_IN_NEEDED';
  const saveLabel = t(asksSignIn ? 'saveAndSignIn' : result?.ok === false ? 'saveAnyway' : 'save');

  return (
    <div className="add-way">
      <ServerForm entry={entry} problems={problems} onChange={change} />
      <div aria-live="polite" className="test-place">
        {twin === null ? null : (
          <Callout kind="info" title={t('twin', { name: visibleName(twin) })}>
            <p>{t('twinText')}</p>
          </Callout>
        )}
        {testing ? <p className="quiet">{t('testing')}</p> : null}
        {result ? (
          <TestResult
            result={result}
            onCommand={(program) => change({ ...entry, command: entry.command.replace(/^\s*(?:"[^"]*"|\S+)/, () => program) })}
          />
        ) : null}
      </div>
      <Trouble error={test.error ?? save.error} />
      <Foot place={foot}>
        <Button busy={testing !== undefined} onClick={() => void onTest()} className="foot-start">
          {t('test')}
        </Button>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button look={result?.ok === false && !asksSignIn ? 'plain' : 'primary'} busy={save.busy} onClick={() => void onSave()}>
          {saveLabel}
        </Button>
      </Foot>
    </div>
  );
}

const changes = ['upstreams.changed'] as const;

/** The name of a server that is the same as the new one that is entered, or null. A server that is changed is no second one. */
function useTwin(entry: ServerEntry, previousName: string | null): string | null {
  // Whatever its name will be.
  const draft = { ...draftOf(entry), name: 'new' };
  const { name: _any, timeout: _timeout, maxMessage: _max, ...place } = problemsOf(entry);
  const complete = Object.keys(place).length === 0;
  const twin = useAnswer('upstreams.twin', { draft, previousName }, changes);
  return complete && previousName === null ? (twin.value?.name ?? null) : null;
}

const nothing = {};

/** The form of a server: name, command or address, variables, and the rarer settings folded away. */
function ServerForm({
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
        hint={t(`confirmHint_${entry.confirm}`)}
        value={entry.confirm}
        choices={confirmModes.map((value) => ({ value, label: t(value) }))}
        onChoose={(confirm) => set({ confirm })}
      />
      <details className="form-more">
        <summary>{t('advanced')}</summary>
        <div className="form-more-body">
          {entry.kind === 'command' ? (
            <>
              <TextField
                label={t('cwd')}
                placeholder={t('default')}
                value={entry.cwd}
                onChange={(event) => set({ cwd: event.target.value })}
              />
              <TextField
                label={t('envFile')}
                hint={t('envFileHint')}
                placeholder={t('envFileNone')}
                spellCheck={false}
                value={entry.envFile}
                onChange={(event) => set({ envFile: event.target.value })}
              />
            </>
          ) : (
            <TextField
              label={t('proxy')}
              hint={t('proxyHint')}
              placeholder={t('systemProxy')}
              error={error('proxy')}
              spellCheck={false}
              value={entry.proxy}
              onChange={(event) => set({ proxy: event.target.value })}
            />
          )}
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
      <p className="field-hint">
        {t('variablesHint')}{' '}
        {secrets === undefined
          ? null
          : secrets.available
            ? t('keychain')
            : variables.length === 0
              ? null
              : t('noKeychain', { reason: words({ message: secrets.reason ?? '', said: secrets.said }).message })}
      </p>
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
    </fieldset>
  );
}
