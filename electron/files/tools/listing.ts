/** Lists directories, walking from handle to handle; links are listed and never followed. */

import type { Dirent } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { lstat, readdir, realpath } from '../disk.ts';
import { folderOf } from '../folder-policy.ts';
import { invalid, systemFailure } from './failures.ts';
import { holdDirectory, type Place, statOf } from './places.ts';
import { type AnswerBound, cut, excess, MAX_ANSWER_BYTES, type NotedText, noted } from './text-parts.ts';

/** Limits of one walk: entries, levels, milliseconds. */
const MAX_ENTRIES = 200_000;
const MAX_DEPTH = 128;
const MAX_MS = 20_000;
/** Unreadable directories that a note names. */
const MAX_NAMED = 3;

/** Everything except a directory counts as a file, as in the official server. */
export async function listDirectory(place: Place, bound: AnswerBound): Promise<NotedText> {
  const entries = await entriesOf(place, place.real);
  return listed(
    entries.map((entry) => `${entry.isDirectory() ? '[DIR]' : '[FILE]'} ${entry.name}`),
    bound,
  );
}

/** As many entries as an answer may hold, then the lines `below`. A name may have line ends in it. */
async function listed(entries: readonly string[], bound: AnswerBound, below: string[] = [], note?: string): Promise<NotedText> {
  let room = (await cut(entries.join('\n'), true, bound)).length;
  let shown = 0;
  for (; shown < entries.length && (entries[shown] as string).length <= room; shown += 1)
    room -= (entries[shown] as string).length + 1;
  const text = [...entries.slice(0, shown), ...below].join('\n');
  const left = entries.length - shown;
  return left === 0 ? { text, note } : noted(text, say('tool.listCut', { left, all: entries.length }), note);
}

export async function listWithSizes(place: Place, sortBy: 'name' | 'size', bound: AnswerBound): Promise<NotedText> {
  const entries = await entriesOf(place, place.real);
  const sized = await Promise.all(
    entries.map(async (entry) => ({ name: entry.name, isDirectory: entry.isDirectory(), size: await sizeOf(place, entry) })),
  );
  sized.sort((one, other) => (sortBy === 'size' ? other.size - one.size : one.name.localeCompare(other.name)));
  const files = sized.filter((entry) => !entry.isDirectory);
  const lines = sized.map(
    ({ name, isDirectory, size }) =>
      `${isDirectory ? '[DIR]' : '[FILE]'} ${name.padEnd(30)} ${isDirectory ? '' : formatSize(size).padStart(10)}`,
  );
  return listed(lines, bound, [
    '',
    `Total: ${files.length} files, ${sized.length - files.length} directories`,
    `Combined size: ${formatSize(files.reduce((sum, { size }) => sum + size, 0))}`,
  ]);
}

/** A link's target, unless it is outside. */
async function sizeOf(place: Place, entry: Dirent): Promise<number> {
  const name = path.join(place.real, entry.name);
  try {
    if (!entry.isSymbolicLink()) return (await statOf(place, name)).size;
    return (await statOf(place, await realpath(name))).size;
  } catch (error) {
    // Listing permits its size, not its content.
    if (error instanceof AppError && error.code === 'FILE_SENSITIVE' && !entry.isSymbolicLink())
      return await lstat(name).then(
        ({ size }) => size,
        () => 0,
      );
    return 0;
  }
}

/** The official server's: two decimals, from bytes on. */
function formatSize(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  if (bytes <= 0) return '0 B';
  const power = Math.min(Math.floor(Math.log(bytes) / Math.log(1024)), units.length - 1);
  return power <= 0 ? `${bytes} B` : `${(bytes / 1024 ** power).toFixed(2)} ${units[power]}`;
}

interface Entry {
  name: string;
  type: 'file' | 'directory';
  children?: Entry[];
}

/** A directory of the tree: where it is below the place, and the list it is an entry of. */
interface Directory {
  below: string;
  entry: Entry;
  siblings: Entry[] | undefined;
}

/** Top down, so that what an answer has no room for lies deepest. */
export async function directoryTree(
  place: Place,
  excludePatterns: readonly string[],
  bound: AnswerBound,
  signal?: AbortSignal,
): Promise<NotedText> {
  const { Globs } = await import('./globs.ts');
  const walk = new Walk(place, signal);
  const excluded = new Globs().matcher(
    excludePatterns.flatMap((pattern) => (pattern.includes('*') ? [pattern] : [pattern, `**/${pattern}`, `**/${pattern}/**`])),
  );
  const top: Directory = { below: '', entry: { name: '', type: 'directory' }, siblings: undefined };
  const directories = [top];
  let bytes = 0;
  for (const directory of directories) {
    if (directory !== top && walk.isSpent) break;
    const entries = await walk.read(directory.below);
    if (entries === undefined) continue;
    const names = entries.map((entry) => path.join(directory.below, entry.name));
    const skip = excluded(names);
    const size = entries.reduce((sum, entry, index) => sum + (skip[index] ? 0 : entry.name.length + 40), 0);
    if (directory !== top && bytes + size > MAX_ANSWER_BYTES) {
      // One big directory does not hide those beside it.
      if (size > MAX_ANSWER_BYTES / 2) continue;
      break;
    }
    bytes += size;
    const children: Entry[] = [];
    directory.entry.children = children;
    for (const [index, entry] of entries.entries()) {
      if (skip[index]) continue;
      const child: Entry = { name: entry.name, type: entry.isDirectory() ? 'directory' : 'file' };
      children.push(child);
      if (entry.isDirectory()) directories.push({ below: names[index] as string, entry: child, siblings: children });
    }
  }
  const all = top.entry.children?.length ?? 0;
  for (let most = Number.POSITIVE_INFINITY; ; ) {
    const { text, entries, open } = treeOf(directories, most);
    const over = await excess(text, bound);
    if (over > 1 && entries > 0) {
      most = Math.floor((entries / over) * 0.98);
      continue;
    }
    const left = Math.max(0, all - entries);
    const closed = directories.filter(
      ({ below, entry, siblings }) => siblings && open.has(siblings) && !open.has(entry.children) && !walk.isUnreadable(below),
    ).length;
    return noted(text, left + closed === 0 ? undefined : say('tool.treeCut', { closed, left, all }), walk.note);
  }
}

