/** Recognises Filebridge's own files and other apps' settings under any name: links, copies, temporary files. */
import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { bareNames, folded } from './path-patterns.ts';
import { isWithin, leadsTo } from './paths.ts';

/** A file or directory under its name and under the one it leads to. */
export interface OwnEntry {
  readonly places: readonly string[];
  /** Both in the form used for comparison. */
  readonly foldedPlaces: readonly string[];
  /** Whether siblings with names derived from its name belong to it: broken copies, locks, temporary files. */
  readonly withSiblings: boolean;
}

/** Directories looked into for another name of a file, and entries looked at in all. */
const MAX_DEPTH = 4;
const MAX_ENTRIES = 5000;

export async function ownEntry(absolute: string, withSiblings: boolean): Promise<OwnEntry> {
  const named = path.join(await leadsTo(path.dirname(absolute)), path.basename(absolute));
  const places = [...new Set([named, await leadsTo(absolute)])];
  return { places, foldedPlaces: places.map(foldedPath), withSiblings };
}

/** Compares case-insensitively, as some disks do. */
const foldedPath = (place: string): string => place.split(path.sep).map(folded).join(path.sep);

export function belongsTo(realPath: string, { foldedPlaces, withSiblings }: OwnEntry): boolean {
  const candidate = foldedPath(realPath);
  return foldedPlaces.some((place) => isWithin(candidate, place) || (withSiblings && isSibling(candidate, place)));
}

/** Whether the path is or contains one of the entry's places, so that moving the path moves the entry. */
export function holds(realPath: string, { foldedPlaces }: OwnEntry): boolean {
  const candidate = foldedPath(realPath);
  return foldedPlaces.some((place) => isWithin(place, candidate));
}

function isSibling(candidate: string, place: string): boolean {
  const directory = path.dirname(place);
  if (!isWithin(candidate, directory) || candidate === directory) return false;
  const [name = ''] = candidate.slice(directory.endsWith(path.sep) ? directory.length : directory.length + 1).split(path.sep);
  const own = path.basename(place);
  const { name: stem } = path.parse(own);
  const bare = name.replace(/^[.#]+/, '');
  return bare.startsWith(own) || bare.startsWith(`${stem}.broken-`) || bareNames(name).includes(own);
}

/** Whether a file with several names is one of these under another of them. Directories in `except` are not looked into. */
export async function isLinkedTo(
  entries: readonly OwnEntry[],
  file: Pick<Stats, 'dev' | 'ino' | 'nlink'>,
  except: readonly (string | null)[],
): Promise<boolean> {
  if (file.nlink < 2) return false;
  let left = MAX_ENTRIES;
  const same = async (place: string, depth: number): Promise<boolean> => {
    left -= 1;
    if (except.includes(place)) return false;
    const there = await stat(place).catch(() => undefined);
    if (there === undefined) return false;
    if (!there.isDirectory()) return there.dev === file.dev && there.ino === file.ino;
    if (depth === 0) return false;
    for (const name of await readdir(place).catch(() => [])) {
      if (left < 0) return false;
      if (await same(path.join(place, name), depth - 1)) return true;
    }
    return false;
  };
  for (const { places } of entries) for (const place of places) if (await same(place, MAX_DEPTH)) return true;
  return false;
}
