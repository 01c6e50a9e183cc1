/** Copies extended attributes (tags, access lists) from a file to its replacement. */
import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/**
 * Node cannot read attributes; coreutils' cp can copy them between files held open (they are its descriptors 3 and 4). Where
 * there is no such cp, or the disk keeps none, the file goes without, as with any program that saves by replacing.
 */
export async function keepAttributes(name: string, to: FileHandle): Promise<void> {
  if (process.platform !== 'linux') return;
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const from = await open(name, flags).catch(() => undefined);
  if (from === undefined) return;
  try {
    await new Promise<void>((resolve) => {
      const args = ['--attributes-only', '--preserve=xattr', '--', '/proc/self/fd/3', '/proc/self/fd/4'];
      const child = spawn('cp', args, { stdio: ['ignore', 'ignore', 'ignore', from.fd, to.fd] });
      child.once('error', () => resolve());
      child.once('close', () => resolve());
    });
  } finally {
    await from.close();
  }
}
