/**
 * Commands in a terminal: a line that starts a server (`npx -y …`, `KEY=value uvx …`, `docker run …`), and those that add one to an agent's
 * app.
 */
import { say } from '../../../shared/model/messages/message.ts';
import { isObject } from '../../agent-apps/plain.ts';
import { parseJsonText } from '../../store/json-text.ts';
import { isOnPath } from '../../upstream/shell-path.ts';
import { entryOfWords, isRunner, joinedSamples, type ShellCommand, shellCommands } from '../command-lines.ts';
import { type Draft, notUsable, type PasteDialect } from '../offer.ts';

/** Comes last, since nearly every text could be a line. */
export const commandLine: PasteDialect = {
  name: 'command line',
  read(text) {
    const bare = /^(?:npm:|npm package )?(@[\w.-]+\/[\w.-]+(?:@[\w.^~-]+)?)$/.exec(text);
    if (bare) return [{ entry: { command: 'npx', args: ['-y', bare[1]] } }];
    if (!isProgram(firstWord(text))) return null;
    const commands = shellCommands(text);
    const starting = commands.filter((command) => !preparesOnly(command));
    if (starting.length === 0 && commands.length > 0) throw notUsable(say('pasted.installs'), say('pasted.installs.hint'));
    if (starting.some(({ words }) => setsUpApps(words))) throw notUsable(say('pasted.otherApp'), say('pasted.otherApp.hint'));
    const servers = starting.filter(({ words }) => isProgram(words[0] ?? ''));
    if (servers.length === 0) return null;
    return servers.map(({ words, env, cwd }) => ({ entry: entryOfWords(words, { env, cwd }) }));
  },
};

