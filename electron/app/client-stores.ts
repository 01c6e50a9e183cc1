/** Stored answers that each client may access. */
import type { ClientStores } from '../calls/types.ts';
import { ClientFolders, type FolderClient } from '../files/client-folders.ts';
import { createFileAccess, type FileAccessOptions } from '../files/file-access.ts';

export function clientStores(access: FileAccessOptions): ClientStores & { accessOf(client: FolderClient): FileAccessOptions } {
  const folders = new ClientFolders();
  const accessOf = (client: FolderClient): FileAccessOptions => ({ ...access, client: folders.of(client) });
  return {
    accessOf,
    of(client) {
      const own = accessOf(client);
      return { files: createFileAccess(own), folder: own.client?.name ?? '' };
    },
    left: (connection) => folders.left(connection),
  };
}
