/** Work that is done one after the other, in the order in which it was asked for. */

/** Settles as the work does; what failed stops none that comes after it. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

export function oneAtATime(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}
