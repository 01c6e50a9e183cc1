/** Parses paths as people and agents write them: a leading `~` is the home folder, and agents may use a file URL. */
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../shared/model/errors.ts';
import { type Message, say } from '../../shared/model/messages/message.ts';

/** A path or file URL from an agent. Throws INVALID_REQUEST for a URL that does not name a file on this machine. */
export function namedPath(text: string, home = os.homedir()): string {
  const named = isFileUrl(text) ? pathOfFileUrl(text) : expandHome(text, home);
  return path.sep === '\\' ? withoutLengthPrefix(named) : named;
}

/** Windows' paths of any length, `\\?\C:\Data` and `\\?\UNC\server\share`, in their usual spelling; other device paths stay. */
export function withoutLengthPrefix(text: string): string {
  if (/^\\\\\?\\[A-Za-z]:\\/.test(text)) return text.slice(4);
  return text.replace(/^\\\\\?\\UNC\\(?=[^\\])/i, '\\\\');
}

/** Other paths stay as they are. */
export function expandHome(text: string, home = os.homedir()): string {
  const leads = text === '~' || text.startsWith('~/') || (path.sep === '\\' && text.startsWith('~\\'));
  return leads ? path.join(home, text.slice(1)) : text;
}

const isFileUrl = (text: string): boolean => /^file:\/\//i.test(text);

function pathOfFileUrl(text: string): string {
  // Text after `?` or `#` is not part of a URL's path: another file would be opened.
  if (/[?#]/.test(text)) throw notOurs(text, say('path.query'));
  // The URL parser removes these silently.
  if (/[\t\r\n]/.test(text) || (text.at(-1) ?? '') <= ' ') throw notOurs(text, say('path.space'));
  let place: string;
  try {
    const url = new URL(text);
    if (url.host !== '') throw notOurs(text, say('path.machine', { machine: url.host }));
    place = fileURLToPath(url);
  } catch (cause) {
    throw cause instanceof AppError ? cause : notOurs(text, say('path.noUrl'), cause);
  }
  if (place.includes('\0')) throw notOurs(text, say('path.nulInUrl'));
  return place;
}

function notOurs(text: string, reason: Message, cause?: unknown): AppError {
  return new AppError('INVALID_REQUEST', say('path.notHere', { path: text, reason }), {
    hint: say('path.notHere.hint'),
    cause,
  });
}
