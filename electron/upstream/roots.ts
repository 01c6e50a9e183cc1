/** The roots of callers, and which of them a connection stands for: servers keep the roots that they are given. */
import { z } from 'zod';
import type { CallHooks, Root } from './types.ts';

const MOST_ROOTS = 1000;

/** The result of `roots/list`; members that are not known here are kept. */
export const rootsResult = z.looseObject({ roots: z.array(z.looseObject({ uri: z.string() })).max(MOST_ROOTS) });

export const NO_ROOTS: readonly Root[] = [];

/** None for a caller without roots. */
export const rootsOf = async ({ roots }: Pick<CallHooks, 'roots'>): Promise<readonly Root[]> => (await roots?.()) ?? NO_ROOTS;

/** The same for the same roots, in whatever order. */
export const rootsKey = (roots: readonly Root[]): string => JSON.stringify(roots.map((root) => JSON.stringify(root)).sort());

/** The roots that all of the callers have; none where they differ, or where nobody calls. */
export async function sharedRoots(callers: readonly CallHooks[]): Promise<readonly Root[]> {
  const [first = NO_ROOTS, ...others] = await Promise.all(callers.map(rootsOf));
  return others.every((roots) => rootsKey(roots) === rootsKey(first)) ? first : NO_ROOTS;
}
