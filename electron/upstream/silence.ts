/** Tells a server that has stopped answering from one whose call takes long: nothing came from it during several calls, one after another. */

/** So many calls. */
const SILENT_CALLS = 2;

export class Silence {
  #calls = 0;
  /** When the last silent call was given up, counted in calls begun and given up. */
  #lastEnd = 0;
  #now = 0;

  /** A call begins. `heard`: how often anything has come from the server so far. */
  begin(heard: number): { lasts(heardSince: number): boolean } {
    this.#now += 1;
    const began = this.#now;
    return {
      /** The call timed out; whether the server is silent for so long that it should be asked for a sign of life. */
      lasts: (heardSince) => {
        if (heardSince !== heard) {
          this.#calls = 0;
          return false;
        }
        // Calls at the same time are silent together: that counts once.
        if (began < this.#lastEnd) return false;
        this.#now += 1;
        this.#lastEnd = this.#now;
        this.#calls += 1;
        return this.#calls >= SILENT_CALLS;
      },
    };
  }
}
