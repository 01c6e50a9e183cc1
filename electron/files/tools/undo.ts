/** Undoes a change of a file tool, where the file is still as the change left it. */

import type { Stats } from 'node:fs';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { type Change, type FileState, isState } from '../../store/kept-changes.ts';
import { lstat, unlink } from '../disk.ts';
import { errnoOf } from '../failures.ts';
import { moveUnlessThere } from '../pending-file.ts';
import { type ChangeNotes, keepContent, note, stateNow, stateOf } from './change-notes.ts';
import { destinationExists } from './failures.ts';
import { truncateInPlace } from './in-place.ts';
import { diffLines, MOST_COMPARED_BYTES } from './loss.ts';
import { deleteFile, moveEntry } from './move.ts';
import { type Aim, holdForWriting, openPlace, type Place, statOf, type WritablePlace } from './places.ts';
import { replace, using } from './write.ts';

interface Undoing {
  placeOf(requested: string, aim: Aim): Promise<Place>;
  changing<T>(place: Place, work: () => Promise<T>): Promise<T>;
  trash: ((path: string) => Promise<void>) | undefined;
  /** The content that was replaced. */
  content(): Promise<Buffer>;
  /** Where the undoing is noted, so that it can be undone too. */
  notes: ChangeNotes;
}

/** Returns the file's state where its content is that of before; throws FILE_CHANGED for one that was changed since. */
export async function undoChange(
  change: Change,
  { placeOf, changing, trash, content, notes }: Undoing,
): Promise<FileState | undefined> {
  if (change.kind === 'moved') {
    const [from, to] = [await placeOf(change.path, 'entry'), await placeOf(change.from, 'write')];
    await moveEntry(from, to, { approved: { there: await unchanged(from, change.after) }, notes });
    return undefined;
  }
  if (change.kind === 'created') {
    const found = await placeOf(change.path, 'entry');
    const there = await unchanged(found, change.after);
    await changing(found, () => deleteFile(found, false, trash, { approved: { there }, notes }));
    return undefined;
  }
  const found = await placeOf(change.path, 'write');
  return await changing(found, async () => {
    const target = await holdForWriting(found, change.kind === 'trashed');
    return await using(target, async () => {
      if (change.kind === 'trashed') {
        await fromTrash(target, found, change);
        await note(notes, async () => ({ kind: 'created', path: target.real, after: await stateNow(target) }));
        return undefined;
      }
      assertUnchanged(found, change.after, target.there);
      if (change.kind === 'replaced') return await replace(target, await content(), notes);
      const isKept = await keepContent(target, notes);
      const [before, after] = [stateOf(target.there), stateOf(await truncateInPlace(target, change.before.size))];
      if (isKept) await note(notes, async () => ({ kind: 'replaced', path: target.real, before, after }));
      return after;
    });
  });
}

async function fromTrash(target: WritablePlace, found: Place, change: Change & { kind: 'trashed' }): Promise<void> {
  if (target.there) throw destinationExists(target.real);
  assertUnchanged(found, change.after, await lstat(change.file).catch(() => undefined));
  await moveUnlessThere(change.file, target.held.at(target.name));
  if (change.record !== null) await unlink(change.record).catch(() => undefined);
  await target.held.sync();
}

/** What the change did to the text, as the lines of a diff; null where there is nothing to compare. Throws FILE_CHANGED for a file that was changed since. */
export async function diffOfChange(
  change: Change,
  { placeOf, content }: Pick<Undoing, 'placeOf' | 'content'>,
  isUndone: boolean,
): Promise<string | null> {
  if (!('before' in change)) return null;
  const found = await placeOf(change.path, 'read');
  const { handle } = await openPlace(found);
  try {
    const there = await handle.stat();
    assertUnchanged(found, change.after, there);
    if (Math.max(there.size, change.before.size) > MOST_COMPARED_BYTES) return null;
    const now = await handle.readFile();
    const before = change.kind === 'appended' ? now.subarray(0, change.before.size) : await content();
    return await (isUndone ? diffLines(found.real, now, before) : diffLines(found.real, before, now));
  } finally {
    await handle.close();
  }
}

export type Hindrance = 'gone' | 'gone from trash' | 'changed' | 'taken';

/** Why the change cannot be undone as its files are now; null where nothing is known to prevent it. */
export async function hindranceOf(change: Change): Promise<Hindrance | null> {
  const { kind, path, after } = change;
  const back = kind === 'moved' ? change.from : kind === 'trashed' ? path : undefined;
  const [there, taken] = await Promise.all([
    entryAt(kind === 'trashed' ? change.file : path),
    back === undefined ? undefined : entryAt(back),
  ]);
  if (there === undefined) return kind === 'trashed' ? 'gone from trash' : 'gone';
  if (there !== 'unknown' && !isState(stateOf(there), after)) return 'changed';
  // A file that only gets its name spelt otherwise is its own hindrance.
  return taken === undefined || taken === 'unknown' || (there !== 'unknown' && taken.ino === there.ino) ? null : 'taken';
}

/** Undefined where nothing is there; `unknown` where that cannot be told. */
async function entryAt(path: string): Promise<Stats | 'unknown' | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '') ? undefined : 'unknown';
  }
}

async function unchanged(found: Place, after: FileState): Promise<Stats> {
  const there = await statOf(found).catch(() => undefined);
  assertUnchanged(found, after, there);
  return there;
}

function assertUnchanged(found: Place, after: FileState, there: Stats | undefined): asserts there is Stats {
  if (there !== undefined && isState(stateOf(there), after)) return;
  throw there === undefined
    ? new AppError('FILE_CHANGED', say('undo.goneSince', { path: found.requested }), { hint: say('undo.goneSince.hint') })
    : new AppError('FILE_CHANGED', say('undo.changedSince', { path: found.requested }), { hint: say('undo.changedSince.hint') });
}
