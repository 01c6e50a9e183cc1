/** What the window shows of a folder: its entries, for a file chooser, and a quick summary of its files. */
import type { Dirent } from 'node:fs';
import path from 'node:path';
import { within } from '../../shared/lib/within.ts';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { lstat, type OpenDirectory, opendir, stat } from './disk.ts';
import { errnoOf } from './failures.ts';
import { sensitiveNameIn } from './protected-paths.ts';

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

const statSoon = (place: string) =>
  within(
    LINK_MS,
    stat(place).catch(() => undefined),
  );

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

// The summary: limited in time and entries, without following links or opening files.

/** Entries looked at, and milliseconds spent, before the look ends as a partial one. */
const MAX_ENTRIES = 20_000;
const MAX_MS = 300;
/** How many times as long it may take where no file was seen. */
const PATIENCE = 10;
const MAX_RECENT = 10;

/** Concurrent stat calls; more would only queue in the system. */
const TOGETHER = 32;

/** Folders of programs, whose many files would hide the user's. */
const crowds = new Set(['node_modules', '__pycache__', '$RECYCLE.BIN', 'System Volume Information']);

export interface FolderContent {
  files: number;
  folders: number;
  bytes: number;
  partial: boolean;
  byFormat: { format: string; files: number }[];
  /** Newest first. */
  recent: { path: string; bytes: number; modified: string }[];
}

interface GlanceOptions {
  /** The format by file name; null for files that are only counted. */
  formatOf: (name: string) => string | null;
  /** Directories not to look into. */
  except?: readonly string[];
  /** Credential-like names that are counted all the same. */
  allowSensitive?: readonly string[] | undefined;
  maxEntries?: number;
  maxMs?: number;
}

interface Seen {
  path: string;
  bytes: number;
  modifiedMs: number;
}

/** Throws the system's error where the directory cannot be opened at all. */
export async function glance(directory: string, options: GlanceOptions): Promise<FolderContent> {
  const look = new Look(options);
  const walk = look.walk(directory);
  const maxMs = options.maxMs ?? MAX_MS;
  try {
    // An unresponsive drive blocks the walk only, not the caller.
    await within(maxMs, walk);
    // A busy computer has had no time to look.
    if (look.isBlank) await within(maxMs * PATIENCE, walk);
  } finally {
    look.stop();
  }
  return look.content();
}

class Look {
  readonly #options: GlanceOptions;
  readonly #byFormat = new Map<string, number>();
  readonly #except: ReadonlySet<string>;
  #recent: Seen[] = [];
  #entriesLeft: number;
  #stopped = false;
  #complete = false;
  #files = 0;
  #folders = 0;
  #bytes = 0;

  constructor(options: GlanceOptions) {
    this.#options = options;
    this.#except = new Set(options.except);
    this.#entriesLeft = options.maxEntries ?? MAX_ENTRIES;
  }

  /** The content seen so far. */
  content(): FolderContent {
    return {
      files: this.#files,
      folders: this.#folders,
      bytes: this.#bytes,
      partial: !this.#complete,
      byFormat: [...this.#byFormat].map(([format, files]) => ({ format, files })).sort((one, other) => other.files - one.files),
      recent: this.#recent.map(({ path: file, bytes, modifiedMs }) => ({
        path: file,
        bytes,
        modified: new Date(modifiedMs).toISOString(),
      })),
    };
  }

  /** Whether it goes on, and has seen no file yet. */
  get isBlank(): boolean {
    return !this.#complete && this.#files === 0;
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Breadth first, so that a partial result covers the top levels. */
  async walk(directory: string): Promise<void> {
    const pending: string[] = [];
    await this.#read(directory, await opendir(directory), pending);
    for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
      if (this.#isOver) return;
      // An unreadable directory is counted without its content.
      const opened = await opendir(next).catch(() => undefined);
      if (opened) await this.#read(next, opened, pending);
    }
    if (!this.#isOver) this.#complete = true;
  }

  get #isOver(): boolean {
    return this.#stopped || this.#entriesLeft < 0;
  }

  async #read(directory: string, opened: OpenDirectory, pending: string[]): Promise<void> {
    let files: string[] = [];
    const count = async () => {
      const batch = files;
      files = [];
      await Promise.all(batch.map((file) => this.#count(file)));
    };
    // Leaving the loop closes the directory.
    for await (const entry of opened) {
      this.#entriesLeft -= 1;
      if (this.#isOver) break;
      const place = path.join(directory, entry.name);
      if (!this.#isShown(entry, place)) continue;
      if (entry.isDirectory()) {
        this.#folders += 1;
        if (!crowds.has(entry.name) && !this.#except.has(place)) pending.push(place);
      } else {
        files.push(place);
        if (files.length === TOGETHER) await count();
      }
    }
    await count();
  }

  /** Links, pipes, sockets and devices do not count as files; some file systems report an entry's type only on stat. */
  #isShown(entry: Dirent, place: string): boolean {
    if (entry.name.startsWith('.')) return false;
    if (!entry.isDirectory() && (entry.isSymbolicLink() || entry.isFIFO() || entry.isSocket() || isDevice(entry))) return false;
    return sensitiveNameIn(place, this.#options.allowSensitive) === undefined;
  }

  async #count(file: string): Promise<void> {
    const stats = await lstat(file).catch(() => undefined);
    if (!stats?.isFile() || this.#stopped) return;
    this.#files += 1;
    this.#bytes += stats.size;
    const format = this.#options.formatOf(path.basename(file));
    if (format === null) return;
    this.#byFormat.set(format, (this.#byFormat.get(format) ?? 0) + 1);
    const oldest = this.#recent.at(-1)?.modifiedMs ?? Number.NEGATIVE_INFINITY;
    if (this.#recent.length === MAX_RECENT && stats.mtimeMs <= oldest) return;
    this.#recent.push({ path: file, bytes: stats.size, modifiedMs: stats.mtimeMs });
    this.#recent.sort((one, other) => other.modifiedMs - one.modifiedMs);
    this.#recent = this.#recent.slice(0, MAX_RECENT);
  }
}

const isDevice = (entry: Dirent): boolean => entry.isBlockDevice() || entry.isCharacterDevice();
