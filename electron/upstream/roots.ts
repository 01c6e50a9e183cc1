/** The roots of callers, and which of them a connection stands for: servers keep the roots that they are given. */
import { z } from 'zod';
import type { CallHooks, Root } from './types.ts';

const MOST_ROOTS = 1000;

/** The result of `roots/list`; members that are not known here are kept. */
export const rootsResult = z.looseObject({ roots: z.array(z.looseObject({ uri: z.string() })).max(MOST_ROOTS) });

export const NO_ROOTS: readonly Root[] = [];

/** None for a caller without roots. */
export const rootsOf = async ({ roots }: Pick<CallHooks, 'roots'>): Promise<readonly Root[]> => (await roots?.()) ?? NO_ROOTS;

/** The same for the same folders, in whatever order and with whatever names. */
export const rootsKey = (roots: readonly Root[]): string => JSON.stringify(roots.map(({ uri }) => uri).sort());

/** The roots that all of the callers have; none where they differ. */
export async function sharedRoots(callers: readonly CallHooks[]): Promise<readonly Root[]> {
  const [first = NO_ROOTS, ...others] = await Promise.all(callers.map(rootsOf));
  return others.every((roots) => rootsKey(roots) === rootsKey(first)) ? first : NO_ROOTS;
}

/** The caller, who is asked for roots once: those that chose a call's connection are those that its server is told. */
export function askedOnce<T extends Pick<CallHooks, 'roots'>>(caller: T): T {
  const { roots } = caller;
  if (!roots) return caller;
  let asked: Promise<readonly Root[]> | undefined;
  return {
    ...caller,
    roots() {
      asked ??= roots();
      return asked;
    },
  };
}
