/** Resolves symlinks of a path, even where the end of the path is missing. */
import { lstat, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';

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
