/** Lists directories, walking from handle to handle; links are listed and never followed. */

import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { folderOf } from '../folder-policy.ts';
import { invalid, systemFailure, tooMuch } from './failures.ts';
import { holdDirectory, type Place, statOf } from './places.ts';
import { MAX_ANSWER_BYTES, type NotedText } from './text-parts.ts';

/** Limits of one walk: entries, levels, milliseconds. */
const MAX_ENTRIES = 200_000;
const MAX_DEPTH = 128;
const MAX_MS = 20_000;

interface Entry {
  name: string;
  type: 'file' | 'directory';
  children?: Entry[];
}

/** Everything except a directory counts as a file, as in the official server. */
export async function listDirectory(place: Place): Promise<string> {
  const entries = await entriesOf(place, place.real);
  return bounded(
    place,
    entries.map((entry) => `${entry.isDirectory() ? '[DIR]' : '[FILE]'} ${entry.name}`),
  );
}

export async function listWithSizes(place: Place, sortBy: 'name' | 'size'): Promise<string> {
  const sized = [];
  for (const entry of await entriesOf(place, place.real)) {
    sized.push({ name: entry.name, isDirectory: entry.isDirectory(), size: await sizeOf(place, entry) });
  }
  sized.sort((one, other) => (sortBy === 'size' ? other.size - one.size : one.name.localeCompare(other.name)));
  const files = sized.filter((entry) => !entry.isDirectory);
  return bounded(place, [
    ...sized.map(
      ({ name, isDirectory, size }) =>
        `${isDirectory ? '[DIR]' : '[FILE]'} ${name.padEnd(30)} ${isDirectory ? '' : formatSize(size).padStart(10)}`,
    ),
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

export async function directoryTree(place: Place, excludePatterns: readonly string[], signal?: AbortSignal): Promise<NotedText> {
  const { Globs } = await import('./globs.ts');
  const globs = new Globs();
  const walk = new Walk(place, signal);
  const excluded = globs.matcher(
    excludePatterns.flatMap((pattern) => (pattern.includes('*') ? [pattern] : [pattern, `**/${pattern}`, `**/${pattern}/**`])),
  );
  let bytes = 0;
  const build = async (below: string): Promise<Entry[]> => {
    const entries = await walk.read(below);
    const skip = excluded(entries.map((entry) => path.join(below, entry.name)));
    const tree: Entry[] = [];
    for (const [index, entry] of entries.entries()) {
      if (skip[index]) continue;
      bytes += entry.name.length + 40;
      if (bytes > MAX_ANSWER_BYTES) throw tooBig(place);
      const isDirectory = entry.isDirectory();
      tree.push({
        name: entry.name,
        type: isDirectory ? 'directory' : 'file',
        ...(isDirectory ? { children: await build(path.join(below, entry.name)) } : {}),
      });
    }
    return tree;
  };
  const text = JSON.stringify(await build(''), null, 2);
  if (Buffer.byteLength(text) > 2 * MAX_ANSWER_BYTES) throw tooBig(place);
  return { text, note: walk.note };
}

export async function searchFiles(
  place: Place,
  pattern: string,
  excludePatterns: readonly string[],
  signal?: AbortSignal,
): Promise<NotedText> {
  const { Globs } = await import('./globs.ts');
  const globs = new Globs();
  const walk = new Walk(place, signal);
  const wanted = globs.matcher([pattern]);
  const excluded = globs.matcher(excludePatterns);
  const found: string[] = [];
  const search = async (below: string): Promise<void> => {
    const entries = await walk.read(below, below !== '');
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
  return { text: found.length === 0 ? 'No matches found' : bounded(place, found), note: walk.note };
}

async function leadsInside(place: Place, link: string): Promise<boolean> {
  const real = await realpath(link).catch(() => undefined);
  return real !== undefined && folderOf(real, place.policy.folders) !== undefined;
}

function bounded(place: Place, lines: readonly string[]): string {
  const text = lines.join('\n');
  if (Buffer.byteLength(text) > MAX_ANSWER_BYTES) throw tooBig(place);
  return text;
}

const tooBig = (place: Place) => tooMuch('list', place.requested, null, MAX_ANSWER_BYTES, say('tool.listLess'));

async function entriesOf(place: Place, real: string): Promise<Dirent[]> {
  const held = await holdDirectory(place, real);
  try {
    const entries = await readdir(held.at('.'), { withFileTypes: true });
    // Skip entries that were moved out of the folder meanwhile.
    place.policy.judge(await held.realPath(), place.requested);
    return entries.filter((entry) => !place.policy.isAnotherClients(path.join(real, entry.name)));
  } catch (error) {
    throw error instanceof AppError ? error : systemFailure(error, `scandir '${real}'`);
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

  constructor(place: Place, signal: AbortSignal | undefined) {
    this.#place = place;
    this.#signal = signal;
  }

  get note(): string | undefined {
    if (this.#tooDeep === 0) return undefined;
    const others = this.#tooDeep === 1 ? '' : `, nor into ${this.#tooDeep - 1} more`;
    return `Directories more than ${MAX_DEPTH} levels down were not looked into: not into '${path.join(this.#place.real, this.#firstTooDeep)}'${others}. Name a directory nearer to them`;
  }

  /** Credential-like directories and our own are named and not looked into; `forgiving` ones may be unreadable. */
  async read(below: string, forgiving = false): Promise<Dirent[]> {
    this.#signal?.throwIfAborted();
    if (this.#left < 0 || performance.now() > this.#until)
      throw invalid(say('tool.walkTooMuch', { path: this.#place.requested }), say('tool.walkTooMuch.hint'));
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
      if (forgiving || (below !== '' && error instanceof AppError && error.code === 'FILE_SENSITIVE')) return [];
      throw error;
    }
  }
}
