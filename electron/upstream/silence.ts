/** Detects a server that stopped answering: it sent nothing during several consecutive calls. */

/** Consecutive silent calls after which the server is probed. */
const SILENT_CALLS = 2;

export class Silence {
  #calls = 0;
  /** Sequence number of the last call that timed out silently. */
  #lastEnd = 0;
  #now = 0;

  /** Starts a call. `heard` is the number of chunks received from the server so far. */
  begin(heard: number): { lasts(heardSince: number): boolean } {
    this.#now += 1;
    const began = this.#now;
    return {
      /** The call timed out. Returns whether the server should be probed. */
      lasts: (heardSince) => {
        if (heardSince !== heard) {
          this.#calls = 0;
          return false;
        }
        // Concurrent silent calls count once.
        if (began < this.#lastEnd) return false;
        this.#now += 1;
        this.#lastEnd = this.#now;
        this.#calls += 1;
        return this.#calls >= SILENT_CALLS;
      },
    };
  }
}
