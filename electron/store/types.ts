/** Types of what is stored on disk: configuration, ledger and secrets. */
import type { LedgerEntry, Totals } from '../../shared/model/call.ts';
import type { Config } from '../../shared/model/config.ts';
import type { Text } from '../../shared/model/messages/message.ts';
import type { worded } from '../../shared/model/messages/received.ts';

/** A problem of the configuration file: the error, what was done about it, and what to do. */
export type ConfigProblem = ReturnType<typeof worded> & ConfigFault;

/**
 * `set_aside`: it was not JSON, is kept as `path`, and defaults are used; it stays a problem until it is repaired there, or given up by
 * `restore`. `ignored`: it is not JSON, and the previous settings stay active. `entry`: the entry, such as `upstreams.db`, is not active,
 * all others are. `unwatched`: edits go unnoticed.
 */
export type ConfigFault =
  | { readonly kind: 'set_aside'; readonly path: string }
  | { readonly kind: 'entry'; readonly entry: string }
  | { readonly kind: 'ignored' | 'unwatched' };

export interface ConfigStore {
  readonly path: string;
  current(): Config;
  /** Checks, writes atomically, then notifies. */
  update(change: (config: Config) => Config): Promise<Config>;
  onChange(listener: (config: Config) => void): () => void;
  /** Empty when all is well. */
  readonly problems: readonly ConfigProblem[];
  /** Reads the file again, as after an edit; before it, one that was set aside and may have been repaired there. */
  reload(): Promise<void>;
  /** Writes the active configuration over an invalid file or one with bad entries, which is kept under another name. */
  restore(): Promise<void>;
}

export interface Ledger {
  append(entry: LedgerEntry): Promise<void>;
  /** Resolves once every line appended so far is on disk, or has failed. */
  written(): Promise<void>;
  /** Totals over everything ever recorded, and of the current day of the local calendar. */
  totals(): Promise<{ all: Totals; today: Totals }>;
  /** Newest first. */
  recent(limit: number): Promise<LedgerEntry[]>;
  /** Called for every entry, of other processes too, soon after it was written. */
  onAppend(listener: (entry: LedgerEntry) => void): () => void;
  /** Forgets every entry and every total. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** Encrypts with the system's keychain; text in, base64 out. */
export interface SecretCipher {
  encrypt(text: string): string;
  /** Throws when the text was encrypted by another user or machine. */
  decrypt(sealed: string): string;
}

/** The cipher, or why there is none, in a sentence for the user. */
export type SecretAccess = { cipher: SecretCipher } | { reason: Text };

/** `from`: where the secret went before; absent for one that is not tied yet. */
export interface SecretBinding {
  readonly id: string;
  readonly from?: string | undefined;
  readonly to: string;
}

/** Secrets of servers, sealed on disk. The configuration refers to them as `${secret:ID}`. */
export interface SecretStore {
  /** Seals values and keeps them; gives their references, in order. Throws SECRET_UNAVAILABLE, and then nothing is written. */
  seal(values: readonly string[]): Promise<string[]>;
  /** Throws the errors of `reveal` that are known without unsealing, since a keychain may ask the user then. */
  check(id: string, target?: string): void;
  /** The value of an id, for this target. Throws SECRET_UNAVAILABLE, which says what is wrong and names no value. */
  reveal(id: string, target?: string): string;
  /** Ties secrets to the targets they may go to. Those that are tied to another one than `from` stay as they are. */
  bind(bindings: readonly SecretBinding[]): Promise<void>;
  /** Removes secrets; unknown ids are ignored. */
  forget(ids: Iterable<string>): Promise<void>;
}
