/** A server as the page sees and edits it, to and from its configuration entry. Secrets go in and never come out. */
import os from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { UpstreamDetail, UpstreamDraft, VariableView } from '../../shared/contract/upstreams.ts';
import { looksSecret } from '../../shared/lib/secret-looks.ts';
import { proxySchema, type StdioUpstream, type Upstream, upstreamSchema } from '../../shared/model/config.ts';
import { AppError } from '../../shared/model/errors.ts';
import { type Message, say } from '../../shared/model/messages/message.ts';
import { variablesOf } from '../store/placeholders.ts';
import { isSameServer, secretIdsOf } from '../store/secrets.ts';
import { MASK, maskedArguments, maskedUrl } from '../upstream/masking.ts';

/** Environment of a command, headers of an address. */
export const valuesOf = (upstream: Upstream): Record<string, string> =>
  upstream.type === 'stdio' ? upstream.env : upstream.headers;

/** A stored secret, or a value in the configuration that looks like one. */
const isSecretValue = (name: string, value: string): boolean => secretIdsOf(value).length > 0 || looksSecret(name, value);

export function detailOf(name: string, upstream: Upstream): UpstreamDetail {
  const stdio = upstream.type === 'stdio' ? upstream : undefined;
  return {
    name,
    type: upstream.type,
    enabled: upstream.enabled,
    command: stdio?.command ?? '',
    args: stdio?.args ?? [],
    cwd: stdio?.cwd ?? null,
    url: upstream.type === 'stdio' ? '' : upstream.url,
    variables: Object.entries(valuesOf(upstream)).map(([variable, value]) => variableView(variable, value)),
    confirmExcept: upstream.confirmExcept ?? [],
    ...(upstream.type === 'stdio' ? present({ envFile: upstream.envFile }) : present({ proxy: upstream.proxy })),
    timeoutMs: upstream.timeoutMs ?? null,
    maxMessageBytes: upstream.maxMessageBytes ?? null,
    confirm: upstream.confirm,
  };
}

function variableView(name: string, value: string): VariableView {
  if (isSecretValue(name, value)) return { name, kind: 'secret', value: null };
  return { name, kind: variablesOf(value).length > 0 ? 'reference' : 'plain', value };
}

/** An entry that lacks only the references of its new secrets. */
export interface DraftedUpstream {
  /** Values to seal, in the order `entry` wants their references. */
  readonly secrets: readonly string[];
  /** Takes what the draft does not say from `previous`, the entry it replaces. Throws INVALID_REQUEST for a secret it lacks. */
  entry(references: readonly string[], previous: Upstream | undefined): Upstream;
}

/** Checks a draft. Throws INVALID_REQUEST in words for the person who filled it in. */
export function readDraft(draft: UpstreamDraft): DraftedUpstream {
  const place =
    draft.type === 'stdio' ? readCommand(draft) : { url: readUrl(draft.url), ...present({ proxy: readProxy(draft.proxy) }) };
  const variables = readVariables(draft);
  // Text of the form `${NAME}` is a reference, even if it is marked as a secret.
  const sealed = variables.filter(({ secret, value }) => secret && value !== null && value !== '' && !isReference(value));
  return {
    secrets: sealed.map(({ value }) => value ?? ''),
    entry(references, previous) {
      // Only to be compared: it has no values yet.
      const server = upstreamSchema.parse({ type: draft.type, ...place });
      const values = variables.map((variable) => {
        const reference = references[sealed.indexOf(variable)];
        return [variable.name, reference ?? variable.value ?? storedValue(variable.name, previous, server, variables)];
      });
      const { enabled = true, tools, idempotencyKeys } = previous ?? {};
      const common = { enabled, tools, idempotencyKeys, confirm: draft.confirm };
      const entry = upstreamSchema.parse({
        type: draft.type,
        ...place,
        [draft.type === 'stdio' ? 'env' : 'headers']: Object.fromEntries(values),
        ...present({ ...common, timeoutMs: draft.timeoutMs, maxMessageBytes: draft.maxMessageBytes }),
      });
      const { confirmExcept, confirmSeen } = previous ?? {};
      // 'Always' was said to what the server was then: it does not hold for another database under its name.
      return confirmExcept && previous && leadsToTheSame(previous, entry) ? { ...entry, confirmExcept, confirmSeen } : entry;
    },
  };
}

