/** One folder for each client's stored answers, below the folder for all of them: which is whose, and who may enter it. */
import { createHash } from 'node:crypto';
import { hasEnded, MARK, processMark } from '../store/process-mark.ts';

/** A client as far as its folder depends on it. */
export interface FolderClient {
  /** What stays the same when the client connects again: a hash of its token, or the name it gives over stdio. */
  lasting: string;
  /** One connection of a client that has no token. */
  connection?: string | undefined;
}

/** What one client may enter of the clients' folders. */
export interface ClientFolder {
  /** The name of its own folder. */
  readonly name: string;
  mayEnter(name: string): boolean;
}

const NAME = new RegExp(`^client-([0-9a-f]{16})(?:-([0-9a-f]{16})-(${MARK}))?$`);

/** Whether a name is that of a client's folder, of any client. Disks may take upper and lower case for the same. */
export const isClientFolder = (name: string): boolean => NAME.test(name.toLowerCase());

const short = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/**
 * A token has one folder. A client without one has a folder for each connection, and enters those of its earlier connections, so that
 * an answer is there after the app that asked for it was started again. Connections open at the same time are apart.
 */
export class ClientFolders {
  /** Hashes of the connections that are open in this process. */
  readonly #open = new Set<string>();

  of({ lasting, connection }: FolderClient): ClientFolder {
    const name = nameOf(lasting, connection);
    if (connection === undefined) return { name, mayEnter: (other) => other.toLowerCase() === name };
    this.#open.add(short(connection));
    return { name, mayEnter: (other) => other.toLowerCase() === name || this.#wasOf(lasting, other.toLowerCase()) };
  }

  /** The connection has ended. */
  left(connection: string): void {
    this.#open.delete(short(connection));
  }

  #wasOf(lasting: string, other: string): boolean {
    const [, owner, connection, mark] = NAME.exec(other) ?? [];
    if (owner !== short(lasting) || connection === undefined || mark === undefined) return false;
    return mark === processMark() ? !this.#open.has(connection) : hasEnded(mark);
  }
}

const nameOf = (lasting: string, connection: string | undefined): string =>
  `client-${short(lasting)}${connection === undefined ? '' : `-${short(connection)}-${processMark()}`}`;
