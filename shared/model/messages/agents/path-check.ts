/** Messages about whether agents may use a path. Sentences with full stops. */
export interface Place {
  place: string;
}

export const pathCheck = {
  'path.answers': 'It is in the folder where Filebridge stores answers for agents.',
  'path.directory': ({ folder, writable }: { folder: string; writable: boolean }) =>
    writable
      ? `Agents may read files in it and write new ones: it belongs to '${folder}'.`
      : `Agents may read files in it: it belongs to '${folder}', which is allowed for reading only.`,
  'path.file': ({ folder, writable }: { folder: string; writable: boolean }) =>
    writable
      ? `It is in '${folder}', which agents may read and write.`
      : `It is in '${folder}', which is allowed for reading only.`,
  'path.link': ({ what, place }: Place & { what: string }) => `${what} It leads to '${place}'.`,
  'path.own': 'It belongs to Filebridge itself, which keeps its settings and secrets closed.',
  'path.sensitive': ({ name }: { name: string }) =>
    `The name '${name}' looks like that of a password or key, and those stay closed.`,
  'path.sensitive.fixed': 'Folders named on the command line cannot allow it.',
  'path.sensitive.allow': ({ name }: { name: string }) =>
    `Where agents need it all the same, add "allowSensitive": ["${name}"] to the folder in the configuration file.`,
  'path.notRegular': ({ kind }: { kind: string }) => `It is ${kind}, not a file.`,
  'path.notRegular.hint': 'Agents can read ordinary files only.',
  'path.refused': ({ reason }: { reason: string }) => `${reason}.`,
  'path.relative': 'It is not a full path, and no allowed folder holds such a file.',
  'path.relative.hint': 'Give the path from the root of the disk on.',
  'path.kernel': 'The system makes up what is there; it is never opened.',
  'path.folderGone': ({ folder }: { folder: string }) => `Its folder '${folder}' does not exist now.`,
  'path.folderGone.hint': 'It may have been moved, or be on a drive that is not connected.',
  'path.leadsOut': ({ place }: Place) => `It leads out of the allowed folders, to '${place}'.`,
  'path.outside': 'It is in none of the allowed folders.',
  'path.noFolder': 'No folder is allowed yet.',
  'path.allow': ({ folder, fixed }: { folder: string | null; fixed: boolean }) => {
    const which = folder === null ? 'the folder it is in' : `the folder '${folder}'`;
    return fixed ? `Add ${which} to the command line if agents should reach it.` : `Allow ${which} if agents should reach it.`;
  },
  'path.noPermission': 'The system does not let Filebridge read it.',
  'path.noPermission.hint': 'Change its permissions.',
  'path.absent': ({ path }: { path: string }) => `There is no file '${path}'.`,
  'path.absentEnd': ({ place }: Place) => `There is no such file: it leads to '${place}', which does not exist.`,
  'path.absent.hint': 'Check the name, and upper and lower case.',
};
