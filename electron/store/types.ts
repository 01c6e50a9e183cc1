/** What is kept on disk: configuration and ledger, as the rest of the program sees them. */
import type { LedgerEntry, Totals } from '../../shared/model/call.ts';
import type { Config } from '../../shared/model/config.ts';

export interface ConfigStore {
  readonly path: string;
  current(): Config;
  /** Checks, writes atomically, then notifies. */
  update(change: (config: Config) => Config): Promise<Config>;
  onChange(listener: (config: Config) => void): () => void;
  /** What was wrong at load and what was done about it; empty when nothing. */
  readonly problems: readonly string[];
}

export interface Ledger {
  append(entry: LedgerEntry): Promise<void>;
  /** Totals over everything ever recorded, and of the current UTC day. */
  totals(): Promise<{ all: Totals; today: Totals }>;
  /** Newest first. */
  recent(limit: number): Promise<LedgerEntry[]>;
  /** Hears of every entry, other processes' too, soon after it was written. */
  onAppend(listener: (entry: LedgerEntry) => void): () => void;
  close(): Promise<void>;
}
