/** Command lines of `docker run`: where the image stands, and variables that leave the line, where every program could read them. */
import { looksSecret } from '../../shared/lib/secret-looks.ts';
import { hole } from './holes.ts';

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
export function dockerRun(words: readonly string[]): DockerRun | undefined {
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
    const given = /^(?:-e|--env=)([A-Za-z_]\w*)=(.*)$/s.exec(word);
    if (word === '-e' || word === '--env') {
      const [, name = '', value] = /^([A-Za-z_]\w*)(?:=(.*))?$/s.exec(words[at + 1] ?? '') ?? [];
      // Without a value it comes from the environment, where the person's terminal would have it.
      if (value === undefined && name !== '' && !Object.hasOwn(variables, name)) variables[name] = hole(name);
      options.push(word, value === undefined ? (words[at + 1] ?? '') : keep(name, value));
      at += 1;
    } else if (given) {
      options.push('-e', keep(given[1] ?? '', given[2] ?? ''));
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
