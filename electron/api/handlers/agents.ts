/** Agents' apps: connected, disconnected, undone. */
import type { Handlers } from '../../../shared/contract/router.ts';
import { agentSnippet } from '../agent-snippet.ts';
import type { HandlerDeps } from './deps.ts';
import { pending } from './pending.ts';

export function agentHandlers({ launch, server }: HandlerDeps) {
  return {
    'agent.snippet': async ({ reveal }: { reveal: boolean }) =>
      agentSnippet(launch, server.state().url, reveal ? await server.tokens.issue('default') : null),
    ...pending('agents.list', 'agents.plan', 'agents.connect', 'agents.disconnect', 'agents.undo', 'agents.openLink'),
  } satisfies Partial<Handlers>;
}
