/** Converts an app's entry for a server to the standard form, and its references to ours. */
import { scalarText } from '../../shared/lib/scalar-text.ts';
import { looksSecret } from '../../shared/lib/secret-looks.ts';
import type { Upstream } from '../../shared/model/config.ts';
import { AppError, toAppError } from '../../shared/model/errors.ts';
import { type Message, say } from '../../shared/model/messages/message.ts';
import { upstreamOfEntry } from '../store/mcp-servers-file.ts';
import { foreignIn } from '../store/placeholders.ts';
import { isObject } from './plain.ts';
import type { Entry } from './types.ts';

/** The result of converting an entry. */
export interface ReadEntry {
  /** In the standard form, whether valid or not. */
  standard: Entry;
  /** Null where it cannot be read as a server. */
  upstream: Upstream | null;
  /** Why it cannot be taken over. */
  refusal: AppError | null;
}

/** How apps differ in what they take a text in an entry for. */
export interface Dialect {
  /** `$NAME` is filled in like `${NAME}`. */
  dollars?: boolean;
}

const dialects: Readonly<Record<string, Dialect>> = { 'gemini-cli': { dollars: true } };

export const dialectOf = (clientId: string): Dialect => dialects[clientId] ?? {};

/** Reads an entry of any known app; null where it is no server that could be called, but part of the app. `file` is for the messages. */
export function readEntry(name: string, entry: unknown, file: string, dialect: Dialect = {}): ReadEntry | null {
  if (!isObject(entry)) return null;
  const standard = standardForm(entry);
  if (standard === null) return null;
  const problems: Message[] = [];
  const translated = translatedEntry(standard, dialect, (problem) => problems.push(problem));
  const [problem] = problems;
  const refusal = problem === undefined ? null : refused(name, problem);
  try {
    // A name that is not valid is changed when the server is imported.
    const upstream = upstreamOfEntry(name, translated, file, say('serversFile.correctEntry', { name }));
    return { standard, upstream, refusal };
  } catch (error) {
    return { standard, upstream: null, refusal: refusal ?? toAppError(error) };
  }
}

const refused = (server: string, reason: Message) =>
  new AppError('CONFIG_INVALID', say('import.refused', { server, reason }), {
    hint: say('import.refused.hint'),
  });

/** Keys of other apps mean other things: only those that start or reach a server come along, and our own, which pasted text may have. */
const standardKeys = [
  'type',
  'transport',
  'command',
  'args',
  'env',
  'cwd',
  'envFile',
  'url',
  'serverUrl',
  'httpUrl',
  'headers',
  'disabled',
];
const ownKeys = ['timeoutMs', 'maxMessageBytes', 'confirm'];

function standardForm(entry: Entry): Entry | null {
  const { command, transport, environment, baseUrl } = entry;
  // Zed's older form.
  if (isObject(command)) return standardForm({ ...entry, command: command.path, args: command.args, env: command.env });
  // Continue's older form.
  if (isObject(transport)) return standardForm({ ...without(entry, 'transport'), ...transport });
  // OpenCode's, whose command is one list with its arguments.
  if (Array.isArray(command)) {
    const [program, ...args] = command;
    return standardForm({ ...entry, command: program, args: [...args, ...(Array.isArray(entry.args) ? entry.args : [])] });
  }
  if (isObject(environment) && entry.env === undefined)
    return standardForm({ ...without(entry, 'environment'), env: environment });
  // Cherry Studio's, with an empty command.
  if (command === '' && [entry.url, baseUrl].some((url) => typeof url === 'string' && url !== ''))
    return standardForm(without(entry, 'command'));
  if (typeof baseUrl === 'string' && baseUrl !== '' && entry.url === undefined)
    return standardForm({ ...without(entry, 'baseUrl'), url: baseUrl });
  const enabled = entry.enabled === false ? { enabled: false } : {};
  if (typeof entry.cmd === 'string' || typeof entry.uri === 'string') return { ...gooseForm(entry), ...enabled };
  if (command === undefined && entry.url === undefined && entry.serverUrl === undefined && entry.httpUrl === undefined)
    return null;
  const kept = Object.fromEntries([...standardKeys, ...ownKeys].flatMap((key) => (key in entry ? [[key, entry[key]]] : [])));
  for (const key of ['type', 'transport']) {
    const said = kept[key];
    if (typeof said === 'string' && (unsaid.test(said) || kept.command !== undefined)) delete kept[key];
    else if (typeof said === 'string' && httpNames.test(said)) kept[key] = 'http';
  }
  return { ...kept, ...codexVariables(entry), ...enabled };
}

