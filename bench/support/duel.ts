/** Compares Filebridge and its rivals on one file: outputs first, then alternating measurements. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, inject } from 'vitest';
import { atLeast, comparison, megabytes, speed, times } from './figures.ts';
import { KB, MB, ordersFile, sizeOf } from './files.ts';
import { alternating, convertInProcess, type Run } from './measure.ts';
import type { notations } from './orders.ts';

const ROUNDS = 5;
const COMPARED_BYTES = 2 * MB;
const WARM_UP_BYTES = 2 * KB;

/** How Filebridge converts: as its rivals do (the goals are for this), and as the server does. */
export const ways = ['Filebridge', 'Filebridge as served'] as const;
export type Way = (typeof ways)[number];

/** Names a figure for a way. */
export const figureOf = (figure: string, way: Way): string =>
  way === 'Filebridge' ? figure : `${figure}, as served: in a worker thread, with hash and tokens`;

export interface Rival {
  /** Goal: how many times as fast Filebridge must be; absent: only recorded. */
  goal?: number;
  /** Fewer rounds for slow contenders. */
  rounds?: number;
}

export interface Duel<Name extends string> {
  figure: string;
  format: keyof typeof notations;
  bytes: number;
  rivals: Record<Name, Rival>;
  rounds?: number;
}

/**
 * Converts a small file of the format in every way and returns the outputs' paths. Both of Filebridge's ways must give
 * equal bytes.
 */
export async function outputs<Name extends string>(
  format: keyof typeof notations,
  rivals: readonly Name[],
): Promise<Record<Name | Way, string>> {
  const [warmUp, file] = await Promise.all([ordersFile(format, WARM_UP_BYTES), ordersFile(format, COMPARED_BYTES)]);
  const places = {} as Record<Name | Way, string>;
  for (const contender of [...ways, ...rivals]) {
    places[contender] = path.join(inject('benchFiles'), `${contender} of ${format}.json`);
    await convertInProcess({ contender, file, warmUp, out: places[contender] });
  }
  expect((await readFile(places.Filebridge)).equals(await readFile(places['Filebridge as served']))).toBe(true);
  return places;
}

export interface Outcome<Name extends string> {
  runs: Record<Name | Way, Run>;
  /** One comparison per way and rival; as served only against those with a goal. */
  rows: { way: Way; rival: Name; cells: string[] }[];
}

export async function duel<Name extends string>({
  figure,
  format,
  bytes,
  rivals,
  rounds = ROUNDS,
}: Duel<Name>): Promise<Outcome<Name>> {
  const [warmUp, file] = await Promise.all([ordersFile(format, WARM_UP_BYTES), ordersFile(format, bytes)]);
  const size = await sizeOf(file);
  const names = Object.keys(rivals) as Name[];
  const hasGoal = names.some((name) => rivals[name].goal !== undefined);
  const own = hasGoal ? ways : ways.slice(0, 1);
  const runs = await alternating<Name | Way>(rounds, [...own, ...names], async (contender, round) => {
    const { rounds: most = rounds } = (rivals as Partial<Record<string, Rival>>)[contender] ?? {};
    return round < most ? await convertInProcess({ contender, file, warmUp }) : undefined;
  });
  const text = ({ ms, rss }: Run) => `${speed(ms, size)}, ${megabytes(rss)}`;
  const rows: Outcome<Name>['rows'] = [];
  for (const way of own) {
    for (const rival of names) {
      const { goal } = rivals[rival];
      if (way !== 'Filebridge' && goal === undefined) continue;
      const ratio = runs[rival].ms / runs[way].ms;
      const cells = comparison({
        figure: figureOf(figure, way),
        ours: text(runs[way]),
        peer: `${rival}: ${text(runs[rival])}`,
        ratio: times(ratio),
        verdict: goal === undefined || way !== 'Filebridge' ? undefined : atLeast(goal, ratio),
      });
      rows.push({ way, rival, cells });
    }
  }
  return { runs, rows };
}
