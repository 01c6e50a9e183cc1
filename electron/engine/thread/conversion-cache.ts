/** Conversions that are closed but stay as they are for a while, in case the same file is wanted again unchanged. */

/** What is kept in all; the memory is the threads'. Bytes. */
const BUDGET_BYTES = 64 * 1024 * 1024;
/** Each holds checkpoints and what its format settled, however large the file. */
const MAX_ENTRIES = 16;

/** A closed conversion that can be opened again. */
export interface CacheEntry {
  /** Memory that it holds, in bytes. */
  readonly bytes: number;
  /** Whether its thread is still there. */
  readonly alive: boolean;
  /** Gives it up for good. */
  drop(): void;
}

/** Least recently parked ones go first. */
export class ConversionCache<Entry extends CacheEntry> {
  private readonly entries = new Map<string, Entry>();

  /** Hands out the entry, which is no longer parked then. */
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
