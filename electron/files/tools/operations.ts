/** The file tools' operations by path: what a tool does, without saying how a tool is called. */

import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { oneAtATimeByKey } from '../../../shared/lib/one-at-a-time.ts';
import type { FileChange } from '../../../shared/model/config.ts';
import { AppError, toAppError } from '../../../shared/model/errors.ts';
import { inAgentsWords, type Message, say } from '../../../shared/model/messages/message.ts';
import { type Change, type FileState, MOST_KEPT_BYTES } from '../../store/kept-changes.ts';
import { lstat } from '../disk.ts';
import { notRegular } from '../failures.ts';
import { withNearFiles } from '../file-access.ts';
import { asksBefore, type FileAccessOptions, openPolicy } from '../folder-policy.ts';
import type { ChangeNotes } from './change-notes.ts';
import type { Edit } from './edits.ts';
import { destinationExists, invalid, shownDirectories } from './failures.ts';
import { unfinishedWrite } from './in-place.ts';
import { directoryTree, listDirectory, listWithSizes, searchFiles } from './listing.ts';
import { type Approved, type AskAboutLoss, hunksOf, type Loss, lookAt, moveRule, overwriteDiff, textOf } from './loss.ts';
import { copyFile, deleteFile, moveEntry, newSpelling } from './move.ts';
import { type Aim, checkWritable, openPlace, type Place, placeOf, statOf } from './places.ts';
import {
  type AnswerBound,
  checkPart,
  cut,
  excess,
  MAX_ANSWER_BYTES,
  type NotedText,
  noted,
  type Part,
  readPart,
} from './text-parts.ts';
import { diffOfChange, undoChange } from './undo.ts';
import { editContent, makeDirectory, type WriteOptions, writeContent } from './write.ts';

export interface FileOperationsOptions extends FileAccessOptions {
  /** The user's bound for a file that is held as a whole. */
  maxFileBytes: () => number;
  /** The system's trash by path, where we cannot put a file there ourselves: on Windows, and on other disks. Throws where there is none. */
  trash?: ((path: string) => Promise<void>) | undefined;
  /** How long an answer of text may be; absent: as long as a message takes. */
  answers?: AnswerBound | undefined;
  /** Keeps other processes from changing a file at the same time; absent: only this one's changes take turns. */
  lock?: ChangeLock | undefined;
}

/** A file as a block of an answer. */
type MediaBlock =
  | { type: 'image' | 'audio'; data: string; mimeType: string }
  | { type: 'resource'; resource: { uri: string; mimeType: string; blob: string } };

export interface FileOperations {
  readText(path: string, part: Part, signal?: AbortSignal): Promise<NotedText>;
  /** With the size of the file in bytes. */
  readMedia(path: string): Promise<{ block: MediaBlock; bytes: number }>;
  readMany(paths: readonly string[], signal?: AbortSignal): Promise<string>;
  /** Returns the bytes written. */
  write(path: string, content: string | Buffer, options: WriteOptions): Promise<{ bytes: number; note: string | undefined }>;
  /** Returns the diff. */
  edit(path: string, edits: readonly Edit[], dryRun: boolean, signal?: AbortSignal): Promise<NotedText>;
  createDirectory(path: string): Promise<void>;
  list(path: string): Promise<NotedText>;
  listWithSizes(path: string, sortBy: 'name' | 'size'): Promise<NotedText>;
  /** JSON text. */
  tree(path: string, excludePatterns: readonly string[], signal?: AbortSignal): Promise<NotedText>;
  search(path: string, pattern: string, excludePatterns: readonly string[], signal?: AbortSignal): Promise<NotedText>;
  info(path: string): Promise<string>;
  move(source: string, destination: string): Promise<void>;
  /** Returns the bytes copied. */
  copy(source: string, destination: string, createDirectories: boolean, signal?: AbortSignal): Promise<number>;
  delete(path: string, permanent: boolean): Promise<'trash' | 'gone'>;
  /** As the official server lists them. */
  directories(): Promise<string[]>;
  /** The same, where folders may ask about a change before it is made, and where changes are noted. */
  asking(ask: AskAboutLoss, notes?: ChangeNotes): FileOperations;
  /** Undoes a change; `content` is what it replaced. Throws FILE_CHANGED if the file was changed since. Returns its state, where it is as before. */
  undo(change: Change, content: () => Promise<Buffer>, notes: ChangeNotes): Promise<FileState | undefined>;
  /** What a change did to the text; of one that undid another (`isUndone`), what the other did. Null where there is nothing to compare. */
  diffOfChange(change: Change, content: () => Promise<Buffer>, isUndone: boolean): Promise<string | null>;
}

