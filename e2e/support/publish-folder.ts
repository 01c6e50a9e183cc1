/** Puts a folder that was made aside into its place, where several test files make the same one at once. */
import { rename } from 'node:fs/promises';

/** Renames it as a whole. Where another was first, its folder stays: both hold the same. */
export async function publishFolder(made: string, finished: string): Promise<void> {
  try {
    await rename(made, finished);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
