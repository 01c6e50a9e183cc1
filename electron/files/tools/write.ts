/** Writes and edits files atomically, and keeps their mode, owner and attributes. */

import type { Stats } from 'node:fs';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import type { FileState } from '../../store/kept-changes.ts';
import { changedWhileRead, writeFailed } from '../failures.ts';
import { startFile } from '../pending-file.ts';
import { enterDirectory } from '../safe-open.ts';
import { type ChangeNotes, type HowToChange, keepContent, note, stateNow, stateOf } from './change-notes.ts';
import { applyEdits, type Edit, type Limits } from './edits.ts';
import { systemFailure } from './failures.ts';
import { appendInPlace, refuseUnfinished, rewriteInPlace } from './in-place.ts';
import { assertAsApproved } from './loss.ts';
import { assertFile, checkWritable, holdForWriting, openPlace, type Place, segmentsBelow, type WritablePlace } from './places.ts';
import { codecOf } from './text-parts.ts';

export interface WriteOptions {
  append: boolean;
  createDirectories: boolean;
}

/** Text is written as UTF-8, and added to a UTF-16 file as UTF-16; bytes go as they are. */
export async function writeContent(
  place: Place,
  content: string | Buffer,
  options: WriteOptions,
  { approved, notes }: HowToChange,
): Promise<number> {
  const target = await holdForWriting(place, options.createDirectories);
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
  await using(target, async () => {
    assertFile(place, target.there);
    assertAsApproved(place, approved, target.there);
    if (options.append && target.there) {
      await refuseUnfinished(place, target.there);
      await appendInPlace(target, (start) => (typeof content === 'string' ? encodedLike(start, content) : bytes));
      const before = stateOf(target.there);
      await note(notes, async () => ({ kind: 'appended', path: target.real, before, after: await stateNow(target) }));
    } else await replace(target, bytes, notes);
  });
  return bytes.byteLength;
}

function encodedLike(start: Buffer, text: string): Buffer {
  const codec = codecOf(start);
  if (codec === 'utf8') return Buffer.from(text, 'utf8');
  const little = Buffer.from(text, 'utf16le');
  return codec === 'utf16be' ? little.swap16() : little;
}

/** Always closes the directory; a pending file closes it too, which has no further effect. */
export async function using<T>(target: WritablePlace, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw writeFailed(target.real, error);
  } finally {
    await target.held.close().catch(() => undefined);
  }
}

/** One that has several names keeps them. Returns its new state. */
export async function replace(target: WritablePlace, bytes: Uint8Array, notes?: ChangeNotes): Promise<FileState> {
  const { there, held, name, real: path, check } = target;
  const isKept = there !== undefined && (await keepContent(target, notes));
  let after: FileState;
  if ((there?.nlink ?? 1) > 1) after = stateOf(await rewriteInPlace(target, bytes));
  else {
    const pending = await startFile(held, name, true, check);
    await pending.write(bytes);
    after = stateOf((await pending.commit()).stats);
  }
  if (there === undefined) await note(notes, async () => ({ kind: 'created', path, after }));
  else if (isKept) await note(notes, async () => ({ kind: 'replaced', path, before: stateOf(there), after }));
  return after;
}

/** Returns the diff. Throws before anything is written where an edit does not fit. */
export async function editContent(
  place: Place,
  edits: readonly Edit[],
  dryRun: boolean,
  limits: Limits,
  { approved, notes }: HowToChange = {},
): Promise<string> {
  const { maxBytes } = limits;
  if (!dryRun) checkWritable(place, place.real);
  const { handle } = await openPlace(place);
  let original: Buffer;
  let seen: Stats;
  try {
    seen = await handle.stat();
    assertAsApproved(place, approved, seen);
    if (seen.size > maxBytes)
      throw new AppError('FILE_TOO_LARGE', say('size.file', { bytes: seen.size, limit: maxBytes }), {
        hint: say('tool.editTooLarge.hint'),
      });
    await refuseUnfinished(place, seen);
    original = await handle.readFile();
  } finally {
    await handle.close();
  }
  const { bytes, before, after } = await applyEdits(original, edits, limits);
  if (!dryRun) {
    const target = await holdForWriting(place);
    await using(target, async () => {
      const { there } = target;
      assertFile(place, there);
      // Seconds may have passed: do not overwrite another program's changes.
      if (there?.ino !== seen.ino || there.size !== seen.size || there.mtimeMs !== seen.mtimeMs)
        throw changedWhileRead(place.requested, say('changed.written'));
      await replace(target, bytes, notes);
    });
  }
  const { fencedDiff } = await import('./edit-diff.ts');
  return fencedDiff(place.real, before, after);
}

/** Makes a directory and those above it. One that is there is left alone. */
export async function makeDirectory(place: Place): Promise<void> {
  const folder = place.real === place.folder.realPath ? place.folder : checkWritable(place, place.real);
  try {
    const held = await enterDirectory(folder.realPath ?? place.real, segmentsBelow(folder, place.real), place.platform);
    await held.close();
  } catch (error) {
    const code = (error as { code?: unknown }).code === 'ENOTDIR' ? 'EEXIST' : error;
    throw error instanceof AppError ? error : systemFailure(code, `mkdir '${place.real}'`);
  }
}
