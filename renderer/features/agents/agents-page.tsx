/** Agents: who is connected, connect and disconnect, and the entry to paste for any other. */
import './agents.css';
import { useState } from 'react';
import type { Snippet } from '../../../shared/contract/agents.ts';
import { type AppError, toAppError } from '../../../shared/model/errors.ts';
import { useClient } from '../../api/client-context.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Callout, Loaded, Trouble } from '../../ui/feedback.tsx';
import { Bot } from '../../ui/icons/icons.tsx';
import { EmptyState, Page, Rows, Section } from '../../ui/page.tsx';
import { AgentRow } from './agent-row.tsx';
import { t } from './agents-texts.ts';
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

const hidden = { reveal: false };
const statusEvents = ['status.changed'] as const;

/** The entries to paste into an agent Filebridge does not know. */
function ByAddress({ http }: { http: Snippet['http'] }) {
  const client = useClient();
  const [revealed, setRevealed] = useState<string>();
  const [refused, setRefused] = useState<AppError>();
  if (http === null) return <Callout kind="warning" title={t('addressStopped')} />;
  const reveal = async () => {
    const shown = await client.call('agent.snippet', { reveal: true });
    return shown.http?.config ?? http.config;
  };
  const toggle = async () => {
    setRefused(undefined);
    if (revealed !== undefined) return setRevealed(undefined);
    try {
      setRevealed(await reveal());
    } catch (error) {
      setRefused(toAppError(error));
    }
  };
  return (
    <>
      <CodeBlock text={revealed ?? http.config} name={t('address')} copy={reveal} />
      <Button look="quiet" size="small" onClick={() => void toggle()} aria-pressed={revealed !== undefined}>
        {t(revealed === undefined ? 'showToken' : 'hideToken')}
      </Button>
      <Trouble error={refused} />
    </>
  );
}

function ByHand() {
  const snippet = useAnswer('agent.snippet', hidden, statusEvents);
  return (
    <Section title={t('byHand')} note={t('byHandNote')}>
      <Loaded answer={snippet} lines={6}>
        {({ stdio, http }) => (
          <div className="by-hand">
            <div>
              <h3>{t('starts')}</h3>
              <p className="quiet small">{t('startsNote')}</p>
              <CodeBlock text={stdio} name={t('starts')} />
            </div>
            <div>
              <h3>{t('address')}</h3>
              <p className="quiet small">{t('addressNote')}</p>
              <ByAddress http={http} />
            </div>
          </div>
        )}
      </Loaded>
    </Section>
  );
}
