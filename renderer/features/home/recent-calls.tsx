/** The newest calls, as they happen. */
import { Link } from 'wouter';
import { useAnswer } from '../../api/use-answer.ts';
import { CallTable } from '../../ui/call-table.tsx';
import { Activity } from '../../ui/icons/icons.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { EmptyState, Section } from '../../ui/page.tsx';
import { t } from './home-texts.ts';

const newest = { limit: 6 };
const events = ['ledger.appended'] as const;

export function RecentCalls() {
  const calls = useAnswer('ledger.recent', newest, events);
  const some = calls.value !== undefined && calls.value.length > 0;
  return (
    <Section
      title={t('recent')}
      actions={
        some ? (
          <Link href="/activity" className="button button-quiet button-small">
            {t('allCalls')}
          </Link>
        ) : undefined
      }
    >
      <Loaded answer={calls} lines={6}>
        {(entries) =>
          entries.length === 0 ? (
            <EmptyState
              icon={<Activity />}
              title={t('noCalls')}
              action={
                <Link href="/preview" className="button">
                  {t('tryPreview')}
                </Link>
              }
            >
              {t('noCallsNote')}
            </EmptyState>
          ) : (
            <CallTable entries={entries} />
          )
        }
      </Loaded>
    </Section>
  );
}
