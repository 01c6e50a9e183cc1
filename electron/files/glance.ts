/** Summarises a folder quickly: limited in time and entries, without following links or opening files. */
import type { Dir, Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import path from 'node:path';
import { sensitiveNameIn } from './sensitive.ts';

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

export interface GlanceOptions {
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

/** Resolves with the work, or after this time. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
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

  async #read(directory: string, opened: Dir, pending: string[]): Promise<void> {
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
