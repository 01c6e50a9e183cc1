/** Paths as people and agents write them: parsed, followed through symlinks, compared; and the names that new files may have. */

import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../shared/model/errors.ts';
import { type Message, say } from '../../shared/model/messages/message.ts';
import { diskTimeoutMs, lstat, onDisk, readlink, realpath, stat } from './disk.ts';

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

/** Real paths of the directories among these file URLs and paths; all others are reported and left out. */
export async function rootDirectories(roots: readonly string[], log: (line: string) => void): Promise<string[]> {
  const found: string[] = [];
  for (const root of roots) {
    try {
      const place = path.resolve(expandHome(root.startsWith('file://') ? fileURLToPath(root) : root));
      const make = async () => {
        const real = await realpath(place);
        return (await stat(real)).isDirectory() ? real : undefined;
      };
      const real = await onDisk({ place, key: place, make, timeoutMs: diskTimeoutMs() });
      if (real !== undefined) found.push(real);
      else log(`the root '${root}' is no directory and is left out`);
    } catch {
      log(`the root '${root}' cannot be reached and is left out`);
    }
  }
  return found;
}

const MAX_LINKS = 40;

/**
 * Like realpath, but what cannot be seen (absent, not permitted) is appended as it stands, and a dangling link is followed to
 * where it points. Used to tell inside from outside without telling whether anything exists outside; a file is
 * never opened by the answer.
 */
export async function leadsTo(absolute: string): Promise<string> {
  const known = await realpath(absolute).catch(() => undefined);
  if (known !== undefined) return known;
  let at = path.parse(absolute).root;
  let pending = segmentsOf(absolute);
  let links = 0;
  while (true) {
    const segment = pending.shift();
    if (segment === undefined) return at;
    if (segment === '..') {
      at = path.dirname(at);
      continue;
    }
    const next = path.join(at, segment);
    const stat = await lstat(next).catch(() => undefined);
    // The disk's own spelling, where it accepts others.
    if (stat === undefined) return path.join(await realpath(at).catch(() => at), segment, ...pending);
    if (!stat.isSymbolicLink()) {
      at = next;
      continue;
    }
    links += 1;
    const target = links > MAX_LINKS ? undefined : await readlink(next).catch(() => undefined);
    if (target === undefined) return path.join(next, ...pending);
    if (path.isAbsolute(target)) at = path.parse(target).root;
    pending = [...segmentsOf(target), ...pending];
  }
}

/** Whether the texts name the same entry on disks that ignore case or the composition of letters; `\\?\\` and short names aside. */
export const isRespelling = (one: string, other: string): boolean => one !== other && folded(one) === folded(other);

const folded = (text: string): string => text.normalize('NFC').toLowerCase().normalize('NFC');

/** Whether `child` is `parent` or below it, on segment boundaries: `/data-secret` is not within `/data`. Real paths only. */
export function isWithin(child: string, parent: string): boolean {
  return child === parent || child.startsWith(parent.endsWith(path.sep) ? parent : parent + path.sep);
}

function segmentsOf(text: string): string[] {
  const root = path.isAbsolute(text) ? path.parse(text).root : '';
  return text
    .slice(root.length)
    .split(path.sep)
    .filter((segment) => segment !== '' && segment !== '.');
}

const MAX_NAME_BYTES = 255;

/** Names Windows gives to devices, with any ending (Microsoft, "Naming Files, Paths, and Namespaces"). */
const windowsDevice = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?$/i;

/** Throws INVALID_REQUEST unless `name` is a plain file name, without folders in it. */
export function checkFileName(name: string, platform: NodeJS.Platform = process.platform): void {
  const reason = faultOf(name, platform);
  if (reason === undefined) return;
  throw new AppError('INVALID_REQUEST', say('name.refused', { name: name.replaceAll('\0', '\\0'), reason }), {
    hint: say('name.refused.hint'),
  });
}

function faultOf(name: string, platform: NodeJS.Platform): Message | undefined {
  if (name === '') return say('name.empty');
  if (name === '.' || name === '..') return say('name.folder');
  if (/[/\\]/.test(name)) return say('name.separator');
  if ([...name].some((character) => character < ' ' || character === '\x7f')) return say('name.control');
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) return say('name.long', { bytes: MAX_NAME_BYTES });
  if (windowsDevice.test(name)) return say('name.device');
  if (platform !== 'win32') return undefined;
  // A colon would open an alternate data stream of a file; the system refuses the others.
  if (/[<>:"|?*]/.test(name)) return say('name.windows');
  return /[. ]$/.test(name) ? say('name.end') : undefined;
}
