/** Which tools agents are offered: the servers', and Filebridge's own for files. */
import { SelectField } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import { Toggle } from '../../ui/toggle.tsx';
import type { SettingsPart } from './settings-part.ts';
import { t } from './settings-texts.ts';

const ways = ['companions', 'search', 'none'] as const;

export function ToolsSettings({ settings, save }: SettingsPart) {
  const { upstreamTools, fileTools } = settings.expose;
  return (
    <Section title={t('tools')}>
      <SelectField
        label={t('upstreamTools')}
        hint={t(`${upstreamTools}Note`)}
        value={upstreamTools}
        choices={ways.map((value) => ({ value, label: t(value) }))}
        onChoose={(chosen) => void save({ expose: { upstreamTools: chosen } })}
      />
      <div className="settings-toggles">
        <div>
          <Toggle label={t('fileTools')} on={fileTools} onToggle={(on) => void save({ expose: { fileTools: on } })} />
          <p className="quiet small">{t('fileToolsNote')}</p>
        </div>
      </div>
    </Section>
  );
}
