/** Agents: who is connected, connect and disconnect, and the entry to paste for any other. */
import './agents.css';
import { useState } from 'react';
import type { PresentAgent, Snippet } from '../../../shared/contract/agents.ts';
import { visibleName } from '../../../shared/lib/visible-text.ts';
import { type AppError, toAppError } from '../../../shared/model/errors.ts';
import { useAnswer, useClient } from '../../api/use-client.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock, CopyButton } from '../../ui/code-block.tsx';
import { Callout, Loaded, StateDot, Trouble } from '../../ui/feedback.tsx';
import { formatClock, formatCount, formatEstimate } from '../../ui/format.ts';
import { Bot, RefreshCw } from '../../ui/icons/icons.tsx';
import { EmptyState, Page, Row, Rows, Section } from '../../ui/page.tsx';
import { AgentRow } from './agent-row.tsx';
import { t } from './agents-texts.ts';
import { useDirectAgents } from './direct-servers.tsx';
import { isAwaited, presenceEvents } from './next-steps.tsx';

const nothing = {};
const events = ['agents.changed'] as const;

export function AgentsPage() {
  const agents = useAnswer('agents.list', nothing, events);
  const direct = useDirectAgents();
  const presence = useAnswer('agents.present', nothing, presenceEvents);
  return (
    <Page title={t('title')} lead={t('lead')}>
      <Section
        title={t('found')}
        actions={
          <Button size="small" icon={<RefreshCw aria-hidden="true" />} onClick={() => void agents.refresh()}>
            {t('lookAgain')}
          </Button>
        }
      >
        <Trouble error={direct.error} />
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
                        direct={direct.value?.find(({ id }) => id === agent.id)}
                        connected={presence.value?.agents.some(({ app, connected }) => connected && app === agent.id) ?? false}
                        awaited={presence.value !== undefined && isAwaited(presence.value, agent.id)}
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
      <Loaded answer={presence} lines={3}>
        {(here) => <PresentAgents agents={here.agents} nameOf={(app) => agents.value?.find(({ id }) => id === app)?.name} />}
      </Loaded>
      <ByHand />
    </Page>
  );
}

const hidden = { reveal: false };
const addressEvents = ['status.changed', 'settings.changed'] as const;

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
      <p className="by-address">
        <span className="quiet small">{t('addressIs')}</span>
        <code className="path">{http.url}</code>
        <CopyButton text={http.url} name={t('addressIs')} />
      </p>
      <CodeBlock code text={revealed ?? http.config} name={t('address')} copy={reveal} />
      <Button look="quiet" size="small" onClick={() => void toggle()} aria-pressed={revealed !== undefined}>
        {t(revealed === undefined ? 'showToken' : 'hideToken')}
      </Button>
      <Trouble error={refused} />
    </>
  );
}

function ByHand() {
  const snippet = useAnswer('agent.snippet', hidden, addressEvents);
  return (
    <Section title={t('byHand')} note={t('byHandNote')}>
      <Loaded answer={snippet} lines={6}>
        {({ stdio, http }) => (
          <div className="by-hand">
            <div>
              <h3>{t('starts')}</h3>
              <p className="quiet small">{t('startsNote')}</p>
              <CodeBlock code text={stdio} name={t('starts')} />
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

/** Number of disconnected agents that are shown at first. */
const EARLIER = 4;

/** Lists connected and former agents: since when, how they connect, and what each has done. */
function PresentAgents({ agents, nameOf }: { agents: readonly PresentAgent[]; nameOf: (app: string) => string | undefined }) {
  const [all, setAll] = useState(false);
  const connected = agents.filter((agent) => agent.connected);
  const earlier = agents.filter((agent) => !agent.connected);
  const shown = all ? earlier : earlier.slice(0, EARLIER);
  const hidden = earlier.length - shown.length;
  const rows = (some: readonly PresentAgent[]) =>
    some.map((agent) => <PresentRow key={agent.name} agent={agent} app={agent.app === null ? undefined : nameOf(agent.app)} />);
  return (
    <>
      {connected.length === 0 ? null : (
        <Section title={t('here')} note={t('hereNote', { count: connected.length, shown: formatCount(connected.length) })}>
          <Rows label={t('here')}>{rows(connected)}</Rows>
        </Section>
      )}
      {earlier.length === 0 ? null : (
        <Section title={t('earlier')}>
          <Rows label={t('earlier')}>{rows(shown)}</Rows>
          {hidden === 0 ? null : (
            <Button look="quiet" size="small" onClick={() => setAll(true)}>
              {t('moreAgents', { count: hidden, shown: formatCount(hidden) })}
            </Button>
          )}
        </Section>
      )}
    </>
  );
}

function PresentRow({ agent, app }: { agent: PresentAgent; app: string | undefined }) {
  const now = new Date();
  const saved = agent.tokensMeasured + agent.tokensEstimated;
  const name = visibleName(agent.name);
  const about = [
    ...(app === undefined || app === name ? [] : [name]),
    ...(agent.version === null ? [] : [t('version', { version: visibleName(agent.version) })]),
    ...agent.transports.map((transport) => t(transport)),
    ...(agent.since === null ? [] : [t('since', { time: formatClock(agent.since, now) })]),
  ];
  return (
    <Row
      icon={<Bot />}
      title={app ?? name}
      detail={
        <>
          {about.length === 0 ? null : <div>{about.join(' · ')}</div>}
          <div>
            {t('callsMade', { count: agent.calls, shown: formatCount(agent.calls) })}
            {' · '}
            {t('tokensSaved', {
              count: saved,
              shown: agent.tokensEstimated > 0 ? `≈ ${formatEstimate(saved)}` : formatCount(saved),
            })}
          </div>
        </>
      }
      actions={
        agent.connected ? (
          <StateDot tone="good">{t('connectedNow')}</StateDot>
        ) : (
          <StateDot tone="off">{t('lastSeen', { time: formatClock(agent.lastSeen, now) })}</StateDot>
        )
      }
    />
  );
}
