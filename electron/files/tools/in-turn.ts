/** Changes to one file, one after the other: what one of them read is not changed by another before it has written. */
import { lstat } from 'node:fs/promises';
import type { Place } from './places.ts';

const last = new Map<string, Promise<unknown>>();

async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const mine = (last.get(key) ?? Promise.resolve()).then(work);
  const ended = mine.catch(() => undefined);
  last.set(key, ended);
  try {
    return await mine;
  } finally {
    if (last.get(key) === ended) last.delete(key);
  }
}

/** Waits for changes to the file under way in this process, by any of its names. Always the path first, so that none wait for each other. */
export async function changing<T>({ real }: Place, work: () => Promise<T>): Promise<T> {
  return await inTurn(real, async () => {
    const there = await lstat(real).catch(() => undefined);
    return there && there.nlink > 1 ? await inTurn(`${there.dev}:${there.ino}`, work) : await work();
  });
}
