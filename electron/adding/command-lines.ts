/** Command lines that start servers: taken apart without a shell, made into entries, and named. */
import os from 'node:os';
import path from 'node:path';
import { splitCommand } from '../../shared/lib/command-line.ts';
import { scalarText } from '../../shared/lib/scalar-text.ts';
import { looksSecret } from '../../shared/lib/secret-looks.ts';
import { say } from '../../shared/model/messages/message.ts';
import { isObject, type PlainObject } from '../agent-apps/plain.ts';
import { hole, notUsable } from './offer.ts';

export interface ShellCommand {
  words: string[];
  env: Record<string, string>;
  cwd: string | null;
}

/** `<your key>` as one word. */
export const joinedSamples = (text: string): string =>
  text.replaceAll(/<[A-Za-z][^<>"'\n]{0,60}>/g, (sample) => sample.replaceAll(/\s+/g, '-'));

/** The commands in the text. Throws CONFIG_INVALID for what only a shell could do. */
export function shellCommands(text: string): ShellCommand[] {
  const joined = joinedSamples(text).replace(/(?:\\|`|\^)[ \t]*\n/g, ' ');
  const commands: ShellCommand[] = [];
  const env: Record<string, string> = {};
  let cwd: string | null = null;
  for (const line of joined.split('\n')) {
    const bare = line.trim().replace(/^(?:[$%>❯➜]|PS(?: [A-Z]:\\[^>]*)?>|[A-Z]:\\[^>]*>)[ \t]+/, '');
    if (bare === '' || /^(?:#|\/\/|::|rem\b)/i.test(bare)) continue;
    for (const piece of pieces(bare)) {
      const words = splitCommand(piece);
      if (words === undefined) throw notUsable(say('pasted.openQuote'), say('pasted.openQuote.hint'));
      const set = assignment(piece, words);
      if (set) {
        Object.assign(env, set);
        continue;
      }
      if (words[0] === 'cd' && words[1] !== undefined) {
        cwd = path.resolve(cwd ?? os.homedir(), home(words[1]));
        continue;
      }
      const own: Record<string, string> = {};
      if (words[0] === 'env' || words[0] === 'exec' || words[0] === 'sudo') words.shift();
      for (let match = leading.exec(words[0] ?? ''); match; match = leading.exec(words[0] ?? '')) {
        own[match[1] ?? ''] = referring(match[2] ?? '');
        words.shift();
      }
      if (words.length > 0) commands.push({ words: words.map(expanded), env: { ...env, ...own }, cwd });
      else Object.assign(env, own);
    }
  }
  return commands;
}

/** `$NAME` as the configuration writes it. */
const referring = (value: string): string => value.replaceAll(/\$([A-Za-z_]\w*)/g, '${$1}');

const leading = /^([A-Za-z_]\w*)=(.*)$/s;

/** At `&&` and `;` outside quotes. */
function pieces(line: string): string[] {
  const found: string[] = [];
  let start = 0;
  let quote = '';
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at] as string;
    if (quote !== '') {
      if (char === '\\' && quote === '"') at += 1;
      else if (char === quote) quote = '';
      continue;
    }
    if (char === '"' || char === "'") quote = char;
    else if (char === ';' || line.startsWith('&&', at)) {
      found.push(line.slice(start, at));
      if (char === '&') at += 1;
      start = at + 1;
    } else if (char === '#' && /\s/.test(line[at - 1] ?? '')) {
      return [...found, line.slice(start, at)];
    } else if (
      char === '|' ||
      char === '>' ||
      (char === '<' && !/^<[^<>\s][^<>]*>/.test(line.slice(at))) ||
      line.startsWith('$(', at)
    ) {
      if (char === '>' && /<[^<>]*$/.test(line.slice(start, at))) continue;
      if (/^\$\(pwd\)/i.test(line.slice(at))) continue;
      throw notUsable(say('pasted.shell', { part: char === '$' ? '$(…)' : char }), say('pasted.shell.hint'));
    }
  }
  return [...found, line.slice(start)].map((piece) => piece.trim()).filter((piece) => piece !== '');
}

/** `export A=b`, `set A=b`, `$env:A = "b"`, also several. */
function assignment(piece: string, words: readonly string[]): Record<string, string> | undefined {
  const powershell = /^\$env:([A-Za-z_]\w*)\s*=\s*(?:"([^"]*)"|'([^']*)'|(\S*))$/i.exec(piece);
  if (powershell) return { [powershell[1] ?? '']: powershell[2] ?? powershell[3] ?? powershell[4] ?? '' };
  if (words[0] !== 'export' && words[0] !== 'set' && words[0] !== 'setx') return undefined;
  if (words[0] === 'setx' && words.length === 3) return { [words[1] ?? '']: words[2] ?? '' };
  const pairs = words.slice(1).map((word) => leading.exec(word));
  if (pairs.length === 0 || pairs.some((pair) => pair === null)) return undefined;
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']));
}

/** Replaces what a shell would expand: the home folder, the current folder (chosen by the person) and variables (entered by the person). */
function expanded(word: string): string {
  return home(word)
    .replaceAll(/\$\((?:pwd|PWD)\)|\$\{?PWD\}?(?!\w)|%cd%/gi, '${workspaceFolder}')
    .replaceAll(/\$\{?HOME\}?(?!\w)|%USERPROFILE%/g, () => os.homedir())
    .replaceAll(
      /\$([A-Za-z_]\w*)|\$\{([A-Za-z_]\w*)\}|%([A-Za-z_]\w*)%/g,
      (whole, one?: string, two?: string, three?: string) => {
        const name = one ?? two ?? three ?? '';
        return name === 'workspaceFolder' ? whole : hole(name);
      },
    );
}

const home = (word: string): string => (/^~(?=$|[\\/])/.test(word) ? path.join(os.homedir(), word.slice(1)) : word);

interface Given {
  env?: Readonly<Record<string, unknown>>;
  cwd?: string | null;
  headers?: Readonly<Record<string, string>>;
  type?: string;
}

/** For an address, or for words that start a program. A single word with blanks is a whole line. */
export function entryOfWords(words: readonly string[], { env = {}, cwd = null, headers = {}, type }: Given = {}): PlainObject {
  const [first = '', ...rest] = words;
  if (/^https?:\/\//i.test(first)) {
    return { ...(type === undefined ? {} : { type }), url: first, ...(Object.keys(headers).length === 0 ? {} : { headers }) };
  }
  const [command = '', ...args] = rest.length === 0 && /\s/.test(first) ? (splitCommand(first) ?? [first]) : [first, ...rest];
  return {
    command,
    args,
    ...(Object.keys(env).length === 0 ? {} : { env }),
    ...(cwd === null ? {} : { cwd }),
  };
}

// `docker run`: where the image stands, and variables that leave the line, where every program could read them

/** Long and short options without a value. */
const switches =
  /^(?:--(?:interactive|tty|detach|rm|init|privileged|read-only|publish-all|no-healthcheck|oom-kill-disable|quiet|sig-proxy|use-api-socket|disable-content-trust)|-[itdPq]+)$/;

export interface DockerRun {
  /** Where the options begin and the image stands, among the words. */
  from: number;
  at: number;
  image: string;
}

/** Undefined where the words start no container, or name no image. */
function dockerRun(words: readonly string[]): DockerRun | undefined {
  const program = (words[0] ?? '').split(/[\\/]/).at(-1) ?? '';
  if (!/^(?:docker|podman|nerdctl)(?:\.exe)?$/i.test(program)) return undefined;
  const from = words.indexOf('run') + 1;
  if (from === 0) return undefined;
  let at = from;
  while (at < words.length) {
    const word = words[at] as string;
    if (!word.startsWith('-')) return { from, at, image: word };
    if (word === '--') return words[at + 1] === undefined ? undefined : { from, at: at + 1, image: words[at + 1] as string };
    const hasValue = word.startsWith('--') ? word.includes('=') : /^-[aceghlmpuvw]./.test(word);
    at += hasValue || switches.test(word) ? 1 : 2;
  }
  return undefined;
}

/**
 * The arguments as a server needs them: connected to its input, without a terminal, and with secrets given by the environment, as
 * is text with a hole. Null for other commands.
 */
export function dockerEntry(
  words: readonly string[],
  env: Readonly<Record<string, unknown>>,
): { args: string[]; env: object } | null {
  const run = dockerRun(words);
  if (run === undefined) return null;
  const variables: Record<string, unknown> = { ...env };
  const options: string[] = [];
  const keep = (name: string, value: string): string => {
    if (!looksSecret(name, value) && !value.includes('${')) return `${name}=${value}`;
    variables[name] = value;
    return name;
  };
  let interactive = false;
  for (let at = run.from; at < run.at; at += 1) {
    const word = words[at] as string;
    const assignment = /^(?:-e|--env=)([A-Za-z_]\w*)=(.*)$/s.exec(word);
    if (word === '-e' || word === '--env') {
      const [, name = '', value] = /^([A-Za-z_]\w*)(?:=(.*))?$/s.exec(words[at + 1] ?? '') ?? [];
      // Without a value it comes from the environment, where the person's terminal would have it.
      if (value === undefined && name !== '' && !Object.hasOwn(variables, name)) variables[name] = hole(name);
      options.push(word, value === undefined ? (words[at + 1] ?? '') : keep(name, value));
      at += 1;
    } else if (assignment) {
      options.push('-e', keep(assignment[1] ?? '', assignment[2] ?? ''));
    } else if (/^-[itdPq]+$/.test(word)) {
      interactive ||= word.includes('i');
      // A terminal changes what goes through it, and a detached container says nothing.
      const left = word.replace(/[td]/g, '');
      if (left !== '-') options.push(left);
    } else if (!/^--(?:tty|detach)$/.test(word)) {
      interactive ||= /^--interactive/.test(word);
      options.push(word);
    }
  }
  const before = words.slice(1, run.from);
  return { args: [...before, ...(interactive ? [] : ['-i']), ...options, ...words.slice(run.at)], env: variables };
}

// Names for servers whose text gives none

/** Returns the entry's own name, or one derived from its program or address. */
export function nameOf(entry: unknown): string {
  if (!isObject(entry)) return 'server';
  if (typeof entry.name === 'string' && entry.name.trim() !== '') return entry.name;
  if (isObject(entry.transport)) return nameOf(entry.transport);
  const address = addressOf(entry);
  if (address !== undefined) return nameOfAddress(address);
  const words = wordsOf(entry);
  const [command = '', ...args] = words;
  const image = dockerRun(words)?.image;
  if (image !== undefined) return nameOfImage(image);
  const what = (isRunner(command) ? args.find(isName) : undefined) ?? command;
  // Without version, scope and ending.
  const [bare = what] = what.split(/(?<=.)(?:==|\[)/);
  return lastPart(bare.replace(/(.)@[^/@]*$/, '$1')).replace(/\.(?:[cm]?[jt]s|py|exe|jar)$/, '') || 'server';
}

const addressOf = ({ url, serverUrl, httpUrl, uri, baseUrl }: PlainObject): string | undefined =>
  [url, serverUrl, httpUrl, uri, baseUrl].find((value): value is string => typeof value === 'string');

const wordsOf = ({ command, cmd, args }: PlainObject): string[] => [
  scalarText(command ?? cmd),
  ...(Array.isArray(args) ? args.flat().map(scalarText) : []),
];

/** Programs that run another one, which their arguments name. */
export const isRunner = (command: string): boolean =>
  /^(?:npx|npm|pnpm|pnpx|yarn|bunx?|uvx?|pipx|node|tsx|python[\d.]*|deno|docker|podman|dotnet|dnx|go|java|ruby|php|cargo)$/.test(
    lastPart(command).replace(/\.(?:exe|cmd)$/i, ''),
  );

const isName = (arg: string): boolean =>
  /^[@\w./\\:=[\],-]+$/.test(arg) && !/^(?:-|(?:run|dlx|exec|tool|x)$)/.test(arg) && !/^(?:git\+)?https?:/.test(arg);

/** `mcp.linear.app` is Linear's. */
function nameOfAddress(address: string): string {
  const host = /^[a-z]+:\/\/(?:[^/@]*@)?([^/:?#]+)/i.exec(address)?.[1] ?? 'server';
  return host.replace(/^(?:www|mcp|api)\.(?=[^.]+\.[^.]+$)/, '');
}

const nameOfImage = (image: string): string => lastPart(image.replace(/@sha256:.*$/, '').replace(/:[^/]*$/, '')) || 'server';

const lastPart = (text: string): string => text.split(/[\\/]/).filter(Boolean).at(-1) ?? '';
