/** What is still to be done in the apps that were set up, such as to start them anew. */
import './agents.css';
import type { Presence } from '../../../shared/contract/agents.ts';
import { useAnswer } from '../../api/use-client.ts';
import { agentWords } from '../../i18n/texts.ts';
import { t } from './agents-texts.ts';

const nothing = {};
const agentEvents = ['agents.changed'] as const;
export const presenceEvents = ['agents.moved', 'agents.changed', 'ledger.appended'] as const;

/** It was set up lately and has not been here since, or nothing is known of it at all. */
export const isAwaited = ({ agents, awaited }: Presence, id: string): boolean =>
  awaited.includes(id) || !agents.some(({ app }) => app === id);

export function NextSteps() {
  const agents = useAnswer('agents.list', nothing, agentEvents).value ?? [];
  const presence = useAnswer('agents.present', nothing, presenceEvents).value;
  const awaited = agents.filter(({ id, state }) => state === 'connected' && presence !== undefined && isAwaited(presence, id));
  return awaited.map((agent) => (
    <p key={agent.id} className="next-step">
      {t('first', { note: agentWords(agent).note ?? '' })}
    </p>
  ));
}
