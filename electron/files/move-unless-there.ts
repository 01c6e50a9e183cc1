/** Renames a file unless the new name exists; rename(2) would replace it. */
import { link, open, unlink } from 'node:fs/promises';
import { renameOver } from '../store/rename-over.ts';
import { errnoOf } from './failures.ts';

/** Errors of link(2) on disks without hard links (FAT, some shares), or at a file's maximum number of links. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL', 'UNKNOWN'];

/** Throws the system's EEXIST where the name is taken. */
export async function moveUnlessThere(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!NO_LINKS.includes(errnoOf(error) ?? '')) throw error;
    // Reserve the name with an empty file, which the rename then replaces.
    await (await open(to, 'wx')).close();
    return renameOver(from, to).catch(async (cause: unknown) => {
      await unlink(to).catch(() => undefined);
      throw cause;
    });
  }
  await unlink(from);
}
