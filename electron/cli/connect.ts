/** `filebridge connect`: adds Filebridge to an agent's configuration, removes it, or shows the change. */

import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AgentPlan, AgentView } from '../../shared/contract/agents.ts';
import { joinCommand } from '../../shared/lib/command-line.ts';
import { scalarText } from '../../shared/lib/scalar-text.ts';
import type { Config } from '../../shared/model/config.ts';
import { AppError } from '../../shared/model/errors.ts';
import { say as message, nearNames } from '../../shared/model/messages/message.ts';
import { stdioLaunch } from '../agent-apps/agent-launch.ts';
import { agentPlan, agentView, agentViews, assertInstalled } from '../agent-apps/agent-views.ts';
import { type ClientConfig, connect, disconnect, type Ours, readClientConfig } from '../agent-apps/client-config.ts';
import { ownNames } from '../agent-apps/entries.ts';
import { knownClients } from '../agent-apps/known-clients.ts';
import { undo } from '../agent-apps/settings-file.ts';
import type { KnownClient } from '../agent-apps/types.ts';
import { realDirectory } from '../app/folder-rules.ts';
import { openConfigStore } from '../store/config-store.ts';
import { readMcpServersFile } from '../store/mcp-servers-file.ts';
import { defaultConfigPath } from '../store/paths.ts';
import { commandHint, commands, type Given } from './commands.ts';
import { type Reach, reachText } from './reach.ts';
import { confirmed, say, sayJson } from './terminal.ts';
import { folderArguments, parse, UsageError } from './usage.ts';

export async function connectCommand(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, commands.connect.options);
  const [name, ...named] = positionals;
  if (values.undo && (values.disconnect || values.print)) throw new UsageError(message('usage.undoAlone'));
  if (values.replace && (values.undo || values.disconnect || values.print)) throw new UsageError(message('usage.replaceConnect'));
  if (named.length > 0 && (values.undo || values.disconnect)) throw new UsageError(message('usage.foldersConnect'));
  const folders = folderArguments(named).map((folder) => path.resolve(folder));
  const given: Wanted = { config: values.config, upstreams: values.upstreams, folders };
  const json = values.json === true;

  if (name === undefined) {
    if (values.print || values.undo || values.disconnect || values.replace) throw new UsageError(message('usage.noClient'));
    const views = await agentViews((await oursOf(given)).ours);
    if (json) sayJson({ clients: views.map(withoutData) });
    else list(views, values);
    return 0;
  }

  const client = await clientNamed(name);
  const action = values.undo ? 'undo' : values.disconnect ? 'disconnect' : 'connect';
  for (const folder of folders) await realDirectory(folder);
  const kept = action === 'connect' ? await keptOf(client, given) : undefined;
  const wanted = { ...given, ...kept };
  const { ours, config } = await oursOf(wanted);
  const { launch } = ours;
  const reach = action === 'connect' ? await reachOf(config, wanted) : undefined;
  if (values.print) {
    const plan = await agentPlan(client, ours, values.disconnect ? 'disconnect' : 'connect');
    const { state, problem } = await agentView(client, ours);
    if (json) sayJson({ ...plan, state, ...reach, kept });
    else {
      if (state === 'absent') say(`${client.name} was not found on this computer. This is what connecting would write:`);
      printPlan(plan, state === 'broken');
      if (state !== 'broken') tellReach(kept, reach, wanted);
    }
    if (state !== 'broken') return 0;
    throw new AppError('CONFIG_INVALID', message('client.unchangeable', { client: client.name, problem: problem ?? '' }), {
      hint: message('client.unchangeable.hint'),
    });
  }

  await assertInstalled(client);
  const changed =
    action === 'undo'
      ? await undo(client.file).then(() => true)
      : action === 'disconnect'
        ? await disconnect(client, ours)
        : await connect(client, ours, { replace: values.replace ?? (!json && (await mayReplace(client, ours))) });
  const view = await agentView(client, ours);
  if (json) sayJson({ ...withoutData(view), ...reach, kept });
  else {
    tell(view, changed, action);
    if (action === 'connect') say(`It starts: ${joinCommand([launch.command, ...launch.args])}`);
    tellReach(kept, reach, wanted);
  }
  return 0;
}

/** Where another program's entry has our name, a person at a terminal is shown the change and asked. */
async function mayReplace(client: KnownClient, ours: Ours): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false;
  const plan = await agentPlan(client, ours);
  if (!plan.replaces) return false;
  printPlan(plan, false);
  return confirmed('Replace it?');
}

/** Null for one that cannot be read. */
async function configOf(configPath: string | undefined): Promise<Config | null> {
  try {
    const store = await openConfigStore(configPath ?? defaultConfigPath(), { readOnly: true, watch: false });
    return store.current();
  } catch {
    return null;
  }
}

/** What an agent's own server is started with. */
interface Wanted extends Given {
  folders: readonly string[];
}

async function oursOf({ config: configPath, upstreams: upstreamsFile, folders }: Wanted) {
  const launch = stdioLaunch(path.dirname(fileURLToPath(import.meta.url)), { configPath, upstreamsFile, folders });
  const config = await configOf(configPath);
  const ours: Ours = { launch, url: config && `http://127.0.0.1:${config.server.port}/mcp` };
  return { ours, config };
}