/**
 * Clients built with the SDK end the connection at a message of 10 MiB, and the block goes out twice in base64: as content, and as
 * structured content.
 */
const MAX_MEDIA_BYTES = 3.5 * 1024 * 1024;

const mediaTypes: Record<string, string> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.bmp': 'image/bmp',
  '.svg': 'image/svg+xml',
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
  '.ogg': 'audio/ogg',
  '.flac': 'audio/flac',
};

/** A file of several is read as far as there is room for this part of an answer. */
const MANY_SHARE = 20;

const withHint = ({ code, asText, details, cause }: AppError, hint: Message) =>
  new AppError(code, asText, { hint, details, cause });

function withFolderHint(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'FILE_NOT_FOUND' || error.hint !== undefined) return error;
  return withHint(error, say('tool.noParent.hint'));
}

/** A refusal to delete for good says that the trash is there. */
function withTrashHint(error: unknown, { folder }: Place): unknown {
  if (!(error instanceof AppError) || error.code !== 'CONFIRMATION_REFUSED') return error;
  const asks = asksBefore(folder, 'delete', false);
  return withHint(error, say('tool.permanent.hint', { hint: error.hintAsText ?? null, asks }));
}

/** Control characters but for tabs and line ends. */
const CONTROLS = /[^\P{Cc}\t\n\r]/gu;
const escaped = (character: string) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`;

const unbounded: AnswerBound = { tokens: () => MAX_ANSWER_BYTES, count: async (text) => Buffer.byteLength(text) };

/** Without `ask`, changes are made without questions; without `notes`, they cannot be undone. */
export function createFileOperations(options: FileOperationsOptions, ask?: AskAboutLoss, notes?: ChangeNotes): FileOperations {
  const { answers = unbounded } = options;
  const place = async (requested: string, aim: Aim = 'read'): Promise<Place> =>
    placeOf(requested, await openPolicy(options, requested), options, aim);

  const { approvedDelete, approvedEdit, approvedMove, approvedOverwrite } = approvals(ask);

  /** The error for a missing file names those that may be meant. */
  async function openToRead(found: Place, how: 'open' | 'stat' = 'open') {
    try {
      return await openPlace(found, how);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'FILE_NOT_FOUND') throw error;
      throw await withNearFiles(error, [found.absolute], found.policy);
    }
  }

  /** As much of a diff as an answer may hold, in its fence. */
  async function shownDiff(fenced: string, dryRun: boolean): Promise<NotedText> {
    const diff = fenced.replaceAll(CONTROLS, escaped);
    const controls = diff === fenced ? undefined : say('tool.controlsEscaped');
    const fence = /^`+/.exec(diff)?.[0];
    if (fence === undefined) return noted(diff, say('tool.diffCut', { left: null, dryRun }), controls);
    const end = diff.lastIndexOf(fence);
    const kept = await cut(diff.slice(0, end), true, answers);
    if (kept.length === end) return noted(diff, controls);
    const left = diff.slice(kept.length, end - 1).split('\n').length;
    return noted(`${kept.replace(/\n?$/, '\n')}${fence}\n\n`, say('tool.diffCut', { left, dryRun }), controls);
  }

  /** A note where the content is no more than the path of a file that is there: a model that meant its content. */
  async function pathNote(content: string | Buffer): Promise<string | undefined> {
    if (typeof content !== 'string' || content.length > 4096 || !/^(?:[/~]|[A-Za-z]:[\\/])[^\r\n]*$/.test(content))
      return undefined;
    const isFile = await place(content)
      .then(statOf)
      .then((stats) => stats.isFile())
      // What may not be read is not said to be there.
      .catch(() => false);
    return isFile ? inAgentsWords(say('tool.pathWritten', { path: content })) : undefined;
  }

  async function readText(requested: string, part: Part, signal?: AbortSignal, bound = answers): Promise<NotedText> {
    const found = await place(requested);
    checkPart(part);
    const { handle } = await openToRead(found, part.tail ? 'stat' : 'open');
    try {
      const { text, next, nextLine = null } = await readPart(handle, requested, part, bound, signal);
      const unfinished = await unfinishedWrite(found, await handle.stat());
      return noted(
        text,
        next === undefined ? undefined : say('tool.readOn', { next, tokens: bound.tokens(), nextLine }),
        unfinished,
      );
    } finally {
      await handle.close();
    }
  }

  return {
    readText,
    async readMedia(requested) {
      const { handle, realPath } = await openToRead(await place(requested));
      try {
        const { size } = await handle.stat();
        const max = Math.min(options.maxFileBytes(), MAX_MEDIA_BYTES);
        if (size > max)
          throw new AppError('FILE_TOO_LARGE', say('size.file', { bytes: size, limit: max }), {
            hint: say('tool.mediaTooLarge.hint'),
          });
        const content = await handle.readFile();
        const bytes = content.byteLength;
        const data = content.toString('base64');
        const mimeType = mediaTypes[path.extname(realPath).toLowerCase()] ?? 'application/octet-stream';
        if (mimeType.startsWith('image/')) return { block: { type: 'image', data, mimeType }, bytes };
        if (mimeType.startsWith('audio/')) return { block: { type: 'audio', data, mimeType }, bytes };
        // Hosts show models a picture or a sound as such, and other bytes as their base64.
        if ((await excess(data, answers)) > 1)
          throw new AppError('FILE_TOO_LARGE', say('tool.mediaTooLong', { path: requested, tokens: answers.tokens() }), {
            hint: say('tool.mediaTooLarge.hint'),
          });
        return { block: { type: 'resource', resource: { uri: pathToFileURL(realPath).href, mimeType, blob: data } }, bytes };
      } finally {
        await handle.close();
      }
    },
    async readMany(paths, signal) {
      const parts: string[] = [];
      let left = answers.tokens();
      const least = left / MANY_SHARE;
      for (const requested of paths) {
        try {
          signal?.throwIfAborted();
          if (left < least) throw invalid(say('tool.answerFull', { tokens: answers.tokens() }), say('tool.readAlone'));
          const room = left;
          const { text, note } = await readText(requested, {}, signal, { ...answers, tokens: () => room });
          left -= await answers.count(text);
          parts.push(`${requested}:\n${text}\n${note === undefined ? '' : `Note: ${note}\n`}`);
        } catch (error) {
          signal?.throwIfAborted();
          parts.push(`${requested}: Error - ${toAppError(error).text}`);
        }
      }
      return parts.join('\n---\n');
    },
    async write(requested, content, how) {
      const found = await place(requested, 'write');
      const approved = how.append ? undefined : await approvedOverwrite(found, content);
      const note = await pathNote(content);
      try {
        return { bytes: await changing(found, options.lock, () => writeContent(found, content, how, { approved, notes })), note };
      } catch (error) {
        throw how.createDirectories ? error : withFolderHint(error);
      }
    },
    async edit(requested, edits, dryRun, signal) {
      const limits = { maxBytes: options.maxFileBytes(), signal };
      const found = await place(requested, 'change');
      const approved = dryRun ? undefined : await approvedEdit(found, () => editContent(found, edits, true, limits));
      return shownDiff(
        await changing(found, options.lock, () => editContent(found, edits, dryRun, limits, { approved, notes })),
        dryRun,
      );
    },
    createDirectory: async (requested) => makeDirectory(await place(requested, 'write')),
    list: async (requested) => listDirectory(await place(requested), answers),
    listWithSizes: async (requested, sortBy) => listWithSizes(await place(requested), sortBy, answers),
    tree: async (requested, excluded, signal) => directoryTree(await place(requested), excluded, answers, signal),
    search: async (requested, pattern, excluded, signal) =>
      searchFiles(await place(requested), pattern, excluded, answers, signal),
    async info(requested) {
      const stats = await statOf(await place(requested));
      const shown = {
        size: stats.size,
        created: stats.birthtime,
        modified: stats.mtime,
        accessed: stats.atime,
        isDirectory: stats.isDirectory(),
        isFile: stats.isFile(),
        permissions: stats.mode.toString(8).slice(-3),
      };
      return Object.entries(shown)
        .map(([key, value]) => `${key}: ${value}`)
        .join('\n');
    },
    async move(source, destination) {
      const [from, to] = [await place(source, 'change'), await place(destination, 'write')];
      await moveEntry(from, to, { approved: await approvedMove(from, to), notes });
    },
    copy: async (source, destination, createDirectories, signal) =>
      copyFile(await place(source), await place(destination, 'write'), createDirectories, { signal, notes }),
    async delete(requested, permanent) {
      const found = await place(requested, 'entry');
      const approved = await approvedDelete(found, permanent).catch((error: unknown) => {
        throw permanent ? withTrashHint(error, found) : error;
      });
      return await deleteFile(found, permanent, options.trash, { approved, notes });
    },
    directories: async () => shownDirectories((await openPolicy(options)).folders),
    asking: (ask, notes) => createFileOperations(options, ask, notes),
    diffOfChange: (change, content, isUndone) => diffOfChange(change, { placeOf: place, content }, isUndone),
    undo: (change, content, notes) =>
      undoChange(change, {
        placeOf: place,
        changing: (found, work) => changing(found, options.lock, work),
        trash: options.trash,
        content,
        notes,
      }),
  };
}

