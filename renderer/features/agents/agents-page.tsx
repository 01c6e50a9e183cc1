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

const nothing = {};
const events = ['agents.changed'] as const;

export function AgentsPage() {
  const agents = useAnswer('agents.list', nothing, events);
  return (
    <Page title={t('title')} lead={t('lead')}>
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
                      <AgentRow key={agent.id} agent={agent} />
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
