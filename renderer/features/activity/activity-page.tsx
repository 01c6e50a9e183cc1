/** The Activity page. */
import { Page } from '../../ui/page.tsx';

export function ActivityPage() {
  return <Page title="Activity">{null}</Page>;
}
