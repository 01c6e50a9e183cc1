/** What is still to be done in the apps that were set up, such as to start them anew. */
import './agents.css';
import type { AgentView, Presence } from '../../../shared/contract/agents.ts';
import { useAnswer } from '../../api/use-client.ts';
import { agentWords } from '../../i18n/texts.ts';
import { Callout } from '../../ui/feedback.tsx';
import { formatList } from '../../ui/format.ts';
import { t } from './agents-texts.ts';

const nothing = {};
const agentEvents = ['agents.changed'] as const;
export const presenceEvents = ['agents.moved', 'agents.changed', 'ledger.appended'] as const;

/** It was set up lately and has not been here since, or nothing is known of it at all. */
export const isAwaited = ({ agents, awaited }: Presence, id: string): boolean =>
  awaited.includes(id) || !agents.some(({ app }) => app === id);

/** Agents that were set up lately and have not been here since, or, with `all`, that were never seen. */
function useAwaited(all: boolean) {
  const agents = useAnswer('agents.list', nothing, agentEvents).value ?? [];
  const presence = useAnswer('agents.present', nothing, presenceEvents).value;
  const waits = (id: string) => presence !== undefined && (all ? isAwaited(presence, id) : presence.awaited.includes(id));
  return agents.filter(({ id, state }) => state === 'connected' && waits(id));
}

const stepOf = (agent: AgentView) => t('first', { note: agentWords(agent).note ?? '' });

/** Before what is said to an agent. */
export function NextSteps() {
  return useAwaited(true).map((agent) => (
    <p key={agent.id} className="next-step">
      {stepOf(agent)}
    </p>
  ));
}

/** The same by itself, as a notice; nothing where nothing is to be done. */
export function NextStepsNotice() {
  const awaited = useAwaited(false);
  if (awaited.length === 0) return null;
  return (
    <Callout kind="info" title={t('nextSteps', { list: formatList(awaited.map(({ name }) => name)) })}>
      {awaited.map((agent) => (
        <p key={agent.id}>{stepOf(agent)}</p>
      ))}
    </Callout>
  );
}
