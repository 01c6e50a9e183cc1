/** Notes changes of the file tools while they are made, with what is needed to undo them. */

import { constants, type Stats } from 'node:fs';
import { toAppError } from '../../../shared/model/errors.ts';
import { type Change, type FileState, type KeptChange, type KeptChanges, MOST_KEPT_BYTES } from '../../store/kept-changes.ts';
import { lstat, open } from '../disk.ts';
import type { Approved } from './loss.ts';
import type { WritablePlace } from './places.ts';

/** Where the changes of one call are noted. */
export interface ChangeNotes {
  /** Keeps content that is about to be replaced. */
  keep(content: Buffer): Promise<void>;
  note(change: Change): Promise<void>;
  /** Hears why a change could not be noted. */
  failed(error: unknown): void;
}

export const notesIn = (changes: KeptChanges, log: (line: string) => void, of: Omit<KeptChange, 'change'>): ChangeNotes => ({
  keep: (content) => changes.keep(of.id, content),
  note: (change) => changes.note({ ...of, change }),
  failed: (error) => log(`a change of a file cannot be undone later: ${toAppError(error).text}`),
});

/** What the person approved, and where the change is noted. */
export interface HowToChange {
  approved?: Approved | undefined;
  notes?: ChangeNotes | undefined;
}

export const stateOf = (stats: Stats): FileState => {
  const { dev, ino, size, mtimeMs } = stats;
  return stats.isDirectory() ? { dev, ino, size: 0, mtimeMs: 0 } : { dev, ino, size, mtimeMs };
};

/** The entry of this name as it is now. */
export const stateNow = async ({ held, name }: Pick<WritablePlace, 'held' | 'name'>): Promise<FileState> =>
  stateOf(await lstat(held.at(name)));

/** Never throws: a change that could not be noted was made all the same. */
export async function note(notes: ChangeNotes | undefined, change: () => Promise<Change>): Promise<void> {
  if (notes === undefined) return;
  try {
    await notes.note(await change());
  } catch (error) {
    notes.failed(error);
  }
}

/** Keeps the file's content before it is replaced. False where it is too large, or cannot be read or kept. */
export async function keepContent({ held, name }: WritablePlace, notes: ChangeNotes | undefined): Promise<boolean> {
  if (notes === undefined) return false;
  try {
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    const handle = await open(held.at(name), flags);
    try {
      const stats = await handle.stat();
      if (!stats.isFile() || stats.size > MOST_KEPT_BYTES) return false;
      await notes.keep(await handle.readFile());
      return true;
    } finally {
      await handle.close();
    }
  } catch (error) {
    notes.failed(error);
    return false;
  }
}
