/** Conversion cache: keeps closed conversions for a while, in case the same unchanged file is converted again. */

/** Total size of the cache, in the threads' memory. Bytes. */
const BUDGET_BYTES = 64 * 1024 * 1024;
/** Each entry holds checkpoints and the format's results, however large the file is. */
const MAX_ENTRIES = 16;

/** A closed conversion that can be reopened. */
export interface CacheEntry {
  /** Memory that it holds, in bytes. */
  readonly bytes: number;
  /** Whether its thread is still running. */
  readonly alive: boolean;
  /** Frees it. */
  drop(): void;
}

/** Evicts the least recently cached entries first. */
export class ConversionCache<Entry extends CacheEntry> {
  private readonly entries = new Map<string, Entry>();

  /** Removes the entry and returns it. */
  take(key: string): Entry | undefined {
    const found = this.entries.get(key);
    this.entries.delete(key);
    return found?.alive ? found : undefined;
  }

  put(key: string, entry: Entry): void {
    this.entries.get(key)?.drop();
    this.entries.delete(key);
    this.entries.set(key, entry);
    let bytes = 0;
    let count = 0;
    for (const [each, { bytes: held, alive, drop }] of [...this.entries].reverse()) {
      bytes += held;
      count += 1;
      if (alive && bytes <= BUDGET_BYTES && count <= MAX_ENTRIES) continue;
      this.entries.delete(each);
      drop();
    }
  }

  clear(): void {
    for (const { drop } of this.entries.values()) drop();
    this.entries.clear();
  }
}
