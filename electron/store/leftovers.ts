/** Removes what a crash left beside the program's own files: locks, claims to break them, and incomplete files. */
import { readdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { clearUnfinished } from './atomic-file.ts';
import { isLeft, removeLeftLock } from './file-lock.ts';
import { SERVER_TOOLS } from './server-tools.ts';

const lockName = /^(?:ledger(?:-sealing)?|[a-z-]+\.json|[0-9a-f]{32}(?:\.json)?)\.lock(?:\.(?:[0-9a-f]{16}|unreadable))?$/;

/**
 * Removes it for the configuration and from the data directory, which is all ours. Returns what the locks were for: paths of files whose
 * change was cut short. What live processes hold stays. Never throws.
 */
export async function clearLeftovers(configPath: string, data: string): Promise<string[]> {
  const config = path.basename(configPath);
  await clearUnfinished(path.dirname(configPath), (name) => name === config);
  const tools = path.join(data, SERVER_TOOLS);
  for (const directory of [data, tools]) await clearUnfinished(directory, () => true);
  const subjects = [
    ...(await clearLocks(path.dirname(configPath), (name) => name === `${config}.lock` || name.startsWith(`${config}.lock.`))),
    ...(await clearLocks(data, (name) => lockName.test(name))),
    ...(await clearLocks(tools, (name) => lockName.test(name))),
    ...(await clearLocks(path.join(data, 'locks'), (name) => lockName.test(name))),
  ];
  return subjects.filter((subject) => path.isAbsolute(subject));
}

async function clearLocks(directory: string, isLock: (name: string) => boolean): Promise<string[]> {
  const subjects: string[] = [];
  // Claims first: one that was left holds up the removal of its lock.
  const names = (await readdir(directory).catch(() => [])).filter(isLock).sort((one, other) => other.length - one.length);
  for (const name of names) {
    const file = path.join(directory, name);
    if (name.endsWith('.lock')) {
      const subject = await removeLeftLock(file).catch(() => undefined);
      if (subject !== undefined) subjects.push(subject);
    } else if (await isLeft(file)) await unlink(file).catch(() => undefined);
  }
  return subjects;
}
