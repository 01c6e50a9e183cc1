/** Identifies clients across restarts. */
import type { FolderClient } from '../files/client-folders.ts';
import type { CallerContext } from './types.ts';

type Asking = Pick<CallerContext, 'owner' | 'client'>;

const isConnection = (owner: string): boolean => owner.startsWith('stdio:');

/** A connection over stdio has no token, and another owner each time; the name that its client gives has to do. */
export const lastingOwner = ({ owner = '', client }: Asking): string => (isConnection(owner) ? `stdio:${client ?? ''}` : owner);

/** The client as the folders for stored answers tell it. */
export const folderClient = (asking: Asking): FolderClient => ({
  lasting: lastingOwner(asking),
  connection: asking.owner !== undefined && isConnection(asking.owner) ? asking.owner : undefined,
});
