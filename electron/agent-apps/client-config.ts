/** Reads the MCP servers in an app's settings file, and adds or removes our entry without changing anything else. */

import { stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../shared/model/errors.ts';
import { say, type Text } from '../../shared/model/messages/message.ts';
import { ENTRY_NAME, entryFor, isFilebridge, isTaken, ownNames } from './entries.ts';
import { formatOf } from './formats/format-of.ts';
import type { Format } from './formats/types.ts';
import { isObject, valueAt, withValueAt } from './plain.ts';
import { dialectOf, type ReadEntry, readEntry } from './server-entries.ts';
import { readSettings, replaceWithBackup, type SettingsFile, untouchedOriginal } from './settings-file.ts';
import type { KnownClient, Launch } from './types.ts';

/** An app's current settings. */
export interface ClientConfig {
  file: SettingsFile;
  /** The whole content; undefined for an empty or absent file. */
  value: unknown;
  /** The servers' entries by name; empty where there are none. */
  servers: Record<string, unknown>;
  /** Why the file cannot be read or parsed; it is not changed then. */
  broken: Text | null;
}

/** Identifies this Filebridge: its launch command and address. */
export interface Ours {
  launch: Launch;
  url: string | null;
}

export async function readClientConfig({ file, format, block }: KnownClient): Promise<ClientConfig> {
  const read = await readSettings(file);
  const nothing = { file: read, value: undefined, servers: {} };
  if (read.state === 'unreadable') return { ...nothing, broken: read.problem };
  if (read.state === 'absent') return { ...nothing, broken: null };
  const parsed = await (await formatOf(format)).parse(read.text);
  if (!parsed.ok) return { ...nothing, broken: parsed.problem };
  const { value } = parsed;
  if (value !== undefined && !isObject(value)) return { ...nothing, broken: say('agentFile.kind', { kind: kindOf(value) }) };
  for (let depth = 1; depth <= block.length; depth += 1) {
    const inner = valueAt(value, block.slice(0, depth));
    if (inner !== undefined && inner !== null && !isObject(inner)) {
      return { ...nothing, broken: say('agentFile.kindAt', { place: block.slice(0, depth).join('.'), kind: kindOf(inner) }) };
    }
  }
  const servers = valueAt(value, block);
  return { file: read, value, servers: isObject(servers) ? servers : {}, broken: null };
}

const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value === 'string' ? 'a text' : `a ${typeof value}`;

/** The file's text before and after a change; null is no file. */
export interface Change {
  before: string | null;
  after: string | null;
}

export interface PlannedChange extends Change {
  config: ClientConfig;
  /** Whether an entry of our name that starts another program is replaced. */
  replaces: boolean;
  /** Whether the entry of Filebridge changes. */
  updates: boolean;
  /** The file's new content, null to remove it; undefined when nothing is to be changed. */
  bytes: Buffer | null | undefined;
}

/** The file after connecting, without the values at `gone`. Throws CONFIG_INVALID for a file that cannot be changed safely. */
export async function planConnect(
  client: KnownClient,
  ours: Ours,
  gone: readonly (readonly string[])[] = [],
): Promise<PlannedChange> {
  const config = await changeable(client);
  const name = ownNames(config.servers, ours.launch, ours.url)[0] ?? ENTRY_NAME;
  const replaces = isTaken(config.servers, ours.launch, ours.url);
  const isOwn = ownNames(config.servers, ours.launch, ours.url).includes(name);
  const entry = entryFor(client.shape, ours.launch, isOwn ? config.servers[name] : undefined);
  const path = [...client.block, name];
  const isThere = isDeepStrictEqual(valueAt(config.value, path), entry);
  if (isThere && gone.length === 0) return unchanged(config);
  const expected = withoutAll(withValueAt(config.value, path, entry), gone);
  const plan = await edited(client, config, expected, (format, text) =>
    gone.reduce((left, keys) => format.remove(left, keys), isThere ? text : format.put(text, path, entry)),
  );
  return { ...plan, replaces, updates: isOwn };
}

/** The file after disconnecting: the original if the file is unchanged since, else the file without our entries. */
export async function planDisconnect(client: KnownClient, ours: Ours): Promise<PlannedChange> {
  const config = await changeable(client);
  const names = ownNames(config.servers, ours.launch, ours.url);
  if (names.length === 0) return unchanged(config);
  const original = await untouchedOriginal(client.file, config.file);
  if (original !== undefined && (await isSameWithoutUs(client, original, config, ours))) {
    return {
      config,
      replaces: false,
      updates: false,
      before: textOf(config),
      after: original?.toString('utf8') ?? null,
      bytes: original,
    };
  }
  return planRemoval(
    client,
    config,
    names.map((name) => [...client.block, name]),
  );
}

/** The file without the values at these paths of keys. Throws CONFIG_INVALID where that is not safe. */
export function planRemoval(
  client: KnownClient,
  config: ClientConfig,
  paths: readonly (readonly string[])[],
): Promise<PlannedChange> {
  return edited(client, config, withoutAll(config.value, paths), (format, text) =>
    paths.reduce((left, path) => format.remove(left, path), text),
  );
}

const withoutAll = (value: unknown, paths: readonly (readonly string[])[]): unknown =>
  paths.reduce((left, path) => withValueAt(left, path, undefined), value);

/** Whether the file was what it is now but for our entries: it may also have had servers that were taken out as we came. */
async function isSameWithoutUs(client: KnownClient, bytes: Buffer | null, config: ClientConfig, ours: Ours): Promise<boolean> {
  const text = bytes?.toString('utf8').replace(/^\uFEFF/, '') ?? '';
  const parsed = await (await formatOf(client.format)).parse(text);
  if (!parsed.ok) return false;
  const servers = valueAt(parsed.value, client.block);
  if (isObject(servers) && ownNames(servers, ours.launch, ours.url).length > 0) return false;
  const own = ownNames(config.servers, ours.launch, ours.url).map((name) => [...client.block, name]);
  const [before, now] = [parsed.value, config.value].map((value) => withoutEmptyBlock(withoutAll(value, own), client));
  return isDeepStrictEqual(before, now);
}

/**
 * Adds Filebridge to the app's settings. Returns whether a change was necessary. Throws INVALID_REQUEST where another program's entry
 * has our name and is not to be replaced.
 */
export async function connect(client: KnownClient, ours: Ours, { replace = false } = {}): Promise<boolean> {
  assertLasting(ours);
  const plan = await planConnect(client, ours);
  if (plan.replaces && !replace) {
    throw new AppError('INVALID_REQUEST', say('agent.taken', { app: client.name, name: ENTRY_NAME }), {
      hint: say('agent.taken.hint'),
      details: { path: client.file },
    });
  }
  return carryOut(client, plan);
}

/** Throws INVALID_REQUEST where an entry would start a program that is soon gone. */
export function assertLasting({ launch: { temporary } }: Ours): void {
  if (temporary === undefined) return;
  throw new AppError('INVALID_REQUEST', say('agent.temporary', { place: temporary }), {
    hint: say('agent.temporary.hint', { place: temporary }),
  });
}

/** Removes Filebridge from the app's settings. Returns whether it was there. */
export async function disconnect(client: KnownClient, ours: Ours): Promise<boolean> {
  return carryOut(client, await planDisconnect(client, ours));
}

async function carryOut({ file }: KnownClient, { config, bytes }: PlannedChange): Promise<boolean> {
  if (bytes === undefined) return false;
  await replaceWithBackup(file, config.file, bytes);
  return true;
}

/** Throws CONFIG_INVALID for a file that cannot be changed safely. */
export async function changeable(client: KnownClient): Promise<ClientConfig> {
  const config = await readClientConfig(client);
  const locked = config.file.state === 'read' ? config.file.locked : null;
  const problem = config.broken ?? locked;
  if (problem === null) return config;
  throw new AppError('CONFIG_INVALID', say('agent.leftAlone', { app: client.name, reason: problem }), {
    hint: say('agent.leftAlone.hint', { file: client.file }),
    details: { path: client.file },
  });
}

/** Null for an absent file. */
const textOf = ({ file }: ClientConfig): string | null => (file.state === 'read' ? file.text : null);

const unchanged = (config: ClientConfig): PlannedChange => ({
  config,
  replaces: false,
  updates: false,
  before: textOf(config),
  after: textOf(config),
  bytes: undefined,
});

/** The edited text, parsed again and compared as a whole with the expected value. */
export async function edited(
  client: KnownClient,
  config: ClientConfig,
  expected: unknown,
  edit: (format: Format, text: string) => string,
): Promise<PlannedChange> {
  const format = await formatOf(client.format);
  const before = textOf(config);
  const after = edit(format, before ?? '');
  const read = await format.parse(after);
  if (!read.ok || !isDeepStrictEqual(withoutEmptyBlock(read.value, client), withoutEmptyBlock(expected, client))) {
    throw new AppError('CONFIG_INVALID', say('agent.unsafe', { app: client.name }), {
      hint: say('agent.unsafe.hint', { file: client.file }),
      details: { path: client.file },
    });
  }
  const bom = config.file.state === 'read' ? config.file.bom : '';
  return { config, replaces: false, updates: false, before, after, bytes: Buffer.from(bom + after, 'utf8') };
}

/** An empty block may stay or be removed: TOML cannot express an empty one. */
function withoutEmptyBlock(value: unknown, { block }: KnownClient): unknown {
  const servers = valueAt(value, block);
  const rest =
    servers === null || (isObject(servers) && Object.keys(servers).length === 0) ? withValueAt(value, block, undefined) : value;
  return isObject(rest) && Object.keys(rest).length === 0 ? undefined : rest;
}

// The servers in the settings of all agents' apps on this machine, except Filebridge

export interface FoundServer extends ReadEntry {
  /** Stable while the entry exists. */
  id: string;
  name: string;
  client: string;
  file: string;
  /** Where the entry is in the file. */
  keys: readonly string[];
}

/** In the order of clients. A file that cannot be read has none, and neither has an entry that is no server. */
export async function foundServers(clients: readonly KnownClient[], ours: Ours): Promise<FoundServer[]> {
  const found = await Promise.all(clients.map(async (client) => serversIn(client, await readClientConfig(client), ours)));
  return found.flat();
}

export async function serversIn(client: KnownClient, { servers, value }: ClientConfig, ours: Ours): Promise<FoundServer[]> {
  const own = Object.entries(servers).map(([name, entry]) => ({
    id: `${client.id}:${name}`,
    name,
    entry,
    folder: undefined,
    keys: [...client.block, name],
  }));
  const projects = client.id === 'claude-code' ? await claudeCodeProjects(value) : [];
  return [...own, ...projects].flatMap(({ id, name, entry, folder, keys }) => {
    if (isOurselves(name, entry, ours)) return [];
    const placed = folder !== undefined && isObject(entry) && entry.command !== undefined ? { cwd: folder, ...entry } : entry;
    const read = readEntry(name, placed, client.file, dialectOf(client.id));
    return read === null ? [] : [{ ...read, id, name, client: client.name, file: client.file, keys }];
  });
}

export const isOurselves = (name: string, entry: unknown, { launch, url }: Ours): boolean =>
  name.toLowerCase() === ENTRY_NAME || isFilebridge(name, entry, launch, url);

/** Servers that Claude Code keeps for one project only, which start in its folder. That is where `claude mcp add` puts them. */
async function claudeCodeProjects(value: unknown) {
  const projects = isObject(value) && isObject(value.projects) ? Object.entries(value.projects) : [];
  const found = projects.flatMap(([folder, project]) =>
    Object.entries(isObject(project) && isObject(project.mcpServers) ? project.mcpServers : {}).map(([name, entry]) => ({
      id: `claude-code:${name}@${folder}`,
      name,
      entry,
      folder,
      keys: ['projects', folder, 'mcpServers', name],
    })),
  );
  const there = await Promise.all(found.map(({ folder }) => isDirectory(folder)));
  return found.filter((_, index) => there[index]);
}

const isDirectory = (folder: string): Promise<boolean> =>
  stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