/** Runs `work` while no other process does the same under this key. Throws `busy()` where the turn does not come. */
type ChangeLock = <T>(key: string, work: () => Promise<T>, busy: () => AppError) => Promise<T>;

const inTurn = oneAtATimeByKey();

/**
 * Waits for changes to the file under way, by any of its names: in this process, and in others where `lock` is given. Always the path
 * first, so that none wait for each other.
 */
async function changing<T>({ real, requested }: Place, lock: ChangeLock | undefined, work: () => Promise<T>): Promise<T> {
  const busy = () => new AppError('FILE_CHANGED', say('tool.busy', { path: requested }), { hint: say('tool.busy.hint') });
  const alone = <R>(key: string, run: () => Promise<R>) => inTurn(key, () => (lock ? lock(key, run, busy) : run()));
  return await alone(real, async () => {
    const there = await lstat(real).catch(() => undefined);
    return there && there.nlink > 1 ? await alone(`${there.dev}:${there.ino}`, work) : await work();
  });
}

/** What is replaced is kept up to a size; what is moved or in the trash is still there. */
const isUndoable = (change: Loss['change'], bytes: number): boolean =>
  change === 'move' || change === 'trash' || (change !== 'delete' && bytes <= MOST_KEPT_BYTES);

/** Undefined answers: the change needs no approval. */
function approvals(ask: AskAboutLoss | undefined) {
  async function approved(
    place: Place,
    rule: { place: Place; change: FileChange },
    about: Pick<Loss, 'change'> & Partial<Pick<Loss, 'destination' | 'newBytes' | 'diff' | 'replacement'>>,
    /** Looked at before a difference was made, so that a change meanwhile is noticed. */
    seen?: Awaited<ReturnType<typeof lookAt>>,
  ): Promise<Approved> {
    const { there, ...shown } = seen ?? (await lookAt(place));
    if (about.change !== 'move' && there.isDirectory()) throw notRegular(place.requested, 'a directory');
    await ask?.({
      path: place.real,
      destination: null,
      newBytes: null,
      diff: null,
      replacement: null,
      ...shown,
      ...about,
      undoable: isUndoable(about.change, shown.bytes),
      rule: { folder: rule.place.folder.path, change: rule.change },
    });
    return { there };
  }

  return {
    async approvedOverwrite(place: Place, content: string | Buffer): Promise<Approved | undefined> {
      if (!ask || !asksBefore(place.folder, 'overwrite')) return undefined;
      checkWritable(place, place.real);
      // A new file loses nothing; a file that appears meanwhile is not overwritten.
      if (!(await lstat(place.real).catch(() => undefined))) return { there: undefined };
      const replacement = typeof content === 'string' ? content : textOf(content, true);
      const bytes = Buffer.from(content);
      const seen = await lookAt(place);
      const diff = seen.kind === 'file' ? await overwriteDiff(place, bytes) : null;
      const about = { change: 'overwrite', newBytes: bytes.byteLength, replacement, diff } as const;
      return approved(place, { place, change: 'overwrite' }, about, seen);
    },
    async approvedEdit(place: Place, diffOf: () => Promise<string>): Promise<Approved | undefined> {
      if (!ask || !asksBefore(place.folder, 'overwrite')) return undefined;
      checkWritable(place, place.real);
      const seen = await lookAt(place);
      return approved(place, { place, change: 'overwrite' }, { change: 'edit', diff: hunksOf(await diffOf()) }, seen);
    },
    async approvedMove(from: Place, to: Place): Promise<Approved | undefined> {
      const rule = ask ? moveRule(from, to) : undefined;
      if (rule === undefined) return undefined;
      checkWritable(to, to.real);
      const taken = await lstat(to.real).catch(() => undefined);
      if (taken && (await newSpelling(from, to)) === undefined) throw destinationExists(to.real);
      return approved(from, { place: rule, change: 'move' }, { change: 'move', destination: to.real });
    },
    async approvedDelete(place: Place, permanent: boolean): Promise<Approved | undefined> {
      if (!ask || !asksBefore(place.folder, 'delete', permanent)) return undefined;
      return approved(place, { place, change: 'delete' }, { change: permanent ? 'delete' : 'trash' });
    },
  };
}
