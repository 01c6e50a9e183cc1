/** The bounds of files, calls and waits. */
import { Section } from '../../ui/page.tsx';
import { NumberSetting } from './number-setting.tsx';
import type { SettingsPart } from './settings-part.ts';
import { t } from './settings-texts.ts';

const MIB = 1024 * 1024;
const SECOND = 1000;

/** The setting, how many of its units make one shown, and the least and most that can be entered. */
const limits = [
  { name: 'maxStreamedFileBytes', unit: 'mib', scale: MIB, min: 1, max: 1_048_576 },
  { name: 'maxFileBytes', unit: 'mib', scale: MIB, min: 1, max: 512 },
  { name: 'callTimeoutMs', unit: 'seconds', scale: SECOND, min: 1, max: 86_400 },
  { name: 'approvalTimeoutMs', unit: 'seconds', scale: SECOND, min: 5, max: 3_600 },
  { name: 'upstreamIdleMs', unit: 'seconds', scale: SECOND, min: 5, max: 86_400 },
  { name: 'expressionTimeoutMs', unit: 'seconds', scale: SECOND, min: 1, max: 600 },
] as const;

export function LimitSettings({ settings, save }: SettingsPart) {
  return (
    <Section title={t('limits')} note={t('limitsNote')}>
      <div className="settings-grid">
        {limits.map(({ name, unit, scale, min, max }) => (
          <NumberSetting
            key={name}
            label={t(name)}
            unit={t(unit)}
            value={settings.limits[name]}
            scale={scale}
            min={min}
            max={max}
            onSave={(value) => save({ limits: { [name]: value } })}
          />
        ))}
      </div>
    </Section>
  );
}
