/** Filebridge's own entry among an app's servers: written, recognised, linked to. */
import { access } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { scalarText } from '../../shared/lib/scalar-text.ts';
import { type Message, say } from '../../shared/model/messages/message.ts';
import { isObject } from './plain.ts';
import type { Entry, EntryShape, KnownClient, Launch, LinkKind } from './types.ts';

/** The name of our entry. */
export const ENTRY_NAME = 'filebridge';

/** Keys for starting or reaching a server; all other keys belong to the app or the user. */
const startingKeys = new Set([
  'command',
  'cmd',
  'args',
  'env',
  'envs',
  'env_keys',
  'cwd',
  'type',
  'transport',
  'url',
  'serverUrl',
  'httpUrl',
  'uri',
  'headers',
  'http_headers',
  'disabled',
  'enabled',
]);

/** The entry that starts Filebridge, with the app's keys. Keys and variables that the user added to an older entry are kept. */
export function entryFor(shape: EntryShape, launch: Launch, previous?: unknown): Entry {
  const kept = isObject(previous) ? Object.fromEntries(Object.entries(previous).filter(([key]) => !startingKeys.has(key))) : {};
  const { command, args, env } = launch;
  const all = { ...(isObject(previous) ? environmentOf(previous) : {}), ...env };
  const environment = Object.keys(all).length > 0 ? all : undefined;
  if (shape === 'goose') {
    return {
      name: ENTRY_NAME,
      description: 'Hands files to tools by path',
      timeout: 300,
      ...kept,
      type: 'stdio',
      cmd: command,
      args: [...args],
      ...(environment ? { envs: environment } : {}),
      enabled: true,
    };
  }
  return {
    ...(shape === 'typed' ? { type: 'stdio' } : {}),
    command,
    args: [...args],
    ...(environment ? { env: environment } : {}),
    ...kept,
  };
}

/** How an entry starts its server; null where it is reached by address. */
function launchOf(entry: Entry): Launch | null {
  const command = entry.command ?? entry.cmd;
  if (typeof command !== 'string') return null;
  const args = Array.isArray(entry.args) ? entry.args.map(scalarText) : [];
  return { command, args, env: environmentOf(entry) };
}

function environmentOf(entry: Entry): Record<string, string> {
  const env = entry.env ?? entry.envs;
  return isObject(env) ? (env as Record<string, string>) : {};
}

const isSwitchedOff = (entry: Entry): boolean => entry.disabled === true || entry.enabled === false;

const same = (one: Launch, other: Launch): boolean =>
  one.command === other.command &&
  isDeepStrictEqual([...one.args], [...other.args]) &&
  Object.entries(one.env ?? {}).every(([name, value]) => other.env?.[name] === value);

/**
 * Whether an entry is a Filebridge: this one by its launch or address, or another copy, which must be called so and be started
 * like one. The name alone proves nothing.
 */
export function isFilebridge(name: string, entry: unknown, launch: Launch, url: string | null): boolean {
  if (!isObject(entry)) return false;
  const found = launchOf(entry);
  if (found === null) {
    const address = entry.url ?? entry.serverUrl ?? entry.httpUrl ?? entry.uri;
    return url !== null && address === url;
  }
  return same(launch, found) || (/filebridge/i.test(name) && programOf(found) !== null);
}

/** The file that a Filebridge's launch runs: its command line, or the app itself. Null when it is something else. */
function programOf({ command, args }: Launch): string | null {
  const serve = args.indexOf('serve');
  if (serve === -1 || args[serve + 1] !== '--stdio') return null;
  // An AppImage finds the command line inside itself, once it is mounted.
  if (args[0] === '-e' && /cli\.cjs/.test(args[1] ?? '')) return command;
  if (serve === 0) return /^filebridge\b/i.test(baseName(command)) ? command : null;
  const script = args[serve - 1] ?? '';
  const [, at = ''] = /^filebridge(?:@(\S.*))?$/.exec(script) ?? [];
  const before = args.slice(0, serve);
  const source = before.find((word) => word.startsWith('--package='))?.slice('--package='.length) ?? at;
  const isFetched = [baseName(command), ...before].some((word) => /^(?:-y|dlx|bunx)$/.test(word));
  if (/^filebridge(?:@|$)/.test(script) && isFetched) return source.startsWith('file:') ? source.slice('file:'.length) : command;
  return /^cli\.c?js$/.test(baseName(script)) ? script : null;
}

