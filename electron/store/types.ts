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

/** Encrypts with the system's keychain; text in, base64 out. */
export interface SecretCipher {
  encrypt(text: string): string;
  /** Throws when the text was encrypted by another user or machine. */
  decrypt(sealed: string): string;
}

/** The cipher, or why there is none, in a sentence for the user. */
export type SecretAccess = { cipher: SecretCipher } | { reason: string };

/** Secrets of servers, sealed on disk. The configuration refers to them as `${secret:ID}`. */
export interface SecretStore {
  /** Seals values and keeps them; gives their references, in order. Throws SECRET_UNAVAILABLE, and then nothing is written. */
  seal(values: readonly string[]): Promise<string[]>;
  /** The value of an id. Throws SECRET_UNAVAILABLE, which says what is wrong and names no value. */
  reveal(id: string): string;
  /** Removes secrets; unknown ids are passed over. */
  forget(ids: Iterable<string>): Promise<void>;
}