/** Whether calls go where they went: the same program or address, with the same variables. */
function leadsToTheSame(one: Upstream, other: Upstream): boolean {
  const place = (upstream: Upstream) =>
    upstream.type === 'stdio' ? [upstream.command, upstream.args, fileOfVariables(upstream)] : [upstream.type, upstream.url];
  return isDeepStrictEqual([place(one), valuesOf(one)], [place(other), valuesOf(other)]);
}

/** Alone, or after a scheme as in `Bearer ${TOKEN}`. */
const isReference = (value: string): boolean => /^(?:[A-Za-z]+ )?\$\{[A-Za-z_][A-Za-z0-9_]*\}$/.test(value);

/** The first variable of a command that is new or changed and makes its secrets go elsewhere. */
const changedLoader = (variables: UpstreamDraft['variables'], before: Readonly<Record<string, string>>): string | undefined =>
  variables.find(
    ({ name, value }) => value !== null && leadsElsewhere(name) && !(Object.hasOwn(before, name) && before[name] === value),
  )?.name;

/** Secrets stored for one program or origin are not used for another. */
function storedValue(
  name: string,
  previous: Upstream | undefined,
  server: Upstream,
  variables: UpstreamDraft['variables'],
): string {
  const values = previous === undefined ? {} : valuesOf(previous);
  const stored = Object.hasOwn(values, name) ? values[name] : undefined;
  if (stored !== undefined && previous && isSameServer(previous, server) && runsAsBefore(previous, server)) {
    // A file of variables may hold one that makes the program load other code.
    const variable = server.type === 'stdio' ? (changedFile(previous, server) ?? changedLoader(variables, values)) : undefined;
    // Where the stored value is no secret, it may go anywhere.
    if (variable === undefined || !isSecretValue(name, stored)) return stored;
    throw invalid(say('entry.otherVariable', { name, variable }), say('entry.otherTarget.hint'));
  }
  if (stored !== undefined)
    throw invalid(
      say('entry.otherTarget', { name, kind: server.type === 'stdio' ? 'command' : 'address' }),
      say('entry.otherTarget.hint'),
    );
  throw invalid(say('entry.noValue', { name }), say('entry.noValue.hint'));
}

const changedFile = (previous: Upstream, server: Upstream): string | undefined =>
  previous.type === 'stdio' && server.type === 'stdio' && fileOfVariables(previous) !== fileOfVariables(server)
    ? server.envFile
    : undefined;

/** A relative one is in the folder that the program starts in. */
const fileOfVariables = ({ envFile, cwd }: StdioUpstream): string | undefined =>
  envFile === undefined ? undefined : path.resolve(cwd ?? '', envFile);

const runsAsBefore = (previous: Upstream, server: Upstream): boolean =>
  previous.type !== 'stdio' || server.type !== 'stdio' || runsTheSame(previous, server);

function readCommand({ command, args, cwd, envFile = '' }: UpstreamDraft) {
  const wanted = home(command.trim());
  if (wanted === '') throw invalid(say('entry.noCommand'), say('entry.noCommand.hint'));
  if ([wanted, ...args].some((text) => text.includes('\0')))
    throw invalid(say('entry.nulInCommand'), say('entry.nulInCommand.hint'));
  const folder = cwd === null || cwd.trim() === '' ? null : home(cwd.trim());
  if (folder !== null && !path.isAbsolute(folder)) {
    throw invalid(say('entry.folder', { folder }), say('entry.folder.hint'));
  }
  return { command: wanted, args, cwd: folder, ...(envFile.trim() === '' ? {} : { envFile: home(envFile.trim()) }) };
}

/** No shell stands between the entry and the system, so nobody else would replace it. */
const home = (text: string): string => (/^~(?=$|[\\/])/.test(text) ? path.join(os.homedir(), text.slice(1)) : text);