/** On every system, since entries are copied with home directories. */
const baseName = (file: string): string => file.split(/[\\/]/).at(-1) ?? '';

export type Standing =
  | { state: 'connected' }
  /** `problem`: there is an entry of our name, and why it does not count. */
  | { state: 'not_connected'; problem: Message | null };

/** Whether the app starts Filebridge. `servers` are its entries by name. */
export async function standingOf(
  servers: Readonly<Record<string, unknown>>,
  launch: Launch,
  url: string | null,
): Promise<Standing> {
  let problem: Message | null = null;
  for (const [name, entry] of Object.entries(servers)) {
    if (isFilebridge(name, entry, launch, url)) {
      const fault = await faultOf(name, entry as Entry);
      if (fault === null) return { state: 'connected' };
      problem = fault;
    } else if (name === ENTRY_NAME) {
      problem ??= say('agentEntry.other', { name });
    }
  }
  return { state: 'not_connected', problem };
}

/** Why an entry of ours does not work. */
async function faultOf(name: string, entry: Entry): Promise<Message | null> {
  if (isSwitchedOff(entry)) return say('agentEntry.off', { name });
  const launch = launchOf(entry);
  if (launch === null) return null;
  for (const file of [launch.command, programOf(launch)]) {
    if (file !== null && path.isAbsolute(file) && !(await isThere(file))) {
      return say('agentEntry.gone', { name, file });
    }
  }
  return null;
}

/** A path inside an app's archive exists if the archive exists. */
const isThere = (file: string): Promise<boolean> =>
  access(file.replace(/(\.asar)[\\/].*$/, '$1')).then(
    () => true,
    () => false,
  );

/** Names of our entries: the one to replace or remove. Ours by name alone counts only when it is the one that we would write. */
export function ownNames(servers: Readonly<Record<string, unknown>>, launch: Launch, url: string | null): string[] {
  return Object.entries(servers)
    .filter(([name, entry]) => isFilebridge(name, entry, launch, url))
    .map(([name]) => name);
}

/** Whether the place of our entry holds another program's, which connecting would replace. */
export function isTaken(servers: Readonly<Record<string, unknown>>, launch: Launch, url: string | null): boolean {
  if (ownNames(servers, launch, url).length > 0 || !Object.hasOwn(servers, ENTRY_NAME)) return false;
  const entry = servers[ENTRY_NAME];
  return !(entry === null || (isObject(entry) && Object.keys(entry).length === 0));
}

/** A link that makes the app add Filebridge itself. Formats are from the apps' documents. */
export function deepLink({ link }: KnownClient, launch: Launch): string | null {
  if (link === null) return null;
  const entry = entryFor('plain', launch);
  if (link === 'vscode' || link === 'vscode-insiders') {
    return `${link}:mcp/install?${encodeURIComponent(JSON.stringify({ name: ENTRY_NAME, ...entry }))}`;
  }
  const config = encodeURIComponent(Buffer.from(JSON.stringify(entry)).toString('base64'));
  return `${linkStarts[link]}?name=${ENTRY_NAME}&config=${config}`;
}

const linkStarts: Record<Exclude<LinkKind, 'vscode' | 'vscode-insiders'>, string> = {
  cursor: 'cursor://anysphere.cursor-deeplink/mcp/install',
  lmstudio: 'lmstudio://add_mcp',
};
