/** Back to the defaults, and what this program is. */
import { useState } from 'react';
import { useAnswer, useCommand } from '../../api/use-client.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Trouble, useToast } from '../../ui/feedback.tsx';
import { Facts, Section } from '../../ui/page.tsx';
import { PathText } from '../../ui/path-text.tsx';
import { t } from './settings-texts.ts';

const nothing = {};
const events = ['status.changed'] as const;

/** The version, and where the settings are kept. */
export function About() {
  const { value } = useAnswer('status.get', nothing, events);
  if (value === undefined) return null;
  return (
    <Section title={t('about')}>
      <Facts
        facts={[
          ['Filebridge', t('version', { version: value.version })],
          [t('configFile'), <PathText key="path" path={value.configPath} />],
        ]}
      />
    </Section>
  );
}

/** Two sections, so that the harmless button is not beside the dangerous one. */
export function ResetSettings() {
  return (
    <>
      <Reset what="settings" />
      <Reset what="everything" />
    </>
  );
}

const words = {
  settings: { title: 'reset', note: 'resetNote', action: 'resetSettings', question: 'resetTitle', text: 'resetText' },
  everything: { title: 'resetAll', note: 'resetAllNote', action: 'resetAll', question: 'resetAllTitle', text: 'resetAllText' },
} as const;

function Reset({ what }: { what: keyof typeof words }) {
  const reset = useCommand('settings.reset');
  const toast = useToast();
  const [asking, setAsking] = useState(false);
  const { title, note, action, question, text } = words[what];
  const run = async () => {
    if (await reset.run({ everything: what === 'everything' })) toast(t('didReset'));
    setAsking(false);
  };
  return (
    <Section title={t(title)} note={t(note)}>
      <Button look={what === 'everything' ? 'danger' : 'plain'} onClick={() => setAsking(true)}>
        {t(action)}
      </Button>
      <Trouble error={reset.error} />
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => void run()}
        busy={reset.busy}
        title={t(question)}
        action={t(action)}
      >
        {t(text)}
      </Confirm>
    </Section>
  );
}
