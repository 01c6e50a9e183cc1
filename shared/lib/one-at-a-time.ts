/** Mutual exclusion within this process: work under the same key runs one after the other, in the order in which it was asked for. */

/** Settles as the work does. A failure does not stop the work after it. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

export function oneAtATimeByKey(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  /** The end of the newest work under each key that has some. */
  const ends = new Map<string, Promise<void>>();
  return (key, work) => {
    const done = (ends.get(key) ?? Promise.resolve()).then(work);
    const ended: Promise<void> = done.then(forget, forget);
    function forget() {
      if (ends.get(key) === ended) ends.delete(key);
    }
    ends.set(key, ended);
    return done;
  };
}

/** For work that is all of one kind. */
export function oneAtATime(): InTurn {
  const inTurn = oneAtATimeByKey();
  return (work) => inTurn('', work);
}
