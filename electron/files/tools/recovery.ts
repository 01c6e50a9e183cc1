/** Finds recovery copies, which are left when a crash interrupts an in-place write. */

import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../shared/model/errors.ts';
import { type Message, say } from '../../../shared/model/messages/message.ts';
import { holdDirectory, type Place } from './places.ts';

const ENDING = 'filebridge-recovery';
/** Names have 255 bytes at most, and a character up to four. */
const MAX_KEPT = 48;

/** The file's number is in it, since a crash may have been met through another of its names. */
export const recoveryName = (name: string, { ino }: Pick<Stats, 'ino'>): string =>
  `${[...name].slice(0, MAX_KEPT).join('')}.${ino}-${randomBytes(4).toString('hex')}.${ENDING}`;

/**
 * A note for readers of the file; undefined unless a write to it was interrupted. A write in progress looks the same.
 * Only files of several names are written in place.
 */
export async function unfinishedWrite(place: Place, stats: Pick<Stats, 'ino' | 'nlink'>): Promise<Message | undefined> {
  if (stats.nlink < 2) return undefined;
  const directory = path.dirname(place.real);
  // A file may be read in a directory that may not be looked into.
  const held = await holdDirectory(place, directory).catch(() => undefined);
  if (held === undefined) return undefined;
  try {
    const mark = new RegExp(`\\.${stats.ino}-[0-9a-f]{8}\\.${ENDING}$`);
    const names = await readdir(held.at('.')).catch(() => []);
    const copies = names.filter((name) => mark.test(name)).map((name) => path.join(directory, name));
    if (copies.length === 0) return undefined;
    return say('tool.unfinished', { path: place.asked, copies });
  } finally {
    await held.close();
  }
}

/** Throws FILE_CHANGED: edits must not start from a mixture of old and new content. */
export async function refuseUnfinished(place: Place, stats: Pick<Stats, 'ino' | 'nlink'>): Promise<void> {
  const note = await unfinishedWrite(place, stats);
  if (note === undefined) return;
  throw new AppError('FILE_CHANGED', note, {
    hint: say('tool.unfinished.hint'),
  });
}