/** What the client's entry of Filebridge has and this command does not name. What it names replaces what the entry has. */
async function keptOf(client: KnownClient, given: Wanted): Promise<Partial<Wanted>> {
  const had = entryArguments(await readClientConfig(client), (await oursOf(given)).ours);
  if (had === undefined) return {};
  const { values, positionals } = understood(had);
  const folders = folderArguments(positionals);
  return {
    ...(given.folders.length === 0 && folders.length > 0 ? { folders } : {}),
    ...(given.upstreams === undefined && values.upstreams !== undefined ? { upstreams: values.upstreams } : {}),
    ...(given.config === undefined && !process.env.FILEBRIDGE_CONFIG && values.config !== undefined
      ? { config: values.config }
      : {}),
  };
}

/** An entry that someone changed may have what `serve` does not take. */
function understood(had: string[]) {
  try {
    return parse(had, commands.serve.options);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(message('usage.entryKept', { fault: error.message }));
  }
}

/** What follows `serve` in the client's entry of Filebridge. */
function entryArguments({ servers }: ClientConfig, { launch, url }: Ours): string[] | undefined {
  const [name = ''] = ownNames(servers, launch, url);
  const { args } = (servers[name] ?? {}) as { args?: unknown };
  const words = Array.isArray(args) ? args.map(scalarText) : [];
  return words.includes('serve') ? words.slice(words.indexOf('serve') + 1) : undefined;
}

function tellReach(kept: Partial<Wanted> | undefined, reach: Reach | undefined, given: Given): void {
  const { folders = [], config, upstreams } = kept ?? {};
  const words = [...folders, ...(config ? [`--config ${config}`] : []), ...(upstreams ? [`--upstreams ${upstreams}`] : [])];
  if (words.length > 0)
    say(`Kept from the entry before: ${words.join(', ')}. What you name replaces it; after --disconnect nothing is kept.`);
  if (reach) say(reachText(reach, given));
}

/** Throws for a servers file that is not there. Undefined where the configuration cannot be read. */
async function reachOf(config: Config | null, { folders: named, upstreams: upstreamsFile }: Wanted): Promise<Reach | undefined> {
  const file = upstreamsFile === undefined ? undefined : await readMcpServersFile(upstreamsFile);
  if (config === null) return undefined;
  const folders = named.length > 0 ? named.map((folder) => ({ path: folder, access: 'read-write' as const })) : config.folders;
  const servers = Object.entries(file?.upstreams ?? config.upstreams).filter(([, { enabled }]) => enabled);
  return { folders: folders.map(({ path, access }) => ({ path, access })), servers: servers.map(([name]) => name) };
}

/** By its id or its name, in any spelling: `Claude Desktop`, `claude-desktop`, `claudedesktop`. */
async function clientNamed(name: string): Promise<KnownClient> {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const clients = await knownClients();
  const client = clients.find(({ id, name: full }) => [plain(id), plain(full)].includes(plain(name)));
  if (client) return client;
  const known = clients.map(({ id }) => id);
  throw new UsageError(message('usage.unknownClient', { name, known, near: nearNames(name, known) ?? null }));
}

/** For scripts: the words, without the same as data. */
const withoutData = ({ said: _, ...view }: AgentView) => view;

const stateWords: Record<AgentView['state'], string> = {
  connected: 'connected',
  not_connected: 'not connected',
  broken: 'not changeable',
  absent: 'not found',
};

function list(views: readonly AgentView[], given: Given): void {
  const here = views.filter(({ state }) => state !== 'absent');
  const absent = views.filter(({ state }) => state === 'absent');
  for (const { id, state, file, problem } of here) {
    say(`${stateWords[state].padEnd(15)} ${id.padEnd(16)} ${file}${problem === null ? '' : `\n${' '.repeat(33)}${problem}`}`);
  }
  if (absent.length > 0) say(`Not found on this computer: ${absent.map(({ id }) => id).join(', ')}`);
  const [next] = here.filter(({ state }) => state === 'not_connected');
  if (next) say(`Connect one with ${commandHint('connect', next.id, given)}`);
}

function printPlan({ file, lines, snippet, replaces }: AgentPlan, broken: boolean): void {
  say(file);
  if (replaces) say("The entry 'filebridge' starts another program. Only with --replace, or when asked, is it replaced:");
  if (broken) say(`The entry:\n${snippet}`);
  else if (lines.length === 0) say('Nothing would change.');
  const signs = { same: ' ', added: '+', removed: '-' };
  for (const { kind, text } of lines) say(`${signs[kind]} ${text}`);
}

function tell({ name, file, note, backup }: AgentView, changed: boolean, what: 'connect' | 'disconnect' | 'undo'): void {
  if (!changed) {
    say(what === 'connect' ? `${name} is connected already: ${file}` : `${name} was not connected: ${file}`);
    return;
  }
  say(`${name} is ${what === 'connect' ? 'connected' : what === 'disconnect' ? 'disconnected' : 'as it was before'}: ${file}`);
  // One that stands for no file at all is nothing to look at.
  if (what !== 'undo' && backup !== null && !backup.endsWith('-absent')) say(`The file before this change: ${backup}`);
  if (note !== null) say(note);
}
