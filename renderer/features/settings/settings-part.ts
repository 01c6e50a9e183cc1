/** What the settings page gives each of its parts. */
import type { Settings, SettingsChanges } from '../../../shared/contract/settings.ts';

export interface SettingsPart {
  settings: Settings;
  save(changes: SettingsChanges): Promise<unknown>;
}
