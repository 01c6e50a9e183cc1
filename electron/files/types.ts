/** Types of the access to the user's files. */
import type { Stats } from 'node:fs';
import type { Folder } from '../../shared/model/config.ts';
import type { AppError } from '../../shared/model/errors.ts';
import type { ByteSource } from '../engine/core/source.ts';

/** Where the allowed folders were named, and so where the user can name another: with the client's roots, in the client. */
export type FoldersFrom = 'configuration' | 'command line' | 'roots';

/** A file that was opened once and checked by its handle; it is never opened again by name. */
export interface OpenFile {
  /** The path as asked for. */
  readonly path: string;
  /** The path the handle leads to. */
  readonly realPath: string;
  readonly size: number;
  readonly modifiedMs: number;
  readonly source: ByteSource;
  /** Throws FILE_CHANGED if size, mtime, ctime or identity differ from those at opening: then it was written, changed, deleted or replaced. */
  assertUnchanged(): Promise<void>;
  close(): Promise<void>;
}

/** A file being written beside its final name; it appears there whole or not at all. */
export interface PendingFile {
  readonly path: string;
  write(chunk: Uint8Array): Promise<void>;
  /** Flushes to disk and puts the file in place; FILE_EXISTS unless overwriting was asked for, CANCELLED if `signal` fires before it is there. */
  commit(signal?: AbortSignal): Promise<{ path: string; size: number; stats: Stats }>;
  /** Removes what was written. Safe to call after commit. */
  discard(): Promise<void>;
}

/** The result of a trial opening of a path. */
export interface Explanation {
  /** The path as a whole path; null for one that is not. */
  readonly absolute: string | null;
  /** The real path; null where even resolving it would have side effects. */
  readonly realPath: string | null;
  /** The allowed folder that `realPath` is in; our own for stored answers is `trusted`. */
  readonly folder: (Folder & { trusted: boolean }) | null;
  /** Its kind, if it may be used. */
  readonly kind: 'file' | 'directory' | null;
  /** Why agents cannot use it; null when they can. */
  readonly refusal: AppError | null;
}

export interface FileAccess {
  /** The allowed folders as they are now, with their real paths (null: the folder is not there); `silent`: its disk does not answer. */
  folders(): Promise<(Folder & { realPath: string | null; silent: boolean; from: FoldersFrom })[]>;
  /** Opens for reading. Relative paths are looked up in each allowed folder in turn. */
  open(path: string): Promise<OpenFile>;
  /** Opens as `open` does, closes at once and returns the result. Never throws for an invalid path. */
  explain(path: string): Promise<Explanation>;
  /**
   * Starts a new file in a read-write folder. `directory` must be inside one; `name` is a plain file name.
   * `overwrite` replaces an existing regular file, unless the folder's settings ask about that: FILE_EXISTS. As a `probe`, what
   * is there is checked only; the file is to be discarded.
   */
  create(directory: string, name: string, options?: { overwrite?: boolean; probe?: boolean }): Promise<PendingFile>;
}
