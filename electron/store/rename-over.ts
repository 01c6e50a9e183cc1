/** Renames a file over another one that a different program may have open, as Windows then refuses. */
import { open, rename } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

/** Virus scanners and indexers let go after moments, people's programs after a save. */
const WAIT_MS = 3_000;
const FIRST_PAUSE_MS = 20;

export interface RenameOverOptions {
  platform?: NodeJS.Platform | undefined;
  waitMs?: number | undefined;
}

/** Tries for three seconds on Windows; then throws EBUSY if the file is open elsewhere, else the system's error. */
export async function renameOver(
  from: string,
  to: string,
  { platform = process.platform, waitMs = WAIT_MS }: RenameOverOptions = {},
): Promise<void> {
  const until = performance.now() + waitMs;
  for (let pause = FIRST_PAUSE_MS; ; pause *= 2) {
    try {
      return await rename(from, to);
    } catch (error) {
      if (platform !== 'win32' || !REFUSALS.includes(codeOf(error))) throw error;
      const left = until - performance.now();
      if (left <= 0)
        throw (await isDenied(to)) ? error : Object.assign(new Error('open elsewhere', { cause: error }), { code: 'EBUSY' });
      await setTimeout(Math.min(pause, left));
    }
  }
}

/** Windows reports an open file, a read-only one and one without permission alike. */
const REFUSALS = ['EPERM', 'EACCES', 'EBUSY'];

/** A file that is only open elsewhere can be opened, or is reported as busy. */
async function isDenied(file: string): Promise<boolean> {
  try {
    await (await open(file, 'r+')).close();
    return false;
  } catch (error) {
    return ['EPERM', 'EACCES'].includes(codeOf(error));
  }
}

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code);
