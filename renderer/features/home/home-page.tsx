/** Home: is it running, what needs attention, what has it saved, what was called. */
import './home.css';
import { Link, useLocation } from 'wouter';
import type { Problem, Remedy } from '../../../shared/contract/status.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { useCommand } from '../../api/use-command.ts';
import { words } from '../../i18n/words.ts';
import { Button } from '../../ui/button.tsx';
import { CallTable, RunningCalls, StoppedCalls } from '../../ui/calls.tsx';
import { CopyButton } from '../../ui/code-block.tsx';
import { Callout, Loaded, Trouble } from '../../ui/feedback.tsx';
import { Activity } from '../../ui/icons/icons.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { t } from './home-texts.ts';
import { Savings } from './savings.tsx';
import { SetUp } from './set-up.tsx';

const nothing = {};
const statusEvents = ['status.changed'] as const;
const leads = { running: 'leadRunning', paused: 'leadPaused', stopped: 'leadStopped' } as const;

export function HomePage() {
  const status = useAnswer('status.get', nothing, statusEvents);
  const resume = useCommand('server.resume');
  const state = status.value?.state;
  const url = status.value?.url;
  return (
    <Page
      title={t('title')}
      lead={t(state === undefined ? 'leadStarting' : leads[state])}
      actions={
        state === 'paused' ? (
          <Button look="primary" busy={resume.busy} onClick={() => void resume.run({})}>
            {t('resume')}
          </Button>
        ) : url ? (
          <div className="home-address" title={t('addressNote')}>
            <span className="quiet small">{t('address')}</span>
            <code className="path">{url}</code>
            <CopyButton text={url} name={t('address')} />
          </div>
        ) : undefined
      }
    >
      <Trouble error={status.error ?? resume.error} />
      <Problems problems={status.value?.problems ?? []} />
      <RunningCalls />
      <StoppedCalls />
      <SetUp />
      <Savings />
      <RecentCalls />
    </Page>
  );
}

/** Remedies that lead to a page, and which. */
const pages: Partial<Record<Remedy, string>> = {
  edit_upstream: '/servers',
  open_folders: '/folders',
  open_settings: '/settings',
};

function Problems({ problems }: { problems: readonly Problem[] }) {
  if (problems.length === 0) return null;
  return (
    <section className="problems" aria-label={t('problems')}>
      {problems.map((problem) => (
        <OneProblem key={problem.id} problem={problem} />
      ))}
    </section>
  );
}

function OneProblem({ problem }: { problem: Problem }) {
  const [, go] = useLocation();
  const fix = useCommand('problems.fix');
  const { message: title, hint } = words(problem);
  return (
    <Callout
      kind="warning"
      title={title}
      actions={problem.remedies.map((remedy) => {
        const page = pages[remedy];
        return (
          <Button
            key={remedy}
            size="small"
            busy={fix.busy && page === undefined}
            onClick={() => (page === undefined ? void fix.run({ id: problem.id, remedy }) : go(page))}
          >
            {t(remedy)}
          </Button>
        );
      })}
    >
      {hint === null ? null : <p>{hint}</p>}
      <Trouble error={fix.error} />
    </Callout>
  );
}

const newest = { limit: 6 };
const events = ['ledger.appended'] as const;

/** The newest calls, as they happen. */
function RecentCalls() {
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
