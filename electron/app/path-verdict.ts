/** Explains to the user what agents may do with a path. */
import path from 'node:path';
import type { Verdict } from '../../shared/contract/folders.ts';
import type { AppError } from '../../shared/model/errors.ts';
import { type Message, say } from '../../shared/model/messages/message.ts';
import { worded } from '../../shared/model/messages/received.ts';
import { absolutePath } from '../files/folder-policy.ts';
import { isWithin } from '../files/paths.ts';
import type { Explanation, FileAccess } from '../files/types.ts';

type KnownFolder = Awaited<ReturnType<FileAccess['folders']>>[number];

/** `requested` is the path as the person gave it, `folders` are the allowed ones, and `holding` is the one to allow, where it may be. */
export function verdictOf(
  requested: string,
  explanation: Explanation,
  folders: readonly KnownFolder[],
  holding: string | null,
): Verdict {
  const { absolute, realPath, folder, refusal } = explanation;
  const isOutside = refusal?.code === 'FILE_OUTSIDE_FOLDERS';
  const base = {
    path: absolute ?? requested,
    folder: folder === null || folder.trusted ? null : folder.path,
    toAllow: isOutside && !areFixed(folders) ? holding : null,
  };
  if (refusal !== null)
    return {
      ...base,
      allowed: false,
      access: null,
      allowable: allowableName(explanation, folders),
      ...worded(...why(requested, explanation, refusal, folders, holding)),
    };
  const access = folder?.access ?? 'read';
  const link = realPath !== null && absolute !== null && realPath !== absolute && !isSamePlace(absolute, realPath, folders);
  const what = whatIs(explanation);
  return {
    ...base,
    allowed: true,
    access,
    allowable: null,
    ...worded(link ? say('path.link', { what, place: realPath }) : what),
  };
}

/** The name for which a file is refused that the person can allow by itself. */
export function allowableName({ folder, kind, refusal }: Explanation, folders: readonly KnownFolder[]): string | null {
  const isCredential = refusal?.code === 'FILE_SENSITIVE' && refusal.details.own !== true && refusal.details.place !== true;
  if (!isCredential || folder === null || folder.trusted || kind === 'directory' || areFixed(folders)) return null;
  return String(refusal.details.name);
}

/** The same file below an allowed folder that is itself named through a link, as `/tmp` is on a Mac. */
function isSamePlace(absolute: string, realPath: string, folders: readonly KnownFolder[]): boolean {
  return folders.some(
    (folder) =>
      folder.realPath !== null &&
      isWithin(absolute, absolutePath(folder.path, {})) &&
      path.join(folder.realPath, path.relative(absolutePath(folder.path, {}), absolute)) === realPath,
  );
}

function whatIs({ folder, kind }: Explanation): Message {
  if (folder === null || folder.trusted) return say('path.answers');
  const where = { folder: folder.path, writable: folder.access === 'read-write' };
  return kind === 'directory' ? say('path.directory', where) : say('path.file', where);
}

/** Message and hint. */
type Words = [Message, (Message | null)?];

function why(
  requested: string,
  explanation: Explanation,
  refusal: AppError,
  folders: readonly KnownFolder[],
  holding: string | null,
): Words {
  const { absolute, realPath } = explanation;
  switch (refusal.code) {
    case 'FILE_OUTSIDE_FOLDERS':
      return outside(absolute, realPath, folders, holding);
    case 'FILE_SENSITIVE': {
      if (refusal.details.own === true) return [say('path.own')];
      if (refusal.details.place === true) return refused(refusal);
      const name = String(refusal.details.name);
      return [
        say('path.sensitive', { name }),
        areFixed(folders) ? say('path.sensitive.fixed') : say('path.sensitive.allow', { name }),
      ];
    }
    case 'FILE_NOT_REGULAR':
      return [say('path.notRegular', { kind: String(refusal.details.kind) }), say('path.notRegular.hint')];
    case 'FILE_NOT_FOUND':
      return missing(requested, explanation, refusal);
    default:
      return refused(refusal);
  }
}

function refused({ asText: reason, hintAsText: hint }: AppError): Words {
  return [say('path.refused', { reason }), hint === undefined ? null : say('path.refused', { reason: hint })];
}

const areFixed = (folders: readonly KnownFolder[]): boolean => folders.some(({ from }) => from === 'command line');

function outside(
  absolute: string | null,
  realPath: string | null,
  folders: readonly KnownFolder[],
  holding: string | null,
): Words {
  if (absolute === null) return [say('path.relative'), say('path.relative.hint')];
  if (realPath === null) return [say('path.kernel')];
  const gone = folders.find((folder) => folder.realPath === null && isWithin(absolute, absolutePath(folder.path, {})));
  if (gone) return [say('path.folderGone', { folder: gone.path }), say('path.folderGone.hint')];
  const named = folders.some((folder) =>
    [absolutePath(folder.path, {}), folder.realPath].some((place) => place !== null && isWithin(absolute, place)),
  );
  const fixed = areFixed(folders);
  if (named) {
    return [say('path.leadsOut', { place: realPath }), say('path.allow', { folder: path.dirname(realPath), fixed })];
  }
  const hint = holding === null && !fixed ? say('path.closed') : say('path.allow', { folder: null, fixed });
  return [folders.length === 0 ? say('path.noFolder') : say('path.outside'), hint];
}

function missing(requested: string, { absolute, realPath }: Explanation, refusal: AppError): Words {
  const cause = refusal.cause as { code?: unknown } | undefined;
  if (cause?.code === 'EACCES' || cause?.code === 'EPERM') return [say('path.noPermission'), say('path.noPermission.hint')];
  const leads = realPath !== null && absolute !== null && realPath !== absolute;
  return [leads ? say('path.absentEnd', { place: realPath }) : say('path.absent', { path: requested }), say('path.absent.hint')];
}
