/** Props that the settings page passes to its sections. */
import type { Settings, SettingsChanges } from '../../../shared/contract/settings.ts';

export interface SettingsPart {
  settings: Settings;
  save(changes: SettingsChanges): Promise<unknown>;
}
