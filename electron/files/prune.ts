/** Clears stored answers that are past their time, in a directory that is all ours. */
import { readdir, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { isAbandoned } from './temporary-files.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Deletes the regular files directly in `directory` last changed more than `days` ago, and what a crash left half-written. Returns how
 * many; an absent directory has none.
 */
export async function pruneOldFiles(directory: string, days: number, now = Date.now()): Promise<number> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  let deleted = 0;
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = path.join(directory, entry.name);
    const stats = await stat(file);
    if (now - stats.mtimeMs <= days * DAY_MS && !isAbandoned(entry.name, stats, now)) continue;
    await unlink(file);
    deleted += 1;
  }
  return deleted;
}
