/** Lists a directory for a file chooser: folders and files by name, without hidden ones. */
import type { Dirent } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { errnoOf } from './failures.ts';

/** Entries read, and entries shown, before a listing is partial. */
const MAX_READ = 20_000;
const MAX_SHOWN = 2_000;
/** How long to wait for a link to an unresponsive drive, in milliseconds. */
const LINK_MS = 500;

export interface Place {
  name: string;
  path: string;
  kind: 'folder' | 'file';
  /** Null for folders, and for files whose size is unknown. */
  bytes: number | null;
}

export interface Listing {
  path: string;
  /** Null at the root. */
  parent: string | null;
  places: Place[];
  partial: boolean;
}

/** Folders first. Throws FILE_NOT_FOUND for a missing or unreadable path, FILE_NOT_REGULAR for a path that is not a directory. */
export async function browse(directory: string, options: { files: boolean }): Promise<Listing> {
  const { entries, partial } = await entriesOf(directory);
  const order = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
  const kinds = await Promise.all(entries.map((entry) => kindOf(entry, path.join(directory, entry.name))));
  const found = entries
    .map((entry, index) => ({ name: entry.name, path: path.join(directory, entry.name), kind: kinds[index] ?? null }))
    .filter((place): place is Omit<Place, 'bytes'> => place.kind === 'folder' || (options.files && place.kind === 'file'))
    .sort((one, other) => (one.kind === other.kind ? order.compare(one.name, other.name) : one.kind === 'folder' ? -1 : 1));
  const shown = found.slice(0, MAX_SHOWN);
  const parent = path.dirname(directory);
  return {
    path: directory,
    parent: parent === directory ? null : parent,
    places: await Promise.all(shown.map(async (place) => ({ ...place, bytes: await bytesOf(place) }))),
    partial: partial || found.length > shown.length,
  };
}

async function entriesOf(directory: string): Promise<{ entries: Dirent[]; partial: boolean }> {
  const entries: Dirent[] = [];
  let read = 0;
  try {
    for await (const entry of await opendir(directory)) {
      read += 1;
      if (read > MAX_READ) return { entries, partial: true };
      if (!entry.name.startsWith('.')) entries.push(entry);
    }
  } catch (error) {
    throw unlisted(directory, error);
  }
  return { entries, partial: false };
}

/** The kind of an entry or of its link's target; null for pipes, devices and dangling links. */
async function kindOf(entry: Dirent, place: string): Promise<Place['kind'] | null> {
  if (entry.isDirectory()) return 'folder';
  if (entry.isFile()) return 'file';
  if (!entry.isSymbolicLink()) return null;
  const stats = await statSoon(place);
  return stats?.isDirectory() ? 'folder' : stats?.isFile() ? 'file' : null;
}

const bytesOf = async (place: Omit<Place, 'bytes'>): Promise<number | null> =>
  place.kind === 'folder' ? null : ((await statSoon(place.path))?.size ?? null);

async function statSoon(place: string) {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), LINK_MS);
  });
  try {
    return await Promise.race([stat(place).catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}

function unlisted(directory: string, cause: unknown): AppError {
  const code = errnoOf(cause);
  const details = { path: directory };
  if (code === 'ENOTDIR') {
    return new AppError('FILE_NOT_REGULAR', say('folder.file', { folder: directory }), {
      hint: say('folder.file.hint'),
      details,
      cause,
    });
  }
  if (code === 'EACCES' || code === 'EPERM') {
    const hint = say('folder.closed.hint');
    return new AppError('FILE_NOT_FOUND', say('folder.closed', { folder: directory }), { hint, details, cause });
  }
  return new AppError('FILE_NOT_FOUND', say('folder.absent', { folder: directory }), {
    hint: say('folder.absent.hint'),
    details,
    cause,
  });
}
