/** The form of a server that is added from a description: its inputs, and a test of what was entered. */
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { OfferInput, OfferPick, OfferView, UpstreamTest } from '../../../shared/contract/upstreams.ts';
import { visibleName, visibleText } from '../../../shared/lib/visible-text.ts';
import { known } from '../../../shared/model/messages/received.ts';
import { useAnswer, useCommand } from '../../api/use-client.ts';
import { words } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Callout, Trouble } from '../../ui/feedback.tsx';
import { SelectField, TextArea, TextField } from '../../ui/field.tsx';
import { formatList } from '../../ui/format.ts';
import { usePlacePicker } from '../../ui/place-picker.tsx';
import { t } from './servers-texts.ts';

const nothing = {};
const never = [] as const;

export type Values = OfferPick['values'];

const enteredFor = (input: OfferInput, values: Values = {}): readonly string[] => values[input.id] ?? input.preset;

/** Says which values are not there yet that the server needs; undefined where all are. */
export function missingValues({ inputs }: Pick<OfferView, 'inputs'>, values: Values | undefined): string | undefined {
  const missing = inputs.filter((input) => input.required && !enteredFor(input, values).some((text) => text.trim() !== ''));
  return missing.length === 0 ? undefined : t('whyMissing', { list: formatList(missing.map(({ label }) => visibleText(label))) });
}

/** `more` is shown below an input, such as where its value can be had. */
export function OfferForm({
  text,
  offer,
  values = {},
  onChange,
  testable = true,
  name,
  more,
}: {
  text: string;
  offer: OfferView;
  values?: Values | undefined;
  onChange: (values: Values) => void;
  /** False where a test would only say that the person has to sign in. */
  testable?: boolean;
  name?: string | undefined;
  more?: (input: OfferInput) => ReactNode;
}) {
  const firstSecret = offer.inputs.find(({ secret }) => secret)?.id;
  const pick: OfferPick = { id: offer.id, revision: offer.revision, values, ...(name === undefined ? {} : { name }) };
  return (
    <>
      {offer.inputs.map((input) => (
        <InputField
          key={input.id}
          input={input}
          saysWhereKept={input.id === firstSecret}
          value={enteredFor(input, values)}
          onChange={(value) => onChange({ ...values, [input.id]: value })}
          more={more?.(input)}
        />
      ))}
      {testable ? <OfferTest key={JSON.stringify(values)} text={text} pick={pick} why={missingValues(offer, values)} /> : null}
    </>
  );
}

function InputField({
  input,
  saysWhereKept,
  value,
  onChange,
  more,
}: {
  input: OfferInput;
  /** Once in a form is enough. */
  saysWhereKept: boolean;
  value: readonly string[];
  onChange: (value: string[]) => void;
  more: ReactNode;
}) {
  const host = useAnswer('host.get', nothing, never);
  const isPath = input.kind === 'folder' || input.kind === 'file';
  const { pick, picker } = usePlacePicker(input.kind === 'file' ? 'file' : 'folder');
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
  const secrets = saysWhereKept ? host.value?.secrets : undefined;
  const said = [
    description,
    input.example === null || !isPath ? '' : t('inputExample', { example: visibleText(input.example) }),
    input.kind === 'folder' ? t('inputFolder') : input.kind === 'file' ? t('inputFile') : '',
    input.multiple ? t('inputLines') : '',
    secrets?.available === false
      ? t('secretNotKept', { reason: words({ message: secrets.reason ?? '', said: secrets.said }).message })
      : '',
  ]
    .filter(Boolean)
    .join(' ');
  const hint = more ? (
    <>
      {said} {more}
    </>
  ) : (
    said
  );
  const choose = async () => {
    const path = await pick();
    if (path !== null) onChange(input.multiple ? [...value.filter((line) => line.trim() !== ''), path] : [path]);
  };
  const field = input.multiple ? (
    <TextArea
      label={label}
      hint={hint}
      rows={2}
      value={value.join('\n')}
      onChange={(event) => onChange(event.target.value === '' ? [] : event.target.value.split('\n'))}
    />
  ) : (
    <TextField
      label={label}
      hint={hint}
      type={input.secret ? 'password' : 'text'}
      inputMode={input.kind === 'number' ? 'numeric' : undefined}
      placeholder={input.example !== null && !isPath && isExample(input.example) ? visibleText(input.example) : undefined}
      value={value[0] ?? ''}
      onChange={(event) => onChange(event.target.value === '' ? [] : [event.target.value])}
    />
  );
  if (!isPath) return field;
  return (
    <div className="with-choice">
      {field}
      <Button size="small" onClick={() => void choose()} aria-label={`${t('choosePlace')}: ${label}`}>
        {t('choosePlace')}
      </Button>
      {picker}
    </div>
  );
}

/** Samples such as `<your key>` say no more than the label. */
const isExample = (sample: string): boolean => !/[<>{}[\]]|your|\.\.\./i.test(sample);

function choiceName(choice: string, { kind }: OfferInput): string {
  if (choice === '') return t('inputNone');
  return kind === 'boolean' ? t(choice === 'true' ? 'inputOn' : 'inputOff') : visibleText(choice);
}

/** Starts the server once, lists its tools, and stops it. A new one stands here after each change of a value. */
function OfferTest({ text, pick, why }: { text: string; pick: OfferPick; why: string | undefined }) {
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
      <div className="offer-test">
        <Button busy={test.busy} why={why} onClick={() => void onTest()}>
          {t('test')}
        </Button>
      </div>
      <div aria-live="polite" className="test-place">
        {test.busy ? <p className="quiet">{t('testing')}</p> : null}
        {result ? <TestResult result={result} /> : null}
      </div>
      <Trouble error={test.error} />
    </>
  );
}

const SHOWN_TOOLS = 12;

/** Shows the result of testing a server: its tools, or the error. */
export function TestResult({
  result,
  onCommand,
}: {
  result: UpstreamTest;
  /** Takes the program that was probably meant. */
  onCommand?: (program: string) => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const { ok, tools, error, log } = result;
  const hint = known(error?.said?.hint);
  const meant = hint?.code === 'start.near.hint' ? String(hint.params.meant) : undefined;
  return (
    <div ref={place} className="test-result">
      {ok ? (
        <Callout kind="success" title={t('testOk', { count: tools.length })}>
          <p className="quiet small">
            {tools
              .slice(0, SHOWN_TOOLS)
              .map((tool) => visibleName(tool.name))
              .join(', ')}
            {tools.length > SHOWN_TOOLS ? '…' : ''}
          </p>
        </Callout>
      ) : error?.code === 'SIGN_IN_NEEDED' ? (
        <Callout kind="info" title={t('testSignIn')}>
          <p>{t('testSignInText')}</p>
        </Callout>
      ) : (
        <Callout
          kind="error"
          title={error ? words(error).message : t('testFailed')}
          actions={
            onCommand && meant !== undefined ? (
              <Button size="small" onClick={() => onCommand(meant)}>
                {t('useProgram', { name: meant })}
              </Button>
            ) : undefined
          }
        >
          {error?.hint ? <p>{words(error).hint}</p> : null}
        </Callout>
      )}
      {!ok && log.length > 0 ? (
        <details>
          <summary>{t('serverSaid')}</summary>
          <CodeBlock text={log.join('\n')} name={t('serverSaid')} />
        </details>
      ) : null}
    </div>
  );
}