function readUrl(text: string): string {
  const url = text.trim();
  if (url === '') throw invalid(say('entry.noAddress'), say('entry.noAddress.hint'));
  if (/^https?:$/.test(protocolOf(url)) || /^\$\{[^{}]+\}/.test(url)) return url;
  throw invalid(say('entry.notUrl'), say('entry.notUrl.hint'));
}

function readProxy(text = ''): string | null {
  const proxy = text.trim();
  if (proxy === '') return null;
  if (proxySchema.safeParse(proxy).success) return proxy;
  throw invalid(say('entry.notProxy'), say('entry.notProxy.hint'));
}

function protocolOf(url: string): string {
  try {
    return new URL(url).protocol;
  } catch {
    return '';
  }
}

function readVariables({ type, variables }: UpstreamDraft): UpstreamDraft['variables'] {
  const kind = type === 'stdio' ? 'variable' : 'header';
  const seen = new Set<string>();
  return variables.map((variable) => {
    const name = variable.name.trim();
    // Headers know no letter case.
    const key = type === 'stdio' ? name : name.toLowerCase();
    if (seen.has(key)) throw invalid(say('entry.twice', { kind, name }), say('entry.twice.hint'));
    seen.add(key);
    const allowed = type === 'stdio' ? /^[^=\s\0]+$/ : /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
    if (!allowed.test(name)) throw invalid(say('entry.badName', { kind, name }), say('entry.badName.hint'));
    // White space around a header's value does not count, and comes along with pasted tokens.
    const value = type === 'stdio' ? variable.value : (variable.value?.trim() ?? null);
    if (value !== null) checkValue(type, name, value);
    return { ...variable, name, value };
  });
}

/** Never quotes the value. */
function checkValue(type: UpstreamDraft['type'], name: string, value: string): void {
  if (secretIdsOf(value).length > 0) {
    throw invalid(say('entry.byNumber', { name }), say('entry.byNumber.hint'));
  }
  const sendable = type === 'stdio' ? !value.includes('\0') : /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
  if (!sendable) throw invalid(say('entry.unsendable', { name }), say('entry.unsendable.hint'));
}

const invalid = (message: Message, hint: Message) => new AppError('INVALID_REQUEST', message, { hint });

const present = (entries: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined && value !== null));

/** Run what their first argument names. What follows are options of that program. */
const byFirstArgument = /^(?:npx|bunx|uvx|node|tsx|python[\d.]*w?|py|ruby|perl|php)$/;
/** Run what some of their arguments name. */
const byArguments =
  /^(?:npm|pnpm|yarn|bun|deno|uv|pipx|docker|podman|nerdctl|java|go|cargo|dotnet|env|sudo|doas|nohup|xargs|flatpak|snap|nix|ssh|wsl|cmd|powershell|pwsh|(?:ba|z|da|fi|k|c|tc)?sh)$/;
/** Options without a value that do not choose the program. */
const plainOptions = new Set(['-y', '--yes', '-q', '--quiet', '-s', '--silent', '-m', '-u']);

/** Whether two commands run the same program. */
export function runsTheSame(one: StdioUpstream, other: StdioUpstream): boolean {
  if (one.command !== other.command) return false;
  const name = path
    .basename(one.command.replaceAll('\\', '/'))
    .toLowerCase()
    .replace(/\.(?:exe|cmd|bat|ps1)$/, '');
  const byFirst = byFirstArgument.test(name);
  const isRelative = /[\\/]/.test(one.command) && !path.isAbsolute(one.command);
  if (!byFirst && !byArguments.test(name)) return !isRelative || one.cwd === other.cwd;
  const chosen = byFirst ? programArguments : (args: readonly string[]) => args;
  return one.cwd === other.cwd && JSON.stringify(chosen(one.args)) === JSON.stringify(chosen(other.args));
}

/** Those up to the one that names the program; all of them where an option may take it as its value. */
function programArguments(args: readonly string[]): readonly string[] {
  const first = args.findIndex((arg) => !plainOptions.has(arg));
  return args[first]?.startsWith('-') ? args : args.slice(0, first + 1);
}

