/** Where long or asked-for answers are stored, and for how long. */
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/page.tsx';
import { usePlacePicker } from '../../ui/place-picker.tsx';
import { NumberSetting } from './number-setting.tsx';
import type { SettingsPart } from './settings-part.ts';
import { t } from './settings-texts.ts';

export function AnswersSettings({ settings, save }: SettingsPart) {
  const { responses, defaultResponsesFolder } = settings;
  const { pick, picker } = usePlacePicker('folder');
  const choose = async () => {
    const folder = await pick();
    if (folder !== null) await save({ responses: { folder } });
  };
  return (
    <Section title={t('answers')}>
      <div className="settings-folder">
        <div>
          <h3>{t('answersFolder')}</h3>
          <p className="path">{responses.folder ?? t('answersDefault', { path: defaultResponsesFolder })}</p>
        </div>
        <Button size="small" onClick={() => void choose()}>
          {t('chooseFolder')}
        </Button>
        {responses.folder === null ? null : (
          <Button size="small" look="quiet" onClick={() => void save({ responses: { folder: null } })}>
            {t('useDefault')}
          </Button>
        )}
      </div>
      <div className="settings-grid">
        <NumberSetting
          label={t('spillOver')}
          hint={t('spillOverNote')}
          unit={t('tokensUnit')}
          value={responses.spillOverTokens}
          min={100}
          max={1_000_000}
          onSave={(spillOverTokens) => save({ responses: { spillOverTokens } })}
        />
        <NumberSetting
          label={t('keepDays')}
          hint={t('keepDaysNote')}
          unit={t('days')}
          value={responses.keepDays}
          min={1}
          max={3650}
          onSave={(keepDays) => save({ responses: { keepDays } })}
        />
      </div>
      {picker}
    </Section>
  );
}
