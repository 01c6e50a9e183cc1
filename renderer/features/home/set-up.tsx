/** Lists the remaining steps before the first call; renders nothing when all are done. */
import { Link } from 'wouter';
import { useAnswer } from '../../api/use-answer.ts';
import { ArrowRight, Check } from '../../ui/icons/icons.tsx';
import { Section } from '../../ui/page.tsx';
import { t } from './home-texts.ts';

const nothing = {};
const folderEvents = ['folders.changed'] as const;
const serverEvents = ['upstreams.changed'] as const;
const agentEvents = ['agents.changed'] as const;
const callEvents = ['ledger.appended'] as const;

export function SetUp() {
  const folders = useAnswer('folders.list', nothing, folderEvents);
  const servers = useAnswer('upstreams.list', nothing, serverEvents);
  const agents = useAnswer('agents.list', nothing, agentEvents);
  const totals = useAnswer('ledger.totals', nothing, callEvents);
  if (!folders.value || !servers.value || !agents.value || !totals.value) return null;
  const steps = [
    { name: 'stepFolders', note: 'stepFoldersNote', path: '/folders', done: folders.value.length > 0 },
    { name: 'stepServers', note: 'stepServersNote', path: '/servers', done: servers.value.length > 0 },
    {
      name: 'stepAgents',
      note: 'stepAgentsNote',
      path: '/agents',
      // An agent that was connected by hand shows by its calls.
      done: totals.value.all.calls > 0 || agents.value.some((agent) => agent.state === 'connected'),
    },
  ] as const;
  if (steps.every((step) => step.done)) return null;
  return (
    <Section
      title={t('setUp')}
      note={t('setUpNote')}
      actions={
        <Link href="/welcome" className="button button-primary">
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
                <Link href={step.path} className="step-name">
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
