/** Finds an entry by the name that a person or a model typed for it: letters composed otherwise, plain spaces, quotes and dashes. */

import path from 'node:path';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { lstat, readdir, realpath } from './disk.ts';
import { errnoOf } from './failures.ts';

/** Unicode's space separators, such as the narrow no-break space in the names of macOS's screenshots. */
const spaces = /\p{Zs}/gu;
const quotes = /[\u2018-\u201b\u2032\u02bc]/g;
const doubleQuotes = /[\u201c-\u201f\u2033]/g;
const dashes = /[\u2010-\u2015\u2212]/g;

const composed = (name: string): string => name.normalize('NFC');

/** As one types it on a keyboard. */
const typed = (name: string): string =>
  composed(name).replace(spaces, ' ').replace(quotes, "'").replace(doubleQuotes, '"').replace(dashes, '-');

/** Names in which other spellings can be: others need no look into their directory. */
const mayDiffer = (name: string): boolean => /[\u0080-\u{10ffff} '"-]/u.test(name);

/** `letters`: only letters may be composed otherwise, as for what is written. `typed`: it may be any spelling of what is there. */
export type Spelling = 'letters' | 'typed';

/**
 * The name that the entry has on the disk; undefined if the directory has no such entry. Throws INVALID_REQUEST if several entries fit, and the
 * errors of `lstat` and `readdir`.
 */
export async function nameOnDisk(directory: string, name: string, spelling: Spelling): Promise<string | undefined> {
  const exact = await lstat(path.join(directory, name)).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (exact) return name;
  if (!mayDiffer(name)) return undefined;
  const entries = await readdir(directory);
  const same = entries.filter((entry) => composed(entry) === composed(name));
  const alike = same.length > 0 || spelling === 'letters' ? same : entries.filter((entry) => typed(entry) === typed(name));
  if (alike.length > 1)
    throw new AppError('INVALID_REQUEST', say('tool.twoNames', { name }), {
      hint: say('file.near', { names: alike.map((entry) => path.join(directory, entry)), hint: null }),
    });
  return alike[0];
}

/** The path below `base` with each name as the disk has it; undefined where something of it is missing, or leads to where `isAllowed` says no. */
export async function pathOnDisk(
  absolute: string,
  base: string,
  isAllowed: (realPath: string) => boolean,
): Promise<string | undefined> {
  let at = await realpath(base);
  for (const name of path.relative(base, absolute).split(path.sep).filter(Boolean)) {
    const own = await nameOnDisk(at, name, 'typed').catch((error: unknown) => {
      if (error instanceof AppError) throw error;
      return undefined;
    });
    if (own === undefined) return undefined;
    const next = await realpath(path.join(at, own)).catch(() => undefined);
    if (next === undefined || !isAllowed(next)) return undefined;
    at = next;
  }
  return at;
}
