/** Describes what a change would lose: read before the approval, compared when the change is made. */

import type { Stats } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { FileChange } from '../../../shared/model/config.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { asksBefore } from '../folder-policy.ts';
import { checkWritable, openPlace, type Place, statOf } from './places.ts';

/** A file that is there, what would become of it, and how it begins. */
export interface Loss {
  change: 'delete' | 'trash' | 'overwrite' | 'edit' | 'move';
  path: string;
  destination: string | null;
  kind: 'file' | 'directory' | 'link';
  bytes: number;
  newBytes: number | null;
  beginning: string | null;
  whole: boolean;
  diff: string | null;
  replacement: string | null;
  undoable: boolean;
  /** The folder whose setting asks, and the setting. */
  rule: { folder: string; change: FileChange };
}

/** Resolves if the person allows it; throws CONFIRMATION_REFUSED else. */
export type AskAboutLoss = (loss: Loss) => Promise<void>;

/** The state when the person was asked; `there` is undefined if nothing was there. */
export interface Approved {
  there: Stats | undefined;
}

const BEGINNING_BYTES = 2048;
/** Larger texts are not compared. */
export const MOST_COMPARED_BYTES = 512 * 1024;

/** A move also needs an approval where the file would end up in a folder that asks less about what happens to it next. */
export function moveRule(from: Place, to: Place): Place | undefined {
  if (asksBefore(from.folder, 'move')) return from;
  if (asksBefore(to.folder, 'move')) return to;
  return (['delete', 'overwrite'] as const).some((next) => asksBefore(from.folder, next) && !asksBefore(to.folder, next))
    ? from
    : undefined;
}

/** The file at the path and the beginning of its content. Throws unless it is writable. */
export async function lookAt(place: Place): Promise<Pick<Loss, 'kind' | 'bytes' | 'beginning' | 'whole'> & { there: Stats }> {
  checkWritable(place, place.real);
  const there = await statOf(place);
  if (!there.isFile()) {
    const kind = there.isDirectory() ? ('directory' as const) : ('link' as const);
    return { kind, bytes: 0, beginning: null, whole: false, there };
  }
  const { handle } = await openPlace(place);
  try {
    const buffer = Buffer.alloc(BEGINNING_BYTES);
    const { bytesRead } = await handle.read(buffer, 0, BEGINNING_BYTES, 0);
    const whole = bytesRead >= there.size;
    return { kind: 'file', bytes: there.size, beginning: textOf(buffer.subarray(0, bytesRead), whole), whole, there };
  } finally {
    await handle.close();
  }
}

/** `fencedDiff` without its fence and header: the approval shows the path separately. */
export const hunksOf = (fenced: string): string => fenced.slice(fenced.indexOf('\n@@') + 1).replace(/`+\n\n$/, '');

/**
 * How a text changes, as the lines of a diff; null for bytes that are no text, where nothing changes, where it would be too long, and where
 * the line ends or the byte order mark change, which no line shows.
 */
export async function diffLines(path: string, before: Buffer, after: Buffer): Promise<string | null> {
  const [one, other] = [before, after].map((bytes) => textOf(bytes, true));
  if (typeof one !== 'string' || typeof other !== 'string' || one === other) return null;
  if (one.includes('\r\n') !== other.includes('\r\n') || isMarked(before) !== isMarked(after)) return null;
  const { fencedDiff } = await import('./edit-diff.ts');
  const fenced = fencedDiff(path, one, other);
  // One that is too long is a sentence without a fence.
  return fenced.startsWith('`') ? hunksOf(fenced) : null;
}

/** Whether bytes begin with the byte order mark of UTF-8. */
const isMarked = (bytes: Buffer): boolean => bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]));

/** The same for a file that would be overwritten. */
export async function overwriteDiff(place: Place, content: Buffer): Promise<string | null> {
  const { handle } = await openPlace(place);
  try {
    if (Math.max((await handle.stat()).size, content.byteLength) > MOST_COMPARED_BYTES) return null;
    return await diffLines(place.real, await handle.readFile(), content);
  } finally {
    await handle.close();
  }
}

/** Null for bytes that are no text. A character cut at the end is left out. */
export function textOf(bytes: Buffer, whole: boolean): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !whole });
  } catch {
    return null;
  }
}

/** Throws FILE_CHANGED unless what is there is what the person was shown. */
export function assertAsApproved(place: Place, approved: Approved | undefined, there: Stats | undefined): void {
  if (approved === undefined || isDeepStrictEqual(identityOf(approved.there), identityOf(there))) return;
  throw new AppError('FILE_CHANGED', say('tool.changedSinceAsked', { path: place.requested }), {
    hint: say('tool.changedSinceAsked.hint'),
    details: { path: place.requested },
  });
}

/** The content of a directory may change meanwhile: moving it loses nothing. */
function identityOf(stats: Stats | undefined) {
  if (stats === undefined) return undefined;
  const { dev, ino, size, mtimeMs, ctimeMs } = stats;
  return stats.isDirectory() ? { dev, ino } : { dev, ino, size, mtimeMs, ctimeMs };
}
