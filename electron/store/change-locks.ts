/** Serialises changes between all Filebridge processes of a user, with locks in the data directory, never beside the user's files. */
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type AppError, toAppError } from '../../shared/model/errors.ts';
import { withFileLock } from './file-lock.ts';

/** `waitMs`: how long to wait for other processes. */
export function openChangeLocks(data: string, log: (line: string) => void, waitMs?: number) {
  const directory = path.join(data, 'locks');
  /** Runs `work` while no other process does the same under this key. Throws `busy()` where the turn does not come. */
  return async <T>(key: string, work: () => Promise<T>, busy: () => AppError): Promise<T> => {
    const file = path.join(directory, `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.lock`);
    let isDecided = false;
    try {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const decided = <R>(next: () => R) => {
        isDecided = true;
        return next();
      };
      return await withFileLock(file, () => decided(work), { waitMs, busy: () => decided(busy), subject: key });
    } catch (error) {
      if (isDecided) throw error;
      // A full or unwritable data directory must not block changes that the user asked for.
      log(`changes wait for no other process: ${toAppError(error).text}`);
      return await work();
    }
  };
}
