/** Seeded random numbers, the same in each run. */

export interface Random {
  /** From 0 to below 1. */
  next(): number;
  /** An integer from 0 to below `end`. */
  below(end: number): number;
  chance(share: number): boolean;
  pick<T>(from: readonly T[]): T;
}

/** mulberry32 (Ettinger 2017). */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return {
    next,
    below,
    chance: (share) => next() < share,
    pick: (from) => from[below(from.length)] as (typeof from)[number],
  };
}
