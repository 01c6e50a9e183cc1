/** Back to the defaults, and what this program is. */
import { useState } from 'react';
import { useAnswer, useCommand } from '../../api/use-client.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Trouble, useToast } from '../../ui/feedback.tsx';
import { Facts, Section } from '../../ui/page.tsx';
import { t } from './settings-texts.ts';

const nothing = {};
const events = ['status.changed'] as const;

export function ResetSettings() {
  const status = useAnswer('status.get', nothing, events);
  const reset = useCommand('settings.reset');
  const toast = useToast();
  const [asking, setAsking] = useState<'settings' | 'everything'>();
  const run = async () => {
    if (await reset.run({ everything: asking === 'everything' })) toast(t('didReset'));
    setAsking(undefined);
  };
  return (
    <Section title={t('reset')} note={t('resetNote')}>
      <div className="settings-reset">
        <Button onClick={() => setAsking('settings')}>{t('resetSettings')}</Button>
        <Button look="danger" onClick={() => setAsking('everything')}>
          {t('resetAll')}
        </Button>
      </div>
      <Trouble error={reset.error} />
      <div className="settings-about">
        {status.value ? (
          <Facts
            facts={[
              ['Filebridge', t('version', { version: status.value.version })],
              [
                t('configFile'),
                <span key="path" className="path">
                  {status.value.configPath}
                </span>,
              ],
            ]}
          />
        ) : null}
      </div>
      <Confirm
        open={asking === 'settings'}
        onClose={() => setAsking(undefined)}
        onConfirm={() => void run()}
        busy={reset.busy}
        title={t('resetTitle')}
        action={t('resetSettings')}
      >
        {t('resetText')}
      </Confirm>
      <Confirm
        open={asking === 'everything'}
        onClose={() => setAsking(undefined)}
        onConfirm={() => void run()}
        busy={reset.busy}
        title={t('resetAllTitle')}
        action={t('resetAll')}
      >
        {t('resetAllText')}
      </Confirm>
    </Section>
  );
}
