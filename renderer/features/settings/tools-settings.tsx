/** What agents are offered of the servers' tools. */
import { SelectField } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import type { SettingsPart } from './settings-page.tsx';
import { t } from './settings-texts.ts';

const ways = ['companions', 'search', 'none'] as const;

export function ToolsSettings({ settings, save }: SettingsPart) {
  const { upstreamTools } = settings.expose;
  return (
    <Section title={t('tools')}>
      <SelectField
        label={t('upstreamTools')}
        hint={t(`${upstreamTools}Note`)}
        value={upstreamTools}
        choices={ways.map((value) => ({ value, label: t(value) }))}
        onChoose={(chosen) => void save({ expose: { upstreamTools: chosen } })}
      />
    </Section>
  );
}
