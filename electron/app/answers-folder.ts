/** Where stored answers go: the configured folder, unless agents may not write there at all, and in it a folder for each client. */
import { realpathSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AppError, toAppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import type { ClientStores } from '../calls/types.ts';
import { ClientFolders, type FolderClient } from '../files/client-folders.ts';
import { createFileAccess, type FileAccessOptions } from '../files/file-access.ts';
import { assertAllowable } from './folder-rules.ts';

/**
 * Throws INVALID_REQUEST for a folder that agents may not be given. Answers are written there for agents, and read by them: no other
 * folder of theirs may be wider. `own`: the places of ours. Synchronous, so that a configuration is never in force before it is judged.
 */
export function assertForAnswers(folder: string, own: readonly string[]): void {
  assertAllowable(leadsToNow(path.resolve(folder)), 'read-write', {
    own: own.map(leadsToNow),
    home: leadsToNow(os.homedir()),
  });
}

/** Judges a configured folder once, and again only when another one is configured. Gives why it is refused, or undefined. */
export function answersFolderJudge(own: () => readonly string[]): (folder: string | null) => AppError | undefined {
  let judged: { folder: string | null; refusal: AppError | undefined } = { folder: null, refusal: undefined };
  return (folder) => {
    if (folder !== judged.folder) judged = { folder, refusal: folder === null ? undefined : refusalOf(folder, own()) };
    return judged.refusal;
  };
}

function refusalOf(folder: string, own: readonly string[]): AppError | undefined {
  try {
    assertForAnswers(folder, own);
    return undefined;
  } catch (cause) {
    return new AppError('INVALID_REQUEST', say('answers.refused', { folder, reason: toAppError(cause).asText }), {
      hint: say('answers.refused.hint'),
      details: { path: folder },
      cause,
    });
  }
}

/** The real path; what is missing at its end is appended as it stands. */
function leadsToNow(absolute: string): string {
  try {
    return realpathSync(absolute);
  } catch {
    const parent = path.dirname(absolute);
    return parent === absolute ? absolute : path.join(leadsToNow(parent), path.basename(absolute));
  }
}

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
