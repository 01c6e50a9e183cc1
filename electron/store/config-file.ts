/** Reads and checks the configuration file, and moves it aside if it is not JSON. */

import { chmod, lstat, readdir, readFile, realpath, rename } from 'node:fs/promises';
import path from 'node:path';
import { CONFIG_VERSION } from '../../shared/model/config.ts';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { errnoOf } from './atomic-file.ts';
import { type ReadConfig, readEntries } from './config-entries.ts';
import { parseJsonText } from './json-text.ts';
import { migrate } from './migrations.ts';

export type Reading =
  | { state: 'absent' }
  | { state: 'good'; text: string; read: ReadConfig; migrated: boolean }
  | { state: 'broken' | 'newer'; text: string; problem: string };

/** Reads and checks a file. Throws CONFIG_INVALID if it cannot be read. */
export async function readConfig(file: string): Promise<Reading> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return { state: 'absent' };
    throw new AppError('CONFIG_INVALID', say('config.unreadable', { path: file }), {
      hint: say('config.unreadable.hint'),
      details: { path: file },
      cause: error,
    });
  }
  const parsed = await parseJsonText(text, { comments: true });
  if (!parsed.ok) return { state: 'broken', text, problem: parsed.problem };
  const migrated = migrate(parsed.value);
  if (migrated.state === 'newer') {
    const problem = `it is of version ${migrated.from}, from a newer Filebridge; this one knows versions up to ${CONFIG_VERSION}`;
    return { state: 'newer', text, problem };
  }
  if (migrated.state === 'unknown') return { state: 'broken', text, problem: 'it is not an object { … }' };
  return { state: 'good', text, read: readEntries(migrated.value), migrated: migrated.state === 'migrated' };
}

const brokenMark = '.broken-';

/** The last broken file that was kept aside for this one, and what is wrong with it now: null if it has been repaired. */
export async function lastKeptAside(file: string): Promise<{ path: string; fault: string | null } | undefined> {
  const { dir, name, ext } = path.parse(await realpath(file).catch(() => path.resolve(file)));
  const names = await readdir(dir).catch(() => []);
  const [last] = names
    .filter((each) => each.startsWith(name + brokenMark) && each.endsWith(ext))
    .map((each) => each.slice(0, each.length - ext.length))
    .sort(byTimeAndNumber)
    .slice(-1);
  if (last === undefined) return undefined;
  const aside = path.join(dir, last + ext);
  const reading = await readConfig(aside).catch(() => ({ state: 'broken', problem: 'it cannot be read' }) as const);
  if (reading.state === 'absent') return undefined;
  return { path: aside, fault: reading.state === 'good' ? null : reading.problem };
}

/** Copies made in the same second are numbered: `…Z`, `…Z-2`, `…Z-10`. */
const byTimeAndNumber = (one: string, other: string) => one.localeCompare(other, 'en', { numeric: true });

/**
 * Moves a broken file beside its place, readable by its user only. Gives its new path. For the holder of the file's lock: a rename leaves no
 * half copy after a crash, but replaces what is there.
 */
export async function keepAside(file: string): Promise<string> {
  const { dir, name, ext } = path.parse(file);
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  try {
    await chmod(file, 0o600);
    for (let attempt = 1; ; attempt += 1) {
      const aside = path.join(dir, `${name}${brokenMark}${time}${attempt === 1 ? '' : `-${attempt}`}${ext}`);
      if (await isThere(aside)) continue;
      await rename(file, aside);
      return aside;
    }
  } catch (cause) {
    throw new AppError('CONFIG_INVALID', say('config.notKept', { path: file }), {
      hint: say('config.notKept.hint'),
      details: { path: file },
      cause,
    });
  }
}

const isThere = (file: string) =>
  lstat(file).then(
    () => true,
    (error: unknown) => errnoOf(error) !== 'ENOENT',
  );
