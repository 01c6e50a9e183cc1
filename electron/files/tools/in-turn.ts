/** Serialises changes to one file, so that no change happens between another one's read and write. */

import { lstat } from 'node:fs/promises';
import { oneAtATimeByKey } from '../../../shared/lib/one-at-a-time.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import type { Place } from './places.ts';

/** Runs `work` while no other process does the same under this key. Throws `busy()` where the turn does not come. */
export type ChangeLock = <T>(key: string, work: () => Promise<T>, busy: () => AppError) => Promise<T>;

const inTurn = oneAtATimeByKey();

/**
 * Waits for changes to the file under way, by any of its names: in this process, and in others where `lock` is given. Always the path
 * first, so that none wait for each other.
 */
export async function changing<T>({ real, asked }: Place, lock: ChangeLock | undefined, work: () => Promise<T>): Promise<T> {
  const busy = () => new AppError('FILE_CHANGED', say('tool.busy', { path: asked }), { hint: say('tool.busy.hint') });
  const alone = <R>(key: string, run: () => Promise<R>) => inTurn(key, () => (lock ? lock(key, run, busy) : run()));
  return await alone(real, async () => {
    const there = await lstat(real).catch(() => undefined);
    return there && there.nlink > 1 ? await alone(`${there.dev}:${there.ino}`, work) : await work();
  });
}
