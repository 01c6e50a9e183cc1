/** Builds the views of agents' apps: connected or not, the change that connecting makes, and manual instructions. */
import type { AgentPlan, AgentView, Snippet } from '../../shared/contract/agents.ts';
import { looksSecret } from '../../shared/lib/secret-looks.ts';
import { AppError } from '../../shared/model/errors.ts';
import { say, type Text } from '../../shared/model/messages/message.ts';
import { worded } from '../../shared/model/messages/received.ts';
import { MASK, maskedArguments, maskedWords } from '../upstream/masking.ts';
import type { AgentLaunch } from './agent-launch.ts';
import { type Ours, planConnect, planDisconnect, readClientConfig } from './client-config.ts';
import { deepLink, ENTRY_NAME, entryFor, isTaken, standingOf } from './entries.ts';
import { formatOf } from './formats/format-of.ts';
import { isInstalled, knownClients } from './known-clients.ts';
import { isObject } from './plain.ts';
import { newestBackup } from './settings-file.ts';
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
    const mask = maskerOf(plan.config.value);
    const lines = changedLines(plan).map(({ kind, text }) => ({ kind, text: mask(text) }));
    return { file: client.file, lines, snippet, replaces: plan.replaces };
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFIG_INVALID')
      return { file: client.file, lines: [], snippet, replaces: false };
    throw error;
  }
}

/** The entry alone, with the app's keys and in its format. */
async function agentEntry({ format, block, shape }: KnownClient, { launch }: Ours): Promise<string> {
  return (await formatOf(format)).put('', [...block, ENTRY_NAME], entryFor(shape, launch)).trimEnd();
}

// The change to a file line by line, with other entries' secrets masked

type Line = AgentPlan['lines'][number];

/** Unchanged lines shown around a change. */
const CONTEXT = 8;
/** A file on one line is not shown whole. */
const LONGEST_LINE = 2000;

/** Lines that differ, with some around them; `…` stands for more. Null is no file. */
function changedLines({ before, after }: { before: string | null; after: string | null }): Line[] {
  const old = linesOf(before);
  const next = linesOf(after);
  const shorter = Math.min(old.length, next.length);
  let head = 0;
  while (head < shorter && old[head] === next[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === next.at(-1 - tail)) tail += 1;
  if (head === old.length && head === next.length) return [];
  const line = (kind: Line['kind']) => (text: string) => ({ kind, text });
  const more = [{ kind: 'same' as const, text: '…' }];
  return [
    ...(head > CONTEXT ? more : []),
    ...old.slice(Math.max(0, head - CONTEXT), head).map(line('same')),
    ...old.slice(head, old.length - tail).map(line('removed')),
    ...next.slice(head, next.length - tail).map(line('added')),
    ...old.slice(old.length - tail, old.length - tail + CONTEXT).map(line('same')),
    ...(tail > CONTEXT ? more : []),
  ];
}

function linesOf(text: string | null): string[] {
  if (text === null || text === '') return [];
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** Masks in a line of a file what looks like a secret anywhere in its content. */
function maskerOf(content: unknown): (line: string) => string {
  const found = new Map<string, string>();
  collect(content, found);
  // Longest first: a secret that contains another is masked completely.
  const replacements = [...found].sort(([one], [other]) => other.length - one.length);
  return (line) => {
    const known = replacements.reduce((text, [secret, by]) => text.replaceAll(secret, () => by), line);
    const masked = maskedWords(maskedPairs(known));
    return masked.length > LONGEST_LINE ? `${masked.slice(0, LONGEST_LINE)} …` : masked;
  };
}

/** Comments are not parsed, but can contain disabled entries: `"NAME": "value"` and `name = "value"`. */
const maskedPairs = (line: string): string =>
  line.replace(
    /(["']?)([A-Za-z][\w-]{0,255})\1(\s*[:=]\s*)(["'])((?:\\.|(?!\4)[^\\])*)\4/g,
    (whole, quote: string, name: string, sign: string, valueQuote: string, value: string) =>
      value !== MASK && looksSecret(name, value) ? `${quote}${name}${quote}${sign}${valueQuote}${MASK}${valueQuote}` : whole,
  );

function collect(value: unknown, found: Map<string, string>): void {
  if (Array.isArray(value)) {
    const words = value.map((item) => (typeof item === 'string' ? item : ''));
    maskedArguments(words).forEach((shown, index) => {
      add(found, words[index] ?? '', shown);
    });
    for (const item of value) if (typeof item !== 'string') collect(item, found);
    return;
  }
  if (!isObject(value)) return;
  for (const [name, item] of Object.entries(value)) {
    if (typeof item === 'string') add(found, item, looksSecret(name, item) ? MASK : (maskedArguments([item])[0] ?? item));
    else collect(item, found);
  }
}

/** The text as it may stand in a file: escaped, or spread over lines. */
function add(found: Map<string, string>, text: string, shown: string): void {
  if (text === shown) return;
  const pairs = shown === MASK ? text.split(/\r?\n/).map((line) => [line.trim(), MASK] as const) : [];
  for (const [from, to] of [[text, shown] as const, ...pairs]) {
    // A short secret occurs in too many harmless words, so only quoted occurrences count.
    const isShort = from.length < 4;
    if (from === '') continue;
    if (!isShort) found.set(from, to);
    found.set(isShort ? JSON.stringify(from) : JSON.stringify(from).slice(1, -1), isShort ? JSON.stringify(to) : to);
  }
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
