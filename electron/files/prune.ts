/** Clears stored answers that are past their time, in a directory that is all ours. */
import { readdir, rmdir, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { isClientFolder } from './client-folders.ts';
import { isAbandoned } from './temporary-files.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Deletes the regular files in `directory`, and in the clients' folders directly below it, that were last changed more than `days` ago,
 * and what a crash left half-written. A client's folder goes once it has been empty for as long. Returns how many files; an absent
 * directory has none.
 */
export async function pruneOldFiles(directory: string, days: number, now = Date.now()): Promise<number> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  let deleted = 0;
  for (const entry of entries) {
    const place = path.join(directory, entry.name);
    if (entry.isDirectory() && isClientFolder(entry.name)) {
      const { mtimeMs } = await stat(place);
      deleted += await pruneOldFiles(place, days, now);
      // One that was just emptied stays for another while: its client may be about to write.
      if (now - mtimeMs > days * DAY_MS) await rmdir(place).catch(() => undefined);
    }
    if (!entry.isFile()) continue;
    const stats = await stat(place);
    if (now - stats.mtimeMs <= days * DAY_MS && !isAbandoned(entry.name, stats, now)) continue;
    await unlink(place);
    deleted += 1;
  }
  return deleted;
}
