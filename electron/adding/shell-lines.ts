/** Lines for a shell, taken apart without one: words, variables set before the command, the folder it runs in. */
import os from 'node:os';
import path from 'node:path';
import { splitCommand } from '../../shared/lib/command-line.ts';
import { say } from '../../shared/model/messages/message.ts';
import { notUsable } from './failures.ts';
import { hole } from './holes.ts';

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
