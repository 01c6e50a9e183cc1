/** Home: is it running, what needs attention, what has it saved, what was called. */
import './home.css';
import { Link } from 'wouter';
import type { Problem } from '../../../shared/contract/status.ts';
import { useAnswer, useCommand } from '../../api/use-client.ts';
import { Button } from '../../ui/button.tsx';
import { CallTable, RunningCalls, StoppedCalls } from '../../ui/calls.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Callout, Loaded, Trouble } from '../../ui/feedback.tsx';
import { formatCount, formatList } from '../../ui/format.ts';
import { Activity, ArrowRight, Check } from '../../ui/icons/icons.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { DirectNotice, useDirectAgents } from '../agents/direct-servers.tsx';
import { ExamplePrompt, useCandidates } from '../agents/example-prompt.tsx';
import { NextSteps, NextStepsNotice } from '../agents/next-steps.tsx';
import { t } from './home-texts.ts';
import { Savings } from './savings.tsx';

const nothing = {};
const statusEvents = ['status.changed'] as const;

export function HomePage() {
  const status = useAnswer('status.get', nothing, statusEvents);
  const resume = useCommand('server.resume');
  const state = status.value?.state;
  const { steps, counts } = useSteps();
  return (
    <Page
      title={t('title')}
      lead={
        state === undefined
          ? t('leadStarting')
          : state === 'stopped'
            ? t('leadStopped')
            : state === 'running'
              ? runningLead(steps, counts)
              : undefined
      }
    >
      <Trouble error={status.error ?? resume.error} />
      {state === 'paused' ? (
        <Callout
          kind="warning"
          title={t('leadPaused')}
          actions={
            <Button look="primary" size="small" busy={resume.busy} onClick={() => void resume.run({})}>
              {t('resume')}
            </Button>
          }
        />
      ) : null}
      <Problems problems={status.value?.problems ?? []} />
      <Around />
      {steps?.length === 0 ? <NextStepsNotice /> : null}
      <RunningCalls />
      <StoppedCalls />
      <SetUp steps={steps} />
      <Savings />
      <RecentCalls />
    </Page>
  );
}

function Problems({ problems }: { problems: readonly Problem[] }) {
  if (problems.length === 0) return null;
  return (
    <section className="problems" aria-label={t('problems')}>
      {problems.map((problem) => (
        <ProblemNotice key={problem.id} problem={problem} />
      ))}
    </section>
  );
}

/** Connected agents that also start servers of Filebridge themselves. */
function Around() {
  const direct = useDirectAgents();
  return (
    <>
      <Trouble error={direct.error} />
      <DirectNotice agents={(direct.value ?? []).filter(({ connected }) => connected)} />
    </>
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
          <>
            <Blocked />
            <Link href="/activity" className="button button-quiet button-small">
              {t('allCalls')}
            </Link>
          </>
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

/** What folders, switches and pauses kept agents from today. */
function Blocked() {
  const count = useAnswer('ledger.totals', nothing, events).value?.today.blocked ?? 0;
  if (count === 0) return null;
  return (
    <Link href="/activity/only/blocked" className="button button-quiet button-small">
      {t('blockedToday', { count, shown: formatCount(count) })}
    </Link>
  );
}

const folderEvents = ['folders.changed'] as const;
const serverEvents = ['upstreams.changed'] as const;
const agentEvents = ['agents.changed'] as const;
const callEvents = ['ledger.appended'] as const;

/** The steps before the first call, none once an agent has made one; and how many folders, servers and agents there are. Undefined until they are known. */
function useSteps() {
  const folders = useAnswer('folders.list', nothing, folderEvents);
  const servers = useAnswer('upstreams.list', nothing, serverEvents);
  const agents = useAnswer('agents.list', nothing, agentEvents);
  const totals = useAnswer('ledger.totals', nothing, callEvents);
  if (!folders.value || !servers.value || !agents.value || !totals.value) return { steps: undefined, counts: undefined };
  const counts = {
    folders: folders.value.length,
    servers: servers.value.filter(({ enabled }) => enabled).length,
    agents: agents.value.filter(({ state }) => state === 'connected').length,
  };
  // An agent that was connected by hand shows by its calls.
  if (totals.value.all.agentCalls > 0) return { counts, steps: [] };
  const steps = [
    { name: 'stepFolders', note: 'stepFoldersNote', path: '/folders', done: folders.value.length > 0 },
    { name: 'stepServers', note: 'stepServersNote', path: '/servers', done: servers.value.length > 0 },
    {
      name: 'stepAgents',
      note: 'stepAgentsNote',
      path: '/agents',
      done: counts.agents > 0,
    },
  ] as const;
  return { counts, steps };
}

type Stand = ReturnType<typeof useSteps>;
type Steps = Stand['steps'];

/** What agents can do, or what is left to do before. */
function runningLead(steps: Steps, counts: Stand['counts']): string {
  if (steps === undefined || counts === undefined) return t('leadOn');
  const left = steps.flatMap(({ name, done }) => (done ? [] : [t(`${name}Left`)]));
  if (left.length > 0) return t('leadLeft', { list: formatList(left) });
  const parts = (['folders', 'servers', 'agents'] as const).flatMap((kind) =>
    counts[kind] === 0 ? [] : [t(kind, { count: counts[kind] })],
  );
  return parts.length === 0 ? t('leadOn') : t('leadRunning', { list: formatList(parts) });
}

/** Lists the remaining steps before the first call; renders nothing when all are done. */
function SetUp({ steps }: { steps: Steps }) {
  if (steps === undefined || steps.length === 0) return null;
  if (steps.every((step) => step.done)) return <FirstCall />;
  const next = steps.find((step) => !step.done);
  return (
    <Section
      title={t('setUp')}
      note={t('setUpNote')}
      actions={
        <Link href="/welcome" className={classNames('button', next === steps[0] ? 'button-primary' : 'button-plain')}>
          {t('openSetUp')}
        </Link>
      }
    >
      <ol className="steps">
        {steps.map((step, index) => (
          <li key={step.name} className="step" data-done={step.done || undefined}>
            <span className="step-number" aria-hidden="true">
              {step.done ? <Check /> : index + 1}
            </span>
            <div>
              {step.done ? (
                <p className="step-name">
                  {t(step.name)}
                  <span className="visually-hidden"> – {t('done')}</span>
                </p>
              ) : (
                <Link
                  href={step.path}
                  className={step === next && step !== steps[0] ? 'button button-primary button-small' : 'step-name'}
                >
                  {t(step.name)} <ArrowRight aria-hidden="true" />
                </Link>
              )}
              <p className="quiet small">{t(step.note)}</p>
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** What to say to an agent, until one has made a call. */
function FirstCall() {
  const [file] = useCandidates()?.files ?? [];
  return (
    <Section
      title={t('firstCall')}
      note={t('firstCallNote')}
      actions={
        <Link href="/welcome" className="button button-plain">
          {t('setUpAgain')}
        </Link>
      }
    >
      <NextSteps />
      {file === undefined ? null : <ExamplePrompt path={file.path} otherwise={t('noExample')} />}
    </Section>
  );
}
