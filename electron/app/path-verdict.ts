/** Explains to the user what agents may do with a path. */
import path from 'node:path';
import type { Verdict } from '../../shared/contract/folders.ts';
import type { AppError } from '../../shared/model/errors.ts';
import { absolutePath } from '../files/folder-policy.ts';
import { isWithin } from '../files/leads-to.ts';
import type { Explanation, FileAccess } from '../files/types.ts';

type KnownFolder = Awaited<ReturnType<FileAccess['folders']>>[number];

/** `folders` are the allowed ones; `asked` is the path as the person gave it. */
export function verdictOf(asked: string, explanation: Explanation, folders: readonly KnownFolder[]): Verdict {
  const { absolute, realPath, folder, refusal } = explanation;
  const base = { path: absolute ?? asked, folder: folder === null || folder.trusted ? null : folder.path };
  if (refusal !== null) return { ...base, allowed: false, access: null, ...why(asked, explanation, refusal, folders) };
  const access = folder?.access ?? 'read';
  const link = realPath !== null && absolute !== null && realPath !== absolute && !isSamePlace(absolute, realPath, folders);
  const leads = link ? ` It leads to '${realPath}'.` : '';
  return { ...base, allowed: true, access, message: `${whatIs(explanation)}${leads}`, hint: null };
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

function whatIs({ folder, kind }: Explanation): string {
  if (folder?.trusted) return 'It is in the folder where Filebridge stores answers for agents.';
  const where = `'${folder?.path}'`;
  const writable = folder?.access === 'read-write';
  if (kind === 'directory') {
    return writable
      ? `Agents may read files in it and write new ones: it belongs to ${where}.`
      : `Agents may read files in it: it belongs to ${where}, which is allowed for reading only.`;
  }
  return writable
    ? `It is in ${where}, which agents may read and write.`
    : `It is in ${where}, which is allowed for reading only.`;
}

interface Words {
  message: string;
  hint: string | null;
}

function why(asked: string, explanation: Explanation, refusal: AppError, folders: readonly KnownFolder[]): Words {
  const { absolute, realPath } = explanation;
  switch (refusal.code) {
    case 'FILE_OUTSIDE_FOLDERS':
      return outside(absolute, realPath, folders);
    case 'FILE_SENSITIVE':
      return refusal.details.own === true
        ? { message: 'It belongs to Filebridge itself, which keeps its settings and secrets closed.', hint: null }
        : {
            message: `The name '${String(refusal.details.name)}' looks like that of a password or key, and those stay closed.`,
            hint: areFixed(folders)
              ? 'Folders named on the command line cannot allow it.'
              : `Where agents need it all the same, add "allowSensitive": ["${String(refusal.details.name)}"] to the folder in the configuration file.`,
          };
    case 'FILE_NOT_REGULAR':
      return { message: `It is ${String(refusal.details.kind)}, not a file.`, hint: 'Agents can read ordinary files only.' };
    case 'FILE_NOT_FOUND':
      return missing(asked, explanation, refusal);
    default:
      return { message: `${refusal.message}.`, hint: refusal.hint === undefined ? null : `${refusal.hint}.` };
  }
}

const areFixed = (folders: readonly KnownFolder[]): boolean => folders.some(({ from }) => from === 'command line');

function outside(absolute: string | null, realPath: string | null, folders: readonly KnownFolder[]): Words {
  if (absolute === null) {
    return {
      message: 'It is not a full path, and no allowed folder holds such a file.',
      hint: 'Give the path from the root of the disk on.',
    };
  }
  if (realPath === null) return { message: 'The system makes up what is there; it is never opened.', hint: null };
  const gone = folders.find((folder) => folder.realPath === null && isWithin(absolute, absolutePath(folder.path, {})));
  if (gone) {
    return {
      message: `Its folder '${gone.path}' is not there now.`,
      hint: 'It may have been moved, or be on a drive that is not connected.',
    };
  }
  const named = folders.some((folder) =>
    [absolutePath(folder.path, {}), folder.realPath].some((place) => place !== null && isWithin(absolute, place)),
  );
  if (named) {
    return {
      message: `It leads out of the allowed folders, to '${realPath}'.`,
      hint: areFixed(folders)
        ? `Add the folder '${path.dirname(realPath)}' to the command line if agents should reach it.`
        : `Allow the folder '${path.dirname(realPath)}' if agents should reach it.`,
    };
  }
  const none = folders.length === 0;
  return {
    message: none ? 'No folder is allowed yet.' : 'It is in none of the allowed folders.',
    hint: areFixed(folders)
      ? 'Add the folder it is in to the command line if agents should reach it.'
      : 'Allow the folder it is in if agents should reach it.',
  };
}

function missing(asked: string, { absolute, realPath }: Explanation, refusal: AppError): Words {
  const cause = refusal.cause as { code?: unknown } | undefined;
  if (cause?.code === 'EACCES' || cause?.code === 'EPERM') {
    return { message: 'The system does not let Filebridge read it.', hint: 'Change its permissions.' };
  }
  const leads = realPath !== null && absolute !== null && realPath !== absolute;
  return {
    message: leads ? `There is no such file: it leads to '${realPath}', which is not there.` : `There is no file '${asked}'.`,
    hint: 'Check the name, and upper and lower case.',
  };
}
