/** Whether agents can open a path, and why not. */
import { type FormEvent, useState } from 'react';
import { useAnswer } from '../../api/use-answer.ts';
import { words } from '../../i18n/words.ts';
import { Button } from '../../ui/button.tsx';
import { Callout, Trouble } from '../../ui/callout.tsx';
import { TextField } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import { usePlacePicker } from '../../ui/place-picker.tsx';
import { t } from './folders-texts.ts';

const events = ['status.changed'] as const;

export function PathCheck() {
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
