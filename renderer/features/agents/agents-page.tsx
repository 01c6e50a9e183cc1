/** Agents: who is connected, connect and disconnect, and the entry to paste for any other. */
import './agents.css';
import { useAnswer } from '../../api/use-answer.ts';
import { Bot } from '../../ui/icons/icons.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { Rows } from '../../ui/rows.tsx';
import { AgentRow } from './agent-row.tsx';
import { t } from './agents-texts.ts';
import { ByHand } from './by-hand.tsx';
import { PresentAgents } from './present-agents.tsx';

const nothing = {};
const events = ['agents.changed'] as const;
const presenceEvents = ['agents.moved', 'agents.changed', 'ledger.appended'] as const;

export function AgentsPage() {
  const agents = useAnswer('agents.list', nothing, events);
  const presence = useAnswer('agents.present', nothing, presenceEvents);
  return (
    <Page title={t('title')} lead={t('lead')}>
      <Loaded answer={presence} lines={3}>
        {(here) => <PresentAgents agents={here.agents} nameOf={(app) => agents.value?.find(({ id }) => id === app)?.name} />}
      </Loaded>
      <Section title={t('found')}>
        <Loaded answer={agents} lines={5}>
          {(list) => {
            const here = list.filter((agent) => agent.state !== 'absent');
            const elsewhere = list.filter((agent) => agent.state === 'absent');
            return (
              <>
                {here.length === 0 ? (
                  <EmptyState icon={<Bot />} title={t('none')}>
                    {t('noneText')}
                  </EmptyState>
                ) : (
                  <Rows label={t('found')}>
                    {here.map((agent) => (
                      <AgentRow
                        key={agent.id}
                        agent={agent}
                        connected={presence.value?.agents.some(({ app, connected }) => connected && app === agent.id) ?? false}
                        awaited={presence.value?.awaited.includes(agent.id) ?? false}
                      />
                    ))}
                  </Rows>
                )}
                {elsewhere.length === 0 ? null : (
                  <p className="quiet small agents-absent">
                    {t('notInstalled')}: {elsewhere.map((agent) => agent.name).join(', ')}
                  </p>
                )}
              </>
            );
          }}
        </Loaded>
      </Section>
      <ByHand />
    </Page>
  );
}
