/** Agents' apps: connected, disconnected, undone. */
import type { AgentView, DirectAgent } from '../../../shared/contract/agents.ts';
import type { Handlers } from '../../../shared/contract/rpc.ts';
import { oneAtATime } from '../../../shared/lib/one-at-a-time.ts';
import type { Upstream } from '../../../shared/model/config.ts';
import { AppError, toAppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { agentOf, agentPlan, agentSnippet, agentView, agentViews, assertInstalled } from '../../agent-apps/agent-views.ts';
import { connect, disconnect, type Ours } from '../../agent-apps/client-config.ts';
import { directServers, lastTakenOut, planTakeOut, putBack, takeOut } from '../../agent-apps/direct-servers.ts';
import { deepLink } from '../../agent-apps/entries.ts';
import { isInstalled, knownClients } from '../../agent-apps/known-clients.ts';
import { undo } from '../../agent-apps/settings-file.ts';
import { shownChange } from '../../agent-apps/shown-change.ts';
import type { KnownClient } from '../../agent-apps/types.ts';
import { awaitedApps, presentAgents } from '../../app/present-agents.ts';
import { valuesOf } from '../upstream-draft.ts';
import { configuredTwin } from '../upstream-import.ts';
import type { HandlerDeps } from './deps.ts';

type Identified = { id: string };
type Direct = Identified & { servers: string[] };

export function agentHandlers({ launch, server, host, emit, runtime, search, log }: HandlerDeps) {
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

  const nameOf = (upstream: Upstream) => configuredTwin(runtime, upstream);
  const directView = async (client: KnownClient): Promise<DirectAgent> => {
    const { connected, entries } = await directServers(client, ours(), nameOf);
    const last = await lastTakenOut(client, runtime.dataDirectory).catch((error: unknown) => {
      log(`what was taken out of agents' settings: ${toAppError(error).text}`);
      return undefined;
    });
    return {
      id: client.id,
      name: client.name,
      connected,
      servers: [...new Set(entries.map(({ server }) => server))],
      takenOut: [...new Set(last?.entries.map(({ server }) => server))],
    };
  };

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
    'agents.direct': async () => {
      const clients = await knownClients();
      const installed = await Promise.all(clients.map(async (client) => ((await isInstalled(client)) ? [client] : [])));
      const views = await Promise.all(installed.flat().map(directView));
      return views.filter((view) => view.servers.length > 0 || view.takenOut.length > 0);
    },
    'agents.planTakeOut': async ({ id, servers }: Direct) => {
      const client = await agentOf(id);
      const plan = await planTakeOut(client, ours(), nameOf, servers);
      const values = Object.assign({}, ...plan.entries.map(({ upstream }) => valuesOf(upstream)));
      const entries = plan.entries.map(({ name }) => name);
      const lines = shownChange(plan, plan.config.value, values);
      return { file: client.file, entries, connects: plan.connects, lines, revision: plan.revision };
    },
    'agents.takeOut': ({ id, servers, revision }: Direct & { revision: string }) =>
      changed(id, async (client) => {
        const plan = await planTakeOut(client, ours(), nameOf, servers);
        await takeOut(client, plan, { revision, directory: runtime.dataDirectory });
        if (plan.connects) setUp.set(id, new Date().toISOString());
      }),
    'agents.putBack': ({ id, stays }: Identified & { stays?: boolean | undefined }) =>
      changed(id, (client) => putBack(client, runtime.dataDirectory, { stays })),
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
