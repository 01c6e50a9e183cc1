/** Where agents connect, and the tokens that let them in. */
import { useState } from 'react';
import { useCommand } from '../../api/use-command.ts';
import { Button } from '../../ui/button.tsx';
import { Trouble } from '../../ui/callout.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Section } from '../../ui/page.tsx';
import { Row, Rows } from '../../ui/rows.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { NumberSetting } from './number-setting.tsx';
import type { SettingsPart } from './settings-part.ts';
import { t } from './settings-texts.ts';

export function ConnectionSettings({ settings, save }: SettingsPart) {
  const rotate = useCommand('tokens.rotate');
  const toast = useToast();
  const [renewing, setRenewing] = useState<string>();
  const renew = async () => {
    if (renewing === undefined) return;
    if (await rotate.run({ client: renewing })) toast(t('renewed'));
    setRenewing(undefined);
  };
  return (
    <Section title={t('server')}>
      <div className="settings-grid">
        <NumberSetting
          label={t('port')}
          hint={t('portNote')}
          unit=""
          value={settings.port}
          min={0}
          max={65535}
          onSave={(port) => save({ port })}
        />
      </div>
      <h3 className="settings-part">{t('tokens')}</h3>
      <p className="quiet small">{t('tokensNote')}</p>
      <Rows label={t('tokens')}>
        {settings.tokens.map(({ client, shown }) => (
          <Row
            key={client}
            title={client}
            detail={<code>{shown}</code>}
            actions={
              <Button size="small" onClick={() => setRenewing(client)} aria-label={`${t('renew')}: ${client}`}>
                {t('renew')}
              </Button>
            }
          />
        ))}
      </Rows>
      <Trouble error={rotate.error} />
      <Confirm
        open={renewing !== undefined}
        onClose={() => setRenewing(undefined)}
        onConfirm={() => void renew()}
        busy={rotate.busy}
        title={t('renewTitle', { client: renewing ?? '' })}
        action={t('renew')}
      >
        {t('renewText')}
      </Confirm>
    </Section>
  );
}
