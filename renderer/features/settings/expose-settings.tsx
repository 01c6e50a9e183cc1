/** Which tools agents are offered. */
import { RadioCards } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import { Toggle } from '../../ui/toggle.tsx';
import type { SettingsPart } from './settings-page.tsx';
import { t } from './settings-texts.ts';

const ways = ['companions', 'search', 'none'] as const;

export function ExposeSettings({ settings, save }: SettingsPart) {
  const { expose } = settings;
  return (
    <Section title={t('expose')}>
      <div className="settings-stack">
        <Toggle label={t('fileTools')} on={expose.fileTools} onToggle={(fileTools) => void save({ expose: { fileTools } })} />
        <RadioCards
          legend={t('upstreamTools')}
          value={expose.upstreamTools}
          choices={ways.map((value) => ({ value, label: t(value) }))}
          onChoose={(upstreamTools) => void save({ expose: { upstreamTools } })}
        />
      </div>
    </Section>
  );
}
