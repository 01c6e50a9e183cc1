/** Page for browsers that opened the console without its link. */
import { EmptyState } from '../ui/page.tsx';
import { t } from './app-texts.ts';

export function NoSession() {
  return (
    <main className="content">
      <EmptyState title={t('noSessionTitle')}>{t('noSessionText')}</EmptyState>
    </main>
  );
}
