/** The Folders page. */
import { Page } from '../../ui/page.tsx';

export function FoldersPage() {
  return <Page title="Folders">{null}</Page>;
}