/** The tree as JSON, with as many `entries` as are asked for at most: a directory has all of its children or, but for the top one, none. */
function treeOf(directories: readonly Directory[], most: number) {
  const top = directories[0]?.entry.children?.slice(0, most) ?? [];
  const open = new Set<Entry[] | undefined>([directories[0]?.entry.children]);
  let entries = top.length;
  for (const { entry, siblings } of directories.slice(1)) {
    if (!entry.children || !open.has(siblings) || entries + entry.children.length > most) continue;
    open.add(entry.children);
    entries += entry.children.length;
  }
  const shown = (key: string, value: unknown) => (key === 'children' && !open.has(value as Entry[]) ? undefined : value);
  return { text: JSON.stringify(top, shown, 2), entries, open };
}

export async function searchFiles(
  place: Place,
  pattern: string,
  excludePatterns: readonly string[],
  bound: AnswerBound,
  signal?: AbortSignal,
): Promise<NotedText> {
  const { Globs } = await import('./globs.ts');
  const globs = new Globs();
  const walk = new Walk(place, signal);
  const wanted = globs.matcher([pattern]);
  const excluded = globs.matcher(excludePatterns);
  const found: string[] = [];
  const search = async (below: string): Promise<void> => {
    const entries = (await walk.read(below)) ?? [];
    const names = entries.map((entry) => path.join(below, entry.name));
    const skip = excluded(names);
    const matches = wanted(names);
    for (const [index, entry] of entries.entries()) {
      const name = names[index] ?? '';
      if (skip[index] || (entry.isSymbolicLink() && !(await leadsInside(place, path.join(place.real, name))))) continue;
      if (matches[index]) found.push(path.join(place.real, name));
      if (entry.isDirectory()) await search(name);
    }
  };
  await search('');
  return found.length === 0 ? { text: 'No matches found', note: walk.note } : listed(found, bound, [], walk.note);
}

async function leadsInside(place: Place, link: string): Promise<boolean> {
  const real = await realpath(link).catch(() => undefined);
  return real !== undefined && folderOf(real, place.policy.folders) !== undefined;
}

async function entriesOf(place: Place, real: string): Promise<Dirent[]> {
  const held = await holdDirectory(place, real);
  try {
    const entries = await readdir(held.at('.'), { withFileTypes: true });
    // Skip entries that were moved out of the folder meanwhile.
    place.policy.judge(await held.realPath(), place.requested);
    return entries.filter((entry) => !place.policy.isAnotherClients(path.join(real, entry.name)));
  } catch (error) {
    throw systemFailure(error, `scandir '${real}'`);
  } finally {
    await held.close();
  }
}

/** A walk below a place, bounded in entries, depth and time. */
class Walk {
  readonly #place: Place;
  readonly #signal: AbortSignal | undefined;
  readonly #until = performance.now() + MAX_MS;
  #left = MAX_ENTRIES;
  /** Directories that lie too deep to be looked into. */
  #tooDeep = 0;
  #firstTooDeep = '';
  readonly #unreadable = new Set<string>();

  constructor(place: Place, signal: AbortSignal | undefined) {
    this.#place = place;
    this.#signal = signal;
  }

  get note(): string | undefined {
    const whole = (below: string) => path.join(this.#place.real, below);
    const { size } = this.#unreadable;
    const unreadable = { paths: [...this.#unreadable].slice(0, MAX_NAMED).map(whole), others: Math.max(0, size - MAX_NAMED) };
    const tooDeep = { levels: MAX_DEPTH, path: whole(this.#firstTooDeep), others: this.#tooDeep - 1 };
    return noted(
      '',
      this.#tooDeep === 0 ? undefined : say('tool.tooDeep', tooDeep),
      size === 0 ? undefined : say('tool.unreadable', unreadable),
    ).note;
  }

  /** Whether it has gone as far as walks go. */
  get isSpent(): boolean {
    return this.#left < 0 || performance.now() > this.#until;
  }

  isUnreadable(below: string): boolean {
    return this.#unreadable.has(below);
  }

  /** Credential-like directories and our own are named and not looked into. Undefined where one below cannot be read. */
  async read(below: string): Promise<Dirent[] | undefined> {
    this.#signal?.throwIfAborted();
    if (this.isSpent) throw invalid(say('tool.walkTooMuch', { path: this.#place.requested }), say('tool.walkTooMuch.hint'));
    if (below.split(path.sep).length > MAX_DEPTH) {
      this.#tooDeep += 1;
      this.#firstTooDeep ||= below;
      return [];
    }
    try {
      const entries = await entriesOf(this.#place, path.join(this.#place.real, below));
      this.#left -= entries.length;
      return entries;
    } catch (error) {
      if (below === '') throw error;
      if (error instanceof AppError && error.code === 'FILE_SENSITIVE') return [];
      this.#unreadable.add(below);
      return undefined;
    }
  }
}
