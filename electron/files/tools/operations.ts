/** The file tools' operations by path: what a tool does, without saying how a tool is called. */

import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { oneAtATimeByKey } from '../../../shared/lib/one-at-a-time.ts';
import { AppError, toAppError } from '../../../shared/model/errors.ts';
import { inAgentsWords, say } from '../../../shared/model/messages/message.ts';
import { type FileAccessOptions, openPolicy } from '../folder-policy.ts';
import { approvals } from './approved-changes.ts';
import type { Edit } from './edits.ts';
import { shownDirectories, tooMuch } from './failures.ts';
import { directoryTree, listDirectory, listWithSizes, searchFiles } from './listing.ts';
import type { AskAboutLoss } from './loss.ts';
import { copyFile, deleteFile, moveEntry } from './move.ts';
import { type Aim, openPlace, type Place, placeOf, statOf } from './places.ts';
import { unfinishedWrite } from './recovery.ts';
import { checkPart, MAX_ANSWER_BYTES, type NotedText, type Part, readPart } from './text-parts.ts';
import { editContent, makeDirectory, type WriteOptions, writeContent } from './write.ts';

export interface FileOperationsOptions extends FileAccessOptions {
  /** The user's bound for a file that is held as a whole. */
  maxFileBytes: () => number;
  /** The system's trash by path, where we cannot put a file there ourselves: on Windows, and on other disks. Throws where there is none. */
  trash?: ((path: string) => Promise<void>) | undefined;
  /** Keeps other processes from changing a file at the same time; absent: only this one's changes take turns. */
  lock?: ChangeLock | undefined;
}

/** A file as a block of an answer. */
export type MediaBlock =
  | { type: 'image' | 'audio'; data: string; mimeType: string }
  | { type: 'resource'; resource: { uri: string; mimeType: string; blob: string } };

export interface FileOperations {
  readText(path: string, part: Part, signal?: AbortSignal): Promise<NotedText>;
  /** With the size of the file in bytes. */
  readMedia(path: string): Promise<{ block: MediaBlock; bytes: number }>;
  readMany(paths: readonly string[], signal?: AbortSignal): Promise<string>;
  /** Returns the bytes written. */
  write(path: string, content: string | Buffer, options: WriteOptions): Promise<number>;
  /** Returns the diff. */
  edit(path: string, edits: readonly Edit[], dryRun: boolean, signal?: AbortSignal): Promise<string>;
  createDirectory(path: string): Promise<void>;
  list(path: string): Promise<string>;
  listWithSizes(path: string, sortBy: 'name' | 'size'): Promise<string>;
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
  /** The same, where folders may ask about a change before it is made. */
  asking(ask: AskAboutLoss): FileOperations;
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

/** Without `ask`, changes are made without questions. */
export function createFileOperations(options: FileOperationsOptions, ask?: AskAboutLoss): FileOperations {
  const place = async (asked: string, aim: Aim = 'read'): Promise<Place> =>
    placeOf(asked, await openPolicy(options), options, aim);

  const { approvedDelete, approvedEdit, approvedMove, approvedOverwrite } = approvals(ask);

  async function readText(asked: string, part: Part, signal?: AbortSignal): Promise<NotedText> {
    const found = await place(asked);
    checkPart(part);
    const { handle } = await openPlace(found, part.tail ? 'stat' : 'open');
    try {
      const text = await readPart(handle, asked, part, signal);
      const note = await unfinishedWrite(found, await handle.stat());
      return { text, note: note && inAgentsWords(note) };
    } finally {
      await handle.close();
    }
  }

  return {
    readText,
    async readMedia(asked) {
      const { handle, realPath } = await openPlace(await place(asked));
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
        return { block: { type: 'resource', resource: { uri: pathToFileURL(realPath).href, mimeType, blob: data } }, bytes };
      } finally {
        await handle.close();
      }
    },
    async readMany(paths, signal) {
      const parts: string[] = [];
      let left = MAX_ANSWER_BYTES;
      for (const asked of paths) {
        try {
          signal?.throwIfAborted();
          const { text, note } = await readText(asked, {}, signal);
          const bytes = Buffer.byteLength(text);
          if (bytes > left) throw tooMuch('all', '', null, MAX_ANSWER_BYTES, say('tool.readAlone'));
          left -= bytes;
          parts.push(`${asked}:\n${text}\n${note === undefined ? '' : `Note: ${note}\n`}`);
        } catch (error) {
          signal?.throwIfAborted();
          parts.push(`${asked}: Error - ${toAppError(error).text}`);
        }
      }
      return parts.join('\n---\n');
    },
    async write(asked, content, how) {
      const found = await place(asked, 'write');
      const approved = how.append ? undefined : await approvedOverwrite(found, Buffer.byteLength(content));
      return await changing(found, options.lock, () => writeContent(found, content, how, approved));
    },
    async edit(asked, edits, dryRun, signal) {
      const limits = { maxBytes: options.maxFileBytes(), signal };
      const found = await place(asked, 'write');
      const approved = dryRun ? undefined : await approvedEdit(found, () => editContent(found, edits, true, limits));
      return await changing(found, options.lock, () => editContent(found, edits, dryRun, limits, approved));
    },
    createDirectory: async (asked) => makeDirectory(await place(asked, 'write')),
    list: async (asked) => listDirectory(await place(asked)),
    listWithSizes: async (asked, sortBy) => listWithSizes(await place(asked), sortBy),
    tree: async (asked, excluded, signal) => directoryTree(await place(asked), excluded, signal),
    search: async (asked, pattern, excluded, signal) => searchFiles(await place(asked), pattern, excluded, signal),
    async info(asked) {
      const stats = await statOf(await place(asked));
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
      const [from, to] = [await place(source, 'write'), await place(destination, 'write')];
      await moveEntry(from, to, await approvedMove(from, to));
    },
    copy: async (source, destination, createDirectories, signal) =>
      copyFile(await place(source), await place(destination, 'write'), createDirectories, signal),
    async delete(asked, permanent) {
      const found = await place(asked, 'entry');
      return await deleteFile(found, permanent, options.trash, await approvedDelete(found, permanent));
    },
    directories: async () => shownDirectories((await openPolicy(options)).folders),
    asking: (ask) => createFileOperations(options, ask),
  };
}

/** Runs `work` while no other process does the same under this key. Throws `busy()` where the turn does not come. */
type ChangeLock = <T>(key: string, work: () => Promise<T>, busy: () => AppError) => Promise<T>;

const inTurn = oneAtATimeByKey();

/**
 * Waits for changes to the file under way, by any of its names: in this process, and in others where `lock` is given. Always the path
 * first, so that none wait for each other.
 */
async function changing<T>({ real, asked }: Place, lock: ChangeLock | undefined, work: () => Promise<T>): Promise<T> {
  const busy = () => new AppError('FILE_CHANGED', say('tool.busy', { path: asked }), { hint: say('tool.busy.hint') });
  const alone = <R>(key: string, run: () => Promise<R>) => inTurn(key, () => (lock ? lock(key, run, busy) : run()));
  return await alone(real, async () => {
    const there = await lstat(real).catch(() => undefined);
    return there && there.nlink > 1 ? await alone(`${there.dev}:${there.ino}`, work) : await work();
  });
}
