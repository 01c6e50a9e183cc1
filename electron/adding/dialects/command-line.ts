/** A line that starts a server in a terminal: `npx -y …`, `KEY=value uvx …`, `docker run …`. */
import { say } from '../../../shared/model/messages/message.ts';
import { isOnPath } from '../../upstream/upstream-process.ts';
import { entryOfWords } from '../command-entry.ts';
import { notUsable } from '../failures.ts';
import { isRunner } from '../names.ts';
import { joinedSamples, type ShellCommand, shellCommands } from '../shell-lines.ts';
import type { PasteDialect } from '../types.ts';

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

/** A word of prose is none, unless a program is called like it. */
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
