/** Lists connected and former agents: since when, how they connect, and what each has done. */
import { useState } from 'react';
import type { PresentAgent } from '../../../shared/contract/agents.ts';
import { visibleName } from '../../../shared/lib/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { StateDot } from '../../ui/feedback.tsx';
import { formatClock, formatCount } from '../../ui/format.ts';
import { Bot, Unplug } from '../../ui/icons/icons.tsx';
import { EmptyState, Row, Rows, Section } from '../../ui/page.tsx';
import { t } from './agents-texts.ts';

/** Number of disconnected agents that are shown at first. */
const EARLIER = 4;

export function PresentAgents({
  agents,
  nameOf,
}: {
  agents: readonly PresentAgent[];
  nameOf: (app: string) => string | undefined;
}) {
  const [all, setAll] = useState(false);
  const connected = agents.filter((agent) => agent.connected);
  const earlier = agents.filter((agent) => !agent.connected);
  const shown = [...connected, ...(all ? earlier : earlier.slice(0, EARLIER))];
  const hidden = agents.length - shown.length;
  return (
    <Section title={t('here')} note={t('hereNote', { count: connected.length, shown: formatCount(connected.length) })}>
      {agents.length === 0 ? (
        <EmptyState icon={<Unplug />} title={t('nobodyHere')}>
          {t('nobodyHereText')}
        </EmptyState>
      ) : (
        <Rows label={t('here')}>
          {shown.map((agent) => (
            <PresentRow key={agent.name} agent={agent} app={agent.app === null ? undefined : nameOf(agent.app)} />
          ))}
        </Rows>
      )}
      {hidden === 0 ? null : (
        <Button look="quiet" size="small" onClick={() => setAll(true)}>
          {t('moreAgents', { count: hidden, shown: formatCount(hidden) })}
        </Button>
      )}
    </Section>
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
            {t('tokensSaved', { count: saved, shown: `${agent.tokensEstimated > 0 ? '≈ ' : ''}${formatCount(saved)}` })}
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
