/** Agents' apps: connected, disconnected, undone. */
import type { AgentView } from '../../../shared/contract/agents.ts';
import type { Handlers } from '../../../shared/contract/rpc.ts';
import { oneAtATime } from '../../../shared/lib/one-at-a-time.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { agentOf, agentPlan, agentSnippet, agentView, agentViews, assertInstalled } from '../../agent-apps/agent-views.ts';
import { connect, disconnect, type Ours } from '../../agent-apps/client-config.ts';
import { deepLink } from '../../agent-apps/entries.ts';
import { undo } from '../../agent-apps/settings-file.ts';
import type { KnownClient } from '../../agent-apps/types.ts';
import { awaitedApps, presentAgents } from '../../app/present-agents.ts';
import type { HandlerDeps } from './deps.ts';

type Identified = { id: string };

export function agentHandlers({ launch, server, host, emit, runtime, search }: HandlerDeps) {
  /** When an app was set up, by its id. */
  const setUp = new Map<string, string>();
  const ours = (): Ours => ({ launch, url: server.state().url });
  // One change at a time: two pages may ask at once.
  const inTurn = oneAtATime();
  const changed = (id: string, change: (client: KnownClient) => Promise<unknown>): Promise<AgentView> =>
    inTurn(async () => {
      const client = await agentOf(id);
      await assertInstalled(client);
      await change(client);
      emit('agents.changed', {});
      return agentView(client, ours());
    });

  const takenOut = async (id: string, work: Promise<unknown>): Promise<void> => {
    await work;
    setUp.delete(id);
  };

  return {
    'agents.present': async () => {
      const agents = presentAgents(runtime.present.list(), await search.clients());
      return { agents, awaited: awaitedApps(setUp, agents) };
    },
    'agents.list': () => agentViews(ours()),
    'agents.plan': async ({ id }: Identified) => agentPlan(await agentOf(id), ours()),
    'agents.connect': ({ id, replace }: Identified & { replace?: boolean | undefined }) =>
      changed(id, async (client) => {
        await connect(client, ours(), { replace });
        setUp.set(id, new Date().toISOString());
      }),
    'agents.disconnect': ({ id }: Identified) => changed(id, (client) => takenOut(id, disconnect(client, ours()))),
    'agents.undo': ({ id }: Identified) => changed(id, (client) => takenOut(id, undo(client.file))),
    'agents.openLink': async ({ id }: Identified) => {
      const client = await agentOf(id);
      const link = deepLink(client, launch);
      if (link === null) {
        throw new AppError('INVALID_REQUEST', say('agent.noLink', { app: client.name }), { hint: say('agent.link.hint') });
      }
      if (!host.openLink) {
        throw new AppError('INVALID_REQUEST', say('agent.linkInApp'), { hint: say('agent.link.hint') });
      }
      await host.openLink(link);
      return {};
    },
    'agent.snippet': async ({ reveal }: { reveal: boolean }) =>
      agentSnippet(launch, server.state().url, reveal ? await server.tokens.issue('default') : null),
  } satisfies Partial<Handlers>;
}
