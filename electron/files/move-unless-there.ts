/** Gives a file another name, unless something bears that already: rename(2) would replace it. */
import { link, open, rename, unlink } from 'node:fs/promises';
import { errnoOf } from './failures.ts';

/** What link(2) says on disks without hard links (FAT, some shares), or where a file may have no more of them. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL', 'UNKNOWN'];

/** Throws the system's EEXIST where the name is taken. */
export async function moveUnlessThere(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!NO_LINKS.includes(errnoOf(error) ?? '')) throw error;
    // The name is taken by an empty file of ours, which is then replaced.
    await (await open(to, 'wx')).close();
    return rename(from, to).catch(async (cause: unknown) => {
      await unlink(to).catch(() => undefined);
      throw cause;
    });
  }
  await unlink(from);
}
