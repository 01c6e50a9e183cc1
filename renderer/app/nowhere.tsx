/** Page for addresses that do not exist. */
import { Link } from 'wouter';
import { EmptyState, Page } from '../ui/page.tsx';
import { t } from './app-texts.ts';

export function Nowhere() {
  return (
    <Page title={t('nowhere')}>
      <EmptyState
        title={t('nowhere')}
        action={
          <Link href="/" className="button button-primary">
            {t('toHome')}
          </Link>
        }
      />
    </Page>
  );
}
