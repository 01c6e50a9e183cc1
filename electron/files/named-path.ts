/** Parses paths as people and agents write them: a leading `~` is the home folder, and agents may use a file URL. */
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../shared/model/errors.ts';

/** A path or file URL from an agent. Throws INVALID_REQUEST for a URL that does not name a file on this machine. */
export function namedPath(text: string, home = os.homedir()): string {
  return isFileUrl(text) ? pathOfFileUrl(text) : expandHome(text, home);
}

/** Other paths stay as they are. */
export function expandHome(text: string, home = os.homedir()): string {
  const leads = text === '~' || text.startsWith('~/') || (path.sep === '\\' && text.startsWith('~\\'));
  return leads ? path.join(home, text.slice(1)) : text;
}

const isFileUrl = (text: string): boolean => /^file:\/\//i.test(text);

function pathOfFileUrl(text: string): string {
  // Text after `?` or `#` is not part of a URL's path: another file would be opened.
  if (/[?#]/.test(text)) throw notOurs(text, '? and # in a name are written %3F and %23');
  // The URL parser removes these silently.
  if (/[\t\r\n]/.test(text) || (text.at(-1) ?? '') <= ' ')
    throw notOurs(text, 'white space in a name is written %20, %09, %0A or %0D');
  let place: string;
  try {
    const url = new URL(text);
    if (url.host !== '') throw notOurs(text, `it names the machine '${url.host}'`);
    place = fileURLToPath(url);
  } catch (cause) {
    throw cause instanceof AppError ? cause : notOurs(text, 'it is not a valid file URL', cause);
  }
  if (place.includes('\0')) throw notOurs(text, 'it contains a NUL character');
  return place;
}

function notOurs(text: string, reason: string, cause?: unknown): AppError {
  return new AppError('INVALID_REQUEST', `'${text}' names no file of this machine: ${reason}`, {
    hint: 'Give the path itself, or a URL such as file:///folder/name.txt',
    cause,
  });
}
