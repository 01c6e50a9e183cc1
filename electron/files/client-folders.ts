/** Gives each client its own folder for stored answers, and decides which clients may enter it. */
import { createHash } from 'node:crypto';
import { hasEnded, MARK, processMark } from '../store/process-mark.ts';

/** The properties of a client that its folder depends on. */
export interface FolderClient {
  /** Identifies the client across connections: a hash of its token, or its name over stdio. */
  lasting: string;
  /** One connection of a client that has no token. */
  connection?: string | undefined;
}

/** Which clients' folders one client may enter. */
export interface ClientFolder {
  /** Name of this client's folder. */
  readonly name: string;
  mayEnter(name: string): boolean;
}

const NAME = new RegExp(`^client-([0-9a-f]{16})(?:-([0-9a-f]{16})-(${MARK}))?$`);

/** Whether a name is the folder name of any client. Case-insensitive, as some disks are. */
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