/** Variables that make a program load other code, run under another name or trust another party. */
const loaderVariable =
  /^(?:PATH|PATHEXT|COMSPEC|SYSTEMROOT|HOME|USERPROFILE|APPDATA|CLASSPATH|BASH_ENV|ENV|IFS|PS4|SHELLOPTS|BASHOPTS|ZDOTDIR|GCONV_PATH|PERL.*|PYTHON.*|RUBY.*|PHP.*|_?JAVA_.*|(?:LD|DYLD|NODE|BUN|DENO|ELECTRON|PIP|UV|GEM|BUNDLE|JDK|DOTNET|CORECLR|COR|GIT|NPM_CONFIG|YARN|PNPM|DOCKER|LUA|XDG|SSL|OPENSSL|CURL|REQUESTS)_.*)$/;
/** Variables that name where a program sends what it knows, such as `GITHUB_HOST` or `HTTPS_PROXY`. */
const addressVariable = /(?:^|_)(?:URL|URI|HOST|HOSTNAME|ENDPOINT|SERVER|BASE|ADDRESS|DOMAIN|PORT|PROXY|REGISTRY|WEBHOOK)(?:_|$)/;

export const leadsElsewhere = (variable: string): boolean => {
  const name = variable.toUpperCase();
  return loaderVariable.test(name) || addressVariable.test(name);
};

// The export: the servers as a standard `mcpServers` block, with `${NAME}` where secrets were

export function exportText(upstreams: Readonly<Record<string, Upstream>>): string {
  const names = referenceNames(upstreams);
  const servers = Object.entries(upstreams).map(([name, upstream]) => [name, exported(name, upstream, names)]);
  return `${JSON.stringify({ mcpServers: Object.fromEntries(servers) }, null, 2)}\n`;
}

function exported(server: string, upstream: Upstream, names: ReferenceNames): object {
  const values = Object.fromEntries(
    Object.entries(valuesOf(upstream)).map(([name, value]) => [
      name,
      isSecretValue(name, value) ? withReference(value, names.of(server, name, upstream.type)) : value,
    ]),
  );
  const some = Object.keys(values).length > 0;
  const disabled = upstream.enabled ? {} : { disabled: true };
  if (upstream.type !== 'stdio') {
    const url = unmasked(maskedUrl(upstream.url), server);
    return { type: upstream.type, url, ...(some ? { headers: values } : {}), ...disabled };
  }
  return {
    command: upstream.command,
    args: maskedArguments(upstream.args).map((arg) => unmasked(arg, server)),
    ...(some ? { env: values } : {}),
    ...(upstream.cwd === null ? {} : { cwd: upstream.cwd }),
    ...disabled,
  };
}

/** Keeps what stands around a stored secret, or before a token: `Bearer ${NAME}`. */
function withReference(value: string, name: string): string {
  const reference = `\${${name}}`;
  if (secretIdsOf(value).length > 0) return value.replace(/\$\{secret:[^}]*\}/g, () => reference);
  const scheme = /^(?:Bearer|Basic|Token) /i.exec(value)?.[0] ?? '';
  return `${scheme}${reference}`;
}

const unmasked = (text: string, server: string) => text.replaceAll(MASK, () => `\${${upperName(server)}_SECRET}`);

interface ReferenceNames {
  of(server: string, variable: string, type: Upstream['type']): string;
}

/** A variable's own name where it is a secret of one server only; with the server's name before it otherwise. */
function referenceNames(upstreams: Readonly<Record<string, Upstream>>): ReferenceNames {
  const uses = new Map<string, number>();
  for (const upstream of Object.values(upstreams)) {
    if (upstream.type !== 'stdio') continue;
    for (const name of Object.keys(upstream.env)) uses.set(name, (uses.get(name) ?? 0) + 1);
  }
  return {
    of(server, variable, type) {
      if (type === 'stdio' && uses.get(variable) === 1 && /^[A-Za-z_]\w*$/.test(variable)) return variable;
      const what = /^authorization$/i.test(variable) ? 'TOKEN' : upperName(variable.replace(/^x-/i, ''));
      return `${upperName(server)}_${what}`;
    },
  };
}

/** As environment variables are called: `My server` → `MY_SERVER`. */
function upperName(text: string): string {
  const name = text
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
  return /^[A-Z]/.test(name) ? name : `_${name}`;
}
