/** Clears stored answers that are past their time, in directories that are all ours. */
import { readdir, readFile, rmdir, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { writeFileAtomic } from '../store/atomic-file.ts';
import { isClientFolder } from './client-folders.ts';
import { isAbandoned } from './pending-file.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** How long files are kept in a directory. */
interface KeptFor {
  readonly directory: string;
  readonly days: number;
}

/** When each file was first found past its days: milliseconds by path. */
const overdueSchema = z.record(z.string(), z.number());

/**
 * Deletes the regular files in the directories, and in the clients' folders directly below them, that were last changed more than
 * `days` ago, and what a crash left half-written. A client's folder goes once it has been empty for as long. Absent directories have
 * none.
 *
 * A file must be found past its days twice, at least a day apart: the first time is noted in `overdueFile`. So nothing is lost when the
 * clock is wrong once.
 */
export async function pruneOldFiles(kept: readonly KeptFor[], overdueFile: string, now = Date.now()): Promise<void> {
  const before = await readOverdue(overdueFile);
  const after = new Map<string, number>();
  for (const { directory, days } of kept) await prune(directory, days);
  if (before.size + after.size > 0) await writeFileAtomic(overdueFile, JSON.stringify(Object.fromEntries(after)));

  async function prune(directory: string, days: number): Promise<void> {
    const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const place = path.join(directory, entry.name);
      if (entry.isDirectory() && isClientFolder(entry.name)) {
        const { mtimeMs } = await stat(place);
        await prune(place, days);
        // One that was just emptied stays for another while: its client may be about to write.
        if (now - mtimeMs > days * DAY_MS) await rmdir(place).catch(() => undefined);
      }
      if (!entry.isFile()) continue;
      // Another process may clear the same directory.
      const stats = await stat(place).catch(() => undefined);
      if (stats === undefined) continue;
      if (isAbandoned(entry.name, stats, now)) await unlink(place).catch(() => undefined);
      else if (now - stats.mtimeMs > days * DAY_MS) await deleteOrNote(place);
    }
  }

  async function deleteOrNote(place: string): Promise<void> {
    const first = before.get(place) ?? now;
    if (now - first < DAY_MS) after.set(place, Math.min(first, now));
    else await unlink(place).catch(() => undefined);
  }
}

/** A broken note counts as empty: then the files stay for another day. */
async function readOverdue(file: string): Promise<ReadonlyMap<string, number>> {
  const text = await readFile(file, 'utf8').catch(() => '{}');
  try {
    return new Map(Object.entries(overdueSchema.parse(JSON.parse(text))));
  } catch {
    return new Map();
  }
}
