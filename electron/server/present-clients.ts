/** Which clients are here: connected now, or seen since the program started. */

export interface ClientIdentity {
  /** As it introduced itself; null where it gave no name. */
  name: string | null;
  version: string | null;
  transport: 'stdio' | 'http';
}

export interface PresentClient extends ClientIdentity {
  connected: boolean;
  /** When it was first seen, and last heard of. */
  since: string;
  lastSeen: string;
}

interface Entry {
  identity: ClientIdentity;
  /** Open connections, each by the object that stands for it. */
  open: Set<object>;
  since: number;
  lastSeen: number;
  timer: NodeJS.Timeout | undefined;
}

/** Clients that are remembered after they have left. */
const KEPT = 100;
/** For how long after its last request a client without an open connection counts as connected (milliseconds). */
const REQUEST_MS = 2 * 60_000;
/** A version is shown to a person (UTF-16 code units). */
const MAX_VERSION = 40;

export class PresentClients {
  readonly #entries = new Map<string, Entry>();
  readonly #connections = new Map<object, Entry>();
  readonly #listeners = new Set<() => void>();

  /** A client was heard of. `connection` is open until `left`; absent for single requests. */
  seen({ name, version, transport }: ClientIdentity, connection?: object): void {
    const identity = { name, version: version?.slice(0, MAX_VERSION) ?? null, transport };
    const key = JSON.stringify(identity);
    const now = Date.now();
    const entry = this.#entries.get(key) ?? { identity, open: new Set(), since: now, lastSeen: now, timer: undefined };
    const before = isConnected(entry) && this.#entries.has(key);
    // The newest last, so that the oldest can go first.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    if (!before) entry.since = now;
    entry.lastSeen = now;
    if (connection) {
      entry.open.add(connection);
      this.#connections.set(connection, entry);
    } else {
      clearTimeout(entry.timer);
      entry.timer = setTimeout(() => {
        entry.timer = undefined;
        this.#changed();
      }, REQUEST_MS).unref();
    }
    for (const [old, { open, timer }] of this.#entries) {
      if (this.#entries.size <= KEPT) break;
      if (open.size === 0 && timer === undefined) this.#entries.delete(old);
    }
    if (!before) this.#changed();
  }

  /** A connection has ended. */
  left(connection: object): void {
    const entry = this.#connections.get(connection);
    if (!entry) return;
    this.#connections.delete(connection);
    entry.open.delete(connection);
    if (entry.open.size === 0) {
      clearTimeout(entry.timer);
      entry.timer = undefined;
    }
    entry.lastSeen = Date.now();
    if (!isConnected(entry)) this.#changed();
  }

  /** The one heard of last first. */
  list(): PresentClient[] {
    return [...this.#entries.values()].reverse().map((entry) => ({
      ...entry.identity,
      connected: isConnected(entry),
      since: new Date(entry.since).toISOString(),
      lastSeen: new Date(entry.lastSeen).toISOString(),
    }));
  }

  /** The listener hears when somebody comes or leaves. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

const isConnected = ({ open, timer }: Entry): boolean => open.size > 0 || timer !== undefined;
