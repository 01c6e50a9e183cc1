/** Language, appearance, start at login, notifications. */
import { appearances, languages } from '../../../shared/model/config.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { useCommand } from '../../api/use-command.ts';
import { Trouble } from '../../ui/callout.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import { Toggle } from '../../ui/toggle.tsx';
import type { SettingsPart } from './settings-part.ts';
import { t } from './settings-texts.ts';

const nothing = {};
const never = [] as const;

export function GeneralSettings({ settings, save }: SettingsPart) {
  const host = useAnswer('host.get', nothing, never);
  const setStart = useCommand('settings.setStartAtLogin');
  const { app } = settings;
  return (
    <Section title={t('general')}>
      <div className="settings-grid">
        <SelectField
          label={t('language')}
          value={app.language}
          choices={languages.map((value) => ({ value, label: t(value) }))}
          onChoose={(language) => void save({ app: { language } })}
        />
        <SelectField
          label={t('appearance')}
          value={app.appearance}
          choices={appearances.map((value) => ({ value, label: t(value) }))}
          onChoose={(appearance) => void save({ app: { appearance } })}
        />
      </div>
      {host.value?.kind === 'desktop' ? (
        <div className="settings-toggles">
          {host.value.canStartAtLogin ? (
            <Toggle
              label={t('startAtLogin')}
              on={settings.startAtLogin}
              disabled={setStart.busy}
              onToggle={(enabled) => void setStart.run({ enabled })}
            />
          ) : null}
          <Toggle
            label={t('notifications')}
            on={app.notifications}
            onToggle={(notifications) => void save({ app: { notifications } })}
          />
          <Trouble error={setStart.error} />
        </div>
      ) : null}
    </Section>
  );
}
