/** Servers in pasted text: what would run, what the person has to fill in, and a test before anything is added. */
import { useEffect, useRef, useState } from 'react';
import type { OfferInput, OfferPick, OfferView } from '../../../shared/contract/upstreams.ts';
import { visibleText } from '../../../shared/lib/visible-text.ts';
import { useCommand } from '../../api/use-command.ts';
import { words } from '../../i18n/words.ts';
import { Button } from '../../ui/button.tsx';
import { Trouble } from '../../ui/callout.tsx';
import { Checkbox, SelectField, TextArea, TextField } from '../../ui/field.tsx';
import { Badge } from '../../ui/state-dot.tsx';
import { WhatRuns } from './found-servers.tsx';
import { t } from './servers-texts.ts';
import { TestResult } from './test-result.tsx';

type Values = OfferPick['values'];

/** What is ticked, and what was entered, by the id of the server. */
export interface Picks {
  readonly ticked: ReadonlySet<string>;
  readonly values: Readonly<Record<string, Values>>;
}

/** One server is picked as it is; of several, those that can be added, and each in one way. */
export function firstPicks(offers: readonly OfferView[]): Picks {
  const names = new Set<string>();
  const ticked = offers.filter(({ name, present, refusal }) => {
    if (offers.length === 1) return true;
    if (present || refusal !== null || names.has(name)) return false;
    names.add(name);
    return true;
  });
  return { ticked: new Set(ticked.map(({ id }) => id)), values: {} };
}

export const pickOf = ({ id, revision }: OfferView, { values }: Picks): OfferPick => ({ id, revision, values: values[id] ?? {} });

/** Whether every value that a ticked server needs is there. */
export const isComplete = (offers: readonly OfferView[], { ticked, values }: Picks): boolean =>
  offers.every(
    ({ id, inputs }) =>
      !ticked.has(id) ||
      inputs.every((input) => !input.required || enteredFor(input, values[id]).some((text) => text.trim() !== '')),
  );

const enteredFor = (input: OfferInput, values: Values = {}): readonly string[] => values[input.id] ?? input.preset;

export function PastedServers({
  text,
  offers,
  picks,
  onPick,
}: {
  text: string;
  offers: readonly OfferView[];
  picks: Picks;
  onPick: (picks: Picks) => void;
}) {
  const tick = (id: string, on: boolean) => {
    const ticked = new Set(picks.ticked);
    if (on) ticked.add(id);
    else ticked.delete(id);
    onPick({ ...picks, ticked });
  };
  return (
    <ul className="found" aria-label={t('importRead')}>
      {offers.map((offer) => {
        const name = (
          <>
            <b>{visibleText(offer.title ?? offer.name)}</b>{' '}
            {offer.way === null ? null : <span className="quiet">{visibleText(offer.way)}</span>}{' '}
            {offer.present ? <Badge>{t('importPresent')}</Badge> : null}
          </>
        );
        return (
          <li key={offer.id} className="pasted">
            {offers.length === 1 ? (
              <div>{name}</div>
            ) : (
              <Checkbox
                label={name}
                checked={picks.ticked.has(offer.id)}
                disabled={offer.refusal !== null}
                onCheck={(on) => tick(offer.id, on)}
              />
            )}
            {offer.description === null ? null : <p className="pasted-text">{visibleText(offer.description)}</p>}
            <div className="quiet">
              <WhatRuns server={offer} />
            </div>
            {offer.program !== null && !offer.program.found ? (
              <p className="pasted-text">{t('programMissing', { program: visibleText(offer.program.name) })}</p>
            ) : null}
            {offer.refusal === null ? null : <Trouble error={words(offer.refusal)} />}
            {picks.ticked.has(offer.id) && offer.refusal === null ? (
              <>
                {offer.inputs.map((input) => (
                  <InputField
                    key={input.id}
                    input={input}
                    value={enteredFor(input, picks.values[offer.id])}
                    onChange={(value) =>
                      onPick({
                        ...picks,
                        values: { ...picks.values, [offer.id]: { ...picks.values[offer.id], [input.id]: value } },
                      })
                    }
                  />
                ))}
                <OfferTest
                  key={JSON.stringify(picks.values[offer.id])}
                  text={text}
                  pick={pickOf(offer, picks)}
                  disabled={!isComplete([offer], picks)}
                />
              </>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}

function InputField({
  input,
  value,
  onChange,
}: {
  input: OfferInput;
  value: readonly string[];
  onChange: (value: string[]) => void;
}) {
  const label = input.required ? visibleText(input.label) : t('optional', { label: visibleText(input.label) });
  const description = input.description === null ? '' : visibleText(input.description);
  const choices = input.kind === 'boolean' ? ['true', 'false'] : input.choices;
  if (choices.length > 0 && !input.multiple) {
    return (
      <SelectField
        label={label}
        hint={description}
        value={value[0] ?? ''}
        choices={['', ...choices].map((choice) => ({ value: choice, label: choiceName(choice, input) }))}
        onChoose={(choice) => onChange(choice === '' ? [] : [choice])}
      />
    );
  }
  // Other samples, such as `<your key>`, say no more than the label.
  const isPath = input.kind === 'folder' || input.kind === 'file';
  const hint = [
    description,
    input.example === null || !isPath ? '' : t('inputExample', { example: visibleText(input.example) }),
    input.kind === 'folder' ? t('inputFolder') : input.kind === 'file' ? t('inputFile') : '',
    input.multiple ? t('inputLines') : '',
  ]
    .filter(Boolean)
    .join(' ');
  if (input.multiple) {
    return (
      <TextArea
        label={label}
        hint={hint}
        rows={2}
        value={value.join('\n')}
        onChange={(event) => onChange(event.target.value === '' ? [] : event.target.value.split('\n'))}
      />
    );
  }
  return (
    <TextField
      label={label}
      hint={hint}
      type={input.secret ? 'password' : 'text'}
      inputMode={input.kind === 'number' ? 'numeric' : undefined}
      value={value[0] ?? ''}
      onChange={(event) => onChange(event.target.value === '' ? [] : [event.target.value])}
    />
  );
}

function choiceName(choice: string, { kind }: OfferInput): string {
  if (choice === '') return t('inputNone');
  return kind === 'boolean' ? t(choice === 'true' ? 'inputOn' : 'inputOff') : visibleText(choice);
}

/** Starts the server once, lists its tools, and stops it. A new one stands here after each change of a value. */
function OfferTest({ text, pick, disabled }: { text: string; pick: OfferPick; disabled: boolean }) {
  const test = useCommand('upstreams.testText');
  const { run: endTest } = useCommand('upstreams.endTest');
  const [result, setResult] = useState<Awaited<ReturnType<typeof test.run>>>();
  const running = useRef<string | undefined>(undefined);
  useEffect(
    () => () => {
      if (running.current !== undefined) void endTest({ id: running.current });
    },
    [endTest],
  );
  const onTest = async () => {
    const id = crypto.randomUUID();
    running.current = id;
    setResult(undefined);
    setResult(await test.run({ id, text, pick }));
    running.current = undefined;
  };
  return (
    <>
      <div>
        <Button busy={test.busy} disabled={disabled} onClick={() => void onTest()}>
          {t('test')}
        </Button>
      </div>
      <div aria-live="polite">
        {test.busy ? <p className="quiet">{t('testing')}</p> : null}
        {result ? <TestResult result={result} /> : null}
      </div>
      <Trouble error={test.error} />
    </>
  );
}