const firstWord = (text: string): string => {
  const line =
    joinedSamples(text)
      .split('\n')
      .find((each) => each.trim() !== '' && !/^\s*(?:#|\/\/)/.test(each)) ?? '';
  const word = line.trim().replace(/^(?:[$%>❯➜]|PS(?: [A-Z]:\\[^>]*)?>|[A-Z]:\\[^>]*>)[ \t]+/, '');
  const program = word.replace(/^(?:[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|\S*)\s+)+/, '');
  if (/^["']/.test(program)) return program.slice(1).split(program[0] as string)[0] ?? '';
  return program.split(/\s/)[0] ?? '';
};

const shellWords = /^(?:export|set|setx|cd|env|exec|sudo|git|pip3?|brew|apt|apt-get|\$env:\w+|cmd)$/i;

/** A word of prose is not a command, unless a program has that name. */
function isProgram(word: string): boolean {
  if (word === '' || /[<>{}?!,]$/.test(word)) return false;
  if (isRunner(word) || shellWords.test(word) || /^[A-Za-z_]\w*=/.test(word)) return true;
  if (/^(?:~|\.{0,2}\/|[A-Za-z]:[\\/]|\\\\)/.test(word) || /\.(?:exe|cmd|bat|sh|[cm]?[jt]s|py|jar)$/i.test(word)) return true;
  if (!/^[\w.@+-]+$/.test(word)) return false;
  return /(?:^|[-_.])mcp|mcp(?:$|[-_.])/i.test(word) || (/^[a-z]/.test(word) && isOnPath(word, process.env.PATH ?? ''));
}

/** Whether it fetches or builds a server only. */
function preparesOnly({ words: [program = '', ...args] }: ShellCommand): boolean {
  const [verb = ''] = args.filter((arg) => !arg.startsWith('-'));
  if (/^(?:git|brew|apt|apt-get|winget|choco|curl|wget|mkdir)$/.test(program)) return true;
  if (/^(?:npm|pnpm|yarn|bun)$/.test(program))
    return /^(?:i|install|ci|add|build)$/.test(verb) || (verb === 'run' && args.includes('build'));
  if (/^(?:pip3?|pipx|cargo|go|gem|dotnet)$/.test(program))
    return verb === 'install' || (program === 'dotnet' && verb === 'tool' && args.includes('install'));
  if (/^(?:docker|podman)$/.test(program)) return verb === 'pull' || verb === 'build';
  if (program === 'uv') return /^(?:sync|venv|add|pip)$/.test(verb) || (verb === 'tool' && args.includes('install'));
  return false;
}

/** Programs that write a server into the settings of an app. */
const setsUpApps = (words: readonly string[]): boolean =>
  words
    .slice(0, 4)
    .some((word) => /^(?:@smithery\/cli|mcp-get|install-mcp|add-mcp|mcp-add|@[\w.-]+\/add-mcp)(?:@.*)?$/.test(word)) ||
  (/^(?:mcp|fastmcp)$/.test(words.find((word) => !/^(?:uv|run|uvx|npx|-y)$/.test(word)) ?? '') && words.includes('install'));

// `claude mcp add …`, `codex mcp add …`, `code --add-mcp …`

const begins = /^[^\n]*?(?:\bmcp\s+(?:add|add-json|install|get|list|remove|add-from-\w[\w-]*)\b|--add-mcp\b)/m;

export const addCommands: PasteDialect = {
  name: 'add command',
  async read(text) {
    if (/^\s*[{["]/.test(text) || !begins.test(text)) return null;
    const commands = shellCommands(text).filter(({ words }) => isAdding(words));
    if (commands.length === 0) return null;
    return Promise.all(commands.map(draftOf));
  },
};

const verbOf = (words: readonly string[]): number =>
  words.findIndex((word, index) => /^(?:add|add-json|install)$/.test(word) && words[index - 1] === 'mcp');

const isAdding = (words: readonly string[]): boolean =>
  words.some((word) => /^--add-mcp(?:=|$)/.test(word)) || (words.includes('mcp') && !/^(?:npx|uvx?)$/.test(words[0] ?? ''));

async function draftOf({ words, env }: ShellCommand): Promise<Draft> {
  const option = words.findIndex((word) => /^--add-mcp(?:=|$)/.test(word));
  if (option !== -1) return jsonDraft(words[option]?.split(/=(.*)/s)[1] || words[option + 1]);
  const verb = verbOf(words);
  if (verb === -1 || words[verb] === 'install') throw notUsable(say('pasted.otherApp'), say('pasted.otherApp.hint'));
  const options = readArguments(words.slice(verb + 1));
  const json = options.json ?? (words[verb] === 'add-json' ? options.rest[0] : undefined);
  if (json !== undefined) return jsonDraft(json, options.name);
  const target = options.url === undefined ? [...options.command, ...options.rest] : [options.url];
  if (target.length === 0) throw notUsable(say('pasted.otherApp'), say('pasted.otherApp.hint'));
  const headers = options.bearer === undefined ? options.headers : { ...options.headers, Authorization: options.bearer };
  return {
    ...(options.name === undefined ? {} : { name: options.name }),
    entry: entryOfWords(target, { env: { ...env, ...options.env }, cwd: options.cwd, headers, ...typeOf(options.transport) }),
  };
}

const typeOf = (transport: string | undefined) =>
  transport === undefined || transport === 'stdio' ? {} : { type: transport === 'sse' ? 'sse' : 'http' };

/** Some shells need quotes within quotes escaped even between single ones. */
async function jsonDraft(json: string | undefined, name?: string): Promise<Draft> {
  if (json === undefined) throw notUsable(say('pasted.otherApp'), say('pasted.otherApp.hint'));
  const first = await parseJsonText(json, { comments: true });
  const parsed = first.ok ? first : await parseJsonText(json.replaceAll('\\"', '"'), { comments: true });
  if (!first.ok && !parsed.ok) throw notUsable(say('pasted.invalid', { format: 'JSON', fault: first.problem }));
  const entry = parsed.ok ? parsed.value : undefined;
  if (!isObject(entry)) throw notUsable(say('pasted.none'));
  return { ...(name === undefined ? {} : { name }), entry };
}

interface Arguments {
  name?: string;
  command: string[];
  rest: string[];
  url?: string;
  json?: string;
  transport?: string;
  bearer?: string;
  cwd: string | null;
  env: Record<string, string>;
  headers: Record<string, string>;
}

const isPair = (word: string | undefined): word is string => word !== undefined && /^[A-Za-z_][\w.-]*=/.test(word);
const isHeader = (word: string | undefined): word is string =>
  word !== undefined && /^(?!https?:)[A-Za-z][\w-]*(?::\s?|=)./i.test(word);

/** Parses the part that the apps' commands share; options for where the app stores the server are skipped. */
function readArguments(words: readonly string[]): Arguments {
  const found: Arguments = { command: [], rest: [], cwd: null, env: {}, headers: {} };
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as string;
    if (word === '--') {
      found.rest.push(...words.slice(at + 1));
      break;
    }
    const [, option, inline] = /^(--?[A-Za-z][\w-]*)(?:=(.*))?$/s.exec(word) ?? [];
    if (option === undefined) {
      if (found.name === undefined) found.name = word;
      else {
        found.rest.push(word);
        // Arguments after a program belong to the program.
        if (!/^(?:https?:\/\/|\s*\{)|\s/i.test(word)) {
          found.rest.push(...words.slice(at + 1));
          break;
        }
      }
      continue;
    }
    const value = () => {
      if (inline !== undefined) return inline;
      at += 1;
      return words[at] ?? '';
    };
    /** `-e A=1 B=2`, as many as there are. */
    const several = (isOne: (word: string | undefined) => word is string, add: (word: string) => void) => {
      add(value());
      while (isOne(words[at + 1])) {
        at += 1;
        add(words[at] as string);
      }
    };
    switch (option) {
      case '-e':
      case '--env':
        several(isPair, (pair) => {
          const [, name = '', text = ''] = /^([^=]*)=?(.*)$/s.exec(pair) ?? [];
          if (name !== '') found.env[name] = text;
        });
        break;
      case '-H':
      case '--header':
      case '--headers':
        several(isHeader, (pair) => {
          const [, name = '', text = ''] = /^([\w-]+)\s*[:=]\s*(.*)$/s.exec(pair) ?? [];
          if (name !== '') found.headers[name] = text;
        });
        break;
      case '-t':
      case '--transport':
      case '--type':
        found.transport = value();
        break;
      case '--name':
        found.name = value();
        break;
      case '--url':
        found.url = value();
        break;
      case '--json':
        found.json = value();
        break;
      case '--command':
        found.command = [value()];
        break;
      case '--cwd':
      case '--workdir':
        found.cwd = value();
        break;
      case '--args': {
        const args = value();
        found.rest.push(...(/\s/.test(args) ? args.split(/\s+/) : args.includes(',') ? args.split(',') : [args]));
        break;
      }
      case '--bearer-token-env-var':
        found.bearer = `Bearer \${input:${value()}}`;
        break;
      default:
        if (inline === undefined && takesValue.has(option)) at += 1;
    }
  }
  return found;
}

const takesValue = new Set([
  ...['-s', '--scope', '--timeout', '--description', '--include-tools', '--exclude-tools', '--client-id', '--callback-port'],
  ...['--client-secret', '--agent', '--workspace', '--startup-timeout', '--tools', '--profile', '-p', '-c', '--config'],
]);
