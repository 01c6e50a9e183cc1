/** Builds the views of agents' apps: connected or not, the change that connecting makes, and manual instructions. */
import type { AgentPlan, AgentView, Snippet } from '../../shared/contract/agents.ts';
import { AppError } from '../../shared/model/errors.ts';
import { say, type Text } from '../../shared/model/messages/message.ts';
import { worded } from '../../shared/model/messages/received.ts';
import type { AgentLaunch } from './agent-launch.ts';
import { type Ours, planConnect, planDisconnect, readClientConfig } from './client-config.ts';
import { deepLink, ENTRY_NAME, entryFor, isTaken, standingOf } from './entries.ts';
import { formatOf } from './formats/format-of.ts';
import { isInstalled, knownClients } from './known-clients.ts';
import { newestBackup } from './settings-file.ts';
import { shownChange } from './shown-change.ts';
import type { KnownClient } from './types.ts';

export async function agentViews(ours: Ours): Promise<AgentView[]> {
  return Promise.all((await knownClients()).map((client) => agentView(client, ours)));
}

export async function agentView(client: KnownClient, ours: Ours): Promise<AgentView> {
  const { id, name, file } = client;
  const view = { id, name, file };
  if (!(await isInstalled(client)))
    return { ...view, state: 'absent', taken: false, ...inWords(null, client.note), deepLink: null, backup: null };
  const { state, problem, taken } = await stateOf(client, ours);
  return {
    ...view,
    state,
    taken,
    ...inWords(problem, client.note),
    deepLink: deepLink(client, ours.launch),
    backup: await newestBackup(file),
  };
}

/** Problem and note in the agents' words, with the same as data. */
function inWords(problem: Text | null, note: Text): Pick<AgentView, 'problem' | 'note' | 'said'> {
  const { message, hint, said } = worded(problem ?? '', note);
  return { problem: problem === null ? null : message, note: hint, said };
}

async function stateOf(client: KnownClient, ours: Ours): Promise<Pick<AgentView, 'state' | 'taken'> & { problem: Text | null }> {
  const { broken, file, servers } = await readClientConfig(client);
  if (broken !== null) return { state: 'broken', taken: false, problem: say('agent.problemLeft', { reason: broken }) };
  const standing = await standingOf(servers, ours.launch, ours.url);
  if (standing.state === 'connected') return { state: 'connected', taken: false, problem: null };
  const locked = file.state === 'read' ? file.locked : null;
  if (locked !== null) return { state: 'broken', taken: false, problem: say('agent.problemLocked', { reason: locked }) };
  return { ...standing, taken: isTaken(servers, ours.launch, ours.url) };
}

/** The app of that id. Throws INVALID_REQUEST. */
export async function agentOf(id: string): Promise<KnownClient> {
  const clients = await knownClients();
  const client = clients.find((candidate) => candidate.id === id);
  if (client) return client;
  throw new AppError('INVALID_REQUEST', say('agent.unknown', { id }), {
    hint: say('agent.unknown.hint', { ids: clients.map((candidate) => candidate.id) }),
  });
}

/** Throws INVALID_REQUEST for an app that is not on this machine. */
export async function assertInstalled(client: KnownClient): Promise<void> {
  if (await isInstalled(client)) return;
  throw new AppError('INVALID_REQUEST', say('agent.absent', { app: client.name }), {
    hint: say('agent.absent.hint', { file: client.file }),
  });
}

/** Returns the lines that connecting or disconnecting would change; none for a file that stays as it is. */
export async function agentPlan(
  client: KnownClient,
  ours: Ours,
  action: 'connect' | 'disconnect' = 'connect',
): Promise<AgentPlan> {
  const snippet = await agentEntry(client, ours);
  try {
    const plan = await (action === 'connect' ? planConnect : planDisconnect)(client, ours);
    const lines = shownChange(plan, plan.config.value);
    return { file: client.file, creates: plan.before === null, updates: plan.updates, replaces: plan.replaces, lines, snippet };
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFIG_INVALID')
      return { file: client.file, creates: false, updates: false, replaces: false, lines: [], snippet };
    throw error;
  }
}

/** The entry alone, with the app's keys and in its format. */
async function agentEntry({ format, block, shape }: KnownClient, { launch }: Ours): Promise<string> {
  return (await formatOf(format)).put('', [...block, ENTRY_NAME], entryFor(shape, launch)).trimEnd();
}

// The text to paste into an agent's configuration

const TOKEN_PLACEHOLDER = '<token>';

/** Both ways to connect, as indented JSON; the token is written out only when given. */
export function agentSnippet({ temporary: _, ...start }: AgentLaunch, url: string | null, token: string | null): Snippet {
  const block = (server: object) =>
    // A list of plain words reads better on one line.
    JSON.stringify({ mcpServers: { filebridge: server } }, null, 2).replace(
      /\[\n([^[\]{}]*)\]/g,
      (_list, words: string) => `[${words.trim().replace(/,\n\s+/g, ', ')}]`,
    );
  return {
    stdio: block(start),
    http:
      url === null
        ? null
        : {
            url,
            config: block({ type: 'http', url, headers: { Authorization: `Bearer ${token ?? TOKEN_PLACEHOLDER}` } }),
          },
  };
}