/** Kinds that say no more than that it is a program, or remote. */
const unsaid = /^(?:local|stdio|remote)$/i;
/** Names that apps use for the HTTP transport. */
const httpNames = /^(?:streamable[-_ ]?http|streamable|http[-_ ]?stream(?:able)?|http)$/i;

const without = (entry: Entry, key: string): Entry => Object.fromEntries(Object.entries(entry).filter(([name]) => name !== key));

/** Values that Goose keeps in its own keychain have to come from the environment. */
function gooseForm({ type, cmd, args, envs, env_keys, uri, headers }: Entry): Entry {
  const env = { ...(isObject(envs) ? envs : {}), ...references(env_keys) };
  if (typeof cmd === 'string') return { command: cmd, args: args ?? [], env };
  return { type: type === 'sse' ? 'sse' : 'http', url: uri, headers: headers ?? {} };
}

/** Codex names environment variables instead of values in keys of their own. */
function codexVariables(entry: Entry): Entry {
  const { env, env_vars, headers, http_headers, env_http_headers, bearer_token_env_var: bearer } = entry;
  const fromNames = isObject(env_http_headers)
    ? Object.fromEntries(Object.entries(env_http_headers).map(([header, name]) => [header, `\${${scalarText(name)}}`]))
    : {};
  const allHeaders = {
    ...(isObject(headers) ? headers : {}),
    ...(isObject(http_headers) ? http_headers : {}),
    ...fromNames,
    ...(typeof bearer === 'string' ? { Authorization: `Bearer \${${bearer}}` } : {}),
  };
  const allEnv = { ...references(env_vars), ...(isObject(env) ? env : {}) };
  return {
    ...(Object.keys(allHeaders).length > 0 ? { headers: allHeaders } : {}),
    ...(Object.keys(allEnv).length > 0 ? { env: allEnv } : {}),
  };
}

const references = (names: unknown): Entry =>
  Object.fromEntries(
    (Array.isArray(names) ? names : []).filter((name) => typeof name === 'string').map((name: string) => [name, `\${${name}}`]),
  );

function translatedEntry(entry: Entry, dialect: Dialect, complain: (problem: Message) => void): Entry {
  /** References are filled in when the server starts, but for those that only the app knows. */
  const text =
    (name: string) =>
    (given: unknown): unknown => {
      if (typeof given !== 'string') return given;
      const known = dialect.dollars ? given.replace(/\$([A-Za-z_]\w*)/g, '${$1}') : given;
      const reference = foreignIn(known, (value) => looksSecret(name, value));
      if (reference) complain(say('import.foreign', { reference }));
      return known;
    };
  const each = (values: unknown) =>
    isObject(values) ? Object.fromEntries(Object.entries(values).map(([key, item]) => [key, text(key)(item)])) : values;
  const line = text('');
  const translations: Record<string, (part: unknown) => unknown> = {
    command: line,
    args: (args) => (Array.isArray(args) ? args.map(line) : args),
    cwd: line,
    envFile: line,
    url: line,
    serverUrl: line,
    httpUrl: line,
    env: each,
    headers: each,
  };
  return Object.fromEntries(Object.entries(entry).map(([key, part]) => [key, translations[key]?.(part) ?? part]));
}
