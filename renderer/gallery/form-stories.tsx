/** Stories of what people press, type into and choose from. */
import { type ReactNode, useState } from 'react';
import { Button, IconButton, Menu } from '../ui/button.tsx';
import { CopyButton } from '../ui/code-block.tsx';
import { Checkbox, Field, RadioCards, SelectField, TextArea, TextField, Toggle } from '../ui/field.tsx';
import { FolderPlus } from '../ui/icons/icons.tsx';
import { usePlacePicker } from '../ui/place-picker.tsx';
import { doNothing, type Samples, type Stories } from './samples.ts';

/** Keeps the value of a controlled component. */
function Kept<T>({ first, children }: { first: T; children: (value: T, set: (value: T) => void) => ReactNode }) {
  const [value, set] = useState(first);
  return children(value, set);
}

const choices = (words: Samples) => [
  { value: 'one', label: words.title, hint: words.lead },
  { value: 'two', label: words.detail },
  { value: 'three', label: words.action, disabled: true },
];

function Picker({ kind, words }: { kind: 'folder' | 'file'; words: Samples }) {
  const { pick, picker } = usePlacePicker(kind);
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <>
      <Button onClick={() => void pick().then(setChosen)}>{words.action}</Button> {chosen}
      {picker}
    </>
  );
}

const icon = <FolderPlus aria-hidden="true" />;

export const formStories: Stories = {
  Button: {
    states: {
      primary: (words) => <Button look="primary">{words.action}</Button>,
      plain: (words) => <Button>{words.action}</Button>,
      quiet: (words) => <Button look="quiet">{words.action}</Button>,
      danger: (words) => <Button look="danger">{words.action}</Button>,
      small: (words) => <Button size="small">{words.action}</Button>,
      'with icon': (words) => <Button icon={icon}>{words.action}</Button>,
      busy: (words) => (
        <Button look="primary" icon={icon} busy>
          {words.action}
        </Button>
      ),
      disabled: (words) => <Button disabled>{words.action}</Button>,
    },
  },
  IconButton: {
    states: {
      ready: (words) => <IconButton label={words.action}>{icon}</IconButton>,
      disabled: (words) => (
        <IconButton label={words.action} disabled>
          {icon}
        </IconButton>
      ),
    },
  },
  CopyButton: {
    states: {
      ready: (words) => <CopyButton text={words.sentence} name={words.label} />,
      labelled: (words) => <CopyButton text={words.sentence} name={words.label} label={words.action} look="primary" />,
      failing: (words) => <CopyButton text={() => Promise.reject(new Error('no clipboard'))} name={words.label} />,
    },
  },
  Field: {
    states: {
      'own input': (words) => (
        <Field label={words.label} hint={words.hint}>
          {(ids) => <input type="range" {...ids} />}
        </Field>
      ),
    },
  },
  TextField: {
    states: {
      empty: (words) => <TextField label={words.label} hint={words.hint} placeholder={words.title} />,
      filled: (words) => <TextField label={words.label} defaultValue={words.path} />,
      wrong: (words) => <TextField label={words.label} hint={words.hint} error={words.wrong} defaultValue="db" />,
      disabled: (words) => <TextField label={words.label} defaultValue="db" disabled />,
      'hidden label': (words) => <TextField label={words.label} defaultValue="db" hideLabel />,
    },
  },
  TextArea: {
    states: {
      filled: (words) => <TextArea label={words.label} hint={words.hint} defaultValue={`${words.lead}\n${words.path}`} />,
      wrong: (words) => <TextArea label={words.label} error={words.wrong} rows={2} />,
      disabled: (words) => <TextArea label={words.label} rows={2} defaultValue={words.lead} disabled />,
    },
  },
  SelectField: {
    states: {
      chosen: (words) => (
        <Kept first="two">
          {(value, set) => (
            <SelectField label={words.label} hint={words.hint} choices={choices(words)} value={value} onChoose={set} />
          )}
        </Kept>
      ),
      wrong: (words) => (
        <SelectField label={words.label} error={words.wrong} choices={choices(words)} value="one" onChoose={doNothing} />
      ),
      disabled: (words) => <SelectField label={words.label} choices={choices(words)} value="one" onChoose={doNothing} disabled />,
    },
  },
  Checkbox: {
    states: {
      off: (words) => (
        <Kept first={false}>
          {(value, set) => <Checkbox label={words.detail} hint={words.lead} checked={value} onCheck={set} />}
        </Kept>
      ),
      on: (words) => <Checkbox label={words.detail} checked onCheck={doNothing} />,
      disabled: (words) => <Checkbox label={words.detail} checked={false} onCheck={doNothing} disabled />,
    },
  },
  RadioCards: {
    states: {
      'one chosen': (words) => (
        <Kept first="one">
          {(value, set) => <RadioCards legend={words.label} choices={choices(words)} value={value} onChoose={set} />}
        </Kept>
      ),
      'hidden legend': (words) => (
        <RadioCards legend={words.label} hideLegend choices={choices(words)} value="two" onChoose={doNothing} />
      ),
    },
  },
  Toggle: {
    states: {
      off: (words) => <Kept first={false}>{(value, set) => <Toggle label={words.detail} on={value} onToggle={set} />}</Kept>,
      on: (words) => <Toggle label={words.detail} on onToggle={doNothing} />,
      disabled: (words) => <Toggle label={words.detail} on onToggle={doNothing} disabled />,
      'hidden label': (words) => <Toggle label={words.detail} on={false} onToggle={doNothing} hideLabel />,
    },
  },
  Menu: {
    states: {
      closed: (words) => (
        <Menu
          label={words.title}
          actions={[
            { label: words.action, icon, run: doNothing },
            { label: words.title, detail: words.sentence, icon, run: doNothing },
            { label: words.detail, disabled: true, run: doNothing },
            { label: words.wrong, danger: true, run: doNothing },
          ]}
        />
      ),
    },
  },
  usePlacePicker: {
    states: {
      folder: (words) => <Picker kind="folder" words={words} />,
      file: (words) => <Picker kind="file" words={words} />,
    },
  },
};
