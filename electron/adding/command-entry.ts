/** A command with its arguments as an entry. */
import { splitCommand } from '../../shared/lib/command-line.ts';
import type { PlainObject } from '../agent-apps/plain.ts';

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
