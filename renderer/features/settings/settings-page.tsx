/** The Settings page. */
import { Page } from '../../ui/page.tsx';

export function SettingsPage() {
  return <Page title="Settings">{null}</Page>;
}
