/** Settings: what belongs to no other page. Each change is saved as it is made. */
import './settings.css';
import type { SettingsChanges } from '../../../shared/contract/settings.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { useCommand } from '../../api/use-command.ts';
import { Trouble } from '../../ui/callout.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { AnswersSettings } from './answers-settings.tsx';
import { ConnectionSettings } from './connection-settings.tsx';
import { GeneralSettings } from './general-settings.tsx';
import { LimitSettings } from './limit-settings.tsx';
import { PriceSettings } from './price-settings.tsx';
import { ResetSettings } from './reset-settings.tsx';
import { t } from './settings-texts.ts';
import { ToolsSettings } from './tools-settings.tsx';

const nothing = {};
const events = ['status.changed'] as const;

export function SettingsPage() {
  const settings = useAnswer('settings.get', nothing, events);
  const update = useCommand('settings.update');
  const save = async (changes: SettingsChanges) => {
    const saved = await update.run({ changes });
    await settings.refresh();
    return saved;
  };
  return (
    <Page title={t('title')} lead={t('lead')}>
      <Trouble error={update.error} />
      <Loaded answer={settings} lines={8}>
        {(value) => (
          <>
            <GeneralSettings settings={value} save={save} />
            <PriceSettings settings={value} save={save} />
            <ConnectionSettings settings={value} save={save} />
            <ToolsSettings settings={value} save={save} />
            <AnswersSettings settings={value} save={save} />
            <LimitSettings settings={value} save={save} />
            <ResetSettings />
          </>
        )}
      </Loaded>
    </Page>
  );
}
