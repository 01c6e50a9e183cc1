/** Home: is it running, what needs attention, what has it saved, what was called. */
import './home.css';
import { useAnswer } from '../../api/use-answer.ts';
import { useCommand } from '../../api/use-command.ts';
import { Button } from '../../ui/button.tsx';
import { Trouble } from '../../ui/callout.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Page } from '../../ui/page.tsx';
import { RunningCalls } from '../../ui/running-calls.tsx';
import { StoppedCalls } from '../../ui/stopped-calls.tsx';
import { t } from './home-texts.ts';
import { Problems } from './problems.tsx';
import { RecentCalls } from './recent-calls.tsx';
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
