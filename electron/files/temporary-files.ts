/** The files that new content is written to before it gets its name: what they are called, and the clearing of those a crash left. */
import { randomBytes } from 'node:crypto';
import { lstat, opendir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { hasEnded, isRunningMark, MARK, processMark } from '../store/process-mark.ts';
import type { HeldDirectory } from './directory.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Older versions put no mark of the process into it. */
const NAME = new RegExp(`^\\.[0-9a-f]{16}(?:-(${MARK}))?\\.filebridge-tmp$`);
/** A directory may hold any number of entries, and somebody waits. */
const MAX_ENTRIES = 10_000;
/** Directories that are remembered. */
const MAX_SEEN = 1000;

export const temporaryName = (): string => `.${randomBytes(8).toString('hex')}-${processMark()}.filebridge-tmp`;

/** Whether the file is abandoned: its process has ended or, where that is unknown, it has not changed for a day. */
export function isAbandoned(name: string, { mtimeMs }: { mtimeMs: number }, now = Date.now()): boolean {
  const found = NAME.exec(name);
  if (found === null) return false;
  const [, mark] = found;
  // The age alone proves nothing: the clock may have been set.
  if (mark !== undefined && isRunningMark(mark)) return false;
  return (mark !== undefined && hasEnded(mark)) || now - mtimeMs > DAY_MS;
}

/** When this process last checked each directory, by the monotonic clock. */
const seen = new Map<string, number>();

/** Removes temporary files left by a crash from a directory before a write; checks once a day and never fails. */
export async function clearAbandoned(directory: Pick<HeldDirectory, 'at' | 'realPath'>): Promise<void> {
  try {
    const place = await directory.realPath();
    const last = seen.get(place);
    if (last !== undefined && performance.now() - last < DAY_MS) return;
    if (seen.size >= MAX_SEEN) seen.clear();
    seen.set(place, performance.now());
    let left = MAX_ENTRIES;
    for await (const { name } of await opendir(directory.at('.'))) {
      left -= 1;
      if (left < 0) return;
      if (!NAME.test(name)) continue;
      const stats = await lstat(directory.at(name));
      if (stats.isFile() && isAbandoned(name, stats)) await unlink(directory.at(name));
    }
  } catch {
    // Cleaning up is optional: an error here will also stop the write, which reports it.
  }
}

/** The same by path: removes files of a process that ended during a change. */
export async function clearLeftIn(directory: string): Promise<void> {
  await clearAbandoned({
    at: (name) => path.join(directory, name),
    realPath: async () => directory,
  });
}
